package pedals

import "rig.example/rig/devices/axis"

// pedal turns the counts of one axis into a position. It counts only once it was seen at rest: see axis.Rest.
//
// A pedal without calibration, of a model whose resting end is not known, is taken to rest at its low end until the device shows
// the contrary.
type pedal struct {
	used      bool
	code      uint16
	low, high int32 // declared range [counts]
	axis      axis.MeasuredAxis
	undecided bool // neither a calibration nor the model says which end is the resting one
	seen      bool // it was seen at rest
}

// setRestEnd sets the resting end, which is low or high.
func (p *pedal) setRestEnd(end int32) {
	other := p.low
	if end == p.low {
		other = p.high
	}
	p.axis.Ends = axis.Uncalibrated(end, other)
}

// value returns the position at raw, 0..1, and 0 until the pedal was seen at rest. reported reports whether the axis has
// reported since the device was opened.
func (p *pedal) value(raw int32, reported bool) float64 {
	if !p.used {
		return 0
	}
	v := p.axis.Value(raw, reported)
	if !p.seen {
		return 0
	}
	return v
}

// standing returns where the pedal stands at raw.
func (p *pedal) standing(raw int32, reported bool) axis.Standing {
	if !p.used {
		return axis.NotReported
	}
	return axis.StandingAt(p.axis.Ends.Value(raw), raw, reported, !p.undecided)
}

// restState decides from when on the pedals of one device count. A handbrake may be pulled for long, so it is waited for
// alone.
type restState struct{ feet, hand axis.Rest }

// newRestState returns the state for pedals of which those of elsewhere, one bit each, are on other devices.
func newRestState(ps *[axis.Count]pedal, elsewhere uint32) (r restState) {
	for i := range ps {
		switch {
		case !ps[i].used, elsewhere>>i&1 == 1:
		case i == axis.Handbrake:
			r.hand.Axes |= 1 << i
		default:
			r.feet.Axes |= 1 << i
		}
	}
	return r
}

// axisReader reads the state of a node's axes. It is an *evdev.Input, or a fake in tests.
type axisReader interface {
	Abs(code uint16) int32
	AxisReported(code uint16) bool
}

// step looks where the pedals stand, dt [s] after the last step, and marks those that were seen at rest. Undecided pedals
// that more than two feet would have to press rest at their high ends.
func (r *restState) step(ps *[axis.Count]pedal, in axisReader, dt float64) {
	var now [axis.Count]axis.Standing
	for i := range ps {
		now[i] = ps[i].standing(in.Abs(ps[i].code), in.AxisReported(ps[i].code))
	}
	r.feet.Step(&now, dt)
	r.hand.Step(&now, dt)
	if r.feet.Seen == 0 && r.feet.Reversed() && allUndecided(ps, r.feet.Axes) {
		for i := range ps {
			if r.feet.Axes>>i&1 == 1 {
				ps[i].setRestEnd(ps[i].high)
				ps[i].undecided = false
			}
		}
		r.feet = axis.Rest{Axes: r.feet.Axes}
	}
	for i := range ps {
		ps[i].seen = (r.feet.Seen|r.hand.Seen)>>i&1 == 1
	}
}

// allUndecided reports whether it is of none of the axes known where they rest.
func allUndecided(ps *[axis.Count]pedal, axes uint32) bool {
	for i := range ps {
		if axes>>i&1 == 1 && !ps[i].undecided {
			return false
		}
	}
	return true
}

// present reports whether no pedal that a car needs is waited for.
func (r *restState) present() bool { return r.feet.Axes&^r.feet.Seen&axis.Needed == 0 }

// doubts returns the pedals that do not count yet.
func (r *restState) doubts() axis.Doubts { return r.feet.Doubts() | r.hand.Doubts() }
