package sim

import (
	"math"

	"rig.example/rig/sim/tire"
)

// coupling is what joins engine and gearbox in a tick: a friction clutch, and beside it
// the torques that a fluid carries.
type coupling struct {
	hold     float64 // the most the friction clutch carries [N·m]
	impeller float64 // torque that the fluid takes from the engine [N·m]
	turbine  float64 // torque that it puts on the gearbox [N·m]
}

// couple finds how engine and gearbox are joined in this tick.
func (c *Car) couple(k *coupling, s *State, o *orders) {
	switch {
	case c.electric():
		k.hold = math.MaxFloat64
	case c.box.fluid:
		*k = c.fluid(s.Driveline.Engine, s.Driveline.Box.Shaft)
		k.hold = s.Driveline.Box.Lock * c.p.Driveline.Converter.LockUp
	default:
		k.hold = c.holds(s, o)
	}
}

// holds returns what the friction clutch carries at most [N·m]: by the pedal, and by who
// works it beside the driver.
func (c *Car) holds(s *State, o *orders) float64 {
	d := &c.p.Driveline
	closed := min(max((d.Clutch.Bite-o.clutch)/d.Clutch.Width, 0), 1)
	closed *= closed * (3 - 2*closed)
	return d.ClutchMax * min(closed, 1-s.Driveline.Box.Open)
}

// ownsClutch tells whether the car works its friction clutch.
func (c *Car) ownsClutch(o *orders) bool {
	if c.electric() || c.box.fluid {
		return false
	}
	switch c.box.kind {
	case synchro, dog:
		return o.autoClutch || o.autoShift
	}
	return true
}

// runs is how many times its idle speed an engine turns that a closed clutch cannot stall.
const runs = 1.15

// workClutch moves the automatic clutch towards where it belongs.
func (c *Car) workClutch(s *State, o *orders, out float64) {
	b, k := &s.Driveline.Box, &c.p.Driveline.Clutch
	if !c.ownsClutch(o) {
		b.Open = 0
		return
	}
	by, opens := c.opens(s, o, out)-b.Open, c.dt/k.Open
	if s.Driveline.Engine < 0.9*c.engine.idle {
		opens *= 5 // before the engine stalls
	}
	b.Open = min(max(b.Open+min(max(by, -c.dt/k.Close), opens), 0), 1)
}

// opens returns how far the automatic clutch should be open, and has the engine follow a
// change of gear.
func (c *Car) opens(s *State, o *orders, out float64) float64 {
	target := c.ratio(o.gear) * out
	switch {
	case o.off && s.Driveline.Gear == o.gear: // springs close it: parked in gear the car stays
		return 0
	case !s.Driveline.Power.Running:
		return 1
	case s.Driveline.Gear == o.gear:
		return 1 - c.closes(s, o)
	case c.box.kind != synchro && c.box.kind != single: // the engine brings the shaft to its speed
		if s.Driveline.Gear == 0 && target < runs*c.engine.idle {
			return 1
		}
		return 0
	case s.Driveline.Gear != 0:
		o.cut = 1
	default:
		c.match(s, o, target)
	}
	return 1
}

// closes returns which share of its capacity the clutch should carry in gear: what the
// engine can turn against while they slip, all once they turn as one, and little in
// overrun, so that locked wheels do not stall it.
func (c *Car) closes(s *State, o *orders) float64 {
	d, e := &c.p.Driveline, &c.engine
	if s.Driveline.Gear == 0 {
		return 1
	}
	const same = 3 // [rad/s]
	engine, shaft := s.Driveline.Engine, s.Driveline.Box.Shaft
	const reserve, times = 40, 1.5 // [N·m], of the engine's drag
	overrun := min((reserve+times*(d.Friction+d.Drag*max(shaft, 0)))/d.ClutchMax, 1)
	turns := runs * e.idle
	switch {
	case math.Abs(engine-shaft) < same && shaft > turns && o.throttle > 0:
		return 1
	case shaft > turns && (math.Abs(engine-shaft) < same || engine < shaft):
		return overrun
	}
	span := d.Launch*perRPM - e.idle
	const begins, least = 0.1, 0.4 // to carry, and to carry all without throttle, as shares of the span
	bite := e.idle + span*(least+(1-least)*o.throttle)
	over := max((engine-e.idle-begins*span)/(bite-e.idle-begins*span), 0)
	torque := over * over * e.full(bite)
	return min(max(torque, c.creeps(s))/d.ClutchMax, 1)
}

// creeps returns what the clutch carries of a car that stands [N·m]: nothing while it is
// braked, and as much as leaves the engine its speed.
func (c *Car) creeps(s *State) float64 {
	k := &s.Brakes.Wheels
	const rests = 10 // [N·m], a pedal's lag takes long to nothing
	if (k[tire.FL].Torque+k[tire.FR].Torque)+(k[tire.RL].Torque+k[tire.RR].Torque) > rests {
		return 0
	}
	const low, high = 0.85, 0.97 // shares of the idle speed
	share := (s.Driveline.Engine/c.engine.idle - low) / (high - low)
	return c.p.Driveline.Clutch.Creep * min(max(share, 0), 1)
}

// match has the engine follow a speed of the input shaft [rad/s]: it takes the torque away
// above, and opens the throttle below.
func (c *Car) match(s *State, o *orders, speed float64) {
	lack := min(max(speed, c.engine.idle), c.box.overRev) - s.Driveline.Engine
	if lack < 0 {
		o.throttle, o.cut = 0, 1
		return
	}
	const soon = 0.05 // [s]
	torque := c.p.Driveline.Inertia*lack/soon + c.p.Driveline.Friction + c.p.Driveline.Drag*s.Driveline.Engine
	o.throttle = min(torque/max(c.engine.full(s.Driveline.Engine), 1), 1)
}
