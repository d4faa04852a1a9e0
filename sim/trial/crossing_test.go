package trial

import (
	"math"
	"testing"
)

func TestLevelCrossingIsInterpolatedWithinATick(t *testing.T) {
	for _, tt := range []struct {
		name          string
		before, after float64
		want          float64 // [s], of a tick from 2.0 to 2.1
	}{
		{"not reached", 5, 9.99, math.NaN()},
		{"a quarter of the tick", 9, 13, 2.025},
		{"at its end", 9, 10, 2.1},
		{"before it", 11, 12, 2.0},
		{"standing on it", 10, 10, 2.1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := NewLevelCrossing(10)
			passed := g.Update(2.1, 0.1, tt.before, tt.after)
			if passed == math.IsNaN(tt.want) || passed && math.Abs(g.Time-tt.want) > 1e-12 {
				t.Errorf("passed %v at %g", passed, g.Time)
			}
			if previous := g.Time; passed && (!g.Update(3, 0.1, 20, 21) || g.Time != previous) {
				t.Error("passed again")
			}
		})
	}
}
