package axis

import "math/bits"

// Standing is where an axis stands between its ends, as far as its device tells.
type Standing uint8

// The standings.
const (
	NotReported Standing = iota // the device has not told it yet
	Untold                      // likewise, but the kernel's 0 is where the axis should rest
	AtRest
	Between
	AtPress
)

const (
	endZone  = 0.1 // share of the travel that counts as being at an end
	restTime = 0.3 // how long axes must stand at rest before they count [s]
	longRest = 10  // likewise, of axes that contradict their ends: nobody floors pedals that do nothing for so long [s]
)

// StandingAt returns the standing at a position, 0..1, whose axis stands at raw [counts] and may not have reported since the
// device was opened: the kernel's 0 of such an axis says little, if isKnown, which says that its ends are known.
func StandingAt(position float64, raw int32, reported, isKnown bool) Standing {
	switch isTold := reported || raw != 0; {
	case !isTold && isKnown && position <= endZone:
		return Untold
	case !isTold:
		return NotReported
	case position <= endZone:
		return AtRest
	case position < 1-endZone:
		return Between
	}
	return AtPress
}

// Rest decides from when on axes that move together, such as the pedals of one device, count: once all of them stood at
// rest at the same time, for restTime. What says which end is the resting one - a calibration, a table, a key - may be of another
// version of the driver, and a throttle whose ends are exchanged is full when nobody touches it. Axes that have not reported are
// waited for only if a car needs them.
//
// If whatever was told of all of them first was their pressed end, the ends contradict the device, and they must stand at rest for
// longRest: a foot at that moment cannot be told from exchanged ends. The zero value with Axes is ready to use.
type Rest struct {
	Axes uint32 // one bit each
	Seen uint32 // those that were seen at rest

	now     [Count]Standing
	first   [Count]Standing // the first one that was told
	still   [Count]float64  // time at rest [s]
	resting float64         // time for which all are at rest [s]
	pressed float64         // time for which all are at their pressed ends [s]
	open    bool
	strict  bool // an Untold axis is NotReported, because one of them reported first that it is elsewhere
}

// Needed has a bit for each axis without which driving is not possible.
const Needed = 1<<Throttle | 1<<Brake

// Step takes where the axes stand, dt [s] after the last Step.
func (r *Rest) Step(now *[Count]Standing, dt float64) {
	r.now = *now
	r.takeUntold()
	rest, pressed := r.all(AtRest), r.all(AtPress)
	r.resting, r.pressed = longer(r.resting, dt, rest), longer(r.pressed, dt, pressed)
	for i, s := range r.now {
		if r.first[i] == NotReported || r.first[i] == Untold {
			r.first[i] = now[i]
		}
		r.still[i] = longer(r.still[i], dt, s == AtRest)
	}
	r.open = r.open || r.resting >= longRest || r.resting >= restTime && !r.Contradicted()
	for i := range now {
		if r.open && r.Axes>>i&1 == 1 && r.still[i] >= restTime {
			r.Seen |= 1 << i
		}
	}
}

// takeUntold has axes that were not told, but should rest at the kernel's 0, stand at rest; unless one of them has reported since,
// and that it stood elsewhere: no foot is that quick.
func (r *Rest) takeUntold() {
	for i, s := range r.now {
		if r.Seen>>i&1 == 1 && r.first[i] == Untold && s != Untold && s != AtRest {
			*r = Rest{Axes: r.Axes, strict: true, now: r.now}
		}
	}
	for i, s := range r.now {
		if s == Untold {
			r.now[i] = AtRest
			if r.strict {
				r.now[i] = NotReported
			}
		}
	}
}

// Restart waits for rest anew, after a gap in which the same device could not be read.
func (r *Rest) Restart() { *r = Rest{Axes: r.Axes, first: r.first} }

// longer adds dt to a time for which something is so, or ends it.
func longer(time, dt float64, is bool) float64 {
	if !is {
		return 0
	}
	return time + dt
}

// all reports whether all axes stand at s. An axis that is not needed need not have reported, if another one has.
func (r *Rest) all(s Standing) bool {
	told := 0
	for i, now := range r.now {
		switch {
		case r.Axes>>i&1 == 0, now == NotReported && Needed>>i&1 == 0:
		case now != s:
			return false
		default:
			told++
		}
	}
	return told > 0
}

// Contradicted reports whether the first that was told of each axis, and of one at least, was its pressed end.
func (r *Rest) Contradicted() bool {
	told := false
	for i, first := range r.first {
		if r.Axes>>i&1 == 1 && first != NotReported && !(r.strict && first == Untold) {
			if told = true; first != AtPress {
				return false
			}
		}
	}
	return told
}

// Reversed reports whether more axes than a driver has feet stand at their pressed ends: they rest there.
func (r *Rest) Reversed() bool {
	const feet = 2
	return r.pressed >= restTime && bits.OnesCount32(r.Axes) > feet && !r.anyIs(NotReported)
}

// anyIs reports whether one of the axes stands at s.
func (r *Rest) anyIs(s Standing) bool {
	for i, now := range r.now {
		if r.Axes>>i&1 == 1 && now == s {
			return true
		}
	}
	return false
}

// Doubts says which axes do not count yet, and why: a bit for each axis in each of three groups of Count bits.
type Doubts uint32

// The groups, by the place of their first bit.
const (
	unseen       = 0
	notReported  = Count
	contradicted = 2 * Count
)

// Doubts returns those axes that do not count yet.
func (r *Rest) Doubts() (d Doubts) {
	for i, now := range r.now {
		if (r.Axes&^r.Seen)>>i&1 == 0 {
			continue
		}
		d |= 1 << (unseen + i)
		if now == NotReported {
			d |= 1 << (notReported + i)
		}
		if r.Contradicted() {
			d |= 1 << (contradicted + i)
		}
	}
	return d
}

// Texts says of each axis in doubt what to do.
func (d Doubts) Texts() (list []string) {
	for i, name := range Names {
		text := "it counts once no pedal of its device is pressed; if none is, run `rig calibrate pedals`"
		isSilent := d>>(notReported+i)&1 == 1
		switch {
		case d>>(unseen+i)&1 == 0, isSilent && Needed>>i&1 == 0: // there may be none
			continue
		case d>>(contradicted+i)&1 == 1:
			text = "it was pressed when it was connected, or its ends are exchanged: take your feet off for 10 s; if it does not count then, run `rig calibrate pedals`"
		case isSilent:
			text = "it counts once it was moved: press it fully and let go"
		}
		list = append(list, name+": "+text)
	}
	return list
}
