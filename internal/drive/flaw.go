package drive

import (
	"fmt"
	"reflect"
	"unsafe"

	"rig.example/rig/sim"
)

// Flaw is where something is NaN or Inf: the first float64 of the car's state, counted in words, and
// how many more there are; or one of the flaws below. The zero value is none.
type Flaw struct {
	word uint16
	more uint16
}

// Flaws outside of the car's state. Its first word is no float64, and its last lies far below.
const (
	forceFlaw   = 0xffff // what the force is made of is NaN, Inf or beyond all measure
	cueingFlaw  = 0xfffe // the same of the platform's pose
	stateWords  = unsafe.Sizeof(sim.State{}) / 8
	exponent    = 0x7ff << 52 // of a float64; all ones in NaN and Inf alone
	exponentOne = 1 << 52
)

// exponents has the exponent's bits for each word of a sim.State that is a float64, and 0 for
// the others. It is made by reflection, so that no field can be forgotten.
var exponents = func() (mask [stateWords]uint64) {
	markFloats(&mask, reflect.TypeFor[sim.State](), 0)
	return mask
}()

// markFloats marks those of a type that lies at an offset [bytes].
func markFloats(mask *[stateWords]uint64, t reflect.Type, at uintptr) {
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			markFloats(mask, t.Field(i).Type, at+t.Field(i).Offset)
		}
	case reflect.Array:
		for i := range t.Len() {
			markFloats(mask, t.Elem(), at+uintptr(i)*t.Elem().Size())
		}
	case reflect.Float64:
		mask[at/8] = exponent
	}
}

// words are a state as it lies in memory.
func words(s *sim.State) *[stateWords]uint64 { return (*[stateWords]uint64)(unsafe.Pointer(s)) }

// examine looks for NaN and Inf in the car, and asks force feedback and cueing whether they met
// any, or values beyond all measure.
func (s *State) examine(out *Outputs) {
	switch f := flawOf(&s.Car); {
	case s.flawed:
	case f.word != 0:
		s.found(f, out)
	case s.Force.Fault():
		s.found(Flaw{word: forceFlaw}, out)
	case s.Motion.Fault():
		s.found(Flaw{word: cueingFlaw}, out)
	}
}

// found keeps a flaw until the operator confirms, and for the log.
func (s *State) found(f Flaw, out *Outputs) { s.flawed, out.Flaw = true, f }

// Pack returns a flaw in a word, for another goroutine, and Unpack makes a flaw of it.
func (f Flaw) Pack() uint32 { return uint32(f.word) | uint32(f.more)<<16 }

// Unpack returns the flaw that was packed into a word.
func Unpack(v uint32) Flaw { return Flaw{uint16(v), uint16(v >> 16)} }

// finite reports whether no float64 of the car's state is NaN or Inf. It is part of the
// loop: no allocation, and four words at a time, or it would take half as long again.
func finite(s *sim.State) bool {
	w, i := words(s), 0
	var a, b, c, d uint64 // an exponent of all ones carries into the sign
	for ; i+4 <= len(w); i += 4 {
		v, m := (*[4]uint64)(w[i:i+4]), (*[4]uint64)(exponents[i:i+4])
		a |= v[0]&m[0] + exponentOne
		b |= v[1]&m[1] + exponentOne
		c |= v[2]&m[2] + exponentOne
		d |= v[3]&m[3] + exponentOne
	}
	for ; i < len(w); i++ {
		a |= w[i]&exponents[i] + exponentOne
	}
	return (a|b|c|d)>>63 == 0
}

// flawOf returns where a state is not finite, and the zero value where it is.
func flawOf(s *sim.State) (f Flaw) {
	if finite(s) {
		return f
	}
	for i, v := range words(s) {
		switch {
		case exponents[i] == 0 || v&exponent != exponent:
		case f.word == 0:
			f.word = uint16(i)
		default:
			f.more++
		}
	}
	return f
}

// String names the place, as "Wheels[2].Heat.Surface, and 3 more".
func (f Flaw) String() string {
	switch f.word {
	case forceFlaw:
		return "force feedback met NaN, Inf or a value beyond all measure"
	case cueingFlaw:
		return "motion cueing met NaN, Inf or a value beyond all measure"
	}
	name := fieldAt(reflect.TypeFor[sim.State](), uintptr(f.word)*8)[1:]
	if f.more > 0 {
		name += fmt.Sprintf(", and %d more", f.more)
	}
	return name
}

// fieldAt returns the path of what lies at an offset [bytes] of a type, with a dot before it.
func fieldAt(t reflect.Type, offset uintptr) string {
	switch t.Kind() {
	case reflect.Struct:
		i := t.NumField() - 1
		for t.Field(i).Offset > offset {
			i--
		}
		f := t.Field(i)
		if f.Anonymous { // its fields are those of t
			return fieldAt(f.Type, offset-f.Offset)
		}
		return "." + f.Name + fieldAt(f.Type, offset-f.Offset)
	case reflect.Array:
		size := t.Elem().Size()
		return fmt.Sprintf("[%d]", offset/size) + fieldAt(t.Elem(), offset%size)
	}
	return ""
}
