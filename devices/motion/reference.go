package motion

import (
	"fmt"
	"math"

	"rig.example/rig/devices/motion/motion4sim"
	"rig.example/rig/devices/motion/template"
	"rig.example/rig/devices/motion/wire"
)

// TakesPose reports that what the controller moves are degrees of freedom instead of
// actuators.
func (c Config) TakesPose() bool {
	switch c.Protocol {
	case ProtocolTemplate:
		return c.Template.Takes == template.TakesPose
	case ProtocolMotion4Sim:
		return c.Motion4Sim.Frames == motion4sim.Pose
	}
	return false
}

// referenced reports that the controller takes the place where it stands at power-on
// for start_share.
func (c Config) referenced() bool {
	return c.Protocol == ProtocolTemplate && c.Template.Reference
}

// validateReference refuses to park a controller elsewhere than where it believes to be
// at the next power-on.
func (c Config) validateReference() error {
	if !c.referenced() {
		return nil
	}
	spoken, err := newCodec(c)
	if err != nil {
		return nil // validateLine tells
	}
	at := c.taken()
	for i := range spoken.Axes() {
		if c.Park[i] != at[i] {
			return fmt.Errorf("motion: park_share[%d]: %s, but the controller takes the place where it stands at power-on for start_share = %s; "+
				"set park_share to that, or drives begin at the wrong place", i, wire.Plain(c.Park[i]), wire.Plain(at[i]))
		}
	}
	return nil
}

// place puts the path where the platform was found. A controller that took another place
// for start_share must not be moved: it does not know the ends of its stroke any more.
func (m *stateMachine) place(at *wire.Legs) {
	lost := m.cfg.referenced() && m.trajectory.state != Absent && !m.stillAtTarget() && !m.trajectory.still(*at)
	m.trajectory.start(*at, m.wish.locked)
	if lost {
		m.trajectory.state, m.trajectory.cause = Fault, m.trajectory.cause|wire.FaultReference
	}
}

// announce tells where a platform that cannot tell is taken to stand, before it moves for
// the first time.
func (s *session) announce() {
	if s.codec.ReportsPosition() || s.p.trajectory.state != Absent {
		return
	}
	at := s.p.cfg.taken()
	text := "where the actuators stand cannot be asked; they are taken to stand at start_share"
	if s.p.cfg.referenced() {
		text = "the controller takes the place where the actuators stood at power-on for start_share: they must have been there"
	}
	s.p.log.Info(text, "percent", percents(at[:s.codec.Axes()]))
}

// percents are shares in percent, in tenths.
func percents(shares []float64) []float64 {
	var list []float64
	for _, v := range shares {
		list = append(list, math.Round(1000*v)/10)
	}
	return list
}

// afterRestart tells what becomes of a controller that restarted.
func (s *session) afterRestart(now *Status) string {
	switch {
	case now.Faults&wire.FaultReference != 0:
		return "it took the place where it stood for start_share; bring the actuators there by hand or by its power-on procedure, switch it off and on, then confirm"
	case s.codec.ReportsPosition():
		return "it is asked where it stands and homed"
	}
	return "it is taken to stand at start_share and homed"
}
