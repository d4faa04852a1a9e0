package drive

import (
	"encoding/binary"
	"reflect"
	"unsafe"
)

// Hash returns a hash of every bit of the state: equal drives give equal hashes. It is for replays and
// is not called in a tick.
func (s *State) Hash() uint64 { return stateLayout.hash(unsafe.Pointer(s)) }

// Hash returns a hash of every bit of the outputs.
func (o *Outputs) Hash() uint64 { return outputsLayout.hash(unsafe.Pointer(o)) }

var (
	inputsLayout  = layoutOf(reflect.TypeFor[Inputs]())
	stateLayout   = layoutOf(reflect.TypeFor[State]())
	outputsLayout = layoutOf(reflect.TypeFor[Outputs]())
)

// layout lists the bytes of a plain value without the padding between its fields.
type layout struct {
	size  uintptr   // size of the value [bytes]
	parts []part    // ranges of bytes to hash
	bools []uintptr // offsets of truth values
}

// part is a range of offsets [bytes] without padding.
type part struct{ from, to uintptr }

func layoutOf(t reflect.Type) layout {
	l := layout{size: t.Size()}
	l.add(t, 0)
	return l
}

// add adds the parts of a type at an offset [bytes].
func (l *layout) add(t reflect.Type, at uintptr) {
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			l.add(t.Field(i).Type, at+t.Field(i).Offset)
		}
	case reflect.Array:
		for i := range t.Len() {
			l.add(t.Elem(), at+uintptr(i)*t.Elem().Size())
		}
	default:
		if t.Kind() == reflect.Bool {
			l.bools = append(l.bools, at)
		}
		if n := len(l.parts); n > 0 && l.parts[n-1].to == at {
			l.parts[n-1].to += t.Size()
			return
		}
		l.parts = append(l.parts, part{at, at + t.Size()})
	}
}

// hash returns an FNV-1a hash of a value, by words of 8 bytes and the remaining bytes of each part. It
// mixes the high bits down, or two changed signs could cancel.
func (l *layout) hash(value unsafe.Pointer) uint64 {
	const start, prime = 14695981039346656037, 1099511628211
	h, memory := uint64(start), unsafe.Slice((*byte)(value), l.size)
	for _, p := range l.parts {
		b := memory[p.from:p.to]
		for ; len(b) >= 8; b = b[8:] {
			h = (h ^ binary.LittleEndian.Uint64(b)) * prime
			h ^= h >> 32
		}
		for _, v := range b {
			h = (h ^ uint64(v)) * prime
		}
	}
	return h
}
