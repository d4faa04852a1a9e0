package motion

import (
	"testing"

	"github.com/pelletier/go-toml/v2"

	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/motion4sim"
	"rig.example/rig/devices/motion/simulated"
	"rig.example/rig/devices/motion/smc3"
	"rig.example/rig/devices/motion/template"
	"rig.example/rig/devices/motion/thanos"
)

// protocol is a protocol of motion controllers, with a simulated board for it.
type protocol struct {
	name    string
	baud    int    // bit rate of the board [bit/s]
	locates bool   // the board reports the positions of its actuators
	preset  string // name of one of rig's platform presets, "" for none
	set     func(cfg *motion.Config)
	board   func(cfg motion.Config) (simulated.Controller, error)
}

// protocols lists all protocols.
var protocols = []protocol{
	{name: "smc3", baud: 115_200, locates: true,
		set: func(cfg *motion.Config) { cfg.Protocol = motion.ProtocolSMC3 },
		board: func(motion.Config) (simulated.Controller, error) {
			return smc3.NewSimulator(smc3.DefaultSimulatorConfig()), nil
		}},
	{name: "eh-msc", baud: 115_200, preset: "eh-msc", board: templateBoard},
	{name: "knaufinator", baud: 115_200, preset: "knaufinator", board: templateBoard},
	{name: "thanos", baud: 115_200,
		set: func(cfg *motion.Config) { cfg.Protocol = motion.ProtocolThanos },
		board: func(motion.Config) (simulated.Controller, error) {
			return thanos.NewSimulator(thanos.DefaultSimulatorConfig()), nil
		}},
	{name: "motion4sim", baud: 115_200,
		set: func(cfg *motion.Config) { cfg.Protocol = motion.ProtocolMotion4Sim },
		board: func(motion.Config) (simulated.Controller, error) {
			return motion4sim.NewSimulator(motion4sim.DefaultSimulatorConfig()), nil
		}},
}

func templateBoard(cfg motion.Config) (simulated.Controller, error) {
	return template.NewSimulator(cfg.Template)
}

// park is the park position in these tests. It differs from the center, so that a test can distinguish the two.
const park = 0.35

// config returns the configuration for a controller with this protocol, without its port.
func (p protocol) config(t *testing.T) motion.Config {
	t.Helper()
	cfg := motion.DefaultConfig()
	if p.preset != "" {
		text, err := motion.Preset(p.preset)
		if err == nil {
			err = toml.Unmarshal(text, &cfg)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if p.set != nil {
		p.set(&cfg)
	}
	cfg.Baud, cfg.Rate, cfg.BootWait = p.baud, 0, 0.3
	cfg.HomeSpeed, cfg.ParkSpeed = 0.3, 0.3
	cfg.Template.Reference = false // the simulated board knows its positions without referencing
	for i := range cfg.ParkPosition {
		cfg.ParkPosition[i] = park
		cfg.StartPosition[i] = 0.5 // position of these boards after their start
	}
	return cfg
}

// connect creates a board for this protocol and connects it to a line.
func (p protocol) connect(t *testing.T, open opener) (*board, line, motion.Config) {
	t.Helper()
	cfg := p.config(t)
	sim, err := p.board(cfg)
	if err != nil {
		t.Fatal(err)
	}
	b := &board{Controller: sim}
	way := open(t, b, p.baud)
	cfg.Port = way.path()
	return b, way, cfg
}
