package sim

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/tire"
	"rig.example/rig/test/level"
	"rig.example/rig/test/near"
)

// braking returns the car's brakes after so many seconds at one input, standing.
func braking(c *Car, seconds float64, in Input) [4]BrakeState {
	s := c.Rest(r3.Vec{}, 0)
	run(c, &s, seconds, in)
	return s.Brakes.Wheels
}

func TestPedalsAndHandBrakesHoldWhatTheyShould(t *testing.T) {
	for _, tt := range []struct {
		name        string
		change      func(*Brakes)
		in          Input
		front, rear float64 // torque at each wheel [N·m]
	}{
		{"released", nil, Input{}, 0, 0},
		{"full pedal", nil, Input{Brake: 1}, 5600 * 0.74 / 2, 5600 * 0.26 / 2},
		{"half pedal", nil, Input{Brake: 0.5}, 5600 * 0.74 / 4, 5600 * 0.26 / 4},
		{"hand brake behind", nil, Input{Handbrake: 1}, 0, 1300},
		{"hand brake in front", func(b *Brakes) { b.HandbrakeAxle = "front" }, Input{Handbrake: 0.5}, 650, 0},
		{"hand brake on both", func(b *Brakes) { b.HandbrakeAxle = "both" }, Input{Handbrake: 1}, 650, 650},
		{"both pedal and hand", nil, Input{Brake: 1, Handbrake: 1}, 2072, 728 + 1300},
	} {
		p := DefaultCar()
		if tt.change != nil {
			tt.change(&p.Brakes)
		}
		b := braking(newCar(t, p, Dt), 0.5, tt.in)
		near.Value(t, tt.name+": front", b[tire.FL].Torque, tt.front, 1e-9)
		near.Value(t, tt.name+": rear", b[tire.RR].Torque, tt.rear, 1e-9)
	}
}

// 400 N times 3.5 on 22.2 mm are 36.168 bar, and with three times the foot's force beside it 144.67 bar.
func TestLinePressure(t *testing.T) {
	curve := []PedalPoint{{0.1, 0}, {0.6, 0.2}, {1, 1}}
	for _, tt := range []struct {
		name  string
		set   func(*Brakes)
		input float64
		want  float64 // [bar]
	}{
		{"full", func(*Brakes) {}, 1, 144.673},
		{"a quarter", func(*Brakes) {}, 0.25, 36.168},
		{"without booster", func(b *Brakes) { b.Booster.Gain = 0 }, 1, 36.168},
		{"at the run-out", func(b *Brakes) { b.Booster.Runout = 72.3365 }, 0.5, 72.3365},
		{"beyond the run-out", func(b *Brakes) { b.Booster.Runout = 72.3365 }, 1, 72.3365 + 36.168/2},
		{"travel by a straight line", func(b *Brakes) { b.Pedal.By = "travel" }, 0.5, 72.3365},
		{"free travel", func(b *Brakes) { b.Pedal.By, b.Pedal.Curve = "travel", curve }, 0.05, 0},
		{"travel by a curve", func(b *Brakes) { b.Pedal.By, b.Pedal.Curve = "travel", curve }, 0.8, 0.6 * 144.673},
		{"a curve does not bend force", func(b *Brakes) { b.Pedal.Curve = curve }, 0.5, 72.3365},
	} {
		p := DefaultCar()
		tt.set(&p.Brakes)
		b := braking(newCar(t, p, Dt), 0.5, Input{Brake: tt.input})
		near.Value(t, tt.name, b[tire.FL].Pressure, tt.want, 2e-3)
	}
}

func TestLimiterHoldsTheRearBack(t *testing.T) {
	p := DefaultCar()
	p.Brakes.Limiter, p.Brakes.LimiterSlope = 40, 0.25
	c := newCar(t, p, Dt)
	below := braking(c, 0.5, Input{Brake: 0.2})
	near.Value(t, "rear below", below[tire.RL].Pressure, below[tire.FL].Pressure, 1e-9)
	above := braking(c, 0.5, Input{Brake: 1})
	near.Value(t, "rear above", above[tire.RL].Pressure, 40+0.25*(144.673-40), 1e-2)
	near.Value(t, "front above", above[tire.FL].Pressure, 144.673, 2e-3)
	near.Value(t, "rear torque", above[tire.RL].Torque, 728*above[tire.RL].Pressure/144.673, 0.05)
}

func TestPressureFollowsWithItsLag(t *testing.T) {
	p := DefaultCar()
	p.Brakes.Lag = 0.03
	c := newCar(t, p, Dt)
	share := braking(c, 0.03, Input{Brake: 1})[tire.FL].Pressure / 144.673
	near.Value(t, "share after a time constant", share, 1-1/math.E, 0.01)
	p.Brakes.Lag = 0
	near.Value(t, "without lag", braking(newCar(t, p, Dt), Dt, Input{Brake: 1})[tire.FL].Pressure, 144.673, 2e-3)
}

func TestElectronicsMayAskForPressureBesideTheDriver(t *testing.T) {
	c := coupe(t)
	s := c.Rest(r3.Vec{}, 0)
	o := orders{ask: [4]float64{tire.FR: 0.5, tire.RL: 0.1, tire.RR: math.Inf(1)}}
	for range 500 {
		c.brake(&s, &Input{Brake: 0.2}, &o)
	}
	for i, want := range [4]float64{0.2, 0.5, 0.2, 1} {
		near.Value(t, "share of full pressure", s.Brakes.Wheels[i].Pressure/144.673, want, 1e-4)
	}
}

// lockedFirst presses the pedal ever harder and returns the axle that locks first, and the
// deceleration over gravity at which it does.
func lockedFirst(t *testing.T, p Params) (axle int, z float64) {
	t.Helper()
	c := newCar(t, p, Dt)
	s := rolling(c, 50, 0)
	in := Input{Brake: 0.2}
	for in.Brake < 1 {
		in.Brake += 0.06 * Dt
		c.Step(&s, in)
		for i := range s.Wheels {
			if s.Wheels[i].Kappa < -0.3 {
				return i / 2, -s.Acc.X / gravity
			}
		}
	}
	t.Fatal("nothing locks")
	return 0, 0
}

// onBrushes is a car whose tires have a friction of 0.8, and nothing else that slows it down.
func onBrushes() Params {
	p := DefaultCar()
	p.DragArea = 0
	for _, a := range []*Axle{&p.Front, &p.Rear} {
		a.Tire.Brush.Friction, a.Tire.Brush.FrictionLoadSlope, a.Tire.Brush.RollingResistance = 0.8, 0, 0
	}
	return p
}

// An axle with a share b of the force locks where b·z = mu·(its load's share), which load
// transfer moves by z·h/l: z = mu·(1.36/2.66)/(b - mu·0.52/2.66) in front, and
// z = mu·(1.30/2.66)/(b + mu·0.52/2.66) behind (the ideal parabola).
func TestTheBalanceDecidesWhatLocksFirst(t *testing.T) {
	for _, tt := range []struct {
		name  string
		share float64 // in front
		axle  int
		z     float64
	}{
		{"front-biased", 0.85, 0, 0.8 * 0.51128 / (0.85 - 0.8*0.19549)},
		{"a little", 0.74, 0, 0.8 * 0.51128 / (0.74 - 0.8*0.19549)},
		{"rear-biased", 0.5, 1, 0.8 * 0.48872 / (0.5 + 0.8*0.19549)},
	} {
		p := onBrushes()
		p.Brakes.FrontShare = tt.share
		axle, z := lockedFirst(t, p)
		if axle != tt.axle {
			t.Errorf("%s: axle %d locks first, want %d", tt.name, axle, tt.axle)
		}
		near.Value(t, tt.name+": deceleration", z, tt.z, 0.03*tt.z)
	}
}

// Beyond 24 bar, a sixth of the pedal, the rear gets only a tenth: what locked behind at
// 0.595 g now locks in front.
func TestALimiterKeepsTheRearFromLockingFirst(t *testing.T) {
	p := onBrushes()
	p.Brakes.FrontShare, p.Brakes.Limiter, p.Brakes.LimiterSlope = 0.5, 24, 0.1
	if axle, _ := lockedFirst(t, p); axle != 0 {
		t.Error("the rear locks first")
	}
}

func TestBrakesHoldExactlyOnASteepSlope(t *testing.T) {
	c, err := New(DefaultCar(), slope(math.Atan(0.2)), Dt)
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range []Input{{Brake: 0.5}, {Handbrake: 1}, {Brake: 0.5, Assists: Assists{ABS: 5}}} {
		in.Off = true // burning fuel lifts the car
		s := c.Rest(r3.Vec{}, 0)
		run(c, &s, 10, in)
		start := s.Pos
		stands := float64(level.Pick(5, 60, 60)) // [s]
		run(c, &s, stands, in)
		if crept := r3.Norm(r3.Sub(s.Pos, start)); crept > 1e-9 {
			t.Errorf("%+v: crept %.3g m in %g s", in, crept, stands)
		}
	}
}

func TestBrakesAllocateNothingAndStayFinite(t *testing.T) {
	c := coupe(t)
	s := rolling(c, 30, 0)
	nan, inf := math.NaN(), math.Inf(1)
	odd := []Input{{Brake: nan}, {Brake: inf, Assists: Assists{ABS: 255}}, {Brake: 1, Handbrake: -inf, Assists: Assists{ABS: 1}}, {Handbrake: inf}}
	tick := 0
	if n := testing.AllocsPerRun(4000, func() {
		c.Step(&s, odd[tick/50%len(odd)])
		tick++
	}); n != 0 {
		t.Errorf("%g allocations", n)
	}
	if !finite(reflect.ValueOf(s.Brakes.Wheels)) || !finite(reflect.ValueOf(s.Brakes.ABS)) || !(s.Brakes.Pulse >= 0 && s.Brakes.Pulse <= 1) {
		t.Errorf("%+v %+v %g", s.Brakes.Wheels, s.Brakes.ABS, s.Brakes.Pulse)
	}
}

func TestBrakesSayWhatIsWrong(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*Brakes)
		want   string // empty if nothing is
	}{
		{"default", func(*Brakes) {}, ""},
		{"no lag", func(b *Brakes) { b.Lag = 0 }, ""},
		{"hand brake's axle", func(b *Brakes) { b.HandbrakeAxle = "middle" }, `handbrake_axle = "middle" is not known; choose both, front, rear`},
		{"negative lag", func(b *Brakes) { b.Lag = -0.1 }, "lag_s = -0.1: allowed is 0 to 1"},
		{"limiter that lifts", func(b *Brakes) { b.LimiterSlope = 1.5 }, "limiter_slope = 1.5"},
		{"pedal", func(b *Brakes) { b.Pedal.By = "hope" }, `pedal.by = "hope" is not known; choose force, travel`},
		{"no force", func(b *Brakes) { b.Pedal.Force = math.NaN() }, "pedal.full_force_n = NaN"},
		{"curve that falls", func(b *Brakes) { b.Pedal.Curve = []PedalPoint{{0, 0.5}, {0.5, 0.2}, {1, 1}} }, "pedal.curve[1].force = 0.2: must not fall from the 0.5 before"},
		{"curve that ends early", func(b *Brakes) { b.Pedal.Curve = []PedalPoint{{0, 0}, {0.5, 1}} }, "pedal.curve[1] = 0.5, 1: end with"},
		{"booster", func(b *Brakes) { b.Booster.Runout = 0 }, "booster.runout_bar = 0"},
		{"light disc", func(b *Brakes) { b.RearDisc.Capacity = 5 }, "rear_disc.heat_capacity_j_per_k = 5: allowed is 100"},
		{"no fade points", func(b *Brakes) { b.FrontDisc.Fade = nil }, "front_disc.number of fade points = 0"},
		{"fade that goes back", func(b *Brakes) { b.FrontDisc.Fade = []FadePoint{{300, 1}, {200, 0.5}} }, "front_disc.fade[1].temperature_c = 200"},
		{"slow valves", func(b *Brakes) { b.ABS.Release = 1 }, "abs.release_bar_per_s = 1"},
	} {
		b := DefaultBrakes()
		tt.change(&b)
		err := b.Validate()
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}
