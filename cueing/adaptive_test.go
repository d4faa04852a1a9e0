package cueing

import (
	"math"
	"testing"

	testlevel "rig.example/rig/test/level"
)

// excursion returns how far surge or yaw get in a push of a second that begins and ends softly.
func excursion(c *session, force, rate float64) (surge, yaw float64) {
	for i := range 4000 {
		shape := 0.0
		if now := float64(i) * dt; now < 1 {
			shape = math.Pow(math.Sin(math.Pi*now), 2)
		}
		in := felt(force*shape, 0, 0)
		in.Rate[2] = rate * shape
		c.Next(&in)
		tr := c.Trace()
		surge, yaw = max(surge, math.Abs(tr.Translation[0])), max(yaw, math.Abs(tr.Rotation[2]))
	}
	return surge, yaw
}

// pair returns a classical and an adaptive washout with the same parameters.
func pair(t *testing.T) (classical, adaptive *session) {
	cfg := DefaultConfig()
	cfg.Washout.MaxForce = [3]float64{20, 20, 20} // so that only the range limits
	cfg.Washout.MaxRotationRate = 500
	cfg.Mode = Washout
	classical = made(t, cfg)
	cfg.Mode = Adaptive
	return classical, made(t, cfg)
}

func TestAdaptionKeepsMoreOfSmallMotionAndLessOfLarge(t *testing.T) {
	tests := []struct {
		name        string
		force, rate float64
		low, high   float64 // adaptive over classical
	}{
		{"tiny", 0.05, 0.005, 1.48, 1.5},
		{"small", 0.4, 0.1, 1.2, 1.5},
		{"large", 4, 1.2, 0.3, 0.8},
	}
	for _, tt := range tests {
		classical, adaptive := pair(t)
		wantSurge, wantYaw := excursion(classical, tt.force, tt.rate)
		surge, yaw := excursion(adaptive, tt.force, tt.rate)
		t.Logf("%s: surge %.4f of %.4f m, yaw %.3f of %.3f°", tt.name, surge, wantSurge, yaw/deg, wantYaw/deg)
		for what, ratio := range map[string]float64{"surge": surge / wantSurge, "yaw": yaw / wantYaw} {
			if ratio < tt.low || ratio > tt.high {
				t.Errorf("%s: %s is %.3f of the classical washout's, want %g to %g", tt.name, what, ratio, tt.low, tt.high)
			}
		}
	}
}

func TestAdaptedGainsStayWithinBoundsAndReturn(t *testing.T) {
	_, c := pair(t)
	cfg := DefaultAdaptive()
	lowest := math.Inf(1)
	for i := range 20_000 {
		in := felt(9*math.Sin(3*float64(i)*dt), 0, 0)
		c.Next(&in)
		g := c.Trace().Gains[0]
		if lowest = min(lowest, g); g < cfg.LowestGain || g > cfg.SmallGain {
			t.Fatalf("gain %g", g)
		}
	}
	if lowest > 0.5 {
		t.Errorf("gain %.3f at its lowest, in large motion", lowest)
	}
	hold(c, felt(0, 0, 0), 30)
	if got := c.Trace().Gains[0]; math.Abs(got-cfg.SmallGain) > 1e-3 {
		t.Errorf("gain %.4f at rest, want %g", got, cfg.SmallGain)
	}
	if p := hold(c, felt(0, 0, 0), 60); largest(p) > 1e-6 {
		t.Errorf("rests at %+v", p)
	}
}

// With no weight on anything but the return, nothing draws a gain away.
func TestGainsRestWhereNothingWeighs(t *testing.T) {
	cfg := DefaultConfig()
	cfg.Mode = Adaptive
	cfg.Adaptive.ForceWeight, cfg.Adaptive.PoseWeight, cfg.Adaptive.SpeedWeight = 0, 0, 0
	c := made(t, cfg)
	hold(c, felt(5, 5, 5), 5)
	if got := c.Trace().Gains; got != [6]float64{1.5, 1.5, 1.5, 1.5, 1.5, 1.5} {
		t.Errorf("gains %v", got)
	}
}

// In motion that repeats itself gains do, too, within 0.01: they do not swing by themselves up to
// 2 g, however quick they are.
func TestAdaptedGainsRepeatWithTheMotion(t *testing.T) {
	testlevel.SkipIfQuick(t)
	t.Parallel()
	const period = 2000 // [ticks]
	for _, force := range []float64{1, 9, 20} {
		for _, quickness := range []float64{1, 20, 100} {
			cfg := DefaultConfig()
			cfg.Mode, cfg.Adaptive.Quickness = Adaptive, quickness
			cfg.Washout.MaxForce, cfg.Washout.MaxRotationRate = [3]float64{50, 50, 50}, 500
			c := made(t, cfg)
			var last [period][6]float64
			for i := range 30 * period {
				wave := math.Sin(2 * math.Pi * float64(i%period) / period)
				in := felt(force*wave, -force/2*wave, force/3*wave)
				in.Rate = [3]float64{force / 20 * wave, 0, force / 10 * wave}
				c.Next(&in)
				for k, g := range c.Trace().Gains {
					if was := last[i%period][k]; i >= 29*period && math.Abs(g-was) > 0.01 {
						t.Fatalf("%g m/s², quickness %g: gain %d is %g, a period ago %g", force, quickness, k, g, was)
					}
				}
				last[i%period] = c.Trace().Gains
			}
		}
	}
}
