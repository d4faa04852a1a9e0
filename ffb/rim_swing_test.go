package ffb

import (
	"math"
	"testing"
)

// A car that is a spring and a damper, T = -k·x - c·v, is told apart from one that is a spring.
func TestTheCarsOwnDampingIsLearned(t *testing.T) {
	for _, want := range []float64{0, 0.3, 1.4} {
		e, m := newStiffness(60, dt), newDerivatives(60, dt)
		var s stiffnessState
		var moved derivativesState
		const k, omega = 25, 100 // [N·m/rad], [rad/s]
		for i := range 3000 {
			at := omega * float64(i) * dt
			x, v := 0.02*math.Sin(at), 0.02*omega*math.Cos(at)
			e.next(&s, m.next(&moved, x).speed, -k*x-want*v, 8)
		}
		if math.Abs(s.damping-want) > 0.05*want+0.01 {
			t.Errorf("%g N·m·s/rad, want %g", s.damping, want)
		}
		for range 3000 {
			e.next(&s, m.next(&moved, 0).speed, 0, 8)
		}
		if s.damping > 0.01 {
			t.Errorf("%g N·m·s/rad for a rim at rest", s.damping)
		}
	}
}

// With c·lead as an inertia that comes late, J·a + c·lead·a(t-τ) = 0 is stable at any delay only if c·lead < J.
func TestLeadOfTheCarsDampingAddsAtMostHalfOfTheRimsInertia(t *testing.T) {
	r := newRim(still(), DefaultLock(), Car{}, dt)
	for _, c := range []float64{0, 0.1, 1.4, 50} {
		lead := r.leadTime(8, c, 10e-3, 8, 1)
		free := r.leadTime(8, 0, 10e-3, 8, 1)
		if want := min(free, 0.5*0.03/max(c, 1e-9)); math.Abs(lead-want) > 1e-9 {
			t.Errorf("car's damping %g N·m·s/rad: lead of %g s, want %g s", c, lead, want)
		}
	}
}

// The lead of a rim that learns its car's damping c is within that bound: its torque is at most J/2c times the rate.
func TestTheLeadKnowsTheDampingThatItLearned(t *testing.T) {
	const c, k, omega, swing = 3.0, 8.0, 20.0, 0.2 // [N·m·s/rad], [N·m/rad], [rad/s], [rad]
	cfg := still()
	cfg.HandsOffDamping = 1
	r := newRim(cfg, DefaultLock(), Car{}, dt)
	var s rimState
	var got Trace
	w, largest := there(10), 0.0
	for i := range 4000 {
		at := omega * float64(i) * dt
		w.Angle = swing * math.Sin(at)
		felt := -k*w.Angle - c*swing*omega*math.Cos(at)
		r.step(&s, w, 50, felt, felt, 0, &got)
		if i > 3000 {
			largest = max(largest, math.Abs(got.Lead))
		}
	}
	rate := omega * swing * math.Hypot(k, c*omega)
	if most := 0.5 * cfg.RimInertia / c * rate; !(largest < 1.15*most && largest > 0.5*most) {
		t.Errorf("a lead of up to %.2f N·m, want %.2f N·m at most", largest, most)
	}
}

// J·a + c·v(t-τ) = 0 is stable below c = π/2·J/τ. A swinging rim gets J/(45 ms), or half of that boundary.
func TestASwingingRimIsDampedUpToHalfOfTheBoundary(t *testing.T) {
	r := newRim(DefaultRim(), DefaultLock(), Car{}, dt)
	tests := []struct {
		name                string
		delay, swing, rated float64
		want                float64
	}{
		{"at rest", 10e-3, 0, 2.2, 0.04 * 2.2},
		{"swinging", 10e-3, 1, 2.2, 0.02 / 0.045},
		{"half", 10e-3, 0.5, 2.2, (0.04*2.2 + 0.02/0.045) / 2},
		{"long delay", 60e-3, 1, 2.2, math.Pi / 4 * 0.02 / 60e-3},
		{"never less than configured", 1e-3, 1, 25, 1},
	}
	for _, tt := range tests {
		if got := r.damping(tt.rated, tt.delay, tt.swing); math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("%s: %g N·m·s/rad, want %g", tt.name, got, tt.want)
		}
	}
}

func TestOnlyAFreeRimOnAFastRoadIsDampedAgainstSwings(t *testing.T) {
	tests := []struct{ speed, hands, swinging, want float64 }{
		{20, 0, 1, 0}, {40, 0, 0, 0}, {40, 0, 1, 1}, {60, 1, 1, 1}, {60, 1, 0.4, 0.2}, {60, 0, 0.4, 0.4}, {30, 0, 1, 0.5},
	}
	for _, tt := range tests {
		if got := swingShare(tt.speed, tt.hands, tt.swinging); math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("%g m/s, hands %g, swinging %g: %g, want %g", tt.speed, tt.hands, tt.swinging, got, tt.want)
		}
	}
}
