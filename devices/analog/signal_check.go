package analog

import "math"

// verdict is the result of checking one sample.
type verdict int

const (
	good    verdict = iota // the sample is used
	suspect                // the sample is not used, and the last good one stays valid
	broken                 // the axis has failed and is not used
)

// signalCheck checks the samples of one axis for broken wires, shorts and stuck sensors.
type signalCheck struct {
	low, high    int32 // counts at or beyond these are at a rail: a broken wire, a short or saturation
	stuckSamples int   // number of equal samples in a row that causes a warning; 0: no warning

	badSamples, goodSamples int // number in a row
	failed                  bool
	lastSample              int32
	equalSamples            int // equal samples in a row
}

const (
	maxBadSamples  = 3  // number of samples in a row at a rail from which on it is a failure; fewer are a disturbance
	minGoodSamples = 10 // number of samples in a row off the rails that ends a failure
)

// railShare is the distance from supply or ground, as a share of the supply, within which a reading is at
// a rail. The wiper of a potentiometer rarely comes nearer than 2 %.
const railShare = 0.01

// newSignalCheck returns the check of a's samples. a has its defaults.
func newSignalCheck(a ADC) signalCheck {
	h := signalCheck{stuckSamples: int(math.Ceil(a.StuckAfter * a.Rate))}
	switch {
	case a.Chip == chipHX711:
		h.low, h.high = -1<<23, 1<<23-1
	default:
		// 0x7ff0 is the highest reading of an ADS1015, whose 12 bits are the upper ones of the 16.
		h.low, h.high = math.MinInt16, 0x7ff0
	}
	if a.isBridge() || a.IgnoreRails { // a bridge may rest at 0
		return h
	}
	counts := a.supplyCounts()
	h.low = int32(math.Round(railShare * counts))
	h.high = int32(min(math.Round((1-railShare)*counts), float64(h.high)))
	return h
}

// isBridge reports whether a reads the difference between two wires, as the bridge of a load cell needs.
func (a ADC) isBridge() bool { return a.Chip == chipHX711 || len(a.Channel) > 1 }

// supplyCounts returns the counts of an ADS1x15 at the supply voltage of a potentiometer.
func (a ADC) supplyCounts() float64 {
	return math.Round(a.Supply / (float64(adsRanges[a.Gain]) / 1000) * (1 << 15))
}

// check takes the next sample [counts] and returns whether it may be used.
func (h *signalCheck) check(raw int32) verdict {
	if raw == h.lastSample {
		h.equalSamples++
	} else {
		h.lastSample, h.equalSamples = raw, 0
	}
	if raw <= h.low || raw >= h.high {
		h.badSamples++
		h.goodSamples = 0
		h.failed = h.failed || h.badSamples >= maxBadSamples
	} else {
		h.badSamples = 0
		h.goodSamples++
		h.failed = h.failed && h.goodSamples < minGoodSamples
	}
	switch {
	case h.failed:
		return broken
	case h.badSamples > 0:
		return suspect
	}
	return good
}

// isStuck reports whether the samples have not changed for so long that noise is missing too.
func (h *signalCheck) isStuck() bool { return h.stuckSamples > 0 && h.equalSamples >= h.stuckSamples }
