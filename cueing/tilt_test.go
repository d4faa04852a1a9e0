package cueing

import (
	"math"
	"testing"
)

func TestTiltUndoesLegs(t *testing.T) {
	g := Geometry{Spacing: 0.5, Arm: 0.4, Stroke: 0.2}
	for _, p := range []Pose{{}, {Roll: 0.05}, {Pitch: -0.04}, {Roll: -0.1, Pitch: 0.1}} {
		roll, pitch := g.Tilt(g.Legs(p))
		if math.Abs(roll-p.Roll) > 1e-12 || math.Abs(pitch-p.Pitch) > 1e-12 {
			t.Errorf("%+v came back as roll %g, pitch %g", p, roll, pitch)
		}
	}
	// left actuator at its upper end, right one at its lower end
	if roll, pitch := g.Tilt(Legs{1, 0}); math.Abs(roll-0.4) > 1e-12 || pitch != 0 {
		t.Errorf("roll %g, pitch %g, want 0.4 and 0", roll, pitch)
	}
}
