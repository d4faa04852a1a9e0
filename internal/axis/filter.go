package axis

import (
	"errors"
	"fmt"
	"math"
)

// FilterConfig says how an axis is smoothed. All zero leaves it as it is. The
// median comes first, so that a spike never reaches what smooths.
type FilterConfig struct {
	Median       int     `toml:"median_samples"` // 0 or 1 is off; 3, 5 or 7
	Lowpass      float64 `toml:"lowpass_hz"`     // first order, at -3 dB; 0 is off, 0.1..1000
	OneEuro      float64 `toml:"one_euro_hz"`    // least cut-off, of a pedal held still; 0 is off, 0.1..1000
	OneEuroSlope float64 `toml:"one_euro_slope"` // cut-off added by speed [Hz per travel/s], 0..1000
}

// Validate reports every value out of range, without a prefix: the axis' name
// comes before it.
func (c FilterConfig) Validate() error {
	var err error
	switch c.Median {
	case 0, 1, 3, 5, 7:
	default:
		err = fmt.Errorf("median_samples = %d is not 0, 3, 5 or 7", c.Median)
	}
	if c.Lowpass != 0 {
		err = errors.Join(err, InRange("lowpass_hz", c.Lowpass, 0.1, 1000))
	}
	if c.OneEuro != 0 {
		err = errors.Join(err, InRange("one_euro_hz", c.OneEuro, 0.1, 1000))
	}
	if c.OneEuro == 0 && c.OneEuroSlope > 0 && c.OneEuroSlope <= 1000 {
		err = errors.Join(err, fmt.Errorf("one_euro_slope = %g does nothing without one_euro_hz; set both", c.OneEuroSlope))
	}
	if c.Lowpass != 0 && c.OneEuro != 0 {
		err = errors.Join(err, errors.New("lowpass_hz and one_euro_hz are both set; choose one"))
	}
	return errors.Join(err, InRange("one_euro_slope", c.OneEuroSlope, 0, 1000))
}

// InRange returns an error that names key unless v is in low..high. NaN is not.
func InRange(key string, v, low, high float64) error {
	if v >= low && v <= high {
		return nil
	}
	return fmt.Errorf("%s = %g is not in %g..%g", key, v, low, high)
}

// Filter smooths one axis, one sample at a time. It allocates nothing. Its
// output is finite for every input: what is no number repeats the value before.
type Filter struct {
	period float64 // between two samples [s]
	last   float64 // newest sample that was a number
	median median
	low    lowpass
	euro   oneEuro
}

// NewFilter returns a filter for samples that come every period [s]. cfg must be valid.
func NewFilter(cfg FilterConfig, period float64) Filter {
	f := Filter{period: period, median: median{size: max(cfg.Median, 1)}}
	if cfg.Lowpass > 0 {
		f.low = newLowpass(cfg.Lowpass, period)
	}
	if cfg.OneEuro > 0 {
		f.euro = newOneEuro(cfg.OneEuro, cfg.OneEuroSlope, period)
	}
	return f
}

// farthest bounds samples, so that no difference between two overflows.
const farthest = 1e6

// Step takes the next sample and returns the smoothed value, both in the
// samples' own unit. The first sample is passed on as it is.
func (f *Filter) Step(v float64) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		v = f.last
	}
	f.last = min(max(v, -farthest), farthest)
	v = f.median.step(f.last)
	if f.low.share > 0 {
		v = f.low.step(v)
	}
	if f.euro.least > 0 {
		v = f.euro.step(v)
	}
	return v
}

// Reset forgets all samples, as after a gap.
func (f *Filter) Reset() {
	f.last = 0
	f.median.filled = false
	f.low.started, f.euro.value.started, f.euro.speed.value = false, false, 0
}

// Delay returns how far the output is behind a pedal that moves slowly and
// steadily [s]. That is the longest delay there is: a one-euro filter has less
// of it the faster the pedal moves.
func (f *Filter) Delay() float64 {
	return f.median.delay(f.period) + f.low.delay(f.period) + f.euro.delay()
}
