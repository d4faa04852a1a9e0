package hud

import (
	"fmt"
	"math"
	"testing"

	"rig.example/rig/display/displaytest"
	"rig.example/rig/internal/core/frame"
)

func TestFiguresAreThoseOfFmt(t *testing.T) {
	for _, format := range []string{"%.0f rpm", "%+.2f", "± %.3g N·m", "%gx", "at %.1f %%", "%.2g"} {
		for _, v := range []float64{0, 1, -1, 0.05, 12.345, -987.65, 8000, 1e7, math.Inf(1), math.Inf(-1)} {
			if got, want := string(appendFigures(nil, format, v)), fmt.Sprintf(format, v); got != want {
				t.Errorf("%q of %g: %q, want %q", format, v, got, want)
			}
		}
	}
	if got := string(appendFigures(nil, "%+.1f", math.NaN())); got != "+NaN" {
		t.Errorf("NaN is %q", got)
	}
	if got := string(appendFigures(nil, "%.0f of %.1f", 1, 2)); got != "1 of 2.0" {
		t.Errorf("two figures are %q", got)
	}
}

// A picture allocates nothing, whatever it shows.
func TestDrawAllocatesNothing(t *testing.T) {
	c := testCanvas(t)
	c.audit = nil
	f := displaytest.PlatformFrame()
	clipping := displaytest.ClippingFrame()
	f.Force, f.RatedTorque = clipping.Force, clipping.RatedTorque
	f.Force.OwnEffects, f.Force.Total = 1, 4
	f.Motion.Faults, f.Missed, f.Dropped = 7, 3, 4
	f.ABS, f.Traction, f.Stability, f.GripLoss, f.Handbrake = 3, 2, 1, 0.3, 1
	f.Lap = frame.Lap{Number: 12, Time: 83.4, Delta: -0.31, Last: 84.123, Best: 83.9, PitTime: 3}
	replay := &frame.Replay{Active: 1, Paused: 1, Speed: 0.5, Length: 200, Position: 100, Count: 4}
	s := Status{Names: longNames(), Notice: longNotice, Rate: 60, MaxRPM: 8000, Replay: replay, Ghost: true, Gap: 0.4}
	c.SetScene(displaytest.Oval())
	for f.Tick < traceLength*traceTicks { // until the charts are full
		f.Tick += traceTicks
		c.trace.add(f)
	}
	for page := range pageCount {
		s.Page = page
		for name, flags := range map[string]uint64{"no flags": 0, "all flags": math.MaxUint64, "in the pit": frame.InPit} {
			f.Flags = flags
			next := func() {
				f.Tick, f.RPM, f.Station, f.Lap.Time = f.Tick+traceTicks, f.RPM+13.7, f.Station+0.7, f.Lap.Time+0.016
				c.Draw(f, s, 16.0/9)
			}
			for range 2 {
				next()
			}
			if n := testing.AllocsPerRun(20, next); n != 0 {
				t.Errorf("%s, %s: %g allocations for each picture", page, name, n)
			}
		}
	}
}
