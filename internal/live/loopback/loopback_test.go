package loopback_test

import (
	"testing"

	"rig.example/rig/devices/motion"
	"rig.example/rig/internal/live/loopback"
)

// The demo's controller has the actuators of the geometry, or speaks what is configured.
func TestTheControllerHasTheActuators(t *testing.T) {
	for _, tt := range []struct {
		protocol string
		axes     int
		speaks   string
		has      int
	}{
		{"", 2, motion.ProtocolSMC3, 3}, {"", 3, motion.ProtocolSMC3, 3}, {"", 6, motion.ProtocolMotion4Sim, 6},
		{motion.ProtocolThanos, 4, motion.ProtocolThanos, 4}, {motion.ProtocolSMC3, 2, motion.ProtocolSMC3, 3},
	} {
		cfg := motion.DefaultConfig()
		cfg.Protocol = tt.protocol
		sim, err := loopback.Controller(&cfg, tt.axes)
		if err != nil || cfg.Protocol != tt.speaks || len(sim.Positions()) != tt.has {
			t.Errorf("%q with %d: %v, %q with %d", tt.protocol, tt.axes, err, cfg.Protocol, len(sim.Positions()))
		}
	}
}
