package levers

import (
	"time"

	"rig.example/rig/calib"
	"rig.example/rig/internal/axis"
	"rig.example/rig/internal/plausible"
)

// Read writes the positions of pedals and levers on nodes of their own to c, and the state of the gear
// levers to levers. An axis whose node is missing is written as released and not valid. now must never
// decrease.
func (l *Set) Read(c *axis.Readings, levers *Sample, now time.Duration) {
	dt, _ := plausible.TimeStep(l.readAt, now)
	l.readAt = now
	for _, s := range l.nodes {
		if s.update() {
			l.resetNode(s)
		}
	}
	*levers = l.shifterSample()
	for i := range l.axes {
		l.axes[i].read(c, dt)
	}
}

// resetNode resets the shifter and the axes of a node that was plugged in or unplugged.
func (l *Set) resetNode(s *node) {
	if s == l.shifter {
		l.hPattern = hPattern{debounceTicks: l.debounceTicks}
		l.sequential = sequential{debouncedButton{debounceTicks: l.debounceTicks}, debouncedButton{debounceTicks: l.debounceTicks}}
	}
	for i := range l.axes {
		if a := &l.axes[i]; a.node == s && s.active != nil {
			a.reset(s.active)
		}
	}
}

// shifterSample returns the state of the shifter.
func (l *Set) shifterSample() Sample {
	g := Sample{HPattern: l.hasHPattern}
	if l.shifter == nil || l.shifter.active == nil {
		return g
	}
	in := l.shifter.active.input
	if !l.hasHPattern {
		g.ShiftUp, g.ShiftDown = l.sequential.step(in.Down(l.up), in.Down(l.down))
		return g
	}
	var pressed slotSet
	for _, s := range l.slots {
		if in.Down(s.code) {
			pressed |= s.bit
		}
	}
	g.Gear = l.hPattern.step(pressed, l.reverseHold != noButton && in.Down(l.reverseHold), l.reverseSlots)
	return g
}

// reset prepares the axis for a new session of its node. Its ends are those of the calibration, or else
// those of the configuration, or else the range that the device declares.
func (a *leverAxis) reset(v *session) {
	declared, _ := v.info.Axis(a.code)
	a.limiter = [2]plausible.Axis{{Limits: axis.Limits}, {Limits: axis.Limits}}
	if a.extra.Axis == throttleBrake {
		a.combined = a.extra.combinedAxis(declared.Min, declared.Max, a.config.Invert)
		a.shape[1].Reset()
	}
	ends := axis.Uncalibrated(declared.Min, declared.Max)
	if a.extra.Rest != a.extra.Press {
		ends = calib.Axis{Rest: a.extra.Rest, Press: a.extra.Press}
	}
	for _, m := range v.profile.Axes() {
		if m != nil && m.Code == declared.Name {
			ends = *m
		}
	}
	a.pedal = axis.MeasuredAxis{Ends: a.config.Orient(ends)}
	a.shape[0].Reset()
}

// combinedAxis returns the combined axis of throttle and brake, with its declared range low..high [counts].
func (e ExtraAxis) combinedAxis(low, high int32, invert bool) combinedAxis {
	c := combinedAxis{middle: (float64(low) + float64(high)) / 2, full: float64(high), deadMiddle: e.Dead}
	if e.Rest != e.Press {
		c.middle, c.full = float64(e.Rest), float64(e.Press)
	}
	if invert {
		c.full = 2*c.middle - c.full
	}
	return c
}

// read writes the position of the axis to c, with its speed limited to that of a foot. dt is the time since
// the last read [s].
func (a *leverAxis) read(c *axis.Readings, dt float64) {
	v := a.node.active
	i := a.extra.pedal()
	switch {
	case v == nil && i < 0:
		c.Set(axis.Throttle, 0, false)
		c.Set(axis.Brake, 0, false)
	case v == nil:
		c.Set(i, 0, false)
	case i < 0:
		throttle, brake := a.combined.split(v.input.Abs(a.code), v.input.AxisReported(a.code))
		c.Set(axis.Throttle, a.shape[0].Step(a.limiter[0].Step(throttle, dt)), true)
		c.Set(axis.Brake, a.shape[1].Step(a.limiter[1].Step(brake, dt)), true)
	default:
		// An axis is trusted only once it was at rest: the false makes Value ignore reports.
		position := a.pedal.Value(v.input.Abs(a.code), false)
		c.Set(i, a.shape[0].Step(a.limiter[0].Step(position, dt)), true)
	}
}
