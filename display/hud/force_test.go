package hud

import (
	"math"
	"testing"

	"rig.example/rig/display/displaytest"
	"rig.example/rig/internal/core/frame"
)

func TestForceBarsGrowToTheSideOfTheTorque(t *testing.T) {
	const middle, half = forceBarX + forceBarWidth/2, forceBarWidth / 2
	for _, tt := range []struct {
		name        string
		torque      float64
		left, right float32 // of the bar
		says        string
	}{
		{"half to the left", 4, middle - half/2.0, middle, "4.00 left"}, {"half to the right", -4, middle, middle + half/2.0, "4.00 right"},
		{"too much", 99, middle - half, middle, "99.00 left"}, {"NaN", math.NaN(), middle, middle, "unknown"},
	} {
		c := testCanvas(t)
		drawForceRow(c, 0, forceRow{"gained", false, tt.torque, tt.torque, accentColor}, 8)
		if left, _, right, _, _ := c.extent(accentColor); left != tt.left || right != tt.right || !c.says(tt.says) {
			t.Errorf("%s: bar from %g to %g, want %g to %g; it says %q", tt.name, left, right, tt.left, tt.right, c.audit.words)
		}
	}
}

func TestForcePageShowsEffectsThatDidSomething(t *testing.T) {
	c, names := testCanvas(t), displaytest.Names.Effects
	f := displaytest.ClippingFrame()
	f.Force.Effects = [frame.MaxEffects]float64{}
	without := len(c.forceRows(f, names))
	f.Force.Effects[3] = 0.1
	c.forceRows(f, names)
	f.Force.Effects[3] = 0
	if rows := c.forceRows(f, names); len(rows) != without+1 || rows[2].name != "ABS" || !rows[2].part {
		t.Errorf("%d rows, and %d after an effect came: %+v", without, len(rows), rows[2])
	}
	f.Force.Effects = [frame.MaxEffects]float64{1}
	if rows := testCanvas(t).forceRows(f, nil); len(rows) != without {
		t.Errorf("%d rows with an effect that has no name, want %d", len(rows), without)
	}
}

func TestForcePageLightsUpWhileClipping(t *testing.T) {
	for _, clipping := range []bool{false, true} {
		c, f := testCanvas(t), displaytest.ClippingFrame()
		f.Flags &^= frame.Clipping
		if clipping {
			f.Flags |= frame.Clipping
		}
		drawForce(c, place{0, 0, 600, 600}, f, &displaytest.Names)
		if _, _, _, _, red := c.extent(alarmColor); (red > 0) != clipping {
			t.Errorf("clipping %v: %d red corners", clipping, red)
		}
	}
}

func TestForcePageWarnsOfMuchClipping(t *testing.T) {
	for clipped, warns := range map[float64]bool{0: false, 0.025: false, 0.026: true, math.NaN(): false} {
		c, f := testCanvas(t), displaytest.ClippingFrame()
		f.Force.Clipped = clipped
		drawForceSummary(c, 20, f)
		if _, _, _, _, lit := c.extent(warnColor); (lit > 0) != warns {
			t.Errorf("%g clipped: %d corners of the warning", clipped, lit)
		}
	}
}
