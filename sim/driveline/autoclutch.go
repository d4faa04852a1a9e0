package driveline

import (
	"math"
)

// coupling is what joins engine and gearbox in a tick: a friction clutch, and beside it
// the torques that a fluid carries.
type coupling struct {
	hold     float64 // the most the friction clutch carries [N·m]
	impeller float64 // torque that the fluid takes from the engine [N·m]
	turbine  float64 // torque that it puts on the gearbox [N·m]
}

// couple finds how engine and gearbox are joined in this tick.
func (l *System) couple(k *coupling, s *State, o *orders) {
	switch {
	case l.Electric():
		k.hold = math.MaxFloat64
	case l.box.fluid:
		*k = l.fluid(s.Engine, s.Box.Shaft)
		k.hold = s.Box.Lock * l.p.Converter.LockUp
	default:
		k.hold = l.holds(s, o)
	}
}

// holds returns what the friction clutch carries at most [N·m]: by the pedal, and by who
// works it beside the driver.
func (l *System) holds(s *State, o *orders) float64 {
	d := &l.p
	closed := min(max((d.Clutch.Bite-o.Clutch)/d.Clutch.Width, 0), 1)
	closed *= closed * (3 - 2*closed)
	return d.ClutchMax * min(closed, 1-s.Box.Open)
}

// ownsClutch reports whether the car works its friction clutch.
func (l *System) ownsClutch(o *orders) bool {
	if l.Electric() || l.box.fluid {
		return false
	}
	switch l.box.kind {
	case synchro, dog:
		return o.AutoClutch || o.AutoShift
	}
	return true
}

// runs is how many times its idle speed an engine turns that a closed clutch cannot stall.
const runs = 1.15

// workClutch moves the automatic clutch towards where it belongs.
func (l *System) workClutch(s *State, o *orders, out float64) {
	b, k := &s.Box, &l.p.Clutch
	if !l.ownsClutch(o) {
		b.Open = 0
		return
	}
	by, opens := l.opens(s, o, out)-b.Open, l.dt/k.Open
	if s.Engine < 0.9*l.engine.idle {
		opens *= 5 // before the engine stalls
	}
	b.Open = min(max(b.Open+min(max(by, -l.dt/k.Close), opens), 0), 1)
}

// opens returns how far the automatic clutch should be open, and has the engine follow a
// change of gear.
func (l *System) opens(s *State, o *orders, out float64) float64 {
	target := l.Ratio(o.Gear) * out
	switch {
	case o.Off && s.Gear == o.Gear: // springs close it: parked in gear the car stays
		return 0
	case !s.Power.Running:
		return 1
	case s.Gear == o.Gear:
		return 1 - l.closes(s, o)
	case l.box.kind != synchro && l.box.kind != single: // the engine brings the shaft to its speed
		if s.Gear == 0 && target < runs*l.engine.idle {
			return 1
		}
		return 0
	case s.Gear != 0:
		o.Cut = 1
	default:
		l.match(s, o, target)
	}
	return 1
}

// closes returns which share of its capacity the clutch should carry in gear: what the
// engine can turn against while they slip, all once they turn as one, and little in
// overrun, so that locked wheels do not stall it.
func (l *System) closes(s *State, o *orders) float64 {
	d, e := &l.p, &l.engine
	if s.Gear == 0 {
		return 1
	}
	const same = 3 // [rad/s]
	engine, shaft := s.Engine, s.Box.Shaft
	const reserve, times = 40, 1.5 // [N·m], of the engine's drag
	overrun := min((reserve+times*(d.Friction+d.Drag*max(shaft, 0)))/d.ClutchMax, 1)
	turns := runs * e.idle
	switch {
	case math.Abs(engine-shaft) < same && shaft > turns && o.Throttle > 0:
		return 1
	case shaft > turns && (math.Abs(engine-shaft) < same || engine < shaft):
		return overrun
	}
	span := d.Launch*PerRPM - e.idle
	const begins, least = 0.1, 0.4 // to carry, and to carry all without throttle, as shares of the span
	bite := e.idle + span*(least+(1-least)*o.Throttle)
	over := max((engine-e.idle-begins*span)/(bite-e.idle-begins*span), 0)
	torque := over * over * e.full(bite)
	return min(max(torque, l.creeps(s, o))/d.ClutchMax, 1)
}

// creeps returns what the clutch carries of a car that stands [N·m]: nothing while it is
// braked, and as much as leaves the engine its speed.
func (l *System) creeps(s *State, o *orders) float64 {
	const rests = 10 // [N·m], a pedal's lag takes long to nothing
	if o.Braking > rests {
		return 0
	}
	const low, high = 0.85, 0.97 // shares of the idle speed
	share := (s.Engine/l.engine.idle - low) / (high - low)
	return l.p.Clutch.Creep * min(max(share, 0), 1)
}

// match has the engine follow a speed of the input shaft [rad/s]: it takes the torque away
// above, and opens the throttle below.
func (l *System) match(s *State, o *orders, speed float64) {
	lack := min(max(speed, l.engine.idle), l.box.overRev) - s.Engine
	if lack < 0 {
		o.Throttle, o.Cut = 0, 1
		return
	}
	const soon = 0.05 // [s]
	torque := l.p.Inertia*lack/soon + l.p.Friction + l.p.Drag*s.Engine
	o.Throttle = min(torque/max(l.engine.full(s.Engine), 1), 1)
}
