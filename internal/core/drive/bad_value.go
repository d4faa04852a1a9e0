package drive

import (
	"fmt"
	"reflect"
	"unsafe"

	"rig.example/rig/ffb"
	"rig.example/rig/sim"
)

// BadValue is the place where NaN or Inf was found: the first such float64 of the car's state and the
// number of others, or a code for force feedback or motion cueing. The zero value means none.
type BadValue struct {
	index uint16 // index of the float64 in sim.State, in words of 8 bytes; or forceBadValue or cueingBadValue
	more  uint16 // number of further words with NaN or Inf
}

// Codes of BadValue.index outside of the car's state, above the index of its last word. Index 0 can mean
// none, because the first word of sim.State is not a float64.
const (
	forceBadValue  = 0xffff      // force feedback met NaN, Inf or an absurd value
	effectBadValue = 0xfffd      // the wheel's own effects met NaN, Inf or an absurd value
	cueingBadValue = 0xfffe      // motion cueing met NaN, Inf or an absurd value
	exponent       = 0x7ff << 52 // mask of a float64's exponent bits, which are all 1 only in NaN and Inf
	exponentOne    = 1 << 52     // lowest bit of the exponent
)

// A floatMask holds the exponent's bit mask for each word of a value that is a float64, and 0 for the others. Reflection
// builds it, so that no field is forgotten.
type floatMask []uint64

var carFloats, forceFloats = maskOf[sim.State](), maskOf[ffb.State]()

// maskOf returns the mask of a type, whose size must be a multiple of 8 bytes.
func maskOf[T any]() floatMask {
	t := reflect.TypeFor[T]()
	mask := make(floatMask, t.Size()/8)
	mask.mark(t, 0)
	return mask
}

// mark sets the mask for the float64s of a type at an offset [bytes].
func (mask floatMask) mark(t reflect.Type, at uintptr) {
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			mask.mark(t.Field(i).Type, at+t.Field(i).Offset)
		}
	case reflect.Array:
		for i := range t.Len() {
			mask.mark(t.Elem(), at+uintptr(i)*t.Elem().Size())
		}
	case reflect.Float64:
		mask[at/8] = exponent
	}
}

// wordsOf returns a value's memory as words.
func wordsOf[T any](v *T) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(v)), unsafe.Sizeof(*v)/8)
}

// Pack packs a bad value into a word, so that it can be handed to another goroutine atomically.
func (f BadValue) Pack() uint32 { return uint32(f.index) | uint32(f.more)<<16 }

// UnpackBadValue returns the bad value that Pack packed.
func UnpackBadValue(v uint32) BadValue { return BadValue{uint16(v), uint16(v >> 16)} }

// allFinite reports whether no float64 among the words of a value is NaN or Inf. It runs in every tick and
// allocates nothing. It checks four words at a time, which takes two thirds of the time.
func (mask floatMask) allFinite(w []uint64) bool {
	i := 0
	var a, b, c, d uint64 // adding 1 to an exponent of all ones carries into the sign bit
	for ; i+4 <= len(w); i += 4 {
		v, m := (*[4]uint64)(w[i:i+4]), (*[4]uint64)(mask[i:i+4])
		a |= v[0]&m[0] + exponentOne
		b |= v[1]&m[1] + exponentOne
		c |= v[2]&m[2] + exponentOne
		d |= v[3]&m[3] + exponentOne
	}
	for ; i < len(w); i++ {
		a |= w[i]&mask[i] + exponentOne
	}
	return (a|b|c|d)>>63 == 0
}

// findBadValue returns where a state holds NaN or Inf, or the zero value if it holds none.
func findBadValue(s *sim.State) (f BadValue) {
	words := wordsOf(s)
	if carFloats.allFinite(words) {
		return f
	}
	for i, v := range words {
		switch {
		case carFloats[i] == 0 || v&exponent != exponent:
		case f.index == 0:
			f.index = uint16(i)
		default:
			f.more++
		}
	}
	return f
}

// String returns the field's path and the number of others, such as "Wheels[2].Heat.Surface, and 3 more".
func (f BadValue) String() string {
	switch f.index {
	case forceBadValue:
		return "NaN, Inf or an absurd value in force feedback"
	case effectBadValue:
		return "NaN, Inf or an absurd value in the wheel's own effects"
	case cueingBadValue:
		return "NaN, Inf or an absurd value in motion cueing"
	}
	name := fieldAt(reflect.TypeFor[sim.State](), uintptr(f.index)*8)[1:]
	if f.more > 0 {
		name += fmt.Sprintf(", and %d more", f.more)
	}
	return name
}

// fieldAt returns the path of the field at an offset [bytes] of a type, with a leading dot.
func fieldAt(t reflect.Type, offset uintptr) string {
	switch t.Kind() {
	case reflect.Struct:
		i := t.NumField() - 1
		for t.Field(i).Offset > offset {
			i--
		}
		f := t.Field(i)
		if f.Anonymous { // fields of an embedded struct are shown as fields of t
			return fieldAt(f.Type, offset-f.Offset)
		}
		return "." + f.Name + fieldAt(f.Type, offset-f.Offset)
	case reflect.Array:
		size := t.Elem().Size()
		return fmt.Sprintf("[%d]", offset/size) + fieldAt(t.Elem(), offset%size)
	}
	return ""
}
