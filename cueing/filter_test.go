package cueing

import (
	"math"
	"math/cmplx"
	"testing"
)

// filters are one of each kind with its transfer function.
var filters = []struct {
	name string
	f    filter
	h    func(s complex128) complex128
	step func(t float64) float64 // response to a step of 1
}{
	{"translation, third order", newTranslation(2.5, 1, 0.3, dt),
		func(s complex128) complex128 { return s / ((s + 2.5) * (s + 2.5) * (s + 0.3)) },
		func(t float64) float64 { // 1/((s+w)²·(s+b))
			return (math.Exp(-0.3*t) - math.Exp(-2.5*t)*(1+2.2*t)) / (2.2 * 2.2)
		}},
	{"translation, second order", newTranslation(4, 1, 0, dt),
		func(s complex128) complex128 { return 1 / ((s + 4) * (s + 4)) },
		func(t float64) float64 { return (1 - math.Exp(-4*t)*(1+4*t)) / 16 }},
	{"translation, badly damped", newTranslation(2, 0.6, 0, dt),
		func(s complex128) complex128 { return 1 / (s*s + 2.4*s + 4) },
		func(t float64) float64 { // poles -1.2 ± 1.6i
			return (1 - math.Exp(-1.2*t)*(math.Cos(1.6*t)+0.75*math.Sin(1.6*t))) / 4
		}},
	{"rotation, second order", newRotation(1.5, 1, dt),
		func(s complex128) complex128 { return s / ((s + 1.5) * (s + 1.5)) },
		func(t float64) float64 { return t * math.Exp(-1.5*t) }},
	{"rotation, first order", newFirstOrderRotation(2.5, dt),
		func(s complex128) complex128 { return 1 / (s + 2.5) },
		func(t float64) float64 { return (1 - math.Exp(-2.5*t)) / 2.5 }},
	{"low-pass", newLowPass(3, 1, dt),
		func(s complex128) complex128 { return 9 / ((s + 3) * (s + 3)) },
		func(t float64) float64 { return 1 - math.Exp(-3*t)*(1+3*t) }},
}

// A step in the samples is a line from one to the next, half a tick before it in the mean.
func TestFiltersAnswerAStepAsTheClosedFormDoes(t *testing.T) {
	for _, tt := range filters {
		t.Run(tt.name, func(t *testing.T) {
			f, worst := filtering{filter: tt.f}, 0.0
			for i := range 20_000 {
				got := f.next(1)
				worst = max(worst, math.Abs(got-tt.step((float64(i)+0.5)*dt)))
			}
			if worst > 1e-6 {
				t.Errorf("%.3g beside the closed form", worst)
			}
		})
	}
}

func TestFiltersAnswerASineAsTheClosedFormDoes(t *testing.T) {
	for _, tt := range filters {
		for _, w := range []float64{0.1, 0.631, 1, 2.512, 3.981} { // [rad/s]
			h, f, worst := tt.h(complex(0, w)), filtering{filter: tt.f}, 0.0
			for i := range 130_000 {
				now := float64(i) * dt
				got := f.next(math.Sin(w * now))
				if now > 100 { // the transient of its start has decayed
					worst = max(worst, math.Abs(got-imag(h*cmplx.Exp(complex(0, w*now)))))
				}
			}
			if worst > 1e-6*max(1, cmplx.Abs(h)) {
				t.Errorf("%s at %g rad/s: %.3g beside the closed form", tt.name, w, worst)
			}
		}
	}
}

// The input of a first-order hold is made of ramps, so that for a ramp there is no error.
func TestFiltersAreExactForARamp(t *testing.T) {
	f := filtering{filter: newLowPass(5, 1, dt)}
	f.lastInput = 0
	for i := 1; i <= 3000; i++ {
		now := float64(i) * dt
		want := now - 0.4 + (now+0.4)*math.Exp(-5*now)
		if got := f.next(now); math.Abs(got-want) > 1e-12 {
			t.Fatalf("%.15g after %g s, want %.15g", got, now, want)
		}
	}
}

func TestFiltersDoNotDependOnTheTick(t *testing.T) {
	coarse, fine := filtering{filter: newTranslation(2.5, 1, 0.3, 0.01)}, filtering{filter: newTranslation(2.5, 1, 0.3, 0.001)}
	for i := 1; i <= 500; i++ {
		var got float64
		for k := range 10 {
			got = fine.next(float64(10*(i-1)+k+1) * 0.001)
		}
		if want := coarse.next(float64(i) * 0.01); math.Abs(got-want) > 1e-12 {
			t.Fatalf("tick %d: %.15g in small steps, %.15g in large ones", i, got, want)
		}
	}
}

func TestHeldFilterLosesItsSpeedOutwardsAlone(t *testing.T) {
	tests := []struct {
		name        string
		x, v        float64
		wantX, want float64
	}{
		{"inside", 0.5, 3, 0.5, 3},
		{"beyond, outwards", 1.5, 3, 1, 0},
		{"beyond, on its way back", 1.5, -3, 1, -3},
		{"below, outwards", -1.5, -3, -1, 0},
		{"below, on its way back", -1.5, 3, -1, 3},
	}
	for _, tt := range tests {
		f := filterState{x: [filterStates]float64{tt.x, tt.v}}
		if f.clamp(-1, 1); f.x[0] != tt.wantX || f.x[1] != tt.want {
			t.Errorf("%s: at %g with %g, want %g with %g", tt.name, f.x[0], f.x[1], tt.wantX, tt.want)
		}
	}
}

func TestKnee(t *testing.T) {
	tests := []struct {
		name                 string
		v, most, share, want float64
	}{
		{"straight", 1.4, 2, 0.75, 1.4},
		{"at its bend", 1.5, 2, 0.75, 1.5},
		{"beyond", 2, 2, 0.75, 1.75}, // 1.5 + 0.5·0.5/(0.5+0.5)
		{"far beyond", 1e308, 2, 0.75, 2},
		{"the other way", -2, 2, 0.75, -1.75},
		{"cut", 5, 2, 1, 2},
		{"cut at its edge", 2, 2, 1, 2},
		{"bent from the start", 1, 1, 0, 0.5},
		{"nothing passes", 3, 0, 0.7, 0},
	}
	for _, tt := range tests {
		if got := softLimit(tt.v, tt.most, tt.share); math.Abs(got-tt.want) > 1e-15 {
			t.Errorf("%s: %g, want %g", tt.name, got, tt.want)
		}
	}
}
