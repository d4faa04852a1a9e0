package hud

import (
	"math"
	"testing"

	"rig.example/rig/internal/frame"
)

func TestTimingPageHasRoomForItsFigures(t *testing.T) {
	c := testCanvas(t)
	worst := &Status{Display: frame.Display{Refresh: 239.76, P50: 9, P99: 9, RunP50: 9, RunP99: math.Inf(1), Dropped: math.MaxUint64, Age: math.NaN()}}
	for _, r := range timingRows(worst) {
		if w := c.atlas.textWidth(smallType, r.name) + c.atlas.textWidth(smallType, r.value); w > timingWidth-28-10 {
			t.Errorf("%s: %s is %g wide", r.name, r.value, w)
		}
	}
	drawTiming(c, worst)
	left, _, right, _, _ := c.extent(panelColor)
	if left != forceLeft || right != forceLeft+timingWidth {
		t.Errorf("the page reaches from %g to %g", left, right)
	}
	c.vertices = c.vertices[:0]
	drawTiming(c, &Status{Force: true})
	if left, _, _, _, _ = c.extent(panelColor); left < forceLeft+forceWidth {
		t.Errorf("the page lies at %g, on that of the force", left)
	}
}
