package axis

import "math"

// lowpass is a first-order low-pass filter, exact for samples that hold until the next one.
type lowpass struct {
	factor  float64 // share of the difference to the sample that one step covers, 0..1; 0 is off
	value   float64 // output of the last step
	started bool
}

// newLowpass returns a low-pass filter with its -3 dB at cutoff [Hz] for samples every period [s].
func newLowpass(cutoff, period float64) lowpass {
	return lowpass{factor: -math.Expm1(-2 * math.Pi * cutoff * period)}
}

func (l *lowpass) step(v float64) float64 {
	if !l.started {
		l.started, l.value = true, v
	}
	l.value += l.factor * (v - l.value)
	return l.value
}

// delay returns the delay of a steady movement [s]: period*(1-factor)/factor, the group delay of the filter
// factor/(1-(1-factor)/z) at 0 Hz.
func (l *lowpass) delay(period float64) float64 {
	if l.factor <= 0 {
		return 0
	}
	return period * (1 - l.factor) / l.factor
}

// oneEuro is the filter of Casiez, Roussel and Vogel, "1 € Filter: A Simple Speed-based Low-pass
// Filter for Noisy Input in Interactive Systems", CHI 2012: a low-pass filter whose cut-off rises with
// speed. A foot that rests gets a steady value, a quick one a prompt value.
type oneEuro struct {
	minCutoff      float64 // cut-off at rest [Hz]; 0 is off
	cutoffPerSpeed float64 // increase of the cut-off with speed, the paper's beta [Hz per unit/s]
	period         float64 // time between two samples [s]
	speed          lowpass // filter of the speed [unit/s]
	value          lowpass // filter of the value, whose factor changes with every sample
}

// speedCutoff is the cut-off of the speed's filter [Hz], as chosen in the paper.
const speedCutoff = 1

func newOneEuro(minCutoff, cutoffPerSpeed, period float64) oneEuro {
	return oneEuro{
		minCutoff: minCutoff, cutoffPerSpeed: cutoffPerSpeed, period: period,
		speed: lowpass{factor: smoothingFactor(speedCutoff, period), started: true},
	}
}

// smoothingFactor returns the factor of a low-pass filter by the paper's equation 6: 1/(1+tau/period) with
// tau = 1/(2*pi*cutoff).
func smoothingFactor(cutoff, period float64) float64 {
	return period / (period + 1/(2*math.Pi*cutoff))
}

func (e *oneEuro) step(v float64) float64 {
	if !e.value.started {
		e.value.started, e.value.value = true, v
	}
	speed := e.speed.step((v - e.value.value) / e.period)
	e.value.factor = smoothingFactor(e.minCutoff+e.cutoffPerSpeed*math.Abs(speed), e.period)
	return e.value.step(v)
}

// delay returns the time constant at rest [s].
func (e *oneEuro) delay() float64 {
	if e.minCutoff <= 0 {
		return 0
	}
	return 1 / (2 * math.Pi * e.minCutoff)
}
