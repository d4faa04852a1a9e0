package sim

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/tire"
	"rig.example/rig/test/near"
)

// sprung is an axle with a spring of 30 kN/m over 0.2 m, changed by edit.
func sprung(edit func(a *Axle)) *Axle {
	a := defaultAxle(30e3, 0, 53e3)
	a.Travel, a.StopStart, a.StopRate = 0.2, 0.15, 100e3
	edit(&a)
	return &a
}

func TestForceAndRateOfASpring(t *testing.T) {
	steps := [][]float64{{0, 100}, {0.05, 1100}, {0.1, 3100}}
	tests := []struct {
		name        string
		edit        func(a *Axle)
		travel      float64
		force, rate float64
	}{
		{"one rate", func(a *Axle) {}, 0.1, 3000, 30e3},
		{"on the stop", func(a *Axle) {}, 0.17, 5100 + 2000, 130e3},
		{"preload", func(a *Axle) { a.Spring.Preload = 400 }, 0.1, 3400, 30e3},
		{"rests at half of the travel", func(a *Axle) { a.Spring.Target = 0.5 }, 0.125, 750, 30e3},
		{"pushes out beyond where it rests", func(a *Axle) { a.Spring.Target = 0.5 }, 0.05, -1500, 30e3},
		{"progressive", func(a *Axle) { a.Spring.Progression = 4 }, 0.1, 3600, 42e3}, // 30·(x + 4·x²/2)
		{"progressive at full droop", func(a *Axle) { a.Spring.Progression = 4 }, 0, 0, 30e3},
		{"table", func(a *Axle) { a.Spring.Table = steps }, 0.075, 2100, 40e3},
		{"table, before the corner", func(a *Axle) { a.Spring.Table = steps }, 0.025, 600, 20e3},
		{"table, beyond its end", func(a *Axle) { a.Spring.Table = steps }, 0.14, 4700, 40e3},
		{"table with preload", func(a *Axle) { a.Spring.Table, a.Spring.Preload = steps, 50 }, 0.075, 2150, 40e3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := newSpringLaw(sprung(tt.edit), nil)
			force, rate := l.at(tt.travel)
			off := 1e-9 * math.Abs(tt.force)
			if l.curved != nil { // a corner of a table is rounded over a 64th of the travel
				off = 0.2 / 64 / 2 * 20e3
			}
			near.Value(t, "force", force, tt.force, off)
			near.Value(t, "rate", rate, tt.rate, 1e-6*tt.rate)
			if tt.force > 0 && tt.travel < 0.15 {
				near.Value(t, "travel under that load", l.under(tt.force), tt.travel, off/tt.rate+1e-9)
			}
		})
	}
}

// By virtual work force and rate at the wheel are those of the spring times the
// motion ratio, and times its square; a ratio that grows adds the force's own part.
func TestTheMotionRatioCountsTwice(t *testing.T) {
	l := newSpringLaw(sprung(func(a *Axle) { a.Spring.Preload = 200 }), func(float64) float64 { return 0.8 })
	force, rate := l.at(0.1)
	near.Value(t, "force", force, 0.8*(30e3*0.08+200), 1e-6)
	near.Value(t, "rate", rate, 0.64*30e3, 1e-6)

	grows := newSpringLaw(sprung(func(a *Axle) {}), func(z float64) float64 { return 0.7 + z })
	force, rate = grows.at(0.1)
	near.Value(t, "force, growing", force, 0.8*30e3*0.075, 1) // the spring's travel is 0.7·z + z²/2
	near.Value(t, "rate, growing", rate, 0.64*30e3+30e3*0.075, 10)
}

// Force and rate belong together: whatever the law, the rate is the force's slope.
func TestTheRateIsTheSlopeOfTheForce(t *testing.T) {
	l := newSpringLaw(sprung(func(a *Axle) {
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
	a := sprung(func(a *Axle) {
		a.Bump, a.Rebound = 1500, 3000
		a.Damper = Damper{Knee: 0.1, FastBump: 600, FastRebound: 5000}
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
			slope, offset := l.against(push, resist, ratio)
			near.Value(t, "speed", (push-offset)/(resist+slope), v, 1e-12)
		}
	}
}

// A body on its springs decays by the damper at the wheel: its slope times the
// square of the motion ratio.
func TestTheDampingOfABodyFollowsTheSquareOfTheRatio(t *testing.T) {
	for _, ratio := range []float64{1, 0.8} {
		p := square()
		for _, a := range []*Axle{&p.Front, &p.Rear} {
			a.Unsprung, a.VerticalRate, a.Kinematics.MotionRatio = 0, 1e6, ratio
			a.Tire.Brush.CarcassStiffness = 1e6
		}
		c, err := New(p, freezing{}, Dt)
		if err != nil {
			t.Fatal(err)
		}
		s := c.Rest(r3.Vec{}, 0)
		run(c, &s, 1, Input{})
		z := modes(c, s, heaving, travels([4]float64{1, 1, 1, 1}))
		k, d := 4*25e3*ratio*ratio, 4*2000*ratio*ratio
		k = 1 / (1/k + 1/4e6)
		near.Value(t, "frequency", math.Hypot(real(z[0]), imag(z[0])), math.Sqrt(k/1200), 0.05*math.Sqrt(k/1200))
		near.Value(t, "decay", -real(z[0]), d/2/1200, 0.1*d/2/1200)
	}
}

// A car on any spring stands at its height from the start, its springs carrying
// what the wheels do not carry of themselves.
func TestACarStandsOnAnySpring(t *testing.T) {
	ratios := [][]float64{{-0.1, 0, 0, 0, 0, 0, 0.95}, {0, 0, 0, 0, 0, 0, 0.9}, {0.1, 0, 0, 0, 0, 0, 0.8}}
	for name, edit := range map[string]func(a *Axle){
		"progressive":     func(a *Axle) { a.Spring.Progression = 3 },
		"preload":         func(a *Axle) { a.Spring.Preload = 900 },
		"target":          func(a *Axle) { a.Spring.Target = 0.85 },
		"table":           func(a *Axle) { a.Spring.Table = [][]float64{{0, 0}, {0.1, 2600}, {0.2, 6600}} },
		"ratio":           func(a *Axle) { a.Kinematics.MotionRatio = 0.8 },
		"ratio by travel": func(a *Axle) { a.Kinematics.Table = ratios },
		"all":             func(a *Axle) { a.Spring, a.Kinematics.Table = Spring{4, nil, 500, 0.9}, ratios },
	} {
		p := square()
		edit(&p.Front)
		edit(&p.Rear)
		c := newCar(t, p, Dt)
		s := c.Rest(r3.Vec{}, 0)
		start := s.Wheels[tire.FL].Travel
		run(c, &s, 2, Input{})
		near.Value(t, name+": height", s.Pos.Z, 0.5, 1e-6)
		near.Value(t, name+": travel", s.Wheels[tire.FL].Travel, start, 1e-6)
		near.Value(t, name+": spring", s.Bars[0].SpringLeft, (1200/4-45)*9.80665, 0.01)
	}
}

func TestBadSpringsAndDampersAreRefused(t *testing.T) {
	tests := []struct {
		name string
		edit func(a *Axle)
		want string
	}{
		{"falling rate", func(a *Axle) { a.Spring.Progression = -1 }, "front.spring.progression_per_m = -1: allowed is 0 to 200"},
		{"preload", func(a *Axle) { a.Spring.Preload = math.Inf(1) }, "front.spring.preload_n = +Inf"},
		{"target in percent", func(a *Axle) { a.Spring.Target = 50 }, "front.spring.target_position = 50: allowed is 0 to 1"},
		{"one point", func(a *Axle) { a.Spring.Table = [][]float64{{0, 0}} }, "front.spring.table_m_n has 1 points: give 2 to 64, or none"},
		{"three values", func(a *Axle) { a.Spring.Table = [][]float64{{0, 0, 0}, {0.1, 9}} }, "front.spring.table_m_n[0] has 3 values: give two, [travel, force]"},
		{"falling force", func(a *Axle) { a.Spring.Table = [][]float64{{0, 10}, {0.1, 9}} }, "front.spring.table_m_n[1] force = 9: allowed is 10 to 500000"},
		{"knee without slopes", func(a *Axle) { a.Damper = Damper{Knee: 0.1, FastBump: 500} }, "front.damper.rebound_fast_ns_per_m = 0: allowed is 10 to 50000"},
		{"knee", func(a *Axle) { a.Damper.Knee = -1 }, "front.damper.knee_mps = -1: allowed is 0 to 5"},
		{"heavy wheel", func(a *Axle) { a.Unsprung = -4 }, "front.unsprung_mass_kg = -4: allowed is 0 to 500"},
		{"bar softer than its springs", func(a *Axle) { a.BarRate = -10e3 }, "front.anti_roll_rate_n_per_m = -10000: allowed is -9333.3"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := DefaultCar()
			tt.edit(&p.Front)
			if err := p.Validate(); err == nil || !strings.HasPrefix(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}
