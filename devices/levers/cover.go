package levers

import (
	"time"

	"rig.example/rig/calib"
	"rig.example/rig/internal/axis"
	"rig.example/rig/internal/plausible"
)

// Cover writes pedals and levers on nodes of their own to c, and what gear
// levers do to levers. One whose node is away is released. now only grows.
func (l *Set) Cover(c *axis.Coverage, levers *Sample, now time.Duration) {
	dt, _ := plausible.Since(l.polled, now)
	l.polled = now
	for _, s := range l.stations {
		if s.poll() {
			l.restart(s)
		}
	}
	*levers = l.gears()
	for i := range l.axes {
		l.axes[i].cover(c, dt)
	}
}

// restart forgets what was known of a node that came or went.
func (l *Set) restart(s *station) {
	if s == l.shifter {
		l.gates = hPattern{settle: l.settle}
		l.lever = sequential{contact{settle: l.settle}, contact{settle: l.settle}}
	}
	for i := range l.axes {
		if a := &l.axes[i]; a.at == s && s.now != nil {
			a.begin(s.now)
		}
	}
}

// gears returns what the shifter does.
func (l *Set) gears() Sample {
	g := Sample{Gate: l.isGate}
	if l.shifter == nil || l.shifter.now == nil {
		return g
	}
	in := l.shifter.now.input
	if !l.isGate {
		g.ShiftUp, g.ShiftDown = l.lever.step(in.Down(l.up), in.Down(l.down))
		return g
	}
	var pressed gate
	for _, s := range l.slots {
		if in.Down(s.code) {
			pressed |= s.bit
		}
	}
	g.Gear = l.gates.step(pressed, l.hold != noKey && in.Down(l.hold), l.holding)
	return g
}

// begin takes an axis as the node has it. A calibration goes before what the
// configuration says, and that before the device's own range.
func (a *input) begin(v *visit) {
	declared, _ := v.info.Axis(a.code)
	a.bound = [2]plausible.Axis{{Limits: axis.Limits}, {Limits: axis.Limits}}
	if a.cfg.Axis == both {
		a.both = a.cfg.combined(declared.Min, declared.Max, a.turn.Invert)
		a.shape[1].Reset()
	}
	ends := axis.Uncalibrated(declared.Min, declared.Max)
	if a.cfg.Rest != a.cfg.Press {
		ends = calib.Axis{Rest: a.cfg.Rest, Press: a.cfg.Press}
	}
	for _, m := range []*calib.Axis{v.profile.Throttle, v.profile.Brake, v.profile.Clutch, v.profile.Handbrake} {
		if m != nil && m.Code == declared.Name {
			ends = *m
		}
	}
	a.pedal = axis.Measured{Ends: a.turn.Orient(ends)}
	a.shape[0].Reset()
}

// combined returns the axis that is throttle and brake, between low and high.
func (e Extra) combined(low, high int32, invert bool) combined {
	c := combined{middle: (float64(low) + float64(high)) / 2, full: float64(high), dead: e.Dead}
	if e.Rest != e.Press {
		c.middle, c.full = float64(e.Rest), float64(e.Press)
	}
	if invert {
		c.full = 2*c.middle - c.full
	}
	return c
}

// cover writes the axis to c, no faster than a foot moves it; dt is the time since it was
// written last [s].
func (a *input) cover(c *axis.Coverage, dt float64) {
	v := a.at.now
	i := a.cfg.pedal()
	switch {
	case v == nil && i < 0:
		c.Add(axis.Throttle, 0, false)
		c.Add(axis.Brake, 0, false)
	case v == nil:
		c.Add(i, 0, false)
	case i < 0:
		gas, braking := a.both.split(v.input.Abs(a.code), v.input.Moved(a.code))
		c.Add(axis.Throttle, a.shape[0].Step(a.bound[0].Step(gas, dt)), true)
		c.Add(axis.Brake, a.shape[1].Step(a.bound[1].Step(braking, dt)), true)
	default:
		// Only rest proves which end is rest: no axis is believed that was never there.
		position := a.pedal.Value(v.input.Abs(a.code), false)
		c.Add(i, a.shape[0].Step(a.bound[0].Step(position, dt)), true)
	}
}
