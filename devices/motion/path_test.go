package motion

import (
	"math"
	"testing"

	"rig.example/rig/devices/motion/wire"
)

// What swings within the limits passes as it is; beyond, the path keeps to each of them.
func TestThePathKeepsTheLimits(t *testing.T) {
	const dt = 1e-3
	cfg := DefaultConfig()
	for _, tt := range []struct {
		name            string
		share, hz       float64 // of the target
		follows         bool
		most, fast, off float64 // of the path: position, speed, distance from the target
	}{
		{"within", 0.1, 0.5, true, 0.6, 0.8, 0.001},
		{"beyond the range", 0.5, 0.1, false, 0.9, 0.8, 1},
		{"too quick", 0.15, 2, false, 0.9, 0.8, 1},
	} {
		p, last, most, fast, off := NewPath(cfg, dt), 0.5, 0.0, 0.0, 0.0
		for i := range 20_000 {
			want := 0.5 + tt.share*math.Sin(2*math.Pi*tt.hz*dt*float64(i))
			at := p.Next(wire.AllAt(want))[0]
			most, fast = max(most, at), max(fast, math.Abs(at-last)/dt)
			if last = at; i > 5000 {
				off = max(off, math.Abs(at-want))
			}
		}
		if !(most <= tt.most+1e-3 && fast <= tt.fast+1e-9) || (off < 0.01) != tt.follows || off > tt.off {
			t.Errorf("%s: up to %.4f at %.3f strokes/s, %.4f off the target", tt.name, most, fast, off)
		}
		if p.trajectory.targetJumps != 0 {
			t.Errorf("%s: %d targets jumped", tt.name, p.trajectory.targetJumps)
		}
	}
}

// A target that jumps is counted, as in a drive.
func TestThePathTellsOfJumps(t *testing.T) {
	p := NewPath(DefaultConfig(), 1e-3)
	p.Next(wire.AllAt(0.5))
	if p.Next(wire.AllAt(0.85)); p.trajectory.targetJumps != 1 {
		t.Errorf("%d target jumps", p.trajectory.targetJumps)
	}
}
