package ffb

import (
	"math"
	"testing"
)

func TestKneeIsLinearBelowAndBendsAsItsFormula(t *testing.T) {
	tests := []struct {
		name          string
		v, most, knee float64
		want          float64
	}{
		{"hard limit below", 3, 4, 0, 3},
		{"hard limit at", 4, 4, 0, 4},
		{"hard limit above", 9, 4, 0, 4},
		{"exactly linear up to the knee", 3.2, 4, 0.2, 3.2},
		{"half of the knee's share lost at the limit", 4, 4, 0.5, 3},
		{"two thirds of the room at twice the knee", 6, 4, 0.5, 2 + 2*2.0/3},
		{"far beyond", 1e300, 4, 0.5, 4},
		{"no wheel", 3, 0, 0.5, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := softLimit(tt.v, tt.most, tt.knee); math.Abs(got-tt.want) > 1e-14 {
				t.Errorf("%g, want %g", got, tt.want)
			}
			if l, r := softLimit(tt.v, tt.most, tt.knee), softLimit(-tt.v, tt.most, tt.knee); l != -r {
				t.Errorf("%g to the left, %g to the right", l, r)
			}
		})
	}
}

func TestKneeRisesEverywhereAndItsSlopeHasNoStep(t *testing.T) {
	const most, h = 4.0, 1e-4
	for _, knee := range []float64{0.01, 0.1, 0.3, 0.5} {
		last, slope := softLimit(0, most, knee), 1.0
		for i := 1; i < 100_000; i++ {
			v := softLimit(float64(i)*h, most, knee)
			now := (v - last) / h
			// the second derivative is at most 2/(knee·most)
			if v < last || v > most || now > slope+1e-9 || slope-now > 2.1*h/(knee*most) {
				t.Fatalf("knee %g at %g N·m: %g after %g, slope %g after %g", knee, float64(i)*h, v, last, now, slope)
			}
			last, slope = v, now
		}
	}
}

func TestClipMeterTellsTheShareOfTenSeconds(t *testing.T) {
	m, s := newClipMeter(dt), clipState{}
	add := func(ticks int, clipped bool) {
		for range ticks {
			m.add(&s, clipped)
		}
	}
	for _, tt := range []struct {
		name    string
		ticks   int
		clipped bool
		want    float64
	}{
		{"nothing yet", 0, false, 0},
		{"a second", 1000, true, 0.1},
		{"a second in the middle of ten", 8900, false, 0.1},
		{"it passes by", 1100, false, 0},
		{"all", 20_000, true, 1},
		{"half", 5000, false, 0.5},
	} {
		if add(tt.ticks, tt.clipped); math.Abs(m.share(&s)-tt.want) > 1e-12 {
			t.Errorf("%s: %g, want %g", tt.name, m.share(&s), tt.want)
		}
	}
}
