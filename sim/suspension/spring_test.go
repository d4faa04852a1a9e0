package suspension

import (
	"math"
	"testing"

	"rig.example/rig/test/near"
)

// sprung is an axle with a spring of 30 kN/m over 0.2 m, changed by edit.
func sprung(edit func(a *Params)) *Params {
	a := Params{SpringRate: 30e3, Spring: Spring{RestPosition: 1}, Kinematics: DefaultKinematics()}
	a.Travel, a.BumpStopTravel, a.BumpStopRate = 0.2, 0.15, 100e3
	edit(&a)
	return &a
}

func TestForceAndRateOfASpring(t *testing.T) {
	steps := [][]float64{{0, 100}, {0.05, 1100}, {0.1, 3100}}
	tests := []struct {
		name        string
		edit        func(a *Params)
		travel      float64
		force, rate float64
	}{
		{"one rate", func(a *Params) {}, 0.1, 3000, 30e3},
		{"on the stop", func(a *Params) {}, 0.17, 5100 + 2000, 130e3},
		{"preload", func(a *Params) { a.Spring.Preload = 400 }, 0.1, 3400, 30e3},
		{"rests at half of the travel", func(a *Params) { a.Spring.RestPosition = 0.5 }, 0.125, 750, 30e3},
		{"pushes out beyond where it rests", func(a *Params) { a.Spring.RestPosition = 0.5 }, 0.05, -1500, 30e3},
		{"progressive", func(a *Params) { a.Spring.Progression = 4 }, 0.1, 3600, 42e3}, // 30·(x + 4·x²/2)
		{"progressive at full droop", func(a *Params) { a.Spring.Progression = 4 }, 0, 0, 30e3},
		{"table", func(a *Params) { a.Spring.Table = steps }, 0.075, 2100, 40e3},
		{"table, before the corner", func(a *Params) { a.Spring.Table = steps }, 0.025, 600, 20e3},
		{"table, beyond its end", func(a *Params) { a.Spring.Table = steps }, 0.14, 4700, 40e3},
		{"table with preload", func(a *Params) { a.Spring.Table, a.Spring.Preload = steps, 50 }, 0.075, 2150, 40e3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := newSpringLaw(sprung(tt.edit), nil)
			force, rate := l.at(tt.travel)
			off := 1e-9 * math.Abs(tt.force)
			if l.pieces != nil { // a corner of a table is rounded over a 64th of the travel
				off = 0.2 / 64 / 2 * 20e3
			}
			near.Value(t, "force", force, tt.force, off)
			near.Value(t, "rate", rate, tt.rate, 1e-6*tt.rate)
			if tt.force > 0 && tt.travel < 0.15 {
				near.Value(t, "travel under that load", l.travelUnder(tt.force), tt.travel, off/tt.rate+1e-9)
			}
		})
	}
}

// By virtual work force and rate at the wheel are those of the spring times the
// motion ratio, and times its square; a ratio that grows adds the force's own part.
func TestTheMotionRatioCountsTwice(t *testing.T) {
	l := newSpringLaw(sprung(func(a *Params) { a.Spring.Preload = 200 }), func(float64) float64 { return 0.8 })
	force, rate := l.at(0.1)
	near.Value(t, "force", force, 0.8*(30e3*0.08+200), 1e-6)
	near.Value(t, "rate", rate, 0.64*30e3, 1e-6)

	grows := newSpringLaw(sprung(func(a *Params) {}), func(z float64) float64 { return 0.7 + z })
	force, rate = grows.at(0.1)
	near.Value(t, "force, growing", force, 0.8*30e3*0.075, 1) // the spring's travel is 0.7·z + z²/2
	near.Value(t, "rate, growing", rate, 0.64*30e3+30e3*0.075, 10)
}

// Force and rate belong together: whatever the law, the rate is the force's slope.
func TestTheRateIsTheSlopeOfTheForce(t *testing.T) {
	l := newSpringLaw(sprung(func(a *Params) {
		a.Spring.Progression, a.Spring.Preload = 3, 500
	}), func(z float64) float64 { return 0.9 - z })
	const small = 1e-7
	for z := 0.001; z < 0.21; z += 0.0017 {
		low, _ := l.at(z - small)
		high, _ := l.at(z + small)
		_, rate := l.at(z)
		if math.Abs(z-0.15) < 1e-3 {
			continue // where the stop begins
		}
		near.Value(t, "rate", rate, (high-low)/(2*small), 1e-4*rate)
	}
}

// A strut that is driven against its damper and a resistance moves by the speed
// at which both take the whole force; the knee may lie anywhere between.
func TestADamperTakesTheForceOfItsSlopes(t *testing.T) {
	a := sprung(func(a *Params) {
		a.BumpDamping, a.ReboundDamping = 1500, 3000
		a.Damper = Damper{KneeSpeed: 0.1, FastBump: 600, FastRebound: 5000}
	})
	l := newDamperLaw(a)
	force := func(v float64) float64 { // of the damper at its own speed
		switch {
		case v > 0.1:
			return 150 + 600*(v-0.1)
		case v < -0.1:
			return -300 + 5000*(v+0.1)
		case v < 0:
			return 3000 * v
		}
		return 1500 * v
	}
	for _, ratio := range []float64{1, 0.7} {
		for _, v := range []float64{-2, -0.3, -0.11, -0.09, 0, 0.05, 0.099, 0.101, 0.5, 3} {
			const resist = 700.0
			push := resist*v + ratio*force(ratio*v)
			slope, offset := l.linearize(push, resist, ratio)
			near.Value(t, "speed", (push-offset)/(resist+slope), v, 1e-12)
		}
	}
}
