package driveline

import (
	"math"

	"rig.example/rig/sim/curve"
)

// shiftLines returns the speeds of the input shaft at which to change up and down, over the
// throttle [rad/s].
func shiftLines(d Params) (up, down curve.Line) {
	for _, at := range d.Gearbox.Map {
		up.Add(at.Throttle, at.Up*PerRPM)
		down.Add(at.Throttle, at.Down*PerRPM)
	}
	if len(d.Gearbox.Map) > 0 {
		return up, down
	}
	early := min(1.35*d.ShiftDown, d.ShiftUp)
	up.Add(0.1, early*PerRPM)
	up.Add(0.9, d.ShiftUp*PerRPM)
	down.Add(0.1, max(0.6*d.ShiftDown, 1.25*d.Idle)*PerRPM)
	down.Add(0.9, max(d.ShiftDown, 1.25*d.Idle)*PerRPM)
	return up, down
}

// choose chooses the forward gear where the driver does not.
func (l *System) choose(s *State, o *orders) {
	b := &s.Box
	if l.box.kind == single || l.box.kind != automatic && !o.AutoShift || o.Gear < 1 {
		b.Wanted, b.Dwell, b.Load = 0, 0, 0
		return
	}
	const forgets = 2.5 // [s]
	b.Load = max(o.Throttle, b.Load*(1-l.dt/forgets))
	switch {
	case b.Wanted == 0:
		b.Wanted = max(s.Gear, 1)
		b.Dwell = l.box.Dwell
	case b.Dwell < l.box.Dwell:
		b.Dwell += l.dt
	case s.Gear == b.Wanted && b.Time >= 0:
		l.reconsider(s, o)
	}
	o.Gear = b.Wanted
}

// reconsider changes the gear that is wanted by the car's speed, so that spinning or locked
// wheels do not.
//
// A change down must leave so much up to the next change up that none follows, and beyond
// the highest speed of a gear no lift of the foot and no bend keep it.
func (l *System) reconsider(s *State, o *orders) {
	b, g, d := &s.Box, &l.box, &l.p
	top, highest := int8(len(d.Gears)), d.ShiftUp*PerRPM
	wheel := o.Speed / g.radius
	up, gear := g.up.At(b.Load), b.Wanted
	switch {
	case o.Throttle == 0 || !l.calm(s, o, wheel):
		up = highest
	case s.Power.Cut: // the limiter keeps the mean below what it lets pass
		const limited = 0.93 // of the highest speed; after a change down there is more left
		up = min(up, limited*highest)
	}
	for gear < top && wheel*l.Ratio(gear) > up && wheel*l.Ratio(gear+1) > runs*l.engine.idle {
		gear++
	}
	if gear == b.Wanted && l.calm(s, o, wheel) {
		kick := o.Throttle >= g.Kickdown
		low, most := g.down.At(b.Load), min(0.85*g.up.At(b.Load), g.overRev)
		if kick {
			low, most = math.Inf(1), min(0.9*highest, g.overRev)
		}
		for gear > 1 && wheel*l.Ratio(gear) < low && wheel*l.Ratio(gear-1) < most {
			gear--
		}
	}
	if gear != b.Wanted {
		b.Wanted, b.Dwell = gear, 0
	}
}

// calm reports whether a change would disturb nobody: the driven wheels roll as fast as the
// car [rad/s], and the bend is mild enough.
func (l *System) calm(s *State, o *orders, wheel float64) bool {
	const share, least = 0.12, 3 // of the wheel's speed, and beside that [rad/s]
	if math.Abs(l.turning(s)-wheel) > share*math.Abs(wheel)+least {
		return false
	}
	return l.box.Lateral == 0 || math.Abs(o.Lateral) < l.box.Lateral
}
