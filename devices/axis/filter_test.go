package axis

import (
	"math"
	"math/cmplx"
	"testing"
)

const ms = 0.001

func TestMedianRemovesSpikes(t *testing.T) {
	tests := []struct {
		name     string
		size     int
		in, want []float64
	}{
		{"off", 0, []float64{0, 9, 0}, []float64{0, 9, 0}},
		{"three, one spike", 3, []float64{1, 9, 1, 1, -9, 1}, []float64{1, 1, 1, 1, 1, 1}},
		{"three, two spikes pass", 3, []float64{1, 9, 9, 1, 1}, []float64{1, 1, 9, 9, 1}},
		{"five, two spikes", 5, []float64{1, 9, 9, 1, 1}, []float64{1, 1, 1, 1, 1}},
		{"seven, three spikes", 7, []float64{1, 9, -9, 9, 1}, []float64{1, 1, 1, 1, 1}},
		{"three, a step is one sample late", 3, []float64{0, 0, 1, 1, 1}, []float64{0, 0, 0, 1, 1}},
		{"seven, a step is three samples late", 7, []float64{0, 1, 1, 1, 1, 1}, []float64{0, 0, 0, 0, 1, 1}},
		{"a steady movement is two samples late", 5, []float64{0, 1, 2, 3, 4, 5, 6}, []float64{0, 0, 0, 1, 2, 3, 4}},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			f := NewFilter(FilterConfig{Median: c.size}, ms)
			for i, v := range c.in {
				if got := f.Step(v); got != c.want[i] {
					t.Errorf("sample %d: %g, want %g", i, got, c.want[i])
				}
			}
		})
	}
}

// The step response of a first-order low pass is 1-exp(-t/tau).
func TestLowpassStep(t *testing.T) {
	f := NewFilter(FilterConfig{Lowpass: 10}, ms)
	f.Step(0)
	for range 16 {
		f.Step(1)
	}
	if got, want := f.low.value, 0.6340686930587067; math.Abs(got-want) > 1e-12 {
		t.Errorf("after 16 ms %.15f, want %.15f", got, want)
	}
}

// A sine comes out with the gain and the phase of a/(1-(1-a)/z), a = 1-exp(-2*pi*cutoff*T).
func TestLowpassSine(t *testing.T) {
	for _, hz := range []float64{1, 5, 40} {
		f := NewFilter(FilterConfig{Lowpass: 5}, ms)
		a := 1 - math.Exp(-2*math.Pi*5*ms)
		want := complex(a, 0) / (1 - complex(1-a, 0)*cmplx.Exp(complex(0, -2*math.Pi*hz*ms)))
		var sum complex128
		const n = 1000 // whole periods, once it has settled
		for i := range 3 * n {
			phase := 2 * math.Pi * hz * ms * float64(i)
			if v := f.Step(math.Sin(phase)); i >= 2*n {
				sum += complex(v, 0) * cmplx.Exp(complex(0, -phase))
			}
		}
		got := sum / n * complex(0, 2)
		if cmplx.Abs(got-want) > 1e-6 {
			t.Errorf("%g Hz: gain %.6f, phase %.6f rad; want %.6f, %.6f", hz, cmplx.Abs(got), cmplx.Phase(got), cmplx.Abs(want), cmplx.Phase(want))
		}
	}
}

// The first step after rest, by hand: speed 1/T smoothed at 1 Hz is 6.243953,
// so the cut-off is 1+0.5*6.243953 = 4.121977 Hz.
func TestOneEuroStep(t *testing.T) {
	f := NewFilter(FilterConfig{OneEuro: 1, OneEuroSlope: 0.5}, ms)
	f.Step(0)
	if got, want := f.Step(1), 0.025245311467505263; math.Abs(got-want) > 1e-12 {
		t.Errorf("got %.15f, want %.15f", got, want)
	}
}

func TestOneEuroIsQuickerWhenThePedalIs(t *testing.T) {
	after := func(slope float64) float64 {
		f := NewFilter(FilterConfig{OneEuro: 1, OneEuroSlope: slope}, ms)
		f.Step(0)
		v := 0.0
		for i := range 100 {
			v = f.Step(float64(i) / 100)
		}
		return v
	}
	if slow, quick := after(0), after(5); quick < slow+0.3 {
		t.Errorf("after 0.1 s at %.3f with speed and %.3f without", quick, slow)
	}
}

// A pedal let go is followed like one that is pressed.
func TestOneEuroMirrors(t *testing.T) {
	cfg := FilterConfig{OneEuro: 1, OneEuroSlope: 2}
	up, down := NewFilter(cfg, ms), NewFilter(cfg, ms)
	for i := range 200 {
		v := math.Sin(float64(i) / 20)
		if a, b := up.Step(v), down.Step(-v); a != -b {
			t.Fatalf("sample %d: %g up, %g down", i, a, b)
		}
	}
}

// What is stated as delay is the lag behind a steady movement.
func TestDelayIsTheLagBehindARamp(t *testing.T) {
	tests := []struct {
		name string
		cfg  FilterConfig
		want float64 // [s]
	}{
		{"nothing", FilterConfig{}, 0},
		{"median of 5", FilterConfig{Median: 5}, 0.002},
		{"low pass at 10 Hz", FilterConfig{Lowpass: 10}, ms / (math.Exp(2*math.Pi*10*ms) - 1)},
		{"one euro at 2 Hz, held still", FilterConfig{OneEuro: 2}, 0.07957747154594767},
		{"median and low pass", FilterConfig{Median: 3, Lowpass: 10}, ms + ms/(math.Exp(2*math.Pi*10*ms)-1)},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			f := NewFilter(c.cfg, ms)
			if got := f.Delay(); math.Abs(got-c.want) > 1e-12 {
				t.Errorf("stated %.9f s, want %.9f s", got, c.want)
			}
			const speed = 0.01
			lag := 0.0
			for i := range 5000 {
				at := speed * ms * float64(i)
				lag = (at - f.Step(at)) / speed
			}
			if math.Abs(lag-c.want) > 1e-9 {
				t.Errorf("lag %.9f s, want %.9f s", lag, c.want)
			}
		})
	}
}

func TestFilterResetForgets(t *testing.T) {
	f := NewFilter(FilterConfig{Median: 3, OneEuro: 1, OneEuroSlope: 1}, ms)
	for i := range 10 {
		f.Step(float64(i))
	}
	f.Reset()
	if got := f.Step(0.5); got != 0.5 {
		t.Errorf("first sample after a reset gives %g, want it as it is", got)
	}
}

func TestFilterConfigNamesWhatIsWrong(t *testing.T) {
	tests := []struct {
		name string
		cfg  FilterConfig
		ok   bool
	}{
		{"zero", FilterConfig{}, true},
		{"all of one kind", FilterConfig{Median: 7, OneEuro: 1, OneEuroSlope: 0.1}, true},
		{"even window", FilterConfig{Median: 4}, false},
		{"NaN", FilterConfig{Lowpass: math.NaN()}, false},
		{"two at once", FilterConfig{Lowpass: 1, OneEuro: 1}, false},
		{"slope below 0", FilterConfig{OneEuroSlope: -1}, false},
	}
	for _, c := range tests {
		if err := c.cfg.Validate(); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func FuzzFilterIsFinite(f *testing.F) {
	f.Add(0.5, math.Inf(1), math.NaN(), 10.0, 1.0)
	f.Add(-math.MaxFloat64, math.MaxFloat64, 0.0, 1000.0, 1000.0)
	f.Fuzz(func(t *testing.T, a, b, c, hz, slope float64) {
		for _, cfg := range []FilterConfig{{Median: 3, Lowpass: hz}, {Median: 7, OneEuro: hz, OneEuroSlope: slope}} {
			if cfg.Validate() != nil {
				return
			}
			flt := NewFilter(cfg, ms)
			for _, v := range []float64{a, b, c, b, a, c, c, c, c, a} {
				if got := flt.Step(v); math.IsNaN(got) || math.IsInf(got, 0) {
					t.Fatalf("%g for %g, %g, %g with %+v", got, a, b, c, cfg)
				}
			}
		}
	})
}

func TestShapeAllocatesNothing(t *testing.T) {
	s := NewShape(Config{FilterConfig: FilterConfig{Median: 7, OneEuro: 1, OneEuroSlope: 1}, CurveConfig: CurveConfig{Shape: "gamma", Gamma: 2}}, ms)
	if n := testing.AllocsPerRun(100, func() { s.Step(0.5) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}
