package tire

import (
	"math"
	"testing"

	"rig.example/rig/test/near"
)

// round is a pair of curves of round numbers: 1.2 at 0.1 and 0.9 at 0.5 ahead,
// 1 at 0.2 and 0.6 at 0.6 sideways.
func round() CurveParams {
	return CurveParams{
		Forward:           CurveShape{0.1, 1.2, 0.5, 0.9, 1},
		Sideways:          CurveShape{0.2, 1, 0.6, 0.6, 1},
		HalfLength:        0.1,
		RollingResistance: 0.01,
	}
}

func curveTire(t testing.TB, p CurveParams) *Curve {
	t.Helper()
	m, err := NewCurve(p, 0.3)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func ellipse(p CurveParams) CurveParams {
	p.Ellipse = true
	return p
}

func TestCurveGoesThroughItsPoints(t *testing.T) {
	const piece = 5.0 / 32 // 3x² - 2x³ at a quarter of the way down
	tests := []struct {
		name       string
		kappa, tan float64
		fx, fy     float64 // over the load
	}{
		{"no slip", 0, 0, 0, 0},
		{"a quarter of the extremum slip, driving", 0.025, 0, 1.2 * 0.4375, 0},
		{"half, left", 0, 0.1, 0, -0.75},
		{"extremum, braking", -0.1, 0, -1.2, 0},
		{"extremum, right", 0, -0.2, 0, 1},
		{"a quarter of the way down", 0.2, 0, 1.2 - 0.3*piece, 0},
		{"half of the way down", 0, 0.4, 0, -0.8},
		{"asymptote", 0.5, 0, 0.9, 0},
		{"locked", -1, 0, -0.9, 0},
		{"straight sideways", 0, 1e6, 0, -0.6},
		{"both, independent", -0.1, 0.2, -1.2, -1},
	}
	m, combined := curveTire(t, round()), curveTire(t, ellipse(round()))
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := Contact{Kappa: tt.kappa, TanAlpha: tt.tan, Load: 4000, Surface: Dry()}
			f := m.Forces(c)
			near.Value(t, "Fx", f.Fx, 4000*tt.fx, 1e-8)
			near.Value(t, "Fy", f.Fy, 4000*tt.fy, 1e-8)
			near.Value(t, "Mz", f.Mz, 0, 0)
			if tt.kappa == 0 || tt.tan == 0 {
				f = combined.Forces(c) // pure slip is the curve itself
				near.Value(t, "Fx with the ellipse", f.Fx, 4000*tt.fx, 1e-8)
				near.Value(t, "Fy with the ellipse", f.Fy, 4000*tt.fy, 1e-8)
			}
		})
	}
}

func TestCurvesTangentsAreLevelAtItsPoints(t *testing.T) {
	m := curveTire(t, round())
	const by = 1e-6
	for _, slip := range []float64{0.1, 0.5} {
		before := m.Forces(Contact{Kappa: slip - by, Load: 1, Surface: Dry()}).Fx
		after := m.Forces(Contact{Kappa: slip + by, Load: 1, Surface: Dry()}).Fx
		near.Value(t, "slope", (after-before)/(2*by), 0, 1e-4)
	}
	near.Value(t, "slope at no slip", m.Forces(Contact{Kappa: by, Load: 1, Surface: Dry()}).Fx/by, 24, 1e-3)
	near.Value(t, "stiffness", m.Capacity(Contact{Load: 1e3, Surface: Dry()}).StiffnessX, 24e3, 1e-9)
}

func TestCurveOnTheEllipse(t *testing.T) {
	m := curveTire(t, ellipse(round()))
	tests := []struct {
		name       string
		kappa, tan float64
		fx, fy     float64
	}{
		// slips of 3:4 over the extremum slips: shares of 0.6 and 0.8
		{"half of the extremum", 0.03, 0.08, 1.2 * 0.75 * 0.6, -0.75 * 0.8},
		{"extremum", -0.06, 0.16, -1.2 * 0.6, -0.8},
		{"twice the extremum", 0.12, -0.32, (1.2 - 0.3*5/32) * 0.6, 0.8 * 0.8},
		{"sliding", -6, 16, -0.9 * 0.6, -0.6 * 0.8},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := m.Forces(Contact{Kappa: tt.kappa, TanAlpha: tt.tan, Load: 3000, Surface: Dry()})
			near.Value(t, "Fx", f.Fx, 3000*tt.fx, 1e-8)
			near.Value(t, "Fy", f.Fy, 3000*tt.fy, 1e-8)
		})
	}
}

func TestGroundChangesTheCurve(t *testing.T) {
	m := curveTire(t, round())
	tests := []struct {
		name   string
		on     Surface
		kappa  float64
		fx, my float64
	}{
		{"half the grip halves the values", Surface{0.5, 1, 1}, 0.1, 600, -3},
		{"and the slope", Surface{0.5, 1, 1}, 0.05, 450, -3},
		{"half the stiffness doubles the slips", Surface{1, 0.5, 1}, 0.2, 1200, -3},
		{"and leaves the asymptote", Surface{1, 0.5, 1}, 1, 900, -3},
		{"no grip", Surface{0, 1, 1}, 0.1, 0, 0},
		{"soft ground", Surface{1, 1, 10}, 0, 0, -30},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := m.Forces(Contact{Kappa: tt.kappa, Load: 1000, Surface: tt.on})
			near.Value(t, "Fx", f.Fx, tt.fx, 1e-9)
			near.Value(t, "My", f.My, tt.my, 1e-9)
		})
	}
}

func TestStiffnessOfTheCurveMultipliesItsValues(t *testing.T) {
	p := round()
	p.Forward.Stiffness = 0.5
	f := curveTire(t, p).Forces(Contact{Kappa: 0.1, TanAlpha: 0.2, Load: 1000, Surface: Dry()})
	near.Value(t, "Fx", f.Fx, 600, 1e-9)
	near.Value(t, "Fy", f.Fy, -1000, 1e-9)
}

func TestCurveWithoutStiffnessHasNoFriction(t *testing.T) {
	for _, p := range []CurveParams{round(), ellipse(round())} {
		p.Forward.Stiffness, p.Sideways.Stiffness = 0, 0
		m := curveTire(t, p)
		f := m.Forces(Contact{Kappa: -0.3, TanAlpha: 0.2, Load: 4000, Surface: Dry()})
		near.Value(t, "force", math.Hypot(f.Fx, f.Fy), 0, 0)
		capacity := m.Capacity(Contact{Load: 4000, Surface: Dry()})
		near.Value(t, "greatest force over stiffness", capacity.ForceX/capacity.StiffnessX+capacity.ForceY/capacity.StiffnessY, 0, 0)

		w, err := NewWheel(m, params(), dt)
		if err != nil {
			t.Fatal(err)
		}
		s := WheelState{Spin: 20}
		f = steps(w, &s, 1000, WheelInput{Vx: 10, Vy: 2, Load: 4000, Surface: Dry()})
		near.Value(t, "force of a wheel", math.Hypot(f.Fx, f.Fy), 0, 0)
		if !(s.Spin >= 0 && s.Spin <= 20) {
			t.Errorf("a wheel without friction went from 20 to %g rad/s", s.Spin)
		}
	}
}

func TestCurveHasNoSteps(t *testing.T) {
	walk(t, curveTire(t, round()), 1)
	walk(t, curveTire(t, ellipse(round())), 1)
}

// A light wheel that slides sideways under a heavy load settles at one spin: with a trial spin that is not what the
// force leads to, it would spin back and forth from tick to tick, and throw a car into the air.
func TestASlidingWheelKeepsItsSpin(t *testing.T) {
	for _, grip := range []float64{1, 1.8, 2.9} {
		for _, inertia := range []float64{0.3, 1.2, 3} {
			for _, load := range []float64{4e3, 20e3, 80e3} {
				for _, vy := range []float64{3, 10} {
					p := DefaultCurve()
					p.Forward.Stiffness, p.Sideways.Stiffness = grip, grip
					w, err := NewWheel(curveTire(t, p), WheelParams{Radius: 0.42, Inertia: inertia, RelaxationX: 0.1, RelaxationY: 0.3, Damping: 2000}, 1e-3)
					if err != nil {
						t.Fatal(err)
					}
					s := WheelState{Spin: -2}
					for i := range 200 {
						before := s.Spin
						w.Step(&s, WheelInput{Vx: -1.5, Vy: vy, Radius: 0.42, Load: load, Surface: Dry()})
						if jump := math.Abs(s.Spin - before); i > 50 && jump > 0.5 {
							t.Fatalf("grip %g, %g kg·m², %g N, %g m/s aside, tick %d: the spin jumps by %.1f rad/s", grip, inertia, load, vy, i, jump)
						}
					}
				}
			}
		}
	}
}

func TestCurveParamsNameEveryBadField(t *testing.T) {
	p := DefaultCurve()
	p.Forward.ExtremumSlip, p.Sideways.AsymptoteSlip = 0, 0.16
	p.Sideways.AsymptoteValue = 1.1
	_, err := NewCurve(p, 0.3)
	wantInError(t, err, "tire: curve: forward.extremum_slip = 0: must be 0.001 to 2",
		"sideways.asymptote_slip = 0.16: must be 0.1616 to 20", "sideways.asymptote_value = 1.1: must be 0 to 1")
}

func FuzzCurve(f *testing.F) {
	seedContacts(f)
	f.Fuzz(func(t *testing.T, kappa, tanAlpha, load, grip, stiffness, rolling float64) {
		c := Contact{Kappa: kappa, TanAlpha: tanAlpha, Load: load, Surface: Surface{grip, stiffness, rolling}}
		checkContact(t, curveTire(t, round()), c, inSquare)
		checkContact(t, curveTire(t, ellipse(round())), c, inEllipse)
	})
}

func TestCurveAllocatesNothing(t *testing.T) {
	wantNoAllocation(t, curveTire(t, ellipse(DefaultCurve())))
}

func BenchmarkCurve(b *testing.B) { benchmarkForces(b, curveTire(b, DefaultCurve())) }

func BenchmarkCurveEllipse(b *testing.B) { benchmarkForces(b, curveTire(b, ellipse(DefaultCurve()))) }
