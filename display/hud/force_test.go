package hud

import (
	"math"
	"slices"
	"testing"

	"rig.example/rig/display/displaytest"
	"rig.example/rig/internal/frame"
)

func TestForceBarsGrowToTheSideOfTheTorque(t *testing.T) {
	for _, tt := range []struct {
		name        string
		torque      float64
		left, right float32 // of the bar; its field reaches from 160 to 320
	}{
		{"half to the left", 4, 200, 240}, {"half to the right", -4, 240, 280}, {"too much", 99, 160, 240}, {"NaN", math.NaN(), 240, 240},
	} {
		c := testCanvas(t)
		drawForceRow(c, 0, 320, 0, forceRow{"gained", false, tt.torque, tt.torque, accentColor}, 8)
		if left, _, right, _, _ := c.extent(accentColor); left != tt.left || right != tt.right {
			t.Errorf("%s: bar from %g to %g, want %g to %g", tt.name, left, right, tt.left, tt.right)
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
		drawForce(c, f, &displaytest.Names)
		if _, _, _, _, red := c.extent(alarmColor); (red > 0) != clipping {
			t.Errorf("clipping %v: %d red corners", clipping, red)
		}
	}
}

func TestForcePageWarnsOfMuchClipping(t *testing.T) {
	for clipped, warns := range map[float64]bool{0: false, 0.025: false, 0.026: true, math.NaN(): false} {
		c, f := testCanvas(t), displaytest.ClippingFrame()
		f.Force.Clipped = clipped
		drawForceSummary(c, 0, 320, 20, f)
		if _, _, _, _, lit := c.extent(warnColor); (lit > 0) != warns {
			t.Errorf("%g clipped: %d corners of the warning", clipped, lit)
		}
	}
}

// Whatever the figures are, the page stays above the panels below and beside the laps.
func TestForcePageStaysInItsPlace(t *testing.T) {
	wild := displaytest.ClippingFrame()
	for i := range wild.Force.Effects {
		wild.Force.Effects[i] = math.Inf(1 - 2*(i%2))
	}
	wild.RimTorque, wild.AskedTorque, wild.RatedTorque, wild.Gain, wild.Flags = math.Inf(-1), math.NaN(), 1e9, 1e9, math.MaxUint64
	wild.Force.Clipped, wild.Force.Rate, wild.Force.Delay, wild.Force.Peak = 1e9, 1e9, 1e9, -1e9
	for name, f := range map[string]*frame.Frame{"usual": displaytest.ClippingFrame(), "zero": {}, "wild": wild} {
		c := testCanvas(t)
		drawForce(c, f, &frame.Names{Effects: slices.Repeat([]string{"gear change"}, frame.MaxEffects)})
		for _, v := range c.vertices {
			if !(v.x >= forceLeft && v.x <= forceLeft+forceWidth && v.y >= lapTop && v.y < panelTop) {
				t.Fatalf("%s: a corner at %g, %g", name, v.x, v.y)
			}
		}
	}
}
