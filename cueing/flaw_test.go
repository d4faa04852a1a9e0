package cueing

import (
	"math"
	"testing"

	"rig.example/rig/test/floats"
)

// jolts are inputs that move all that remembers.
func jolts(i int) *Inputs {
	x := float64(i)
	in := &Inputs{Roll: 0.1 * math.Sin(x/50), Pitch: 0.1 * math.Cos(x/70), RearSlip: 0.2 * math.Sin(x/30), Speed: 20 + 10*math.Sin(x/90), Gear: int8(1 + i/40%5)}
	for k := range 3 {
		in.Force[k], in.Rate[k] = 5*math.Sin(x/20+float64(k)), math.Cos(x/25+float64(k))
	}
	in.Force[2] += gravity
	for k := range in.Travel {
		in.Travel[k] = 0.1 + 0.05*math.Sin(x/10+float64(k))
	}
	return in
}

// NaN that got into anything that cueing remembers is a fault, gives a pose of numbers, and
// is forgotten by the time the next tick comes.
func TestNaNInWhatCueingRemembersIsAFaultAndForgotten(t *testing.T) {
	for _, mode := range []string{Direct, Washout, Adaptive} {
		cfg := DefaultConfig()
		cfg.Mode = mode
		fresh := newSession(t, cfg)
		driven := *fresh
		for i := range 300 {
			driven.Next(jolts(i))
		}
		was, now := *fresh, driven
		before, _ := floats.In(&was)
		after, _ := floats.In(&now)
		n := 0
		for i, f := range after {
			if *f.At == *before[i].At {
				continue // it never changes
			}
			n++
			now = driven
			*f.At = math.NaN()
			faults := 0
			for i := range 50 {
				pose := now.Next(jolts(300 + i))
				if !pose.isFinite() {
					t.Errorf("%s: NaN in %s gives %+v", mode, f.Path, pose)
					break
				}
				if now.Fault() {
					faults++
				}
			}
			if faults > 1 {
				t.Errorf("%s: NaN in %s is a fault in %d ticks of 50", mode, f.Path, faults)
			}
			for _, left := range after {
				if *left.At != *left.At {
					t.Errorf("%s: NaN in %s is left in %s", mode, f.Path, left.Path)
				}
			}
		}
		if n < 40 {
			t.Errorf("%s: only %d values change in a drive", mode, n)
		}
	}
}
