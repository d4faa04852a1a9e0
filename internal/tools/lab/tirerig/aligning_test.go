package tirerig

import (
	"math"
	"strings"
	"testing"

	"rig.example/rig/sim/tire"
	"rig.example/rig/test/near"
)

// The brush slides from tan(alpha) = 3·mu·Fz/C on, and has its aligning torque's peak,
// 27/256·mu·Fz·a, at a quarter of that.
func TestBrushTorquePeaksAtAQuarterOfTheForcePeak(t *testing.T) {
	const sliding = 3 * 4000 / 53e3
	a := brush(t).findAligning(Point{Load: 4000})
	near.Value(t, "torque", a.PeakTorque, 27.0/256*4000*0.085, 1e-6)
	near.Value(t, "its angle", a.PeakAngle, math.Atan(sliding/4), 1e-3*math.Atan(sliding))
	near.Value(t, "the force's angle", a.ForcePeakAngle, math.Atan(sliding), 2e-3*math.Atan(sliding))
	near.Value(t, "ratio", a.PeakAngleRatio, math.Atan(sliding/4)/math.Atan(sliding), 2e-3)
	near.Value(t, "torque left", a.TorqueLeftPct, 0, 0.01)
}

func TestEveryTireWithAligningTorqueWarnsEarly(t *testing.T) {
	for _, name := range tire.Names() {
		own, err := tire.Builtin(name)
		if err != nil {
			t.Fatal(err)
		}
		b := &Bench{Tire: own, Surface: tire.Dry()}
		for _, share := range []float64{0.25, 0.5, 1, 1.5} {
			a := b.findAligning(Point{Load: share * own.NominalLoad})
			t.Logf("%-9s %5.0f N: %s, %.0f %% left", name, a.Load, a, a.TorqueLeftPct)
			switch name {
			case "coulomb", "curve", "dugoff":
				if a.PeakTorque != 0 || a.PeakAngleRatio != 0 {
					t.Errorf("%s: %+v of a model without aligning torque", name, a)
				}
			default:
				if !(a.PeakAngleRatio > 0.2 && a.PeakAngleRatio < 0.5) || !(a.TorqueLeftPct < 25) {
					t.Errorf("%s at %.0f N: %s, %.0f %% left", name, a.Load, a, a.TorqueLeftPct)
				}
			}
		}
	}
}

func TestSlipAngleSweepReportsPeaks(t *testing.T) {
	r := run(t, brush(t), Sweep{Kind: "slip-angle", Loads: []float64{2000, 4000}, From: at(0), To: at(0)})
	if len(r.Aligning) != 2 || r.Aligning[0].Load != 2000 || !(r.Aligning[0].PeakTorque < r.Aligning[1].PeakTorque) {
		t.Errorf("%+v", r.Aligning)
	}
	if r := run(t, brush(t), Sweep{Kind: "load"}); r.Aligning != nil {
		t.Errorf("a load sweep has %+v", r.Aligning)
	}
	var out strings.Builder
	if err := brush(t).Summary().Print(&out); err != nil || !strings.Contains(out.String(), "up to 35.9 N·m at 3.2°, the side force at 12.7°: 0.25 of its slip angle") {
		t.Errorf("%v, %q", err, out.String())
	}
}
