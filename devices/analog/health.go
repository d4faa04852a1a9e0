package analog

import "math"

// verdict is what may be done with one sample.
type verdict int

const (
	good    verdict = iota
	suspect         // not used; the value before ages
	broken          // the axis is not to be trusted
)

// health judges the samples of one axis.
type health struct {
	low, high int32 // counts from here outwards are a rail: a broken wire, a short or saturation
	patience  int   // equal samples that are worth a warning; 0 is none

	bad, fine int // in a row
	failed    bool
	last      int32
	same      int // equal samples in a row
}

const (
	badInARow  = 3  // samples on a rail that are no disturbance
	fineInARow = 10 // samples after which a contact has come back
)

// rails is how close to supply or ground a wiper is no wiper any more, as a
// share of the supply. Potentiometers' own ends are rarely nearer than 2 %.
const rails = 0.01

// newHealth returns the judge of a's samples. a is settled.
func newHealth(a ADC) health {
	h := health{patience: int(math.Ceil(a.Stuck * a.Rate))}
	switch {
	case a.Chip == chip711:
		h.low, h.high = -1<<23, 1<<23-1
	default:
		h.low, h.high = math.MinInt16, 0x7ff0 // the ADS1015 has no more than 12 bits, at the top
	}
	if a.bridge() || a.IgnoreRails { // bridges may rest at 0
		return h
	}
	counts := a.supplyCounts()
	h.low = int32(math.Round(rails * counts))
	h.high = int32(min(math.Round((1-rails)*counts), float64(h.high)))
	return h
}

// bridge tells whether a reads the difference of two wires, as load cells need.
func (a ADC) bridge() bool { return a.Chip == chip711 || len(a.Channel) > 1 }

// supplyCounts is what a potentiometer's supply reads as on an ADS1x15.
func (a ADC) supplyCounts() float64 {
	return math.Round(a.Supply / (float64(adsRanges[a.Gain]) / 1000) * (1 << 15))
}

// judge takes the next sample.
func (h *health) judge(raw int32) verdict {
	if raw == h.last {
		h.same++
	} else {
		h.last, h.same = raw, 0
	}
	if raw <= h.low || raw >= h.high {
		h.bad++
		h.fine = 0
		h.failed = h.failed || h.bad >= badInARow
	} else {
		h.bad = 0
		h.fine++
		h.failed = h.failed && h.fine < fineInARow
	}
	switch {
	case h.failed:
		return broken
	case h.bad > 0:
		return suspect
	}
	return good
}

// stuck tells whether the samples do not even show noise.
func (h *health) stuck() bool { return h.patience > 0 && h.same >= h.patience }
