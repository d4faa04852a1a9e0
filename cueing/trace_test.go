package cueing

import (
	"math"
	"testing"
)

func TestLimitsAtWorkAreTold(t *testing.T) {
	tests := []struct {
		name   string
		change func(*Config)
		in     Inputs
		after  float64 // [s]
		want   Limits
	}{
		{"at rest", func(*Config) {}, felt(0, 0, 0), 1, 0},
		{"small", func(*Config) {}, felt(0.2, 0.1, 0.1), 1, 0},
		{"a force is bent", func(c *Config) { c.Washout.TiltGain = [2]float64{} }, felt(2.5, 0, 0), 0.3, LimitForce},
		{"a rate is bent", func(c *Config) { c.MaxAngularRate, c.MaxAngularAccel = 200, 5000 }, Inputs{Force: felt(0, 0, 0).Force, Rate: [3]float64{0, 0, 0.9}}, 0.1, LimitForce},
		{"tilt turns as fast as it may", func(*Config) {}, felt(0, 2, 0), 0.8, LimitTilt},
		{"tilt at its end", func(c *Config) { c.Washout.MaxTilt = 1 }, felt(0, 1, 0), 9, LimitTilt},
		{"the belt at its end", func(c *Config) { c.MaxBelt = 0.1; c.Mode = Direct }, felt(-5, 0, 0), 3, LimitBelt},
		{"roll at its end", func(c *Config) { c.Mode = Direct; c.Direct.RollOffset = 8; c.Direct.CorneringRoll = 4 }, felt(0, 5, 0), 3, LimitRoll},
		{"heave at its highest speed", func(c *Config) { c.Mode = Direct; c.MaxLinearSpeed = 0.01; c.Direct.HeaveOffset = 0.05 }, felt(0, 0, 0), 1, LimitHeave},
	}
	for _, tt := range tests {
		cfg := DefaultConfig()
		cfg.Mode = Washout
		tt.change(&cfg)
		c := made(t, cfg)
		if hold(c, tt.in, tt.after); c.Trace().Limits != tt.want {
			t.Errorf("%s: %010b, want %010b", tt.name, c.Trace().Limits, tt.want)
		}
	}
}

// With limits far away, the pose is what the channels and the extra cues add up to.
func TestTraceAddsUpToThePose(t *testing.T) {
	for _, mode := range []string{Direct, Washout, Adaptive} {
		cfg := all(t, mode, "rig")
		cfg.MaxLinearSpeed, cfg.MaxLinearAccel, cfg.MaxAngularRate, cfg.MaxAngularAccel = 3, 30, 200, 5000
		c := made(t, cfg)
		var p Pose
		for i := range 3000 {
			wave := math.Sin(2 * float64(i) * dt)
			in := felt(wave, 2*wave, wave)
			in.Rate, in.Roll, in.Pitch = [3]float64{0.1 * wave, 0.05 * wave, 0.2 * wave}, 0.01*wave, 0.005*wave
			p = c.Next(&in)
		}
		tr := c.Trace()
		e := &tr.Extra
		want := Pose{
			Surge: tr.Translation[0] + e.Surge, Sway: tr.Translation[1], Heave: tr.Translation[2] + e.Heave,
			Roll: tr.Tilt[0] + tr.Rotation[0] + e.Roll, Pitch: tr.Tilt[1] + tr.Rotation[1] + e.Pitch, Yaw: tr.Rotation[2],
			Slide: e.Slide, Belt: e.Belt,
		}
		got, sum := fieldsOf(p), fieldsOf(want)
		for i := range got {
			if math.Abs(got[i]-sum[i]) > 1e-6 {
				t.Errorf("%s: field %d at %.9g, its parts add up to %.9g", mode, i, got[i], sum[i])
			}
		}
	}
}
