package sim

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/assist"
	"rig.example/rig/test/level"
)

// Standing still with the engine idling nothing chatters and nothing creeps, on the level
// and on slopes, uphill, downhill and aslant, with the brake half on and the clutch half in.
func TestStandingStillIsStill(t *testing.T) {
	for _, tt := range []struct {
		name  string
		kind  string
		slope float64 // its tangent
		to    float64 // heading [rad]
		in    Input
	}{
		{"level, neutral", "synchro", 0, 0, Input{}},
		{"level, clutch half in", "synchro", 0, 0, Input{Gear: 1, Clutch: 0.55, Brake: 0.5}},
		{"level, clutch at its bite", "synchro", 0, 0, Input{Gear: 1, Clutch: 0.6, Brake: 0.3}},
		{"uphill, clutch half in", "synchro", 0.1, 0, Input{Gear: 1, Clutch: 0.55, Brake: 0.5}},
		{"downhill, clutch half in", "synchro", 0.1, math.Pi, Input{Gear: 1, Clutch: 0.55, Brake: 0.5}},
		{"aslant, hand brake", "synchro", 0.1, 0.8, Input{Gear: 1, Clutch: 1, Handbrake: 1}},
		{"uphill, automatic clutch", "synchro", 0.1, 0, Input{Gear: 1, Brake: 0.5, Assists: assist.Switches{AutoClutch: true}}},
		{"level, automatic clutch, no brake", "synchro", 0, 0, Input{Gear: 1, Assists: assist.Switches{AutoClutch: true}}},
		{"creeping against the brake", "automatic", 0, 0, Input{Gear: 1, Brake: 0.5}},
		{"creeping against the brake uphill", "automatic", 0.1, 0, Input{Gear: 1, Brake: 0.5}},
		{"creeping against the brake downhill", "automatic", 0.1, math.Pi, Input{Gear: 1, Brake: 0.5}},
		{"two clutches, uphill", "dual clutch", 0.1, 0, Input{Gear: 1, Brake: 0.5}},
		{"sequential, uphill", "sequential", 0.1, 0, Input{Gear: 1, Brake: 0.5}},
		{"electric, uphill", "electric", 0.1, 0, Input{Gear: 1, Brake: 0.5}},
		{"one gear, uphill", "single", 0.1, 0, Input{Gear: 1, Brake: 0.5}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c, err := New(boxed(tt.kind), slope(math.Atan(tt.slope)), Dt)
			if err != nil {
				t.Fatal(err)
			}
			s := c.Rest(r3.Vec{}, tt.to)
			before := tt.in // the pedal goes down for the gear
			before.Clutch, before.Brake = 1, 1
			run(c, &s, 1, before)
			run(c, &s, 9, tt.in)
			seconds := float64(level.Pick(2, 5, 60))
			start, sum := s.Pos, 0.0
			for range int(seconds / Dt) {
				was := s.Acc
				c.Step(&s, tt.in)
				jerk := r3.Norm(r3.Sub(s.Acc, was)) / Dt
				sum += jerk * jerk
			}
			rms := math.Sqrt(sum / seconds * Dt)
			moved := r3.Norm(r3.Sub(s.Pos, start))
			t.Logf("jerk %.2g m/s³ rms, moved %.2g mm", rms, moved*1e3)
			if rms > 1 || moved > 1e-3*seconds/60 {
				t.Errorf("jerk %.3g m/s³ rms, moved %.3g mm", rms, moved*1e3)
			}
		})
	}
}

// A car that rolls back against its clutch comes to rest and drives off again smoothly.
func TestRollingBackIntoTheClutch(t *testing.T) {
	c, err := New(DefaultCar(), slope(math.Atan(0.08)), Dt)
	if err != nil {
		t.Fatal(err)
	}
	s := c.Rest(r3.Vec{}, 0)
	run(c, &s, 1.5, Input{Gear: 1, Assists: assist.Switches{AutoClutch: true}})
	if s.Speed > -0.5 {
		t.Fatalf("%.2f m/s: does not roll back", s.Speed)
	}
	jerk := 0.0
	for range 4000 {
		was := s.Acc.X
		c.Step(&s, Input{Gear: 1, Throttle: 0.4, Assists: assist.Switches{AutoClutch: true}})
		jerk = max(jerk, math.Abs(s.Acc.X-was)/Dt)
	}
	if s.Speed < 1 || jerk > 150 {
		t.Errorf("%.2f m/s, jerk %.0f m/s³", s.Speed, jerk)
	}
}
