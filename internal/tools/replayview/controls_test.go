package replayview

import (
	"math"
	"testing"

	"rig.example/rig/internal/core/frame"
)

// press is a step of a script: these keys are down for so long.
type press struct {
	keys    uint64
	seek    float64 // on the scrub bar; 0 for none
	seconds float64
	place   uint64 // where the replay is then
	paused  bool
	speed   float64
}

func TestControls(t *testing.T) {
	const second = 1000
	for _, tt := range []struct {
		name   string
		script []press
	}{
		{"speed", []press{
			{0, 0, 2, 21 * second, false, 1}, {frame.KeyUp, 0, 0.5, 22 * second, false, 2}, {0, 0, 1, 24 * second, false, 2},
			{frame.KeyDown, 0, 0, 24 * second, false, 1}, {0, 0, 0, 24 * second, false, 1}, {frame.KeyGainLess, 0, 1, 24500, false, 0.5},
		}},
		{"speed has ends", []press{
			{frame.KeyUp, 0, 0, 19 * second, false, 2}, {0, 0, 0, 19 * second, false, 2}, {frame.KeyGainMore, 0, 0, 19 * second, false, 4}, {0, 0, 0, 19 * second, false, 4},
			{frame.KeyUp, 0, 0, 19 * second, false, 8}, {0, 0, 0, 19 * second, false, 8}, {frame.KeyUp, 0, 1, 27 * second, false, 8},
		}},
		{"a held key counts once", []press{{frame.KeyStop, 0, 1, 19 * second, true, 1}, {frame.KeyStop, 0, 1, 19 * second, true, 1}, {0, 0, 1, 19 * second, true, 1}, {frame.KeyStop, 0, 1, 20 * second, false, 1}}},
		{"single ticks in a pause", []press{
			{frame.KeyStop, 0, 0, 19 * second, true, 1}, {frame.KeyRight, 0, 0, 19001, true, 1}, {0, 0, 0, 19001, true, 1},
			{frame.KeyLeft, 0, 0.3, 19000, true, 1}, {frame.KeyLeft, 0, 0.3, 19000, true, 1}, {frame.KeyLeft, 0, 0.31, 18995, true, 1}, {frame.KeyLeft, 0, 1, 18970, true, 1}, {0, 0, 1, 18970, true, 1},
		}},
		{"5 s while it plays", []press{{frame.KeyRight, 0, 1, 24 * second, false, 1}, {frame.KeyRight, 0, 1, 25 * second, false, 1}, {0, 0, 0, 25 * second, false, 1}, {frame.KeyLeft, 0, 0, 20 * second, false, 1}}},
		{"30 s", []press{{frame.KeyPageDown, 0, 0, 49 * second, false, 1}, {frame.KeyPageUp, 0, 0, 19 * second, false, 1}, {0, 0, 0, 19 * second, false, 1}, {frame.KeyPageUp, 0, 0, 1, false, 1}}},
		{"start and end", []press{{frame.KeyHome, 0, 0, 1, false, 1}, {frame.KeyEnd, 0, 0, 60 * second, true, 1}, {frame.KeyStop, 0, 1, 60 * second, true, 1}, {frame.KeyHome, 0, 1, 1, true, 1}, {frame.KeyStop, 0, 1, 1001, false, 1}}},
		{"the end pauses", []press{{frame.KeyPageDown, 0, 0, 49 * second, false, 1}, {0, 0, 30, 60 * second, true, 1}}},
		{"marks", []press{
			{frame.KeyMark, 0, 0, 30_001, false, 1}, {0, 0, 0.1, 30_101, false, 1}, {frame.KeyCueMore, 0, 0, 50_001, false, 1}, {0, 0, 0, 50_001, false, 1}, {frame.KeyMark, 0, 0, 60_000, true, 1},
			{frame.KeyPrevious, 0, 0, 50_001, true, 1}, {0, 0, 0, 50_001, true, 1}, {frame.KeyCueLess, 0, 0, 30_001, true, 1}, {0, 0, 0, 30_001, true, 1}, {frame.KeyPrevious, 0, 0, 10_001, true, 1},
			{0, 0, 0, 10_001, true, 1}, {frame.KeyPrevious, 0, 0, 1, true, 1},
		}},
		{"a mark just passed", []press{{frame.KeyMark, 0, 0, 30_001, false, 1}, {0, 0, 0.5, 30_501, false, 1}, {frame.KeyPrevious, 0, 0, 10_001, false, 1}}},
		{"mouse", []press{{0, 0.5, 1, 30 * second, false, 1}, {0, 0.25, 1, 15 * second, false, 1}, {0, 0, 1, 16 * second, false, 1}, {0, 1, 0, 60 * second, true, 1}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := Controls{First: 1, Last: 60_000, Place: 19_000, Stops: []uint64{10_001, 30_001, 50_001}}
			for i, p := range tt.script {
				seek := math.NaN()
				if p.seek > 0 {
					seek = p.seek
				}
				if got := c.Step(p.keys, seek, p.seconds); got != p.place || c.Paused != p.paused || c.Speed() != p.speed {
					t.Fatalf("step %d: at %d, paused %v, speed %g; want %+v", i, got, c.Paused, c.Speed(), p)
				}
			}
		})
	}
}

// However short the steps are, a second of playing is a second of the drive.
func TestSlowMotionLosesNoTicks(t *testing.T) {
	c := Controls{First: 1, Last: 60_000, Place: 1, speed: -realTime}
	for range 2000 {
		c.Step(0, math.NaN(), 0.005)
	}
	if c.Place < 1000 || c.Place > 1001 {
		t.Errorf("at %d after 10 s at a tenth of real time, want 1001", c.Place)
	}
}
