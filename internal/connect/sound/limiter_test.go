package sound

import (
	"math"
	"testing"
)

// A peak of either channel lowers the gain along a smooth line before it comes, and never needs the hard stop: what was
// quiet before it stays in proportion.
func TestTheLimiterGivesWayBeforeAPeak(t *testing.T) {
	for _, right := range []bool{false, true} {
		l := newLimiter(0.5)
		in, before := make([]float64, 3000), 1.0
		for i := range in {
			in[i] = 0.1
		}
		in[1500] = 4
		for i, v := range in {
			a, b := 0.1, v
			if !right {
				a, b = v, 0.1
			}
			a, b = l.next(a, b)
			if !right {
				a, b = b, a
			}
			if i < lookAhead {
				continue
			}
			if math.Abs(b) > 0.5+1e-9 {
				t.Fatalf("sample %d: %g above the ceiling", i, b)
			}
			if g := a / 0.1; math.Abs(g-before) > 1.1/lookAhead {
				t.Fatalf("sample %d: the gain steps from %g to %g", i, before, g)
			} else {
				before = g
			}
			if i == 1500+lookAhead-1 && (b < 0.49 || math.Abs(b-4*a/0.1) > 1e-6) {
				t.Errorf("the peak becomes %g at a gain of %g", b, a/0.1)
			}
		}
	}
}
