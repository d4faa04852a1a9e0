package drive

import (
	"fmt"
	"reflect"
	"unsafe"

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
	forceBadValue  = 0xffff                         // force feedback met NaN, Inf or an absurd value
	cueingBadValue = 0xfffe                         // motion cueing met NaN, Inf or an absurd value
	stateWords     = unsafe.Sizeof(sim.State{}) / 8 // size of sim.State in words of 8 bytes
	exponent       = 0x7ff << 52                    // mask of a float64's exponent bits, which are all 1 only in NaN and Inf
	exponentOne    = 1 << 52                        // lowest bit of the exponent
)

// exponents holds the exponent's bit mask for each word of a sim.State that is a float64, and 0 for
// the others. Reflection builds it, so that no field is forgotten.
var exponents = func() (mask [stateWords]uint64) {
	markFloats(&mask, reflect.TypeFor[sim.State](), 0)
	return mask
}()

// markFloats sets the mask for the float64s of a type at an offset [bytes].
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

// asWords returns a state's memory as words.
func asWords(s *sim.State) *[stateWords]uint64 { return (*[stateWords]uint64)(unsafe.Pointer(s)) }

// checkValues latches a bad value of the car, of force feedback or of cueing.
func (s *State) checkValues(out *Outputs) {
	switch bad := findBadValue(&s.Car); {
	case s.badValueLatched:
	case bad.index != 0:
		s.latchBadValue(bad, out)
	case s.Force.Fault():
		s.latchBadValue(BadValue{index: forceBadValue}, out)
	case s.Motion.Fault():
		s.latchBadValue(BadValue{index: cueingBadValue}, out)
	}
}

// latchBadValue latches a bad value until the operator confirms, and reports it for the log.
func (s *State) latchBadValue(bad BadValue, out *Outputs) {
	s.badValueLatched, out.BadValue = true, bad
}

// Pack packs a bad value into a word, so that it can be handed to another goroutine atomically.
func (f BadValue) Pack() uint32 { return uint32(f.index) | uint32(f.more)<<16 }

// UnpackBadValue returns the bad value that Pack packed.
func UnpackBadValue(v uint32) BadValue { return BadValue{uint16(v), uint16(v >> 16)} }

// allFinite reports whether no float64 of the car's state is NaN or Inf. It runs in every tick and
// allocates nothing. It checks four words at a time, which takes two thirds of the time.
func allFinite(s *sim.State) bool {
	w, i := asWords(s), 0
	var a, b, c, d uint64 // adding 1 to an exponent of all ones carries into the sign bit
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

// findBadValue returns where a state holds NaN or Inf, or the zero value if it holds none.
func findBadValue(s *sim.State) (f BadValue) {
	if allFinite(s) {
		return f
	}
	for i, v := range asWords(s) {
		switch {
		case exponents[i] == 0 || v&exponent != exponent:
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
