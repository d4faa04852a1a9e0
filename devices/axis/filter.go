package axis

import (
	"errors"
	"fmt"

	"rig.example/rig/internal/kit/valid"
)

// FilterConfig describes the filters of an axis. The zero value has none. The median comes first, so that
// spikes never reach the low-pass filters.
type FilterConfig struct {
	// number of samples of a median filter, which removes spikes shorter than half of it
	Median int `toml:"median_samples" range:"0 (off) or 1 or 3 or 5 or 7"`
	// cut-off (-3 dB) of a first-order low-pass filter; 0 is off
	Lowpass float64 `toml:"lowpass_hz" range:"0 (off) or 0.1..1000"`
	// cut-off at rest of a one-euro filter; 0 is off. Use either this or `lowpass_hz`
	OneEuro float64 `toml:"one_euro_hz" range:"0 (off) or 0.1..1000"`
	// increase of the one-euro filter's cut-off with speed [Hz per travel/s]
	OneEuroSlope float64 `toml:"one_euro_slope" range:"0..1000"`
}

// Validate reports every value that cannot be used.
func (c FilterConfig) Validate() error {
	err := valid.Struct(c)
	if c.OneEuro == 0 && c.OneEuroSlope > 0 && c.OneEuroSlope <= 1000 {
		err = errors.Join(err, fmt.Errorf("one_euro_slope = %g does nothing without one_euro_hz; set both", c.OneEuroSlope))
	}
	if c.Lowpass != 0 && c.OneEuro != 0 {
		err = errors.Join(err, errors.New("lowpass_hz and one_euro_hz are both set; choose one"))
	}
	return err
}

// Filter smooths one axis, one sample at a time. It allocates nothing. Its output is finite for every
// input: a sample that is NaN or Inf repeats the one before.
type Filter struct {
	period    float64 // time between two samples [s]
	lastValid float64 // newest finite sample
	median    median
	low       lowpass
	euro      oneEuro
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

// maxSample limits the size of samples, so that no difference between two of them overflows.
const maxSample = 1e6

// Step takes the next sample and returns the smoothed value, both in the samples' own unit. The first
// sample is returned as it is.
func (f *Filter) Step(v float64) float64 {
	if !valid.Finite(v) {
		v = f.lastValid
	}
	f.lastValid = min(max(v, -maxSample), maxSample)
	v = f.median.step(f.lastValid)
	if f.low.factor > 0 {
		v = f.low.step(v)
	}
	if f.euro.minCutoff > 0 {
		v = f.euro.step(v)
	}
	return v
}

// Reset forgets all samples. It is called after a gap between samples.
func (f *Filter) Reset() {
	f.lastValid = 0
	f.median.filled = false
	f.low.started, f.euro.value.started, f.euro.speed.value = false, false, 0
}

// Delay returns the delay of the output behind a pedal that moves slowly and steadily [s]. That is the
// longest delay, because that of a one-euro filter shrinks with the speed of the pedal.
func (f *Filter) Delay() float64 {
	return f.median.delay(f.period) + f.low.delay(f.period) + f.euro.delay()
}
