package motion

import "rig.example/rig/devices/motion/wire"

// Plan is what a configuration results in on its line; it needs no open line.
type Plan struct {
	Axes       int       // actuators that the controller can address
	Rate       float64   // targets per second [Hz]
	LineShare  float64   // fraction of the line's capacity that targets and queries use, 0..1
	NoFeedback bool      // the controller reports no positions
	Start      wire.Legs // assumed positions at the start without feedback, fractions of the stroke
}

// Actuators returns how many actuators the controller moves, the configuration key that says
// so, and whether some of them may be unused, as on a board with a fixed number of motors.
func (c Config) Actuators() (n int, key string, unusedOK bool, err error) {
	codec, err := newCodec(c)
	if err != nil {
		return 0, "", false, err
	}
	switch n = codec.Axes(); {
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

// Plan returns what c results in, or every error of c.
func (c Config) Plan() (Plan, error) {
	if err := c.Validate(); err != nil {
		return Plan{}, err
	}
	codec, err := newCodec(c)
	if err != nil {
		return Plan{}, err
	}
	budget := newLineBudget(codec, c.Baud)
	rate, err := budget.rate(c.Rate)
	return Plan{codec.Axes(), rate, budget.load(rate), !codec.ReportsPosition(), c.startPositions()}, err
}
