package ffb

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim"
	"rig.example/rig/sim/chassis"
)

func TestStrengthScalesAsItsKindSays(t *testing.T) {
	tests := []struct {
		name   string
		change func(*Config)
		most   float64
		want   float64 // rim N·m for each N·m at the column
	}{
		{"the real car's torque", func(c *Config) { c.Strength, c.Share = Share, 1 }, 2, 1},
		{"a third of it, whatever the wheel", func(c *Config) { c.Strength, c.Share = Share, 1.0/3 }, 20, 1.0 / 3},
		{"full scale takes all of a small wheel", func(*Config) {}, 2, 0.2},
		{"full scale makes the peak", func(c *Config) { c.Peak = 5 }, 8, 0.5},
		{"a peak beyond the wheel's clips", func(c *Config) { c.Peak = 5 }, 2, 0.5},
		{"before anything was learned", func(c *Config) { c.Strength, c.Headroom = Auto, 0.2 }, 5, 0.4},
		{"gain on top", func(c *Config) { c.Gain = 1.5 }, 2, 0.3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := plainConfig()
			tt.change(&c)
			g := newStrength(c, dt)
			s := g.start()
			if got := g.scale(&s, tt.most); math.Abs(got-tt.want) > 1e-15 {
				t.Errorf("scale %g, want %g", got, tt.want)
			}
		})
	}
}

// bends drives laps of 20 s in bends, whose torque swings evenly between ±top N·m, and
// 20 s straight ahead, and returns the last scale of each second.
func bends(g *strength, learned *strengthState, top float64, laps int, jolt bool) (scales []float64) {
	for i := range laps * 40_000 {
		at := float64(i%40_000) * dt
		s := sim.State{State: chassis.State{Speed: 30}, ColumnTorque: 0.1 * top}
		if at < 20 {
			s.Rate = r3.Vec{Z: 0.3}
			s.ColumnTorque = top * (2 / math.Pi * math.Asin(math.Sin(at*math.Pi)))
		}
		if jolt && i%40_000 < 50 {
			s.ColumnTorque = 80
		}
		g.step(learned, &s, true)
		if i%1000 == 999 {
			scales = append(scales, g.scale(learned, 8))
		}
	}
	return scales
}

func TestAutomaticGainLearnsThePeakAndKeepsHeadroom(t *testing.T) {
	for _, tt := range []struct {
		name string
		top  float64
		jolt bool
	}{
		{"a heavy car", 22, false}, {"a light car", 4, false}, {"the car that was believed in", 10, false},
		{"a car that hits something each lap", 8, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := plainConfig()
			c.Strength, c.Headroom = Auto, 0.2
			g := newStrength(c, dt)
			s := g.start()
			scales := bends(&g, &s, tt.top, 12, tt.jolt)
			// the torque's size is spread evenly: a fiftieth is above 0.98 of the top
			if got := s.peak.value / tt.top; math.Abs(got-0.98) > 0.03 {
				t.Errorf("learned %.3f of the peak, want 0.98", got)
			}
			if got := scales[len(scales)-1] * tt.top; math.Abs(got-0.8*8/0.98) > 0.4 {
				t.Errorf("the peak makes %.2f N·m, want %.2f N·m", got, 0.8*8/0.98)
			}
			for i := 1; i < len(scales); i++ {
				if r := scales[i] / scales[i-1]; r > 1.052 || r < 0.948 {
					t.Fatalf("scale from %.4f to %.4f N·m per N·m within a second", scales[i-1], scales[i])
				}
			}
		})
	}
}

func TestAutomaticGainKnowsThePeakAfterALap(t *testing.T) {
	c := plainConfig()
	c.Strength = Auto
	g := newStrength(c, dt)
	s := g.start()
	bends(&g, &s, 20, 2, false)
	if s.peak.value < 17 {
		t.Errorf("learned %.1f N·m of 20 N·m in two laps", s.peak.value)
	}
}

func TestAutomaticGainGrowsNotWhileTorqueIsHigh(t *testing.T) {
	c := plainConfig()
	c.Strength = Auto
	g := newStrength(c, dt)
	s := g.start()
	s.peak.value = 4
	was := g.scale(&s, 8)
	for range 10_000 {
		g.step(&s, &sim.State{State: chassis.State{Speed: 30}, ColumnTorque: 3}, true)
	}
	if now := g.scale(&s, 8); now != was {
		t.Errorf("scale %g became %g in a bend", was, now)
	}
	s.peak.value = 40
	for range 1000 {
		g.step(&s, &sim.State{State: chassis.State{Speed: 30}, ColumnTorque: 30}, true)
	}
	if r := g.scale(&s, 8) / was; r > 0.9901 || r < 0.989 {
		t.Errorf("too strong in a bend: by %.4f within a second, want 0.99", r)
	}
}

func TestNothingIsLearnedButInBends(t *testing.T) {
	for name, s := range map[string]sim.State{
		"standing":  {ColumnTorque: 40, State: chassis.State{Rate: r3.Vec{Z: 1}}},
		"reversing": {ColumnTorque: 40, State: chassis.State{Speed: -9, Rate: r3.Vec{Z: 1}}},
		"straight":  {ColumnTorque: 0.1, State: chassis.State{Speed: 50}},
		"NaN":       {ColumnTorque: 40, State: chassis.State{Speed: 30, Rate: r3.Vec{Z: math.NaN()}}},
	} {
		p, learned := newPeak(10, dt), peakState{value: 10}
		for range 5000 {
			p.step(&learned, &s)
		}
		if learned.value != 10 {
			t.Errorf("%s: %g N·m", name, learned.value)
		}
	}
}

func TestAPausedCarTeachesNothing(t *testing.T) {
	f := newTestChain(t, plainConfig())
	s := sim.State{Tick: 7, State: chassis.State{Speed: 30, Rate: r3.Vec{Z: 1}}, ColumnTorque: 40}
	held(f, s, 8)
	if tr := f.Trace(); tr.Peak != 10 || tr.Clipped != 0 || !f.Clipping() {
		t.Errorf("peak %g N·m, clipped %g", tr.Peak, tr.Clipped)
	}
}
