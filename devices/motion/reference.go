package motion

import (
	"fmt"
	"math"

	"rig.example/rig/devices/motion/motion4sim"
	"rig.example/rig/devices/motion/template"
	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/internal/kit/printable"
)

// TakesPose reports whether the controller moves degrees of freedom instead of actuators.
func (c Config) TakesPose() bool {
	switch c.Protocol {
	case ProtocolTemplate:
		return c.Template.Takes == template.TakesPose
	case ProtocolMotion4Sim:
		return c.Motion4Sim.Frames == motion4sim.Pose
	}
	return false
}

// takesStartReference reports whether the controller assumes to be at start_share at power-on.
func (c Config) takesStartReference() bool {
	return c.Protocol == ProtocolTemplate && c.Template.Reference
}

// validateReference refuses a park position other than the one that the controller assumes at
// its next power-on.
func (c Config) validateReference() error {
	if !c.takesStartReference() {
		return nil
	}
	codec, err := newCodec(c)
	if err != nil {
		return nil // validateLine reports it
	}
	start := c.startPositions()
	for i := range codec.Axes() {
		if c.ParkPosition[i] != start[i] {
			return fmt.Errorf("motion: park_share[%d]: %s, but the controller takes the place where it stands at power-on for start_share = %s; "+
				"set park_share to that, or drives begin at the wrong place", i, printable.Plain(c.ParkPosition[i]), printable.Plain(start[i]))
		}
	}
	return nil
}

// logAssumedStart logs where a platform without feedback is assumed to be, before it moves for
// the first time.
func (s *session) logAssumedStart() {
	if s.codec.ReportsPosition() || s.p.trajectory.state != Absent {
		return
	}
	at := s.p.cfg.startPositions()
	text := "the controller reports no positions; the actuators are assumed to be at start_share"
	if s.p.cfg.takesStartReference() {
		text = "the controller assumes that the actuators were at start_share at power-on; they must have been there"
	}
	s.p.log.Info(text, "start_percent", percents(at[:s.codec.Axes()]))
}

// percents returns fractions in percent, rounded to tenths.
func percents(fractions []float64) []float64 {
	var list []float64
	for _, v := range fractions {
		list = append(list, math.Round(1000*v)/10)
	}
	return list
}

// restartRemedy returns what happens next with a controller that restarted, for the log.
func (s *session) restartRemedy(now *Status) string {
	switch {
	case now.Faults&wire.FaultReference != 0:
		return "it assumes to be at start_share; move the actuators there by hand or by its power-on procedure, switch it off and on, then confirm"
	case s.codec.ReportsPosition():
		return "it is asked for its positions and homed"
	}
	return "it is assumed to be at start_share and homed"
}
