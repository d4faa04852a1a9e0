package pedals

import "rig.example/rig/internal/axis"

// pedal turns one axis' counts into a position that can be trusted.
//
// Without calibration its resting end is settled by the first evidence and not
// before; until then it is released.
//
// An axis that first stands at its high end either counts down, or somebody
// stands on the pedal. Taking the one for the other would give full throttle to
// whoever lets go, so it is in doubt, and released; see settleEnds.
type pedal struct {
	used      bool
	code      uint16
	low, high int32         // declared range [counts]
	axis      axis.Measured // valid once known
	known     bool          // which end is rest
	doubtful  bool          // first stood at the high end, of a device that may count either way
}

// nearEnd is the share of the range that counts as at an end.
const nearEnd = 0.1

// restAt settles the resting end.
func (p *pedal) restAt(end int32) {
	other := p.low
	if end == p.low {
		other = p.high
	}
	p.axis.Ends = axis.Uncalibrated(end, other)
	p.known = true
}

// value returns the position at raw, 0..1. moved tells whether the axis has
// reported since the device was opened.
func (p *pedal) value(raw int32, moved bool) float64 {
	if !p.used || !p.known {
		return 0
	}
	return p.axis.Value(raw, moved)
}

// guess settles the resting end from the first value known, or doubts it.
func (p *pedal) guess(first int32, moved bool) {
	if !p.used || p.known || p.doubtful || !moved && first == 0 {
		return
	}
	share := (float64(first) - float64(p.low)) / (float64(p.high) - float64(p.low))
	if p.doubtful = share > 1-nearEnd; !p.doubtful {
		p.restAt(p.low)
	}
}

// settleEnds decides what one pedal alone cannot tell, and returns the pedals still
// in doubt, one bit each. guesses is how many have neither a calibration nor a
// maker that is known. If all of those, and not only one, first stood at the
// high end, the device counts down: nobody starts with both feet down.
func settleEnds(ps *[axis.Count]pedal, guesses int) (doubt uint32) {
	n := 0
	for i := range ps {
		if ps[i].doubtful {
			doubt |= 1 << i
			n++
		}
	}
	if n < 2 || n < guesses {
		return doubt
	}
	for i := range ps {
		if ps[i].doubtful {
			ps[i].restAt(ps[i].high)
			ps[i].doubtful = false
		}
	}
	return 0
}
