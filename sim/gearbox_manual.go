package sim

import "math"

// byHand moves a lever that a hand holds against a gear: with synchronizers, or with teeth
// that wait until they meet, or behind a motor that turns with them.
func (c *Car) byHand(s *State, o *orders, out float64) {
	b := &s.Driveline.Box
	if c.box.kind == single {
		o.gear = min(o.gear, 1)
	}
	if s.Driveline.Gear == o.gear {
		b.rest()
		return
	}
	if s.Driveline.Gear != 0 {
		if !c.loose(s, o) {
			return
		}
		s.Driveline.Gear = 0
		b.begin(s, o.gear)
	}
	switch {
	case o.gear == 0:
		b.rest()
		return
	case b.Next != o.gear:
		b.begin(s, o.gear)
	}
	b.Time = max(b.Time, 0) + c.dt
	c.mesh(s, o, out)
}

// loose tells whether the gear engaged lets go: its teeth carry little, or the clutch does,
// or there is a motor, which gives way.
func (c *Car) loose(s *State, o *orders) bool {
	return c.electric() || math.Abs(c.carries(s)) < c.box.free || c.holds(s, o) < c.box.free
}

// mesh tries to engage the gear in o. A synchronizer brings the input shaft to its speed
// when the clutch gives way; teeth alone only rub.
func (c *Car) mesh(s *State, o *orders, out float64) {
	b, g := &s.Driveline.Box, &c.box
	if backward(o.gear, out) {
		b.Grind = 1
		return
	}
	lack := c.ratio(o.gear)*out - b.Shaft
	inert, torque, window, wins := c.line.input, g.Grinding, g.window, false
	switch {
	case c.electric():
		o.cut, wins = 1, true
		inert, torque, window = inert+c.line.crank, g.Synchro, meets
	case g.kind != dog:
		window = meets
		if wins = c.holds(s, o) < g.Synchro/2; wins {
			torque = g.Synchro
		}
	}
	if b.Time >= g.Lever && math.Abs(lack) < window {
		b.engage(s, c.p.Driveline.Clutch.Close)
		return
	}
	o.rub = rubbing{most: torque, inert: inert}
	if !wins {
		const loud = 50 // [rad/s]
		b.Grind = min(math.Abs(lack)/loud, 1)
	}
}

// meets is the difference of speed at the input shaft at which a synchronizer lets a
// gear in [rad/s].
const meets = 0.5

// climb is a sequential lever: it goes to the next gear and no further at a time.
func (c *Car) climb(s *State, o *orders, out float64) {
	b := &s.Driveline.Box
	switch {
	case b.Next != 0 && b.Time > 0: // half way
		o.gear = b.Next
	case o.gear > s.Driveline.Gear:
		o.gear = s.Driveline.Gear + 1
	case o.gear < s.Driveline.Gear:
		o.gear = s.Driveline.Gear - 1
	}
	if lower := s.Driveline.Gear > o.gear && o.gear > 0; lower && c.ratio(o.gear)*out > c.box.overRev {
		o.gear = s.Driveline.Gear
	}
	c.matched(s, o, out)
}

// matched changes gear with the clutch closed: the engine's torque is taken away until the
// teeth come apart, and the engine brings the input shaft to where the next ones meet.
func (c *Car) matched(s *State, o *orders, out float64) {
	b, g := &s.Driveline.Box, &c.box
	if s.Driveline.Gear == o.gear || backward(o.gear, out) {
		o.gear = s.Driveline.Gear
		b.rest()
		return
	}
	if b.Next != o.gear || b.Time <= 0 {
		from := s.Driveline.Gear
		if b.Time > 0 {
			from = b.From
		}
		b.Next, b.From, b.Time = o.gear, from, 0
	}
	b.Time += c.dt
	limit := g.Cut
	if b.From > b.Next && b.Next > 0 {
		limit = g.Blip
	}
	if s.Driveline.Gear != 0 {
		o.cut = 1
		if !c.loose(s, o) && b.Time < limit/2 {
			return
		}
		s.Driveline.Gear = 0
	}
	if o.gear == 0 {
		b.Time = 0
		b.rest()
		return
	}
	target := c.ratio(o.gear) * out
	lack := target - b.Shaft
	c.match(s, o, target)
	o.rub = rubbing{most: g.Grinding, inert: c.line.input}
	if math.Abs(lack) < g.window || b.Time >= limit {
		b.engage(s, max(limit-b.Time, c.dt))
	}
}
