package ffb

import (
	"fmt"
	"math"
	"math/cmplx"
	"testing"

	"gonum.org/v1/gonum/dsp/fourier"

	"rig.example/rig/sim"
	"rig.example/rig/sim/chassis"
)

// throughRebuild returns the gain and the phase delay [s] of a sine of f Hz.
func throughRebuild(f, rate float64) (gain, delay float64) {
	r, s := newReconstruction(0.4, dt), reconstructionState{}
	const settle, ticks = 2000, 10_000
	var sum complex128
	for i := range settle + ticks {
		w := 2 * math.Pi * f * float64(i) * dt
		if y := r.next(&s, math.Cos(w), rate, 1); i >= settle {
			sum += complex(y, 0) * cmplx.Exp(complex(0, -w))
		}
	}
	sum *= 2.0 / ticks
	return cmplx.Abs(sum), -cmplx.Phase(sum) / (2 * math.Pi * f)
}

func TestRebuildIsButterworthsOfFourthOrder(t *testing.T) {
	for _, tt := range []struct{ f, rate, decibel float64 }{
		{5, 250, -0.000},    // far below
		{100, 250, -3.0103}, // the cut-off
		{50, 125, -3.0103},
		{200, 500, -3.0103},
		{400, 250, -78.12}, // 40·log10(tan(0.4π)/tan(0.1π)), and the 1 counts nothing
		{400, 333, -67.21},
	} {
		gain, _ := throughRebuild(tt.f, tt.rate)
		if got := 20 * math.Log10(gain); math.Abs(got-tt.decibel) > 0.01 {
			t.Errorf("%g Hz on a wheel of %g Hz: %.3f dB, want %.3f dB", tt.f, tt.rate, got, tt.decibel)
		}
	}
}

func TestRebuildDelaysAsItTells(t *testing.T) {
	for _, tt := range []struct{ rate, want float64 }{{125, 8.249e-3}, {250, 4.021e-3}, {333, 2.938e-3}, {500, 1.798e-3}} {
		_, got := throughRebuild(2, tt.rate)
		r, s := newReconstruction(0.4, dt), reconstructionState{}
		r.design(&s, tt.rate, 1)
		if math.Abs(got-tt.want) > 2e-5 || math.Abs(s.delay-tt.want) > 1e-6 {
			t.Errorf("%g Hz: %.3f ms, told %.3f ms, want %.3f ms", tt.rate, got*1e3, s.delay*1e3, tt.want*1e3)
		}
	}
}

func TestRebuildPassesEveryTickWhereItMust(t *testing.T) {
	for _, tt := range []struct{ share, rate float64 }{{0.4, 1000}, {0.4, 8000}, {0.4, 0}, {0.4, -1}, {0, 250}} {
		r, s := newReconstruction(tt.share, dt), reconstructionState{}
		for i := range 100 {
			v := float64(i*7919%13) - 6
			if got := r.next(&s, v, tt.rate, 1); got != v {
				t.Fatalf("share %g, %g Hz: %g became %g", tt.share, tt.rate, v, got)
			}
		}
	}
}

func TestRebuildGoesOnWhenTheRateChanges(t *testing.T) {
	r, s := newReconstruction(0.4, dt), reconstructionState{}
	for i := range 5000 {
		rate := []float64{250, 1000, 333, 0, 60}[i/1000]
		if got := r.next(&s, 3.7, rate, 1); i > 500 && math.Abs(got-3.7) > 1e-12 {
			t.Fatalf("tick %d at %g Hz: %g, want 3.7", i, rate, got)
		}
	}
}

func TestRebuildKeepsASteadyTorque(t *testing.T) {
	for _, rate := range []float64{10, 60, 125, 250, 333, 500, 900} {
		r, s := newReconstruction(0.4, dt), reconstructionState{}
		var got float64
		for range 20_000 {
			got = r.next(&s, 1/3.0, rate, 1)
		}
		if math.Abs(got-1/3.0) > 5e-15 {
			t.Errorf("%g Hz: %.17g, want %.17g", rate, got, 1/3.0)
		}
	}
}

// textured is a column torque of mean N·m with a texture of 1 N·m at f Hz on it.
func textured(tick int, mean, f float64) *sim.State {
	return &sim.State{Tick: uint64(tick), State: chassis.State{Speed: 20}, ColumnTorque: mean + math.Sin(2*math.Pi*f*float64(tick)*dt)}
}

// sampled returns what a device that takes every fourth tick holds, once the chain
// has settled.
func sampled(f *testChain, mean, frequency float64, ticks int) (held []float64) {
	const settle, every = 1000, 4
	w := Wheel{Present: true, Rated: 10, Rate: 250}
	var now float64
	for i := range settle + ticks {
		if torque := f.Torque(textured(i, mean, frequency), w); i%every == 0 {
			now = torque
		}
		if i >= settle {
			held = append(held, now)
		}
	}
	return held
}

func TestATextureLeavesNoBeatOnASlowWheel(t *testing.T) {
	for _, knee := range []float64{0, 0.5} {
		c := plainConfig()
		c.Reconstruction, c.SlewRate, c.Knee = 0.4, 10, knee
		const ticks = 8000
		held := sampled(newTestChain(t, c), 0, 400, ticks)
		worst := 0.0
		for i, v := range fourier.NewFFT(ticks).Coefficients(nil, held) {
			if f := float64(i) / (ticks * dt); f < 125 {
				worst = max(worst, cmplx.Abs(v)*2/ticks)
			}
		}
		decibel := 20 * math.Log10(worst)
		t.Logf("knee %g: strongest line below 125 Hz at %.1f dB of the texture", knee, decibel)
		if decibel > -40 {
			t.Errorf("knee %g: a beat of %.1f dB, want less than -40 dB", knee, decibel)
		}
	}
}

func TestWithoutReconstructionThereWouldBeABeat(t *testing.T) {
	c := plainConfig()
	c.SlewRate = 10
	worst := 0.0
	for _, v := range sampled(newTestChain(t, c), 0, 400, 1000) {
		worst = max(worst, math.Abs(v))
	}
	if worst < 0.9 {
		t.Errorf("the texture comes back with %.2f N·m: the test of aliasing proves nothing", worst)
	}
}

func TestASlowTorqueKeepsItsAverage(t *testing.T) {
	for _, tt := range []struct{ mean, texture float64 }{{2, 400}, {-3.3, 310}, {5, 130}} {
		t.Run(fmt.Sprint(tt.mean), func(t *testing.T) {
			c := plainConfig()
			c.Reconstruction, c.SlewRate = 0.4, 10
			held, sum := sampled(newTestChain(t, c), tt.mean, tt.texture, 10_000), 0.0
			for _, v := range held {
				sum += v
			}
			if got := sum / float64(len(held)); math.Abs(got/tt.mean-1) > 1e-3 {
				t.Errorf("average %.5f N·m, want %.5f N·m", got, tt.mean)
			}
		})
	}
}
