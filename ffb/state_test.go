package ffb

import (
	"math"
	"reflect"
	"testing"

	"rig.example/rig/sim"
	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/tire"
)

// A state is a plain value: nothing in it points elsewhere, so that copying it is a snapshot
// and == compares all of it.
func TestStatesArePlainValues(t *testing.T) {
	plainType(t, reflect.TypeFor[State]())
	plainType(t, reflect.TypeFor[VibrationState]())
}

func plainType(t *testing.T, of reflect.Type) {
	t.Helper()
	switch of.Kind() {
	case reflect.Struct:
		for i := range of.NumField() {
			f := of.Field(i)
			plainType(t, f.Type)
			if t.Failed() {
				t.Fatalf("in %v.%s", of, f.Name)
			}
		}
	case reflect.Array:
		plainType(t, of.Elem())
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int32, reflect.Uint64, reflect.Float64:
	default:
		t.Errorf("%v is a %v: a state holds numbers and flags alone", of, of.Kind())
	}
}

// What a tick gives depends on the state alone: a copy taken in mid-drive, and stepped by the
// same Chain after the original went on, repeats every torque and ends in the same state.
func TestACopyOfTheStateRepeatsTheDrive(t *testing.T) {
	for _, strength := range []string{Share, Peak, Auto} {
		c := everything()
		c.Strength = strength
		f, k := newTestChain(t, c), newShaking(kerbs)
		step := func(i int, s *State, v *VibrationState) [3]float64 {
			car, w := weave(i)
			car.Wheels[tire.FL].Material = uint8(i / 200 % 2)
			car.Brakes.Wheels[tire.FR].ABS.Phase = int8(i / 30 % 5)
			w.Rate = []float64{500, 250, 1000, 333}[i/300%4]
			switch i % 700 {
			case 100:
				f.Chain.Reset(s)
			case 200:
				s.Adjust(0.05)
			case 300:
				car.ColumnTorque = math.NaN()
			case 400:
				f.Teleported(s)
			case 500:
				w.Present = false
			}
			torque := f.Chain.Torque(s, car, w)
			s.SetApplied(0.9 * torque)
			share, hz := k.Vibration.Step(v, car)
			return [3]float64{torque, share, hz}
		}
		for i := range 1050 {
			step(i, &f.State, &k.VibrationState)
		}
		force, vibration := f.State, k.VibrationState
		if force == f.Start() || vibration == k.Start() {
			t.Fatalf("%s: the drive left no trace in the state", strength)
		}
		var all [1500][3]float64
		for i := range all {
			all[i] = step(1050+i, &f.State, &k.VibrationState)
		}
		for i := range all {
			if got := step(1050+i, &force, &vibration); got != all[i] {
				t.Fatalf("%s, tick %d: the copy gives %v, want %v", strength, i, got, all[i])
			}
		}
		if force != f.State || vibration != k.VibrationState {
			t.Errorf("%s: the copy ends in another state:\n%+v\n%+v", strength, force, f.State)
		}
	}
}

// A reset keeps what was learned of the car, the gain, the count of what was clipped and the
// design for the device's rate, and nothing else.
func TestResetKeepsNothingElse(t *testing.T) {
	f := newTestChain(t, everything())
	for i := range 1500 {
		f.Torque(weave(i))
	}
	f.Adjust(0.3)
	want := f.Start()
	want.strength, want.clips, want.tick, want.reconstruction = f.State.strength, f.State.clips, f.State.tick, f.State.reconstruction
	want.reconstruction.reset(0)
	want.trace = Trace{Peak: f.State.strength.peak.value, Clipped: f.trace.Clipped}
	if f.Reset(); f.State != want {
		t.Errorf("%+v\nwant %+v", f.State, want)
	}
}

// A fault keeps the driver's gain, and nothing else.
func TestAFaultKeepsTheGainAlone(t *testing.T) {
	f := newTestChain(t, everything())
	for i := range 1500 {
		f.Torque(weave(i))
	}
	f.Adjust(0.3)
	want := f.Start()
	want.Adjust(0.3)
	want.fault = true
	f.Torque(&sim.State{State: chassis.State{Speed: math.NaN()}}, fast(8))
	if f.State != want || f.Gain() == f.Start().strength.gain {
		t.Errorf("%+v\nwant %+v", f.State, want)
	}
}
