package tire

import (
	"fmt"
	"math"
	"testing"

	"rig.example/rig/test/near"
)

// strainAt returns the strain of a wheel that rolls at 20 m/s with a slip angle.
func strainAt(t *testing.T, m Model, tangent, load, friction float64) float64 {
	t.Helper()
	w := wheelOf(t, m, params(), dt)
	s := WheelState{Spin: 20 / 0.3}
	on := Dry()
	on.Grip = friction
	steps(w, &s, 3000, WheelInput{Vx: 20, Vy: 20 * tangent, Load: load, Surface: on})
	return s.NormalizedSlip
}

// A brush gives 0.999 = 1 - (1-q)³ of its most at q = 0.9, which is 0.18 of slip for rigid's 15.
func TestNormalizedSlipIsSlipOverPeakSlip(t *testing.T) {
	b := rigid(t, 4000)
	for _, share := range []float64{0, 0.25, 0.5, 0.95, 1.5, 3} {
		got := strainAt(t, b, 0.18*share, 4000, 1)
		near.Value(t, fmt.Sprintf("strain at %g", share), got, share, 0.02*share+0.005) // rolling resistance slips a little
		near.Value(t, "mirrored", strainAt(t, b, -0.18*share, 4000, 1), got, 0)
	}
	near.Value(t, "on wet ground", strainAt(t, b, 0.09, 4000, 0.5), 1, 0.02)
	s := WheelState{Spin: 20 / 0.3, NormalizedSlip: 1}
	if steps(newWheel(t), &s, 1, WheelInput{Vx: 20, Vy: 9}); s.NormalizedSlip != 0 {
		t.Errorf("strain %g in the air", s.NormalizedSlip)
	}
}

// Whatever the tire and its load: at its peak the strain is 1.
func TestNormalizedSlipIsOneAtThePeak(t *testing.T) {
	for _, name := range []string{"road", "sport", "slick", "pickup", "ice", "reference", "brush"} {
		tr, err := Builtin(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, load := range []float64{2500, 5500} {
			best, at := 0.0, 0.0
			for tangent := 1e-3; tangent < 0.5; tangent += 1e-3 {
				if f := -tr.Model.Forces(Contact{TanAlpha: tangent, Load: load, Surface: Dry(), Speed: 20}).Fy; f > 1.001*best {
					best, at = f, tangent
				}
			}
			near.Value(t, fmt.Sprintf("%s at %g N, %.1f°", name, load, math.Atan(at)*180/math.Pi), strainAt(t, tr.Model, at, load, 1), 1, 0.12)
		}
	}
}

func TestNormalizedSlipOfACoulombWheelIsTheUsedFriction(t *testing.T) {
	w, s := newCoulombWheel(t), WheelState{Spin: 20 / 0.3}
	w.Step(&s, WheelInput{Vx: 20, Vy: 5, Load: 4000, EffectiveMass: 400, Surface: Dry()})
	near.Value(t, "slides", s.NormalizedSlip, 1, 1e-5)
	s = WheelState{Spin: 20 / 0.3}
	w.Step(&s, WheelInput{Vx: 20, Vy: 0.005, Load: 4000, EffectiveMass: 400, Surface: Dry()}) // 400 kg · 5 m/s²
	near.Value(t, "holds", s.NormalizedSlip, 0.55, 1e-6)                                      // 2000 N for the speed and a tenth more for the drift, of 4000 N
}
