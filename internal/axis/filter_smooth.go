package axis

import "math"

// lowpass is a first-order low pass, exact for samples that hold until the next.
type lowpass struct {
	share   float64 // of the way to the sample that one step goes, 0..1; 0 is off
	value   float64
	started bool
}

// newLowpass returns a low pass with its -3 dB at cutoff [Hz].
func newLowpass(cutoff, period float64) lowpass {
	return lowpass{share: -math.Expm1(-2 * math.Pi * cutoff * period)}
}

func (l *lowpass) step(v float64) float64 {
	if !l.started {
		l.started, l.value = true, v
	}
	l.value += l.share * (v - l.value)
	return l.value
}

// delay is what a steady movement is late [s]: period*(1-share)/share, the
// slope of the phase of share/(1-(1-share)/z) at 0 Hz.
func (l *lowpass) delay(period float64) float64 {
	if l.share <= 0 {
		return 0
	}
	return period * (1 - l.share) / l.share
}

// oneEuro is the filter of Casiez, Roussel and Vogel, "1 € Filter: A Simple
// Speed-based Low-pass Filter for Noisy Input in Interactive Systems", CHI 2012:
// a low pass that opens with speed. Still feet get a steady value, quick ones
// a prompt one.
type oneEuro struct {
	least  float64 // cut-off at rest [Hz]; 0 is off
	slope  float64 // cut-off added by speed [Hz per unit/s]
	period float64 // [s]
	speed  lowpass // of the value [unit/s]
	value  lowpass // its share changes with every sample
}

// speedCutoff smooths the speed [Hz]; the paper's own choice.
const speedCutoff = 1

func newOneEuro(least, slope, period float64) oneEuro {
	return oneEuro{
		least: least, slope: slope, period: period,
		speed: lowpass{share: euroShare(speedCutoff, period), started: true},
	}
}

// euroShare is the paper's equation 6: 1/(1+tau/T) with tau = 1/(2*pi*cutoff).
func euroShare(cutoff, period float64) float64 {
	return period / (period + 1/(2*math.Pi*cutoff))
}

func (e *oneEuro) step(v float64) float64 {
	if !e.value.started {
		e.value.started, e.value.value = true, v
	}
	speed := e.speed.step((v - e.value.value) / e.period)
	e.value.share = euroShare(e.least+e.slope*math.Abs(speed), e.period)
	return e.value.step(v)
}

// delay is the time constant at rest [s].
func (e *oneEuro) delay() float64 {
	if e.least <= 0 {
		return 0
	}
	return 1 / (2 * math.Pi * e.least)
}
