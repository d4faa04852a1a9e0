package drive

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"unsafe"
)

// InputsLayout and StateLayout name the fields of Inputs and State with their types, in order. Bytes of Append belong to
// one layout.
func InputsLayout() string { return fieldText(reflect.TypeFor[Inputs]()) }

// StateLayout is InputsLayout for State.
func StateLayout() string { return fieldText(reflect.TypeFor[State]()) }

// Append appends the bytes of in, without the padding between its fields. It allocates nothing if b has room for
// InputsSize more.
func (in *Inputs) Append(b []byte) []byte { return inputsLayout.appendTo(b, unsafe.Pointer(in)) }

// Set sets in from the bytes of Append.
func (in *Inputs) Set(b []byte) error { return inputsLayout.set(unsafe.Pointer(in), b) }

// Append appends the bytes of s, without the padding between its fields.
func (s *State) Append(b []byte) []byte { return stateLayout.appendTo(b, unsafe.Pointer(s)) }

// Set sets s from the bytes of Append.
func (s *State) Set(b []byte) error { return stateLayout.set(unsafe.Pointer(s), b) }

// InputsSize is the number of bytes that Inputs.Append appends, and StateSize that of State.Append.
var InputsSize, StateSize = inputsLayout.bytes(), stateLayout.bytes()

// bytes returns the size of a value without padding.
func (l *layout) bytes() int {
	n := uintptr(0)
	for _, p := range l.parts {
		n += p.to - p.from
	}
	return int(n)
}

func (l *layout) appendTo(b []byte, value unsafe.Pointer) []byte {
	memory := unsafe.Slice((*byte)(value), l.size)
	for _, p := range l.parts {
		b = append(b, memory[p.from:p.to]...)
	}
	return b
}

// set sets a value from the bytes of appendTo. It returns an error for another number of bytes and for a bool that is
// neither.
func (l *layout) set(value unsafe.Pointer, b []byte) error {
	if len(b) != l.bytes() {
		return fmt.Errorf("%d bytes: must be %d", len(b), l.bytes())
	}
	memory := unsafe.Slice((*byte)(value), l.size)
	for _, p := range l.parts {
		b = b[copy(memory[p.from:p.to], b):]
	}
	for _, at := range l.bools {
		if memory[at] > 1 {
			memory[at] = 0
			return fmt.Errorf("byte %d is no truth value", at)
		}
	}
	return nil
}

// Differing is a field that two values have in different ways.
type Differing struct {
	Field string // path of the field, such as Car.Wheels[0].Load
	A, B  string // its values
}

// Differences lists the fields in which two states differ, at most limit of them.
func Differences(a, b *State, limit int) (list []Differing) {
	differences(&list, limit, reflect.ValueOf(a).Elem(), reflect.ValueOf(b).Elem(), "")
	return list
}

func differences(list *[]Differing, limit int, a, b reflect.Value, path string) {
	if len(*list) >= limit {
		return
	}
	switch a.Kind() {
	case reflect.Struct:
		for i := range a.NumField() {
			differences(list, limit, a.Field(i), b.Field(i), path+"."+a.Type().Field(i).Name)
		}
	case reflect.Array:
		for i := range a.Len() {
			differences(list, limit, a.Index(i), b.Index(i), fmt.Sprintf("%s[%d]", path, i))
		}
	case reflect.Float64:
		if x, y := a.Float(), b.Float(); math.Float64bits(x) != math.Float64bits(y) {
			*list = append(*list, Differing{strings.TrimPrefix(path, "."), fmt.Sprint(x), fmt.Sprint(y)})
		}
	default:
		if x, y := fmt.Sprint(a), fmt.Sprint(b); x != y {
			*list = append(*list, Differing{strings.TrimPrefix(path, "."), x, y})
		}
	}
}

// fieldText lists the fields of a type with their kinds.
func fieldText(t reflect.Type) string {
	var b strings.Builder
	var add func(t reflect.Type)
	add = func(t reflect.Type) {
		switch t.Kind() {
		case reflect.Struct:
			b.WriteByte('{')
			for i := range t.NumField() {
				b.WriteString(t.Field(i).Name + " ")
				add(t.Field(i).Type)
				b.WriteByte(';')
			}
			b.WriteByte('}')
		case reflect.Array:
			fmt.Fprintf(&b, "[%d]", t.Len())
			add(t.Elem())
		default:
			b.WriteString(t.Kind().String())
		}
	}
	add(t)
	return b.String()
}
