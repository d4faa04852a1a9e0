package sim

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/suspension"
	"rig.example/rig/sim/tire"
	"rig.example/rig/test/near"
)

// A body on its springs decays by the damper at the wheel: its slope times the
// square of the motion ratio.
func TestTheDampingOfABodyFollowsTheSquareOfTheRatio(t *testing.T) {
	for _, ratio := range []float64{1, 0.8} {
		p := square()
		for _, a := range []*suspension.Params{&p.Front, &p.Rear} {
			a.UnsprungMass, a.TireRate, a.Kinematics.MotionRatio = 0, 1e6, ratio
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
	for name, edit := range map[string]func(a *suspension.Params){
		"progressive":     func(a *suspension.Params) { a.Spring.Progression = 3 },
		"preload":         func(a *suspension.Params) { a.Spring.Preload = 900 },
		"target":          func(a *suspension.Params) { a.Spring.RestPosition = 0.85 },
		"table":           func(a *suspension.Params) { a.Spring.Table = [][]float64{{0, 0}, {0.1, 2600}, {0.2, 6600}} },
		"ratio":           func(a *suspension.Params) { a.Kinematics.MotionRatio = 0.8 },
		"ratio by travel": func(a *suspension.Params) { a.Kinematics.Table = ratios },
		"all": func(a *suspension.Params) {
			a.Spring, a.Kinematics.Table = suspension.Spring{Progression: 4, Preload: 500, RestPosition: 0.9}, ratios
		},
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
		near.Value(t, name+": spring", s.Bars[0].SpringForceLeft, (1200/4-45)*9.80665, 0.01)
	}
}

func TestBadSpringsAndDampersAreRefused(t *testing.T) {
	tests := []struct {
		name string
		edit func(a *suspension.Params)
		want string
	}{
		{"falling rate", func(a *suspension.Params) { a.Spring.Progression = -1 }, "front.spring.progression_per_m = -1: must be 0 to 200"},
		{"preload", func(a *suspension.Params) { a.Spring.Preload = math.Inf(1) }, "front.spring.preload_n = +Inf"},
		{"target in percent", func(a *suspension.Params) { a.Spring.RestPosition = 50 }, "front.spring.target_position = 50: must be 0 to 1"},
		{"one point", func(a *suspension.Params) { a.Spring.Table = [][]float64{{0, 0}} }, "front.spring.table_m_n has 1 entry: must be 0 or 2 to 64"},
		{"three values", func(a *suspension.Params) { a.Spring.Table = [][]float64{{0, 0, 0}, {0.1, 9}} }, "front.spring.table_m_n[0] has 3 values: give two, [travel, force]"},
		{"falling force", func(a *suspension.Params) { a.Spring.Table = [][]float64{{0, 10}, {0.1, 9}} }, "front.spring.table_m_n[1] force = 9: must be 10 to 500000"},
		{"knee without slopes", func(a *suspension.Params) { a.Damper = suspension.Damper{KneeSpeed: 0.1, FastBump: 500} }, "front.damper.rebound_fast_ns_per_m = 0: must be 10 to 50000"},
		{"knee", func(a *suspension.Params) { a.Damper.KneeSpeed = -1 }, "front.damper.knee_mps = -1: must be 0 to 5"},
		{"heavy wheel", func(a *suspension.Params) { a.UnsprungMass = -4 }, "front.unsprung_mass_kg = -4: must be 0 to 500"},
		{"bar softer than its springs", func(a *suspension.Params) { a.BarRate = -10e3 }, "front.anti_roll_rate_n_per_m = -10000: must be -9333.3"},
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
