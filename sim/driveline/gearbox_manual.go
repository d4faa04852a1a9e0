package driveline

import "math"

// byHand moves a lever that a hand holds against a gear: with synchronizers, or with teeth
// that wait until they meet, or behind a motor that turns with them.
func (l *System) byHand(s *State, o *orders, out float64) {
	b := &s.Box
	if l.box.kind == single {
		o.Gear = min(o.Gear, 1)
	}
	if s.Gear == o.Gear {
		b.rest()
		return
	}
	if s.Gear != 0 {
		if !l.loose(s, o) {
			return
		}
		s.Gear = 0
		b.begin(s, o.Gear)
	}
	switch {
	case o.Gear == 0:
		b.rest()
		return
	case b.Next != o.Gear:
		b.begin(s, o.Gear)
	}
	b.Time = max(b.Time, 0) + l.dt
	l.mesh(s, o, out)
}

// loose reports whether the gear engaged lets go: its teeth carry little, or the clutch does,
// or there is a motor, which gives way.
func (l *System) loose(s *State, o *orders) bool {
	return l.Electric() || math.Abs(l.carries(s)) < l.box.free || l.holds(s, o) < l.box.free
}

// mesh tries to engage the gear in o. A synchronizer brings the input shaft to its speed
// when the clutch gives way; teeth alone only rub.
func (l *System) mesh(s *State, o *orders, out float64) {
	b, g := &s.Box, &l.box
	if backward(o.Gear, out) {
		b.Grind = 1
		return
	}
	lack := l.Ratio(o.Gear)*out - b.Shaft
	inert, torque, window, wins := l.input, g.Grinding, g.window, false
	switch {
	case l.Electric():
		o.Cut, wins = 1, true
		inert, torque, window = inert+l.crank, g.Synchro, meets
	case g.kind != dog:
		window = meets
		if wins = l.holds(s, o) < g.Synchro/2; wins {
			torque = g.Synchro
		}
	}
	if b.Time >= g.Lever && math.Abs(lack) < window {
		b.engage(s, l.p.Clutch.Close)
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
func (l *System) climb(s *State, o *orders, out float64) {
	b := &s.Box
	switch {
	case b.Next != 0 && b.Time > 0: // half way
		o.Gear = b.Next
	case o.Gear > s.Gear:
		o.Gear = s.Gear + 1
	case o.Gear < s.Gear:
		o.Gear = s.Gear - 1
	}
	if lower := s.Gear > o.Gear && o.Gear > 0; lower && l.Ratio(o.Gear)*out > l.box.overRev {
		o.Gear = s.Gear
	}
	l.matched(s, o, out)
}

// matched changes gear with the clutch closed: the engine's torque is taken away until the
// teeth come apart, and the engine brings the input shaft to where the next ones meet.
func (l *System) matched(s *State, o *orders, out float64) {
	b, g := &s.Box, &l.box
	if s.Gear == o.Gear || backward(o.Gear, out) {
		o.Gear = s.Gear
		b.rest()
		return
	}
	if b.Next != o.Gear || b.Time <= 0 {
		from := s.Gear
		if b.Time > 0 {
			from = b.From
		}
		b.Next, b.From, b.Time = o.Gear, from, 0
	}
	b.Time += l.dt
	limit := g.Cut
	if b.From > b.Next && b.Next > 0 {
		limit = g.Blip
	}
	if s.Gear != 0 {
		o.Cut = 1
		if !l.loose(s, o) && b.Time < limit/2 {
			return
		}
		s.Gear = 0
	}
	if o.Gear == 0 {
		b.Time = 0
		b.rest()
		return
	}
	target := l.Ratio(o.Gear) * out
	lack := target - b.Shaft
	l.match(s, o, target)
	o.rub = rubbing{most: g.Grinding, inert: l.input}
	if math.Abs(lack) < g.window || b.Time >= limit {
		b.engage(s, max(limit-b.Time, l.dt))
	}
}
