package rig

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"testing"
	"unsafe"

	"gonum.org/v1/gonum/spatial/r3"

	"rig/devices/estop"
	"rig/ffb"
	"rig/internal/guard"
	"rig/sim"
	"rig/sim/road"
)

// eachFloat calls do with each float64 of a value, however deep it lies, and its path. A
// kind of field in which one could hide fails the test.
func eachFloat(t testing.TB, path string, v reflect.Value, do func(path string, at *float64)) {
	t.Helper()
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			name := v.Type().Field(i).Name
			if path != "" {
				name = path + "." + name
			}
			eachFloat(t, name, v.Field(i), do)
		}
	case reflect.Array:
		for i := range v.Len() {
			eachFloat(t, fmt.Sprintf("%s[%d]", path, i), v.Index(i), do)
		}
	case reflect.Float64:
		do(path, (*float64)(unsafe.Pointer(v.UnsafeAddr())))
	case reflect.Bool, reflect.Int8, reflect.Uint8, reflect.Uint64:
	default:
		t.Errorf("%s is %v: finite does not look into it", path, v.Kind())
	}
}

var notNumbers = []float64{math.NaN(), math.Inf(1), math.Inf(-1)}

// NaN or Inf in any part of the car stops the rig in that tick under its own name, and a
// confirmation puts the car back on its wheels.
func TestNaNAnywhereInTheCarIsAFaultThatAConfirmationClears(t *testing.T) {
	r := demo(t)
	run(t, r, 3000)
	n := 0
	eachFloat(t, "", reflect.ValueOf(&r.state).Elem(), func(path string, at *float64) {
		*at = notNumbers[n%len(notNumbers)]
		n++
		run(t, r, 1)
		if r.guard.State() != guard.Fault || r.guard.Last().Cause != guard.BadState || r.torque != 0 {
			t.Errorf("%s: %v because of %v, %g N·m", path, r.guard.State(), r.guard.Last().Cause, r.torque)
		}
		run(t, r, 3)
		r.orders.clear.Store(true)
		run(t, r, 3)
		if s := r.guard.State(); s != guard.Engaging || *at-*at != 0 {
			t.Errorf("%s = %g: %v after the confirmation", path, *at, s)
			r.restart()
			r.orders.clear.Store(true)
			run(t, r, 3)
		}
	})
	run(t, r, 4000)
	if r.guard.State() != guard.Driving || r.state.Speed < 1 || n < 200 {
		t.Errorf("%v at %g m/s after %d planted values", r.guard.State(), r.state.Speed, n)
	}
}

// crack is a ground that is NaN at the next few places that are asked for.
type crack struct{ places int }

func (c *crack) Touch(p r3.Vec) road.Contact {
	at := road.Asphalt().Touch(p)
	if c.places > 0 {
		c.places--
		at.Depth = math.NaN()
	}
	return at
}

// onCrack returns a rig that drives on such ground.
func onCrack(t *testing.T) (*Rig, *crack) {
	t.Helper()
	r, c := withPage(t, demo(t)), &crack{}
	car, err := sim.New(r.car.Params(), c, r.dt)
	if err != nil {
		t.Fatal(err)
	}
	r.car = car
	run(t, r, 3000)
	return r, c
}

// A step that leaves NaN in the car is a fault, and reaches nothing else: not the force, nor
// the laps, nor the summary. The ticks count on.
func TestAStepThatBreaksTheCarReachesNothingElse(t *testing.T) {
	r, ground := onCrack(t)
	before := r.state.Tick
	ground.places = 1
	run(t, r, 1)
	tick := r.state.Tick
	run(t, r, 1)
	if r.guard.State() != guard.Fault || r.guard.Last().Cause != guard.BadState || r.torque != 0 || tick != before {
		t.Errorf("%v because of %v, %g N·m, tick %d after %d", r.guard.State(), r.guard.Last().Cause, r.torque, tick, before)
	}
	run(t, r, 100)
	eachFloat(t, "", reflect.ValueOf(&r.state).Elem(), func(path string, at *float64) {
		if *at-*at != 0 {
			t.Errorf("%s = %g is left", path, *at)
		}
	})
	if _, err := json.Marshal(r.summary()); err != nil {
		t.Errorf("the summary: %v", err)
	}
	r.orders.clear.Store(true)
	run(t, r, 4000)
	if r.guard.State() != guard.Driving || r.state.Speed < 1 || r.state.Tick < 6000 {
		t.Errorf("%v at %g m/s in tick %d", r.guard.State(), r.state.Speed, r.state.Tick)
	}
}

// The log names the place, and also what force feedback or cueing cannot use although all of
// the state is finite. A confirmation clears that too.
func TestTheLogNamesTheFlaw(t *testing.T) {
	for _, c := range []struct {
		plant func(r *Rig)
		want  string
	}{
		{func(r *Rig) { r.state.Brakes[2].Temperature = math.NaN() }, "Brakes[2].Temperature"},
		{func(r *Rig) { r.state.Engine, r.state.Bars[1].SpringLeft = math.Inf(1), math.NaN() }, "Engine, and 1 more"},
		{func(r *Rig) { s := r.state; s.SpecificForce.X = 1e12; r.cue.Pose(&r.motionState, &s) }, "motion cueing met NaN, Inf or a value beyond all measure"},
		{func(r *Rig) { s := r.state; s.ColumnTorque = math.NaN(); r.feel.Torque(&r.force, &s, ffb.Wheel{}) }, "force feedback met NaN, Inf or a value beyond all measure"},
	} {
		r := demo(t)
		run(t, r, 3000)
		c.plant(r)
		run(t, r, 2)
		if text := r.causeText(r.guard.Last(), estop.None); r.guard.State() != guard.Fault || text != "NaN or Inf in the car's state: "+c.want {
			t.Errorf("%v, the log says %q, want %q", r.guard.State(), text, c.want)
		}
		r.orders.clear.Store(true)
		if run(t, r, 3); r.guard.State() != guard.Engaging {
			t.Errorf("%v after the confirmation of %q", r.guard.State(), c.want)
		}
	}
}

// Every float64 is looked at, for each value that is no finite number and for no other.
func TestFiniteLooksAtEveryFloat(t *testing.T) {
	var s sim.State
	if !finite(&s) || flawOf(&s) != (flaw{}) {
		t.Errorf("a state of zeros: %v", flawOf(&s))
	}
	n := 0
	eachFloat(t, "", reflect.ValueOf(&s).Elem(), func(path string, at *float64) {
		n++
		for _, bad := range notNumbers {
			*at = bad
			if finite(&s) || flawOf(&s).String() != path {
				t.Errorf("%s = %g: %v", path, bad, flawOf(&s))
			}
		}
		for _, good := range []float64{math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, math.Copysign(0, -1)} {
			if *at = good; !finite(&s) {
				t.Errorf("%s = %g: %v", path, good, flawOf(&s))
			}
		}
	})
	if n < 200 {
		t.Errorf("only %d floats", n)
	}
}

func BenchmarkFinite(b *testing.B) {
	var s sim.State
	for b.Loop() {
		finite(&s)
	}
}
