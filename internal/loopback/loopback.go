// Package loopback puts a simulated motion controller in the place of a real one, for demos and
// tests: at the far end of a pseudo-terminal, or of a line in memory. In goes the configuration of
// the platform, which it changes to that line; out comes what answers on it. It opens no device.
package loopback

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
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

// OnPty puts a simulated controller of so many actuators at least in the place of the configured
// one, or of none, at the far end of a pseudo-terminal. It answers while serve runs.
func OnPty(cfg *motion.Config, axes int) (serve func(context.Context) error, err error) {
	sim, err := Controller(cfg, axes)
	if err != nil {
		return nil, err
	}
	line, path, err := port.OpenPty()
	if err != nil {
		return nil, err
	}
	cfg.Port, cfg.BootWait = path, min(cfg.BootWait, 0.2)
	return func(ctx context.Context) error { return simulated.Serve(ctx, sim, line) }, nil
}

// InMemory puts a simulated controller of so many actuators at least in the place of the configured
// one. dial opens the line to it for a platform. It answers while serve runs.
func InMemory(cfg *motion.Config, axes int) (dial func() (io.ReadWriteCloser, error), serve func(context.Context) error, err error) {
	sim, err := Controller(cfg, axes)
	if err != nil {
		return nil, nil, err
	}
	dial, serve = Connect(cfg, sim)
	return dial, serve, nil
}

// Connect puts a simulated controller at the other end of a line in memory, in the place of the
// configured line. No kernel is between the two, so that both keep the time of the program they
// are in. It answers while serve runs.
func Connect(cfg *motion.Config, sim simulated.Controller) (dial func() (io.ReadWriteCloser, error), serve func(context.Context) error) {
	near, far := net.Pipe()
	cfg.Port, cfg.BootWait = "memory", min(cfg.BootWait, 0.2)
	dial = func() (io.ReadWriteCloser, error) { return memoryLine{near}, nil }
	return dial, func(ctx context.Context) error { return simulated.Serve(ctx, sim, far) }
}

// memoryLine is a line whose Read gives up after a while, as that of a serial port does.
type memoryLine struct{ net.Conn }

func (l memoryLine) Read(p []byte) (int, error) {
	if err := l.SetReadDeadline(time.Now().Add(20 * time.Millisecond)); err != nil {
		return 0, err
	}
	n, err := l.Conn.Read(p)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		err = nil
	}
	return n, err
}

// Close leaves the line for the next who opens it: only the far end unplugs it.
func (memoryLine) Close() error { return nil }

// Controller returns a simulated controller in place of the configured one: it speaks the same
// protocol, or where none is configured, one that has as many actuators as the geometry.
func Controller(cfg *motion.Config, axes int) (simulated.Controller, error) {
	const most = 3 // of the SMC3
	if cfg.Protocol == "" {
		cfg.Protocol = motion.ProtocolSMC3
		if axes > most {
			cfg.Protocol, cfg.Motion4Sim.Actuators = motion.ProtocolMotion4Sim, axes
		}
	}
	low := slices.Repeat([]float64{0.02}, max(axes, 1)) // as they are left
	switch cfg.Protocol {
	case motion.ProtocolTemplate:
		return template.NewSimulator(cfg.Template)
	case motion.ProtocolThanos:
		sim := thanos.DefaultSimulatorConfig()
		sim.Start = low
		return thanos.NewSimulator(sim), nil
	case motion.ProtocolMotion4Sim:
		sim := motion4sim.DefaultSimulatorConfig()
		sim.Language, sim.Start = cfg.Motion4Sim, low
		sim.Switched = !cfg.Motion4Sim.GoOnline // by hand, or nobody would
		return motion4sim.NewSimulator(sim), nil
	}
	return smc3.NewSimulator(smc3.DefaultSimulatorConfig()), nil
}
