package hud

import (
	"math"
	"testing"

	"rig.example/rig/display/displaytest"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
)

var dashStatus = Status{MaxRPM: 8000, ShiftUpRPM: 7000}

// All shapes lie within their panel, also with odd values.
func TestDashboardFitsItsPanels(t *testing.T) {
	wild := displaytest.OvalFrame(0)
	wild.RPM, wild.Speed, wild.Gear, wild.Fuel, wild.Charge = 1e9, -1e9, -1, math.Inf(1), 2
	wild.Flags, wild.State, wild.Handbrake = math.MaxUint64, uint64(guard.Fault), 1
	wild.ABS, wild.Traction, wild.Stability = 10, 10, 10
	wild.Lap = frame.Lap{Number: math.MaxUint64, Time: 1e9, Last: 1e9, Best: 1e9, Delta: -1e9}
	for name, f := range map[string]*frame.Frame{"usual": displaytest.OvalFrame(0), "zero": {}, "wild": wild, "NaN": {RPM: math.NaN(), Charge: math.NaN(), Fuel: math.NaN()}} {
		for _, s := range []Status{dashStatus, {}, {MaxRPM: 1e9}} {
			c := testCanvas(t)
			vertices, cluster := c.Dashboard(f, &s)
			for i, v := range vertices {
				w, h := float32(ClusterWidth), float32(ClusterHeight)
				if i >= cluster {
					w, h = TimesWidth, TimesHeight
				}
				if !(v.x >= 0 && v.x <= w && v.y >= 0 && v.y <= h) {
					t.Fatalf("%s: a corner at %g, %g of %g by %g", name, v.x, v.y, w, h)
				}
			}
		}
	}
}

// Each part of the cluster has its own rows: nothing overlaps.
func TestDashboardPartsDoNotOverlap(t *testing.T) {
	f := displaytest.OvalFrame(0)
	f.ABS, f.Traction, f.Stability, f.Gear, f.Speed = 10, 10, 10, 8, 100
	type box struct{ x0, y0, x1, y1 float32 }
	var boxes []box
	names := []string{"shift lights", "revs", "gear and speed", "tank", "lamps"}
	for _, draw := range []func(c *Canvas){
		func(c *Canvas) { c.drawShiftLights(9000, 7000) }, func(c *Canvas) { c.drawRevs(f, &dashStatus) }, func(c *Canvas) { c.drawDashSpeed(f) },
		func(c *Canvas) { c.drawDashTank(f) }, func(c *Canvas) { c.drawLamps(f) },
	} {
		c := testCanvas(t)
		draw(c)
		b := box{1e9, 1e9, -1e9, -1e9}
		for _, v := range c.vertices {
			b = box{min(b.x0, v.x), min(b.y0, v.y), max(b.x1, v.x), max(b.y1, v.y)}
		}
		for i, o := range boxes {
			if b.x0 < o.x1 && o.x0 < b.x1 && b.y0 < o.y1 && o.y0 < b.y1 {
				t.Errorf("%s at %v overlap %s at %v", names[len(boxes)], b, names[i], o)
			}
		}
		boxes = append(boxes, b)
	}
}

func TestShiftLights(t *testing.T) {
	for _, tt := range []struct {
		rpm, shift float64
		want       int
	}{
		{0, 7000, 0}, {5600, 7000, 0}, {5601, 7000, 1}, {6300, 7000, 5}, {6999, 7000, 8}, {7000, 7000, 9}, {9000, 7000, 9},
		{math.NaN(), 7000, 0}, {5000, 0, 0}, {math.Inf(1), 7000, 9},
	} {
		if got := litLights(tt.rpm, tt.shift); got != tt.want {
			t.Errorf("%g rpm, shift at %g: %d lights, want %d", tt.rpm, tt.shift, got, tt.want)
		}
	}
	c := testCanvas(t)
	c.drawShiftLights(7000, 7000)
	if _, _, _, _, n := c.extent(accentColor); n == 0 {
		t.Error("not all lights are blue at the engine speed at which to change up")
	}
}

func TestLamps(t *testing.T) {
	base := frame.EngineRunning
	for _, tt := range []struct {
		name string
		f    frame.Frame
		want string // texts of the lit lamps
	}{
		{"nothing", frame.Frame{Flags: base, ABS: 5}, ""},
		{"aids intervene", frame.Frame{Flags: base | frame.ABSActive | frame.TractionActive | frame.StabilityActive, ABS: 5, Traction: 3}, "ABS 5,TC 3,ESC,"},
		{"pit limiter", frame.Frame{Flags: base | frame.PitLimiterOn}, "PIT,"},
		{"engine off", frame.Frame{}, "ENG,"},
		{"handbrake", frame.Frame{Flags: base, Handbrake: 0.5}, "P,"},
		{"fault", frame.Frame{Flags: base, State: uint64(guard.Fault)}, "FAULT,"},
		{"stop", frame.Frame{Flags: base, State: uint64(guard.Stopped)}, "STOP,"},
	} {
		c, got := testCanvas(t), ""
		for _, l := range c.lampList(&tt.f) {
			if l.lit {
				got += string(l.text) + ","
			}
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// A lap that is faster than the best is green, a slower one yellow.
func TestDashboardDelta(t *testing.T) {
	for delta, color := range map[float64]rgba{-0.2: okColor, 0.2: warnColor} {
		c := testCanvas(t)
		c.drawDashTimes(&frame.Lap{Number: 2, Best: 60, Delta: delta}, 0)
		if _, _, _, _, n := c.extent(color); n == 0 {
			t.Errorf("delta %+.1f has not its color", delta)
		}
	}
	c := testCanvas(t)
	c.drawDashTimes(&frame.Lap{Number: 1, Delta: 0.3}, 0)
	if _, _, _, _, n := c.extent(warnColor); n > 0 {
		t.Error("a delta without a best lap")
	}
}
