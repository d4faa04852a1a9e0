package sim

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/tire"
	"rig.example/rig/test/near"
)

// A clutch that slips carries its capacity, whatever the engine does.
func TestASlippingClutchCarriesItsCapacity(t *testing.T) {
	for _, tt := range []struct{ pedal, share float64 }{{0.45, 0.5}, {0.55, 0.15625}, {0.35, 0.84375}} {
		p := DefaultCar()
		p.Brakes.Torque, p.Driveline.Shafts.Damping = 40e3, 100
		c := newCar(t, p, Dt)
		s := c.Rest(r3.Vec{}, 0)
		run(c, &s, 0.5, Input{Gear: 1, Clutch: 1, Brake: 1})
		near.Value(t, "gear", float64(s.Driveline.Gear), 1, 0)
		s.Driveline.EngineSpeed = 500
		run(c, &s, 0.2, Input{Gear: 1, Clutch: tt.pedal, Brake: 1, Throttle: 1})
		want := 480 * tt.share * 3.6 * 3.5
		near.Value(t, "torque at the half shafts", s.Driveline.Shafts[tire.RL].Torque+s.Driveline.Shafts[tire.RR].Torque, want, 0.02*want)
		near.Value(t, "power lost", s.Driveline.Flow.Clutch, 480*tt.share*s.Driveline.EngineSpeed, 0.03*480*tt.share*s.Driveline.EngineSpeed)
	}
}

func TestTheAutomaticClutchNeverStallsTheEngine(t *testing.T) {
	for _, tt := range []struct {
		name string
		from float64
		in   Input
	}{
		{"stands in gear", 0, Input{Gear: 1}},
		{"stands in the highest gear", 0, Input{Gear: 6, Throttle: 0.3}},
		{"brakes hard", 30, Input{Gear: 4, Brake: 0.5}},
		{"locks its wheels", 30, Input{Gear: 4, Brake: 1, Handbrake: 1}},
		{"rolls slowly in the highest gear", 5, Input{Gear: 6, Throttle: 1}},
		{"full throttle against the brakes", 0, Input{Gear: 1, Throttle: 1, Brake: 1}},
	} {
		c := newCar(t, DefaultCar(), Dt)
		s := c.Underway(r3.Vec{}, 0, tt.from, 0)
		if tt.from > 0 {
			s = rolling(c, tt.from, tt.in.Gear)
		}
		tt.in.Assists.AutoClutch = true
		slowest := math.Inf(1)
		for range 8000 {
			c.Step(&s, tt.in)
			slowest = min(slowest, s.RPM())
		}
		if slowest < 0.8*850 {
			t.Errorf("%s: the engine falls to %.0f rpm", tt.name, slowest)
		}
	}
}

func TestTheAutomaticClutchLaunches(t *testing.T) {
	for _, throttle := range []float64{0.35, 0.6, 1} {
		c := newCar(t, DefaultCar(), Dt)
		s := c.Rest(r3.Vec{}, 0)
		in := Input{Gear: 1, Assists: assist.Switches{AutoClutch: true}}
		run(c, &s, 2, in)
		near.Value(t, "speed without throttle", s.Speed, 0, 1e-3)
		in.Throttle = throttle
		most, jerk := 0.0, 0.0
		for tick := range 3000 {
			before := s.Acc.X
			c.Step(&s, in)
			jerk = max(jerk, math.Abs(s.Acc.X-before)/Dt)
			if tick < 600 {
				most = max(most, s.RPM())
			}
		}
		if s.Driveline.Gearbox.ClutchOpen != 0 || math.Abs(s.Driveline.EngineSpeed-s.Driveline.Gearbox.InputSpeed) > 1e-6 {
			t.Errorf("throttle %g: %.2f open after 3 s", throttle, s.Driveline.Gearbox.ClutchOpen)
		}
		if most > 1.6*1900 || jerk > 150 {
			t.Errorf("throttle %g: %.0f rpm, jerk %.0f m/s³", throttle, most, jerk)
		}
	}
}

// 20 N·m in first gear push with 830 N; some of it is friction's.
func TestACarCreepsByItsClutch(t *testing.T) {
	p := DefaultCar()
	p.Driveline.Clutch.CreepTorque = 20
	c := newCar(t, p, Dt)
	s := c.Rest(r3.Vec{}, 0)
	run(c, &s, 5, Input{Gear: 1, Assists: assist.Switches{AutoClutch: true}})
	if s.Speed < 0.5 || s.Speed > 4 {
		t.Errorf("creeps at %.2f m/s", s.Speed)
	}
	run(c, &s, 5, Input{Gear: 1, Brake: 0.3, Assists: assist.Switches{AutoClutch: true}})
	near.Value(t, "open on the brake", s.Driveline.Gearbox.ClutchOpen, 1, 0)
}

// An automatic clutch that nobody asks for leaves no trace.
func TestTheAutomaticClutchForgets(t *testing.T) {
	c := newCar(t, DefaultCar(), Dt)
	s := rolling(c, 15, 3)
	run(c, &s, 2, helped(0.3, 0))
	run(c, &s, 0.5, Input{Gear: s.Driveline.Gear, Throttle: 0.3})
	b := s.Driveline.Gearbox
	if b.ClutchOpen != 0 || b.WantedGear != 0 || b.Dwell != 0 || b.RecentThrottle != 0 || b.ShiftTime != 0 || b.NextGear != 0 || b.FromGear != 0 || b.SyncTorque != 0 {
		t.Errorf("%+v", b)
	}
}
