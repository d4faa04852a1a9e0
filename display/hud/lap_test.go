package hud

import (
	"math"
	"testing"

	"rig.example/rig/display/displaytest"
	"rig.example/rig/internal/frame"
)

// lapFrame is a frame in a lap's second sector, slower than the best lap.
func lapFrame() *frame.Frame {
	f := displaytest.OvalFrame(30)
	f.Lap = frame.Lap{Number: 12, Count: 11, Time: 41.27, Last: 83.456, Best: 82.9, Delta: 0.31, Sectors: 3, Sector: 1,
		Splits: [8]float64{27.5}, LastSplits: [8]float64{27.2, 28, 28.256}, BestSectors: [8]float64{27.2, 27.8, 27.9}}
	return f
}

func TestDeltaHasTheColorOfItsSign(t *testing.T) {
	for _, tt := range []struct {
		delta        float64
		green, amber bool
	}{{-0.2, true, false}, {0.2, false, true}, {math.NaN(), false, false}, {math.Inf(1), false, true}} {
		c := testCanvas(t)
		drawDelta(c, 100, 50, tt.delta)
		_, _, _, _, green := c.extent(okColor)
		_, _, _, _, amber := c.extent(warnColor)
		if green > 0 != tt.green || amber > 0 != tt.amber {
			t.Errorf("%g s: %d green and %d amber corners", tt.delta, green, amber)
		}
	}
}

func TestSectorsAreMarked(t *testing.T) {
	l := &lapFrame().Lap
	for _, tt := range []struct {
		name                string
		sector              uint64
		splits              [8]float64
		green, amber, empty int // marks
	}{
		{"one slower", 1, [8]float64{27.5}, 0, 1, 2},
		{"one as fast, one slower", 2, [8]float64{27.2, 28}, 1, 1, 1},
		{"the last lap's", 0, [8]float64{}, 1, 2, 0},
	} {
		l.Sector, l.Splits = tt.sector, tt.splits
		c := testCanvas(t)
		drawSectors(c, 0, 180, 0, l)
		count := func(color rgba) int { _, _, _, _, n := c.extent(color); return n / 6 }
		if count(okColor) != tt.green || count(warnColor) != tt.amber || count(trackColor) != tt.empty {
			t.Errorf("%s: %d green, %d amber, %d empty marks", tt.name, count(okColor), count(warnColor), count(trackColor))
		}
	}
}

func TestGravestWarningIsDrawn(t *testing.T) {
	for _, tt := range []struct {
		name  string
		flags uint64
		color rgba
	}{
		{"wrong way", frame.WrongWay | frame.OffTrack | frame.InPit, alarmColor},
		{"off track", frame.OffTrack | frame.InPit, warnColor},
		{"pit lane", frame.InPit, accentColor},
	} {
		c := testCanvas(t)
		drawWarning(c, &frame.Frame{Flags: tt.flags})
		for _, color := range []rgba{alarmColor, warnColor, accentColor} {
			if _, _, _, _, n := c.extent(color); n > 0 != (color == tt.color) {
				t.Errorf("%s: %d corners in %v", tt.name, n, color)
			}
		}
	}
	c := testCanvas(t)
	if drawWarning(c, &frame.Frame{}); len(c.vertices) > 0 {
		t.Error("a warning of nothing")
	}
}

// What is drawn about the lap keeps clear of the notice, the assists and the instruments,
// in a narrow picture as well.
func TestLapKeepsClearOfTheRest(t *testing.T) {
	f := lapFrame()
	f.Flags |= frame.LapInvalid | frame.OffTrack
	c := testCanvas(t)
	c.width = 960 // 4:3
	drawLap(c, f)
	left, top, right, bottom := c.bounds()
	if left < c.width-margin-lapWidth || right > c.width-margin || top < 92 || bottom > panelTop {
		t.Errorf("the clock is drawn from %g, %g to %g, %g", left, top, right, bottom)
	}
	c.vertices = nil
	drawWarning(c, f)
	l, top, r, bottom := c.bounds()
	if l < margin+98 || r > left || top < 92 || bottom > 200 {
		t.Errorf("the warning is drawn from %g, %g to %g, %g", l, top, r, bottom)
	}
}

// bounds returns how far all that is drawn reaches.
func (c *Canvas) bounds() (left, top, right, bottom float32) {
	left, top = math.MaxFloat32, math.MaxFloat32
	for _, v := range c.vertices {
		left, right, top, bottom = min(left, v.x), max(right, v.x), min(top, v.y), max(bottom, v.y)
	}
	return left, top, right, bottom
}
