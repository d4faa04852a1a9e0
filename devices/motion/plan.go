package motion

import "rig.example/rig/devices/motion/wire"

// Plan is what a configuration comes to on its line, before any line is open.
type Plan struct {
	Axes       int       // actuators that the controller can name
	Rate       float64   // demands a second
	Share      float64   // of the line that demands and questions keep busy, 0..1
	NoFeedback bool      // the controller cannot tell where its actuators stand
	Start      wire.Legs // where they are taken to stand at first if it is blind, share of the stroke
}

// Named returns how many actuators the controller moves, what of the configuration says so,
// and whether some of them may be missing: a board that always has as many motors.
func (c Config) Named() (n int, key string, spare bool, err error) {
	spoken, err := newCodec(c)
	if err != nil {
		return 0, "", false, err
	}
	switch n = spoken.Axes(); {
	case c.Protocol == ProtocolThanos:
		return n, "thanos.actuators", false, nil
	case c.Protocol == ProtocolMotion4Sim:
		return n, "motion4sim.actuators", false, nil
	case c.Protocol == ProtocolSMC3:
		return n, "protocol", true, nil
	case c.Template.Actuators > 0:
		return n, "template.actuators", false, nil
	}
	return n, "template.output", false, nil
}

// Plan returns what c comes to, or why it cannot be.
func (c Config) Plan() (Plan, error) {
	if err := c.Validate(); err != nil {
		return Plan{}, err
	}
	spoken, err := newCodec(c)
	if err != nil {
		return Plan{}, err
	}
	line := newBudget(spoken, c.Baud)
	rate, err := line.rate(c.Rate)
	return Plan{spoken.Axes(), rate, line.share(rate), !spoken.ReportsPosition(), c.taken()}, err
}
