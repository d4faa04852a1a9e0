package driveline

import (
	"math"

	"rig.example/rig/sim/curve"
)

// shiftSpeeds returns the speeds of the input shaft at which automatic shifting changes up and down [rad/s],
// over the throttle 0..1.
func shiftSpeeds(d Params) (up, down curve.Line) {
	for _, at := range d.Gearbox.ShiftMap {
		up.Add(at.Throttle, at.Up*PerRPM)
		down.Add(at.Throttle, at.Down*PerRPM)
	}
	if len(d.Gearbox.ShiftMap) > 0 {
		return up, down
	}
	early := min(1.35*d.ShiftDownRPM, d.ShiftUpRPM)
	up.Add(0.1, early*PerRPM)
	up.Add(0.9, d.ShiftUpRPM*PerRPM)
	down.Add(0.1, max(0.6*d.ShiftDownRPM, 1.25*d.IdleRPM)*PerRPM)
	down.Add(0.9, max(d.ShiftDownRPM, 1.25*d.IdleRPM)*PerRPM)
	return up, down
}

// chooseGear sets o.Gear to the forward gear that automatic shifting chooses, if that is on.
func (l *System) chooseGear(s *State, o *orders) {
	b := &s.Gearbox
	if l.box.kind == single || l.box.kind != automatic && !o.AutoShift || o.Gear < 1 {
		b.WantedGear, b.Dwell, b.RecentThrottle = 0, 0, 0
		return
	}
	const fadeTime = 2.5 // [s]
	b.RecentThrottle = max(o.Throttle, b.RecentThrottle*(1-l.dt/fadeTime))
	switch {
	case b.WantedGear == 0:
		b.WantedGear = max(s.Gear, 1)
		b.Dwell = l.box.MinGearTime
	case b.Dwell < l.box.MinGearTime:
		b.Dwell += l.dt
	case s.Gear == b.WantedGear && b.ShiftTime >= 0:
		l.reviewGear(s, o)
	}
	o.Gear = b.WantedGear
}

// reviewGear updates the wanted gear. It uses the car's speed, not the speed of the wheels, which may spin or
// lock.
//
// After a downshift the speed must be so far below the upshift speed that no upshift follows. At the highest
// speed of a gear it always changes up, also with a released throttle and in a bend.
func (l *System) reviewGear(s *State, o *orders) {
	b, g, d := &s.Gearbox, &l.box, &l.p
	top, highest := int8(len(d.Gears)), d.ShiftUpRPM*PerRPM
	wheel := o.Speed / g.wheelRadius
	up, gear := g.upshiftSpeed.At(b.RecentThrottle), b.WantedGear
	switch {
	case o.Throttle == 0 || !l.mayShift(s, o, wheel):
		up = highest
	case s.Engine.LimiterCut: // the limiter keeps the mean speed below its own
		const limited = 0.93 // share of the highest speed; downshifts leave more distance
		up = min(up, limited*highest)
	}
	for gear < top && wheel*l.Ratio(gear) > up && wheel*l.Ratio(gear+1) > antiStallFactor*l.engine.idle {
		gear++
	}
	if gear == b.WantedGear && l.mayShift(s, o, wheel) {
		kickdown := o.Throttle >= g.KickdownThrottle
		downBelow, maxSpeed := g.downshiftSpeed.At(b.RecentThrottle), min(0.85*g.upshiftSpeed.At(b.RecentThrottle), g.overRev)
		if kickdown {
			downBelow, maxSpeed = math.Inf(1), min(0.9*highest, g.overRev)
		}
		for gear > 1 && wheel*l.Ratio(gear) < downBelow && wheel*l.Ratio(gear-1) < maxSpeed {
			gear--
		}
	}
	if gear != b.WantedGear {
		b.WantedGear, b.Dwell = gear, 0
	}
}

// mayShift reports whether the state of the car allows a change of gear: the driven wheels hardly slip, and
// the lateral acceleration is small enough. wheel is the speed of wheels that roll without slip [rad/s].
func (l *System) mayShift(s *State, o *orders, wheel float64) bool {
	const relative, absolute = 0.12, 3 // allowed difference, as a share of the speed and in addition to it [rad/s]
	if math.Abs(l.currentOutput(s)-wheel) > relative*math.Abs(wheel)+absolute {
		return false
	}
	return l.box.HoldGearAbove == 0 || math.Abs(o.Lateral) < l.box.HoldGearAbove
}
