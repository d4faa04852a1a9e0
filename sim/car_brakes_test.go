package sim

import (
	"math"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/suspension"
	"rig.example/rig/test/level"
	"rig.example/rig/test/near"
)

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
	for _, a := range []*suspension.Params{&p.Front, &p.Rear} {
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
	p.Brakes.FrontShare, p.Brakes.LimiterPressure, p.Brakes.LimiterSlope = 0.5, 24, 0.1
	if axle, _ := lockedFirst(t, p); axle != 0 {
		t.Error("the rear locks first")
	}
}

func TestBrakesHoldExactlyOnASteepSlope(t *testing.T) {
	c, err := New(DefaultCar(), slope(math.Atan(0.2)), Dt)
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range []Input{{Brake: 0.5}, {Handbrake: 1}, {Brake: 0.5, Assists: assist.Switches{ABS: 5}}} {
		in.IgnitionOff = true // burning fuel lifts the car
		s := c.Rest(r3.Vec{}, 0)
		run(c, &s, 10, in)
		start := s.Pos
		stands := float64(level.Pick(5, 10, 60)) // [s]
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
	odd := []Input{{Brake: nan}, {Brake: inf, Assists: assist.Switches{ABS: 255}}, {Brake: 1, Handbrake: -inf, Assists: assist.Switches{ABS: 1}}, {Handbrake: inf}}
	tick := 0
	if n := testing.AllocsPerRun(4000, func() {
		c.Step(&s, odd[tick/50%len(odd)])
		tick++
	}); n != 0 {
		t.Errorf("%g allocations", n)
	}
	if !finite(reflect.ValueOf(s.Brakes.Wheels)) || !finite(reflect.ValueOf(s.Brakes.ABS)) || !(s.Brakes.PedalPulse >= 0 && s.Brakes.PedalPulse <= 1) {
		t.Errorf("%+v %+v %g", s.Brakes.Wheels, s.Brakes.ABS, s.Brakes.PedalPulse)
	}
}
