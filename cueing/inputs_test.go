package cueing

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/sim"
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/chassis"
)

func near(a, b [3]float64, by float64) bool {
	return math.Abs(a[0]-b[0]) <= by && math.Abs(a[1]-b[1]) <= by && math.Abs(a[2]-b[2]) <= by
}

func TestHeadFeelsWhatTurningAdds(t *testing.T) {
	tests := []struct {
		name       string
		head       [3]float64
		last, rate r3.Vec
		want       [3]float64 // beside gravity
	}{
		{"at the center of mass", [3]float64{}, r3.Vec{Z: 1}, r3.Vec{Z: 2}, [3]float64{}},
		{"turns, head behind: pulled forward", [3]float64{-0.5, 0, 0}, r3.Vec{Z: 2}, r3.Vec{Z: 2}, [3]float64{2, 0, 0}},
		{"turns, head on the left: pulled to the right", [3]float64{0, 0.4, 0}, r3.Vec{Z: 2}, r3.Vec{Z: 2}, [3]float64{0, -1.6, 0}},
		{"rolls faster to the right", [3]float64{0, 0, 0.6}, r3.Vec{}, r3.Vec{X: 0.002}, [3]float64{0, -1.2, -0.6 * 4e-6}},
		{"nose drops faster", [3]float64{0, 0, 0.6}, r3.Vec{}, r3.Vec{Y: 0.002}, [3]float64{1.2, 0, -0.6 * 4e-6}},
		{"yaws faster, head ahead", [3]float64{1, 0, 0}, r3.Vec{}, r3.Vec{Z: 0.003}, [3]float64{-9e-6, 3, 0}},
	}
	for _, tt := range tests {
		cfg := DefaultConfig()
		cfg.HeadPosition = tt.head
		c := made(t, cfg)
		s := sim.State{State: chassis.State{Att: quat.Number{Real: 1}, SpecificForce: r3.Vec{Z: gravity}, Rate: tt.last}}
		c.Sense(&s)
		s.Rate = tt.rate
		in := c.Sense(&s)
		in.Force[2] -= gravity
		if !near(in.Force, tt.want, 1e-12) {
			t.Errorf("%s: %v, want %v", tt.name, in.Force, tt.want)
		}
	}
}

func TestFirstLookKnowsNoAngularAcceleration(t *testing.T) {
	c := made(t, DefaultConfig())
	s := sim.State{State: chassis.State{Att: quat.Number{Real: 1}, SpecificForce: r3.Vec{Z: gravity}, Rate: r3.Vec{X: 1}}}
	want := [3]float64{0, 0, gravity - 0.6} // 1 rad/s about x, 0.6 m above it
	if in := c.Sense(&s); !near(in.Force, want, 1e-12) {
		t.Errorf("%v, want %v", in.Force, want)
	}
	s.Rate.X = math.NaN()
	c.Sense(&s)
	s.Rate.X = 1
	if in := c.Sense(&s); !near(in.Force, want, 1e-12) {
		t.Errorf("after NaN: %v, want %v", in.Force, want)
	}
}

func TestInputsThatNothingCanHaveAreAFault(t *testing.T) {
	tests := []struct {
		name string
		spot func(*Inputs) *float64
	}{
		{"force", func(in *Inputs) *float64 { return &in.Force[1] }},
		{"rate", func(in *Inputs) *float64 { return &in.Rate[2] }},
		{"roll", func(in *Inputs) *float64 { return &in.Roll }},
		{"pitch", func(in *Inputs) *float64 { return &in.Pitch }},
		{"travel", func(in *Inputs) *float64 { return &in.Travel[3] }},
		{"slip", func(in *Inputs) *float64 { return &in.RearSlip }},
		{"speed", func(in *Inputs) *float64 { return &in.Speed }},
	}
	c := made(t, all(t, Washout, "rig"))
	for _, tt := range tests {
		for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e300} {
			in := felt(0, 0, 0)
			*tt.spot(&in) = v
			if c.Next(&in); !c.Fault() {
				t.Errorf("%s = %g is no fault", tt.name, v)
			}
			if !near(c.Trace().Force, [3]float64{0, 0, gravity}, 0) {
				t.Errorf("%s = %g: force %v", tt.name, v, c.Trace().Force)
			}
		}
		in := felt(0, 0, 0)
		if c.Next(&in); c.Fault() {
			t.Errorf("%s: the fault stays", tt.name)
		}
	}
}

func TestDrivenCarIsFeltThroughTheWashout(t *testing.T) {
	car, err := sim.New(sim.DefaultCar(), road.Asphalt(), sim.Dt)
	if err != nil {
		t.Fatal(err)
	}
	for _, mode := range []string{Washout, Adaptive} {
		c, s := made(t, all(t, mode, "rig")), car.Rest(r3.Vec{}, 0)
		drive := func(seconds float64, in sim.Input) (p Pose) {
			for range int(seconds / dt) {
				car.Step(&s, in)
				p = c.Pose(&s)
			}
			return p
		}
		if p := drive(2, sim.Input{Brake: 1}); largest(p) > 2e-3 {
			t.Errorf("%s: a car at rest moves the platform: %+v", mode, p)
		}
		driven := drive(4, sim.Input{Throttle: 0.7, Gear: 2, Assists: assist.Switches{AutoClutch: true}})
		if driven.Pitch > -2*deg || driven.Belt > -0.1 {
			t.Errorf("%s: driven, pitch %.2f°, belt %.2f, want the nose up and the belt slack", mode, driven.Pitch/deg, driven.Belt)
		}
		if p := drive(0.8, sim.Input{Brake: 0.8, Clutch: 1, Gear: 2}); p.Pitch < driven.Pitch+1*deg || p.Surge > -0.05 || p.Belt < 0.5 {
			t.Errorf("%s: braked, pitch %.2f° after %.2f°, surge %.3f m, belt %.2f", mode, p.Pitch/deg, driven.Pitch/deg, p.Surge, p.Belt)
		}
		drive(3, sim.Input{Throttle: 0.6, Gear: 2, Assists: assist.Switches{AutoClutch: true}})
		if p := drive(2.5, sim.Input{Throttle: 0.3, Gear: 2, Steer: 0.8}); p.Roll < 0.8*deg || p.Yaw < 0.2*deg {
			t.Errorf("%s: in a left turn, roll %.2f°, yaw %.2f°, want the right side down and the nose to the left", mode, p.Roll/deg, p.Yaw/deg)
		}
	}
}
