package cueing

import (
	"math"
	"testing"
)

func TestDirectModeShowsGAndOffsets(t *testing.T) {
	tests := []struct {
		name              string
		cfg               DirectConfig
		x, y              float64 // [g]
		roll, pitch, rise float64 // [deg], [m]
	}{
		{"braked", DirectConfig{BrakingPitch: 4}, -0.5, 0, 0, 2, 0},
		{"driven", DirectConfig{BrakingPitch: 4}, 0.5, 0, 0, -2, 0},
		{"to the left", DirectConfig{CorneringRoll: 3}, 0, 1, 3, 0, 0},
		{"leans into the bend", DirectConfig{CorneringRoll: -3}, 0, 1, -3, 0, 0},
		{"offsets", DirectConfig{RollOffset: 1, PitchOffset: -2, HeaveOffset: 0.01}, 0, 0, 1, -2, 0.01},
		{"beyond the range", DirectConfig{CorneringRoll: 30}, 0, 1, 8, 0, 0},
	}
	for _, tt := range tests {
		cfg := DefaultConfig()
		tt.cfg.SmoothingTime = 0.03
		cfg.Direct = tt.cfg
		p := hold(made(t, cfg), felt(tt.x*gravity, tt.y*gravity, 0), 5)
		if math.Abs(p.Roll-tt.roll*deg) > 1e-9 || math.Abs(p.Pitch-tt.pitch*deg) > 1e-9 || math.Abs(p.Heave-tt.rise) > 1e-9 {
			t.Errorf("%s: roll %.4f°, pitch %.4f°, heave %.4f m", tt.name, p.Roll/deg, p.Pitch/deg, p.Heave)
		}
	}
}

func TestDirectHeaveIsTheBodyOverItsWheels(t *testing.T) {
	cfg := DefaultConfig()
	cfg.Direct.HeaveGain = 2
	c, in := made(t, cfg), moving(20)
	if p := hold(c, in, 1); p.Heave != 0 {
		t.Errorf("heave %g where it began", p.Heave)
	}
	for i := range in.Travel {
		in.Travel[i] += 0.02 // pressed together
	}
	// What stands lower for long is a new rest, with a time constant of 30 s.
	if p := hold(c, in, 1); math.Abs(p.Heave+0.04) > 0.002 {
		t.Errorf("heave %.4f m, want -0.04", p.Heave)
	}
	if p := hold(c, in, 30); math.Abs(p.Heave+0.04*math.Exp(-31.0/30)) > 1e-4 {
		t.Errorf("heave %.4f m after 31 s, want %.4f", p.Heave, -0.04*math.Exp(-31.0/30))
	}
}

func TestDirectModeSmoothsWithItsTimeConstant(t *testing.T) {
	cfg := doubling()
	cfg.Direct.SmoothingTime = 0.5
	c, in := made(t, cfg), felt(0, 0, 0)
	in.Roll = 1 * deg
	hold(c, in, 0.5)
	want := 2 * deg * (1 - math.Exp(-1))
	if got := c.Trace().Rotation[0]; math.Abs(got-want) > 2e-3*deg {
		t.Errorf("%.4f° after a time constant, want %.4f°", got/deg, want/deg)
	}
}
