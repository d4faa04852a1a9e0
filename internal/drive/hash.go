package drive

import (
	"encoding/binary"
	"reflect"
	"unsafe"
)

// Hash condenses every bit of the state; equal drives give equal hashes. It is for whoever drives a
// drive again, and is no part of a tick.
func (s *State) Hash() uint64 { return stateLayout.hash(unsafe.Pointer(s)) }

// Hash condenses every bit of the outputs.
func (o *Outputs) Hash() uint64 { return outputsLayout.hash(unsafe.Pointer(o)) }

var stateLayout, outputsLayout = layoutOf(reflect.TypeFor[State]()), layoutOf(reflect.TypeFor[Outputs]())

// layout is how a plain value lies in memory, without the gaps between its fields.
type layout struct {
	size  uintptr
	parts []part
}

// part is a piece of memory without gaps [bytes].
type part struct{ from, to uintptr }

func layoutOf(t reflect.Type) layout { return layout{t.Size(), parts(nil, t, 0)} }

// parts adds those of a type that lies at an offset.
func parts(list []part, t reflect.Type, at uintptr) []part {
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			list = parts(list, t.Field(i).Type, at+t.Field(i).Offset)
		}
	case reflect.Array:
		for i := range t.Len() {
			list = parts(list, t.Elem(), at+uintptr(i)*t.Elem().Size())
		}
	default:
		if n := len(list); n > 0 && list[n-1].to == at {
			list[n-1].to += t.Size()
			return list
		}
		list = append(list, part{at, at + t.Size()})
	}
	return list
}

// hash is made of a value of this layout as FNV-1a makes one of bytes: of the words of each part and
// the bytes that are left of it. The high bits are brought down, or two signs that differ would not
// show.
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
