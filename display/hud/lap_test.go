package hud

import (
	"math"
	"testing"

	"rig.example/rig/internal/core/frame"
)

func TestDeltaHasTheColorOfItsSign(t *testing.T) {
	for _, tt := range []struct {
		delta        float64
		green, amber bool
	}{{-0.2, true, false}, {0.2, false, true}, {math.NaN(), false, false}, {math.Inf(1), false, true}} {
		c := testCanvas(t)
		drawDelta(c, 100, 50, tt.delta, "")
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
		drawMessages(c, place{0, 0, 1280, bandHeight}, &frame.Frame{Flags: tt.flags}, "")
		for _, color := range []rgba{alarmColor, warnColor, accentColor} {
			if _, _, _, _, n := c.extent(color); n > 0 != (color == tt.color) {
				t.Errorf("%s: %d corners in %v", tt.name, n, color)
			}
		}
	}
	c := testCanvas(t)
	if drawMessages(c, place{0, 0, 1280, bandHeight}, &frame.Frame{}, ""); len(c.vertices) > 0 {
		t.Error("a warning of nothing")
	}
}

// Before the first lap the time since the beginning of the drive runs; in a lap it is that of the lap.
func TestTheOutLapIsTimed(t *testing.T) {
	for number, want := range map[uint64]string{0: "1:01.5", 1: "0:41.3"} {
		c, f := testCanvas(t), lapFrame()
		f.Tick, f.Lap.Number = 61_490, number
		if drawLapHead(c, 0, 300, f); !c.says(want) {
			t.Errorf("lap %d: %q", number, c.audit.words)
		}
	}
}

// The gap to a ghost has a row of its own.
func TestTheGhostHasARow(t *testing.T) {
	for _, ghost := range []bool{false, true} {
		c := testCanvas(t)
		bottom := drawLap(c, place{0, 0, sideWidth, 400}, lapFrame(), &Status{Ghost: ghost, Gap: -0.3})
		if c.says("GHOST") != ghost || c.says("-0.30") != ghost || (bottom > 160) != ghost {
			t.Errorf("ghost %v: %q down to %g", ghost, c.audit.words, bottom)
		}
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
