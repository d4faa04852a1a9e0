package tire

import (
	"math"
	"strings"
	"testing"

	"rig.example/rig/test/near"
)

func spring() VerticalParams {
	return VerticalParams{Radius: 0.3, Stiffness: 200e3, Damping: 50, NominalLoad: 4000}
}

// soft is a tire with every term: V0 = 15 m/s, so R0/V0 = 0.02 s.
func soft() VerticalParams {
	return VerticalParams{
		Radius: 0.3, NominalLoad: 4000, MeasuredSpeed: 15, NominalPressure: 200e3, BReff: 8, DReff: 0.25, FReff: 0.1,
		QRe0: 1.01, QV1: 0.001, QV2: 0.05, QFz1: 13, QFz2: 15, QFcx: 0.2, QFcy: 0.3, PFz1: 0.7,
	}
}

func vertical(t testing.TB, p VerticalParams) *Vertical {
	t.Helper()
	v, err := NewVertical(p)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestVerticalFollowsItsClosedForms(t *testing.T) {
	linear, all := vertical(t, spring()), vertical(t, soft())
	from := spring()
	from.QFz2 = 10 // q_fz1 = √(15² - 4·10) = √185
	completed := vertical(t, from)
	tests := []struct {
		name        string
		v           *Vertical
		deflection  float64
		r           VerticalInput
		force, rate float64
	}{
		{"plain", linear, 0.02, VerticalInput{}, 4000, 200e3},
		{"plain, whatever runs", linear, 0.01, VerticalInput{Spin: 100, Pressure: 3e5, Fx: 3000}, 2000, 200e3},
		{"in the air", linear, -0.01, VerticalInput{}, 0, 0},
		{"NaN", linear, math.NaN(), VerticalInput{}, 0, 0},
		// flat at 0.075 m: 200e3·0.3 + 800e3·0.225
		{"on its rim", linear, 5, VerticalInput{}, 240e3, 1000e3},
		// x = 0.1: (13·0.1 + 15·0.01)·4000; (13 + 2·15·0.1)·4000/0.3
		{"quadratic", all, 0.03, VerticalInput{}, 5800, 16 * 4000 / 0.3},
		{"spinning", all, 0.03, VerticalInput{Spin: -50}, 5800 * 1.05, 16 * 4000 / 0.3 * 1.05},
		{"braking", all, 0.03, VerticalInput{Fx: -2000}, 5800 * 0.99, 16 * 4000 / 0.3 * 0.99},
		{"in a bend", all, 0.03, VerticalInput{Fy: 4000}, 5800 * 0.91, 16 * 4000 / 0.3 * 0.91},
		{"harder", all, 0.03, VerticalInput{Pressure: 220e3}, 5800 * 1.07, 16 * 4000 / 0.3 * 1.07},
		{"all at once", all, 0.03, VerticalInput{50, 220e3, 2000, 4000}, 5800 * (1.05 - 0.01 - 0.09) * 1.07, 16 * 4000 / 0.3 * 0.95 * 1.07},
		{"q_fz1 from the stiffness", completed, 0.03, VerticalInput{}, (math.Sqrt(185)*0.1 + 0.1) * 4000, (math.Sqrt(185) + 2) * 4000 / 0.3},
	}
	for _, tt := range tests {
		near.Value(t, tt.name+": force", tt.v.Force(tt.deflection, tt.r), tt.force, 1e-9*(1+tt.force))
		near.Value(t, tt.name+": rate", tt.v.Rate(tt.deflection, tt.r), tt.rate, 1e-9*(1+tt.rate))
	}
	near.Value(t, "damping", linear.Damping(), 50, 0)
}

func TestStiffnessIsTheRateAtTheNominalLoad(t *testing.T) {
	p := spring()
	for _, square := range []float64{-5, 0, 10, 50} {
		p.QFz2 = square
		v := vertical(t, p)
		near.Value(t, "rate", v.Rate(v.Deflection(4000), VerticalInput{}), 200e3, 1e-6)
	}
}

func TestDeflectionIsTheInverseOfForce(t *testing.T) {
	for _, p := range []VerticalParams{spring(), soft()} {
		v := vertical(t, p)
		for _, load := range []float64{1, 500, 4000, 12e3} { // up to the rim
			near.Value(t, "load", v.Force(v.Deflection(load), VerticalInput{}), load, 1e-9*load)
		}
		near.Value(t, "no load", v.Deflection(0), 0, 0)
		near.Value(t, "less than none", v.Deflection(-10), 0, 0)
		near.Value(t, "NaN", v.Deflection(math.NaN()), 0, 0)
	}
}

func TestEffectiveRadius(t *testing.T) {
	plain, all := vertical(t, spring()), vertical(t, soft())
	stiffness := 4000 / 0.3 * math.Sqrt(13*13+4*15)
	near.Value(t, "unloaded", plain.EffectiveRadius(0, 0), 0.3, 1e-12)
	near.Value(t, "usual shape", plain.EffectiveRadius(4000, 0), 0.3-0.02*(0.27*math.Atan(8.4)+0.07), 1e-12)
	near.Value(t, "given shape", all.EffectiveRadius(2000, 0), 0.303-4000/stiffness*(0.25*math.Atan(4)+0.05), 1e-12)
	near.Value(t, "spinning", all.EffectiveRadius(2000, 100), 0.303+0.3*0.001*4-4000/stiffness*(0.25*math.Atan(4)+0.05), 1e-12)
	near.Value(t, "free, spinning backward", all.FreeRadius(-100), 0.303+0.0012, 1e-12)
	rim := plain.Deflection(6000)
	if re := plain.EffectiveRadius(6000, 0); !(re < 0.3 && re > 0.3-rim) {
		t.Errorf("effective radius %.4f m is not between the loaded one, %.4f m, and the free one", re, 0.3-rim)
	}
}

func TestNewVerticalRejectsBadParameters(t *testing.T) {
	tests := []struct {
		name   string
		change func(*VerticalParams)
		want   string
	}{
		{"no radius", func(p *VerticalParams) { p.Radius = 0 }, "vertical radius = 0: must be 0.05 to 2"},
		{"no stiffness at all", func(p *VerticalParams) { p.Stiffness = 0 }, "vertical stiffness = 0"},
		{"too soft for its square part", func(p *VerticalParams) { p.QFz2 = 60 }, "it must be above 206559"},
		{"gives way", func(p *VerticalParams) { p.QFz1, p.QFz2 = 15, -8 }, "the stiffness is not positive"},
		{"spin without a speed", func(p *VerticalParams) { p.QV2 = 0.1 }, "vertical measuring speed is missing"},
		{"NaN", func(p *VerticalParams) { p.NominalLoad = math.NaN() }, "vertical nominal load = NaN"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := spring()
			tt.change(&p)
			if _, err := NewVertical(p); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

func FuzzVertical(f *testing.F) {
	f.Add(0.03, 50.0, 220e3, 2000.0, -4000.0)
	f.Add(math.Inf(1), math.Inf(-1), math.NaN(), 1e300, math.Inf(1))
	f.Fuzz(func(t *testing.T, deflection, spin, pressure, fx, fy float64) {
		for _, p := range []VerticalParams{spring(), soft()} {
			v, r := vertical(t, p), VerticalInput{spin, pressure, fx, fy}
			load := v.Force(deflection, r)
			sum := load + v.Rate(deflection, r) + v.Deflection(load) + v.Deflection(fx) + v.EffectiveRadius(fx, spin) + v.FreeRadius(spin)
			if sum-sum != 0 || load < 0 || !(v.EffectiveRadius(fx, spin) > 0.1) {
				t.Fatalf("%g, %+v: load %g N", deflection, r, load)
			}
		}
	})
}

func TestVerticalAllocatesNothing(t *testing.T) {
	v := vertical(t, soft())
	if n := testing.AllocsPerRun(100, func() {
		load := v.Force(0.02, VerticalInput{Spin: 30, Fx: 100})
		_ = v.Rate(v.Deflection(load), VerticalInput{}) + v.EffectiveRadius(load, 30)
	}); n != 0 {
		t.Errorf("%g allocations", n)
	}
}
