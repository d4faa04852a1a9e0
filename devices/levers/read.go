package levers

import (
	"time"

	"rig.example/rig/calib"
	"rig.example/rig/devices/axis"
	"rig.example/rig/internal/kit/humanmotion"
)

// Read writes the positions of pedals and levers on nodes of their own to c, and the state of the gear
// levers to levers. An axis whose node is missing is written as released and not valid. now must never
// decrease.
func (l *Set) Read(c *axis.Readings, levers *Sample, now time.Duration) {
	dt, gap := humanmotion.TimeStep(l.readAt, now)
	l.readAt = now
	for _, s := range l.nodes {
		if s.update() {
			l.resetNode(s)
		}
	}
	*levers = l.shifterSample()
	restDt := dt
	if gap {
		restDt = 0 // where they stood meanwhile is not known
	}
	var doubts axis.Doubts
	for i := range l.axes {
		doubts |= l.axes[i].read(c, dt, restDt)
	}
	l.doubts.Store(uint32(doubts))
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
	a.rest = axis.Rest{}
	for _, i := range a.axes {
		a.rest.Axes |= 1 << i
	}
	a.limiter = [2]humanmotion.Axis{{Limits: axis.Limits}, {Limits: axis.Limits}}
	if a.extra.Axis == throttleBrake {
		a.combined = a.extra.combinedAxis(declared.Min, declared.Max, a.config.Invert)
		a.shape[1].Reset()
	}
	ends := axis.Uncalibrated(declared.Min, declared.Max)
	a.isKnown = a.extra.Rest != a.extra.Press || a.extra.Axis == throttleBrake // which rests in its middle
	if a.extra.Rest != a.extra.Press {
		ends = calib.Axis{Rest: a.extra.Rest, Press: a.extra.Press}
	}
	for _, m := range v.profile.Axes() {
		if m != nil && m.Code == declared.Name {
			ends, a.isKnown = *m, true
		}
	}
	a.ends = a.config.Orient(ends)
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

// read writes the position of the axis to c, with its speed limited to that of a foot. Until it was seen at rest it is as lost as
// that of a node that is missing; doubts says so. dt is the time since the last read [s], and restDt that for which the axis was
// followed.
func (a *leverAxis) read(c *axis.Readings, dt, restDt float64) (doubts axis.Doubts) {
	v := a.node.active
	if v == nil {
		for _, i := range a.axes {
			c.Set(i, 0, false)
		}
		return 0
	}
	return a.follow(c, v.input.Abs(a.code), v.input.AxisReported(a.code), dt, restDt)
}

// follow is read for an axis at raw [counts], which may have reported since its node was opened.
func (a *leverAxis) follow(c *axis.Readings, raw int32, reported bool, dt, restDt float64) (doubts axis.Doubts) {
	var position [2]float64
	if len(a.axes) == 2 {
		position[0], position[1] = a.combined.split(raw)
	} else {
		position[0] = a.ends.Value(raw)
	}
	var now [axis.Count]axis.Standing
	for _, i := range a.axes {
		now[i] = axis.StandingAt(max(position[0], position[1]), raw, reported, a.isKnown)
	}
	a.rest.Step(&now, restDt)
	for n, i := range a.axes {
		isSeen := a.rest.Seen>>i&1 == 1
		if !isSeen {
			position[n] = 0
		}
		c.Set(i, a.shape[n].Step(a.limiter[n].Step(position[n], dt)), isSeen)
	}
	return a.rest.Doubts()
}
