package pedals

import "rig.example/rig/internal/axis"

// pedal turns the counts of one axis into a position that can be trusted.
//
// Without calibration, the first reported value shows which end of the axis is the resting end. Until then
// the pedal counts as released.
//
// An axis whose first value is at its high end is ambiguous: either the device counts down, or a foot
// stands on the pedal. A wrong guess would give full throttle when the foot lets go, so an ambiguous
// pedal counts as released; see resolveEnds.
type pedal struct {
	used      bool
	code      uint16
	low, high int32             // declared range [counts]
	axis      axis.MeasuredAxis // valid if known is true
	known     bool              // it is known which end is the resting end
	ambiguous bool              // the first value was at the high end, on a device that may count either way
}

// endZone is the share of the range that counts as being at an end.
const endZone = 0.1

// setRestEnd sets the resting end, which is low or high.
func (p *pedal) setRestEnd(end int32) {
	other := p.low
	if end == p.low {
		other = p.high
	}
	p.axis.Ends = axis.Uncalibrated(end, other)
	p.known = true
}

// value returns the position at raw, 0..1. moved reports whether the axis has reported since the
// device was opened.
func (p *pedal) value(raw int32, moved bool) float64 {
	if !p.used || !p.known {
		return 0
	}
	return p.axis.Value(raw, moved)
}

// guessEnds sets the resting end by the first known value, or marks the pedal as ambiguous.
func (p *pedal) guessEnds(first int32, moved bool) {
	if !p.used || p.known || p.ambiguous || !moved && first == 0 {
		return
	}
	share := (float64(first) - float64(p.low)) / (float64(p.high) - float64(p.low))
	if p.ambiguous = share > 1-endZone; !p.ambiguous {
		p.setRestEnd(p.low)
	}
}

// resolveEnds resolves ambiguous pedals by comparing them, and returns those that remain ambiguous, one
// bit each. uncalibrated is the number of pedals that have neither a calibration nor a known maker. If all
// of them, and at least two, first stood at the high end, the device counts down, because no driver starts
// with both feet on the pedals.
func resolveEnds(ps *[axis.Count]pedal, uncalibrated int) (ambiguous uint32) {
	n := 0
	for i := range ps {
		if ps[i].ambiguous {
			ambiguous |= 1 << i
			n++
		}
	}
	if n < 2 || n < uncalibrated {
		return ambiguous
	}
	for i := range ps {
		if ps[i].ambiguous {
			ps[i].setRestEnd(ps[i].high)
			ps[i].ambiguous = false
		}
	}
	return 0
}
