package drive

import (
	"testing"

	"rig.example/rig/cueing"
	"rig.example/rig/ffb"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/files/circuit"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/road"
	"rig.example/rig/sim"
	"rig.example/rig/sim/driver"
)

// tester is a drive whose inputs a test sets. Where a driver model drives, the rim is where its
// hands want it.
type tester struct {
	*Drive
	in  Inputs
	out *Outputs
}

// run steps the drive. A confirmation and presses of buttons last for a tick.
func (r *tester) run(ticks int) {
	for range ticks {
		r.out = r.Step(&r.in)
		r.in.Operator.ConfirmBy, r.in.Buttons.Pressed = guard.Nobody, 0
		if r.Setup.model != nil {
			r.in.Wheel.Angle = r.out.Hands.Angle
		}
	}
}

// What tests share never changes, and takes long to build.
var (
	club  *road.Circuit
	model *driver.Model
)

// seated is the default car with a person in it, who has a wheel, pedals and a platform that
// follows, and wants to drive.
func seated(t testing.TB, edit func(*Setup)) *tester {
	t.Helper()
	cfg := config.Default()
	if club == nil {
		c, _, err := circuit.Load(cfg.Track, circuit.Options{})
		must(t, err)
		club = c
	}
	params, err := config.LoadCar(cfg.Car)
	must(t, err)
	car, err := sim.New(params, club, sim.Dt)
	must(t, err)
	feel, err := ffb.New(cfg.FFB, ffb.Car{Lock: car.Lock()}, sim.Dt)
	must(t, err)
	cue, err := cueing.New(cfg.Cueing, sim.Dt)
	must(t, err)
	form, err := cueing.NewPlatform(cfg.Geometry, cueing.FullStroke())
	must(t, err)
	s := Setup{Dt: sim.Dt, Car: car, Circuit: club, Rim: Rim{ForceChains: []*ffb.Chain{feel}}, Cue: cue, Platform: form, Guard: cfg.Guard, Tuning: cueing.UnitTuning(), LeaveTimeout: 5}
	if edit != nil {
		edit(&s)
	}
	d, err := New(s)
	must(t, err)
	in := Inputs{
		Wheel: Wheel{Present: true, Rated: 8, Rate: 1000, Delay: 1e-3}, Pedals: Pedals{Present: true},
		Platform: Platform{Configured: true, Follows: true, Connected: true}, Operator: Operator{Start: true},
	}
	return &tester{Drive: d, in: in}
}

// demo is the same with the driver model at the wheel.
func demo(t testing.TB) *tester {
	t.Helper()
	r := seated(t, nil)
	if model == nil {
		m, err := driver.New(driver.DefaultConfig(), r.Setup.Car, club, sim.Dt)
		must(t, err)
		model = m
	}
	r.in.Wheel.Angle = r.UseDriverModel(model).Angle
	return r
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
