package motion

import (
	"math"
	"testing"

	"rig.example/rig/devices/motion/wire"
)

// A target that moves evenly is followed evenly, however unevenly it is heard of: in
// each period of the line, in four of five, late, or from a loop that is quicker.
func TestAnEvenTargetIsFollowedEvenly(t *testing.T) {
	const ramp, dt = 0.08, 0.004
	for _, tt := range []struct {
		name          string
		every, jitter float64 // between targets; of the moment at which the line looks [s]
		uneven        float64 // share of the speed
	}{
		{"with the line", 0.004, 0, 0.01},
		{"four of five", 0.005, 0, 0.01},
		{"every third", 0.012, 0, 0.01},
		{"from the loop", 0.001, 0, 0.01},
		{"to a line that is late", 0.001, 0.002, 0.3}, // its periods are uneven themselves
		{"to a line that is very late", 0.001, 0.01, 0.9},
	} {
		p := readyTrajectory()
		heard, now := -1.0, 0.0
		for k := range 1000 {
			before := now
			now = max(now, float64(k)*dt+tt.jitter*math.Abs(math.Sin(float64(k)*12.9898)))
			given := math.Floor(now/tt.every+1e-9) * tt.every
			p.step(stepInput{elapsed: now - before, hasNewTarget: given > heard, target: wire.AllAt(0.5 + ramp*given), age: now - given})
			heard = given
			if k < 500 {
				continue
			}
			if v := p.limiters[0].velocity; math.Abs(v-ramp) > tt.uneven*ramp {
				t.Fatalf("%s: at %.3f s it goes at %.4f strokes/s, want %.2f", tt.name, now, v, ramp)
			}
			if off := p.limiters[0].position - 0.5 - ramp*now; math.Abs(off) > 0.001 {
				t.Fatalf("%s: at %.3f s it is off by %.4f", tt.name, now, off)
			}
		}
	}
}

func TestATargetThatJumpsDoesNotMove(t *testing.T) {
	c := interpolation{position: 0.5}
	for _, to := range []float64{0.6, 0.4, 0.9} {
		c.advance(0.004)
		c.update(to, 0, 0.8)
		if c.position != to || c.speed != 0 {
			t.Errorf("jumped to %g: at %g with %g strokes/s", to, c.position, c.speed)
		}
	}
}

// Small jumps, as of a target in coarse steps, carry it beyond by no more than a hair.
func TestATargetInSmallStepsIsHardlyPassed(t *testing.T) {
	c := interpolation{position: 0.5}
	for i := range 200 {
		target := 0.5 + 0.005*float64(i/20)
		c.advance(0.004)
		c.update(target, 0, 0.8)
		if c.position > target+0.002 {
			t.Fatalf("step %d: at %.5f, beyond %.5f", i, c.position, target)
		}
	}
}

func TestATargetThatNothingIsHeardOfStands(t *testing.T) {
	c := interpolation{position: 0.5}
	for i := range 100 {
		c.advance(0.004)
		c.update(0.5+0.001*float64(i), 0, 0.8)
	}
	if math.Abs(c.speed-0.25) > 1e-6 {
		t.Errorf("goes at %g strokes/s, want 0.25", c.speed)
	}
	for range 10 {
		c.advance(0.004)
	}
	if c.speed != 0 || c.position > 0.599+0.25*(maxPrediction+0.004) {
		t.Errorf("unheard for 40 ms: at %.4f with %g strokes/s", c.position, c.speed)
	}
}
