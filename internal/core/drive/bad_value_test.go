package drive

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/ffb"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/road"
	"rig.example/rig/sim"
	"rig.example/rig/test/floats"
)

// eachFloat calls do with each float64 of *v, however deep it lies, and its path. A kind of field in which one
// could hide fails the test.
func eachFloat[T any](t testing.TB, v *T, do func(path string, at *float64)) {
	t.Helper()
	fields, unseen := floats.In(v)
	if len(unseen) != 0 {
		t.Errorf("no check looks into %v", unseen)
	}
	for _, f := range fields {
		do(f.Path, f.At)
	}
}

var notNumbers = []float64{math.NaN(), math.Inf(1), math.Inf(-1)}

// NaN or Inf in any part of the car stops the rig in that tick under its own name, and a
// confirmation puts the car back on its wheels.
func TestNaNAnywhereInTheCarIsAFaultThatAConfirmationClears(t *testing.T) {
	r := demo(t)
	r.run(3000)
	n := 0
	eachFloat(t, &r.State.Car, func(path string, at *float64) {
		*at = notNumbers[n%len(notNumbers)]
		n++
		r.run(1)
		if r.State.Guard.State() != guard.Fault || r.State.Guard.LastTransition().Cause != guard.BadState || r.out.Torque != 0 {
			t.Errorf("%s: %v because of %v, %g N·m", path, r.State.Guard.State(), r.State.Guard.LastTransition().Cause, r.out.Torque)
		}
		r.run(3)
		r.in.Operator.ConfirmBy, r.in.Operator.Confirmed = guard.ByCommand, r.in.Operator.Stops
		r.run(3)
		if s := r.State.Guard.State(); s != guard.Engaging || *at-*at != 0 {
			t.Errorf("%s = %g: %v after the confirmation", path, *at, s)
			r.restartCar()
			r.in.Operator.ConfirmBy, r.in.Operator.Confirmed = guard.ByCommand, r.in.Operator.Stops
			r.run(3)
		}
	})
	r.run(4000)
	if r.State.Guard.State() != guard.Driving || r.State.Car.Speed < 1 || n < 200 {
		t.Errorf("%v at %g m/s after %d planted values", r.State.Guard.State(), r.State.Car.Speed, n)
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
func onCrack(t *testing.T) (*tester, *crack) {
	t.Helper()
	r, c := demo(t), &crack{}
	car, err := sim.New(r.Setup.Car.Params(), c, r.Setup.Dt)
	if err != nil {
		t.Fatal(err)
	}
	r.Setup.Car = car
	r.run(3000)
	return r, c
}

// A step that leaves NaN in the car is a fault, and reaches nothing else: not the force, nor
// the laps, nor the summary. The ticks count on.
func TestAStepThatBreaksTheCarReachesNothingElse(t *testing.T) {
	r, ground := onCrack(t)
	before := r.State.Car.Tick
	ground.places = 1
	r.run(1)
	tick := r.State.Car.Tick
	r.run(1)
	if r.State.Guard.State() != guard.Fault || r.State.Guard.LastTransition().Cause != guard.BadState || r.out.Torque != 0 || tick != before {
		t.Errorf("%v because of %v, %g N·m, tick %d after %d", r.State.Guard.State(), r.State.Guard.LastTransition().Cause, r.out.Torque, tick, before)
	}
	r.run(100)
	eachFloat(t, &r.State.Car, func(path string, at *float64) {
		if *at-*at != 0 {
			t.Errorf("%s = %g is left", path, *at)
		}
	})
	if v := r.State.Distance + r.State.Consumed; v-v != 0 {
		t.Errorf("drove %g m on %g L", r.State.Distance, r.State.Consumed)
	}
	r.in.Operator.ConfirmBy, r.in.Operator.Confirmed = guard.ByCommand, r.in.Operator.Stops
	r.run(4000)
	if r.State.Guard.State() != guard.Driving || r.State.Car.Speed < 1 || r.State.Car.Tick < 6000 {
		t.Errorf("%v at %g m/s in tick %d", r.State.Guard.State(), r.State.Car.Speed, r.State.Car.Tick)
	}
}

// The key that puts the car back is no confirmation: a car that met NaN stays as it is.
func TestTheResetKeyClearsNoFlaw(t *testing.T) {
	r := demo(t)
	r.run(3000)
	r.State.Car.Vel.Y = math.NaN()
	r.run(1)
	r.in.Buttons.Pressed = frame.KeyReset
	if r.run(100); r.out.State != guard.Fault || !math.IsNaN(r.State.Car.Vel.Y) {
		t.Errorf("%v, %g m/s", r.out.State, r.State.Car.Vel.Y)
	}
}

// A flaw names the place, and also what force feedback or cueing cannot use although all of the
// state is finite. A confirmation clears that too.
func TestAFlawNamesItsPlace(t *testing.T) {
	for _, c := range []struct {
		plant func(d *Drive)
		want  string
	}{
		{func(d *Drive) { d.State.Car.Brakes.Wheels[2].Temperature = math.NaN() }, "Brakes.Wheels[2].Temperature"},
		{func(d *Drive) {
			d.State.Car.Driveline.EngineSpeed, d.State.Car.Bars[1].SpringForceLeft = math.Inf(1), math.NaN()
		}, "Driveline.EngineSpeed, and 1 more"},
		{func(d *Drive) {
			s := d.State.Car
			s.SpecificForce.X = 1e12
			d.Setup.Cue.Pose(&d.State.Motion, &s)
		}, "NaN, Inf or an absurd value in motion cueing"},
		{func(d *Drive) {
			s := d.State.Car
			s.ColumnTorque = math.NaN()
			d.Setup.Rim.chain(&d.State.Rim).Torque(&d.State.Rim.Force, &s, ffb.Wheel{})
		}, "NaN, Inf or an absurd value in force feedback"},
	} {
		r := demo(t)
		r.run(3000)
		c.plant(r.Drive)
		r.run(1)
		if text := UnpackBadValue(r.out.BadValue.Pack()).String(); r.out.State != guard.Fault || text != c.want {
			t.Errorf("%v, the flaw is %q, want %q", r.out.State, text, c.want)
		}
		r.run(1)
		r.in.Operator.ConfirmBy, r.in.Operator.Confirmed = guard.ByCommand, r.in.Operator.Stops
		if r.run(3); r.out.State != guard.Engaging {
			t.Errorf("%v after the confirmation of %q", r.out.State, c.want)
		}
	}
}

// Every float64 is looked at, for each value that is no finite number and for no other.
func TestFiniteLooksAtEveryFloat(t *testing.T) {
	var s sim.State
	if !carFloats.allFinite(wordsOf(&s)) || findBadValue(&s) != (BadValue{}) {
		t.Errorf("a state of zeros: %v", findBadValue(&s))
	}
	n := 0
	eachFloat(t, &s, func(path string, at *float64) {
		n++
		for _, bad := range notNumbers {
			*at = bad
			if carFloats.allFinite(wordsOf(&s)) || findBadValue(&s).String() != path {
				t.Errorf("%s = %g: %v", path, bad, findBadValue(&s))
			}
		}
		for _, good := range []float64{math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, math.Copysign(0, -1)} {
			if *at = good; !carFloats.allFinite(wordsOf(&s)) {
				t.Errorf("%s = %g: %v", path, good, findBadValue(&s))
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
		carFloats.allFinite(wordsOf(&s))
	}
}
