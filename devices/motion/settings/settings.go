// Package settings reads and writes what motion controllers keep by themselves, for rig motion
// config: gains, limits, filters.
//
// In go where a controller is and values by name, out come the Parameters that the
// controller tells. Everything is checked before anything is written, and read back after.
// No platform may run on the line meanwhile. Which bytes a parameter is stands in the folder
// of its protocol.
package settings

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"rig.example/rig/devices/motion/motion4sim"
	"rig.example/rig/devices/motion/port"
	"rig.example/rig/devices/motion/smc3"
	"rig.example/rig/devices/motion/thanos"
	"rig.example/rig/devices/motion/wire"
)

// ErrNone tells that a controller keeps no settings that rig could read
// or write.
var ErrNone = errors.New("this protocol knows no parameters; use the program that came with the controller")

// Controller says where a controller is and what it speaks, as a valid [motion] does.
type Controller struct {
	Protocol string
	Port     string  // serial device
	Baud     int     // bits a second
	BootWait float64 // for which it may be deaf after its port was opened [s]
}

// dialer opens the line to a controller, as port.Open does.
type dialer = func() (io.ReadWriteCloser, error)

// parameters reads and writes the parameters of one kind of controller.
type parameters interface {
	Table() []wire.Parameter // all there can be, without values
	Read(ctx context.Context, t *wire.Talk) ([]wire.Parameter, error)
	Write(t *wire.Talk, p wire.Parameter, all []wire.Parameter) error // p, whose neighbours are in all
	Save(t *wire.Talk) error                                          // what was written into its permanent memory
}

// parametersOf returns the parameters of a protocol.
func parametersOf(protocol string) (parameters, error) {
	switch protocol {
	case smc3.Protocol:
		return smc3.NewSettings(), nil
	case thanos.Protocol:
		return thanos.NewSettings(), nil
	case motion4sim.Protocol:
		return motion4sim.Settings{}, nil
	}
	return nil, fmt.Errorf("motion: protocol %q: %w", protocol, ErrNone)
}

// Read opens the line to a controller, waits until the controller has
// booted, and reads its parameters. No platform may run meanwhile.
//
// A nil log is silent.
func Read(ctx context.Context, at Controller, log *slog.Logger) ([]wire.Parameter, error) {
	return read(ctx, portOf(at), at, log)
}

func read(ctx context.Context, dial dialer, at Controller, log *slog.Logger) ([]wire.Parameter, error) {
	s, err := parametersOf(at.Protocol)
	if err != nil {
		return nil, err
	}
	var all []wire.Parameter
	err = converse(ctx, dial, at, log, func(t *wire.Talk, _ *slog.Logger) error {
		all, err = s.Read(ctx, t)
		return err
	})
	return all, err
}

// Write sets the parameters named in set, each read back, and saves
// them permanently if save is true. Nothing is written if one of them is
// unknown, cannot be written or is out of its range.
//
// The motors have power meanwhile: a controller may answer new gains with a
// movement. A nil log is silent.
func Write(ctx context.Context, at Controller, set map[string]float64, save bool, log *slog.Logger) error {
	return write(ctx, portOf(at), at, set, save, log)
}

func write(ctx context.Context, dial dialer, at Controller, set map[string]float64, save bool, log *slog.Logger) error {
	s, err := parametersOf(at.Protocol)
	if err != nil {
		return err
	}
	names := slices.Sorted(maps.Keys(set))
	if err := checkSet(s.Table(), names, set); err != nil {
		return err
	}
	return converse(ctx, dial, at, log, func(t *wire.Talk, log *slog.Logger) error {
		if err := change(ctx, t, log, s, names, set); err != nil || !save {
			return err
		}
		log.Info("platform controller saves its parameters")
		return s.Save(t)
	})
}

// checkSet reports everything that must not be written.
func checkSet(table []wire.Parameter, names []string, set map[string]float64) error {
	var errs []error
	for _, name := range names {
		i := find(table, name)
		if i < 0 {
			errs = append(errs, fmt.Errorf("motion: parameter %q is unknown; list them with: rig motion config", name))
			continue
		}
		if table[i].ReadOnly() {
			errs = append(errs, fmt.Errorf("motion: parameter %s can only be read", name))
			continue
		}
		errs = append(errs, wire.InRange("parameter "+name, set[name], table[i].Low, table[i].High))
	}
	return errors.Join(errs...)
}

func find(all []wire.Parameter, name string) int {
	return slices.IndexFunc(all, func(p wire.Parameter) bool { return p.Name == name })
}

// change writes parameters and reads them back.
func change(ctx context.Context, t *wire.Talk, log *slog.Logger, s parameters, names []string, set map[string]float64) error {
	all, err := s.Read(ctx, t)
	if err != nil {
		return err
	}
	was := slices.Clone(all)
	for _, name := range names {
		i := find(all, name)
		if i < 0 {
			return fmt.Errorf("motion: this controller does not tell parameter %s; nothing was written to it", name)
		}
		all[i].Value = set[name]
	}
	if err := checkOrder(all); err != nil {
		return err
	}
	for _, name := range names {
		i := find(all, name)
		if err := s.Write(t, all[i], all); err != nil {
			return err
		}
		log.Info("platform parameter", "name", name, "value", set[name], "was", was[i].Value)
	}
	now, err := s.Read(ctx, t)
	if err != nil {
		return err
	}
	return checkTaken(now, names, set)
}

// checkOrder reports limits that would be on the wrong side of each other, for
// each motor.
func checkOrder(all []wire.Parameter) error {
	var errs []error
	for _, p := range all {
		for _, pair := range [...][2]string{{"cutoff_", "clip_"}, {"pwm_min_", "pwm_max_"}} {
			motor, ok := strings.CutPrefix(p.Name, pair[0])
			if i := find(all, pair[1]+motor); ok && i >= 0 && p.Value > all[i].Value {
				errs = append(errs, fmt.Errorf("motion: parameter %s: %s is more than %s, which is %s; set both",
					p.Name, wire.Plain(p.Value), all[i].Name, wire.Plain(all[i].Value)))
			}
		}
	}
	return errors.Join(errs...)
}

// checkTaken reports what the controller did not take.
func checkTaken(now []wire.Parameter, names []string, set map[string]float64) error {
	var errs []error
	for _, name := range names {
		i := find(now, name)
		if i < 0 || math.Abs(now[i].Value-set[name]) > 0.5*resolution(now[i]) {
			errs = append(errs, fmt.Errorf("motion: parameter %s: controller did not take %s; check the line and try again",
				name, wire.Plain(set[name])))
		}
	}
	return errors.Join(errs...)
}

// resolution is the step in which a controller keeps a parameter: hundredths
// of a gain, else whole numbers.
func resolution(p wire.Parameter) float64 {
	if p.Unit == wire.UnitGain {
		return 0.01
	}
	return 1
}

// portOf returns what opens the port of a controller.
func portOf(at Controller) dialer {
	return func() (io.ReadWriteCloser, error) { return port.Open(at.Port, at.Baud) }
}

// converse opens the line, waits until the controller has booted and calls do.
func converse(ctx context.Context, dial dialer, at Controller, log *slog.Logger, do func(*wire.Talk, *slog.Logger) error) error {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	l, err := dial()
	if err != nil {
		return err
	}
	defer l.Close()
	t := &wire.Talk{Line: l}
	if err := t.Hear(ctx, time.Duration(at.BootWait*float64(time.Second)), func(byte) bool { return false }); err != nil && !errors.Is(err, wire.ErrSilent) {
		return err
	}
	return do(t, log)
}
