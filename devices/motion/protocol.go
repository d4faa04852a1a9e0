package motion

import (
	"fmt"

	"rig.example/rig/devices/motion/motion4sim"
	"rig.example/rig/devices/motion/smc3"
	"rig.example/rig/devices/motion/template"
	"rig.example/rig/devices/motion/thanos"
	"rig.example/rig/devices/motion/wire"
)

// The protocols that Config.Protocol can name.
const (
	ProtocolSMC3       = smc3.Protocol       // three motors with feedback
	ProtocolTemplate   = template.Protocol   // any controller that a table of strings describes
	ProtocolThanos     = thanos.Protocol     // AMC-AASD15A and AMC1280
	ProtocolMotion4Sim = motion4sim.Protocol // eight actuators, with status replies
)

// newCodec returns the codec for cfg.Protocol. For a new controller add a package with a
// wire.Codec and its simulated controller, a table in Config, and a case here and in Actuators.
func newCodec(cfg Config) (wire.Codec, error) {
	switch cfg.Protocol {
	case ProtocolSMC3:
		return smc3.New(cfg.SMC3), nil
	case ProtocolTemplate:
		return template.New(cfg.Template, cfg.startPositions(), cfg.ParkPosition)
	case ProtocolThanos:
		return thanos.New(cfg.Thanos)
	case ProtocolMotion4Sim:
		return motion4sim.New(cfg.Motion4Sim)
	}
	return nil, fmt.Errorf("motion: protocol: %q; %q for no platform, or one of %q", cfg.Protocol, "",
		[]string{ProtocolSMC3, ProtocolTemplate, ProtocolThanos, ProtocolMotion4Sim})
}
