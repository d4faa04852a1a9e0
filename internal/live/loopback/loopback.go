// Package loopback replaces the motion controller by a simulated one, for demos and tests. The simulated
// controller lives in a time of its own with its platform (Virtual), answers at once (AtOnce), or by the clock at the
// other end of a pseudo-terminal (OnPty). The configuration of the platform goes in, which the package
// changes to fit; the platform or a function that runs the simulated controller comes out. The package opens
// no device.
package loopback

import (
	"context"
	"io"
	"log/slog"
	"slices"
	"time"

	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/motion4sim"
	"rig.example/rig/devices/motion/port"
	"rig.example/rig/devices/motion/simulated"
	"rig.example/rig/devices/motion/smc3"
	"rig.example/rig/devices/motion/template"
	"rig.example/rig/devices/motion/thanos"
)

// OnPty replaces the controller in cfg by a simulated one on a pseudo-terminal. It has the configured protocol; if
// none is configured, OnPty chooses one that has at least axes actuators. The simulated controller answers while
// serve runs.
func OnPty(cfg *motion.Config, axes int) (serve func(context.Context) error, err error) {
	sim, err := Controller(cfg, axes)
	if err != nil {
		return nil, err
	}
	line, path, err := port.OpenPty()
	if err != nil {
		return nil, err
	}
	cfg.Port, cfg.BootWait, cfg.Simulated = path, min(cfg.BootWait, bootWait), true
	return func(ctx context.Context) error { return simulated.Serve(ctx, sim, line) }, nil
}

// Virtual returns the platform that cfg describes with a simulated controller, in virtual time. The controller has the
// configured protocol; if none is configured, Virtual chooses one that has at least axes actuators, and sets it in cfg.
func Virtual(cfg *motion.Config, axes int, log *slog.Logger) (*motion.Virtual, error) {
	sim, err := Controller(cfg, axes)
	if err != nil {
		return nil, err
	}
	cfg.Port, cfg.BootWait = "memory", min(cfg.BootWait, bootWait)
	return motion.NewVirtual(*cfg, sim, log)
}

// bootWait is how long a simulated controller is given to boot at most [s].
const bootWait = 0.2

// AtOnce replaces the controller in cfg by a simulated one that answers as soon as it was written to: no clock and no
// thread is between. dial opens its line.
func AtOnce(cfg *motion.Config, axes int) (dial func() (io.ReadWriteCloser, error), err error) {
	sim, err := Controller(cfg, axes)
	if err != nil {
		return nil, err
	}
	cfg.Port, cfg.BootWait = "memory", 0
	return func() (io.ReadWriteCloser, error) { return &answering{sim: sim}, nil }, nil
}

// answering is a line to a simulated controller.
type answering struct {
	sim     simulated.Controller
	answers []byte // that were not read yet
}

func (l *answering) Write(p []byte) (int, error) {
	l.answers = append(l.answers, l.sim.Handle(p)...)
	return len(p), nil
}

func (l *answering) Read(p []byte) (int, error) {
	n := copy(p, l.answers)
	if n == 0 {
		time.Sleep(time.Millisecond) // as a line waits
	}
	l.answers = l.answers[n:]
	return n, nil
}

func (*answering) Close() error { return nil }

// Controller returns a simulated controller of the configured protocol. If no protocol is configured, it sets
// one in cfg that has at least axes actuators.
func Controller(cfg *motion.Config, axes int) (simulated.Controller, error) {
	const smc3Motors = 3
	if cfg.Protocol == "" {
		cfg.Protocol = motion.ProtocolSMC3
		if axes > smc3Motors {
			cfg.Protocol, cfg.Motion4Sim.Actuators = motion.ProtocolMotion4Sim, axes
		}
	}
	// start positions of the actuators [fraction of the stroke]: parked, near the low end
	low := slices.Repeat([]float64{0.02}, max(axes, 1))
	switch cfg.Protocol {
	case motion.ProtocolTemplate:
		return template.NewSimulator(cfg.Template)
	case motion.ProtocolThanos:
		sim := thanos.DefaultSimulatorConfig()
		sim.Start = low
		return thanos.NewSimulator(sim), nil
	case motion.ProtocolMotion4Sim:
		sim := motion4sim.DefaultSimulatorConfig()
		sim.Codec, sim.Start = cfg.Motion4Sim, low
		// If the platform does not switch the controller online, it is online from the start.
		sim.OnlineSwitch = !cfg.Motion4Sim.GoOnline
		return motion4sim.NewSimulator(sim), nil
	}
	return smc3.NewSimulator(smc3.DefaultSimulatorConfig()), nil
}
