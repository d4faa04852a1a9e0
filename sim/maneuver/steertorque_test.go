package maneuver

import (
	"math"
	"strings"
	"testing"

	"rig.example/rig/sim"
	"rig.example/rig/test/level"
	"rig.example/rig/test/near"
)

// On brushes without caster the aligning torque is largest at a quarter of the slip
// from which on all slides, 3·mu·Fz/C. The axle is near it: its tires are not loaded
// alike, and a car that noses up or down has some trail after all.
func TestTorquePeaksAtAQuarterOfTheSlidingSlip(t *testing.T) {
	level.SkipIfQuick(t)
	p := sim.DefaultCar()
	p.Steering.CasterTrail = 0
	p.Front.Tire.Brush.FrictionLoadSlope = 0
	b := p.Front.Tire.Brush
	sliding := math.Atan(3*b.Friction*b.NominalLoad/b.Stiffness) / degree
	r := do(t, "steer-torque", p, Options{})
	near.Value(t, "slip angle of the torque's peak [°]", figure(t, r, "torque_peak_slip_deg"), sliding/4, 0.2*sliding/4)
	near.Value(t, "slip angle of the force's peak [°]", figure(t, r, "force_peak_slip_deg"), sliding, 0.1*sliding)
	near.Value(t, "ratio", figure(t, r, "slip_angle_ratio"), 0.28, 0.04) // at 0.999 of the force q is 0.9
	if left := figure(t, r, "torque_left_pct"); left > 50 {
		t.Errorf("%.1f %% of the torque left where all slides", left)
	}
}

// The side force on the trail does not fall: it holds the peak back.
func TestCasterTrailDelaysTheTorquesPeak(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	last := 0.0
	for _, trail := range []float64{0, 0.005, 0.01} {
		p := sim.DefaultCar()
		p.Steering.CasterTrail = trail
		ratio := figure(t, do(t, "steer-torque", p, Options{Dt: milliseconds(2, 1)}), "slip_angle_ratio")
		if !(ratio > last && ratio < 1) {
			t.Errorf("trail of %g m: ratio %.3f, %.3f with less of it", trail, ratio, last)
		}
		last = ratio
	}
}

func TestTireWithoutAligningTorqueGivesNoWarning(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	p := sim.DefaultCar()
	p.Front.Tire.Model = "dugoff"
	r := do(t, "steer-torque", p, Options{Dt: milliseconds(2, 1)})
	if notes := strings.Join(r.Notes, "; "); !strings.Contains(notes, "gives no warning") {
		t.Errorf("notes %q", notes)
	}
	for _, m := range r.Metrics {
		if strings.HasSuffix(m.Name, "_ratio") {
			t.Errorf("%s = %v", m.Name, m.Value)
		}
	}
}

// The largest torque at a standstill is that of the contacts' friction, at least, which
// Gough's formula mu·W^1.5/(3·√p) gives, over the ratio at which the wheels turn.
func TestParkingTorqueFollowsGoughsFormula(t *testing.T) {
	p := sim.DefaultCar()
	load := p.Mass * p.Gravity * (1 - p.CGToFront/p.Wheelbase) / 2
	gough := p.Front.Tire.Brush.Friction * math.Pow(load, 1.5) / (3 * math.Sqrt(220e3))
	got := figure(t, do(t, "steer-torque", p, Options{}), "parking_torque_nm")
	near.Value(t, "parking torque", got, 2*gough/p.Steering.Ratio, 0.2*2*gough/p.Steering.Ratio)
}
