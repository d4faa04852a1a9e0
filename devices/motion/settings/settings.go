// Package settings reads and writes the parameters that motion controllers store themselves
// (gains, limits, filters), for rig motion config.
//
// In go the controller's port and values by name, out come the Parameters that the controller
// reports. All values are checked before any is written, and read back afterwards. No platform
// may run on the line at the same time. The bytes are made in the protocols' packages.
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
	"rig.example/rig/internal/kit/printable"
)

// ErrNoParameters is returned for a controller that has no parameters that rig can read or write.
var ErrNoParameters = errors.New("this protocol has no parameters that rig can read; use the program that came with the controller")

// Controller describes the controller and its port, as a valid [motion] configuration does.
type Controller struct {
	Protocol string
	Port     string  // serial device
	Baud     int     // bits per second
	BootWait float64 // time that the controller may need to boot after its port was opened [s]

	Dial func() (io.ReadWriteCloser, error) // opens the line in place of Port; nil for Port
}

// dialer opens the line to a controller, as port.Open does.
type dialer = func() (io.ReadWriteCloser, error)

// parameterAccess reads and writes the parameters of one kind of controller.
type parameterAccess interface {
	Table() []wire.Parameter // returns every parameter of the protocol, without values
	Read(ctx context.Context, t *wire.Exchange) ([]wire.Parameter, error)
	Write(t *wire.Exchange, p wire.Parameter, all []wire.Parameter) error // writes p; all has every parameter with its value, because one command may write several
	Save(t *wire.Exchange) error                                          // makes the controller store all parameters permanently
}

// parameterAccessOf returns what reads and writes the parameters of a protocol's controllers, or an
// error that wraps ErrNoParameters.
func parameterAccessOf(protocol string) (parameterAccess, error) {
	switch protocol {
	case smc3.Protocol:
		return smc3.NewSettings(), nil
	case thanos.Protocol:
		return thanos.NewSettings(), nil
	case motion4sim.Protocol:
		return motion4sim.Settings{}, nil
	}
	return nil, fmt.Errorf("motion: protocol %q: %w", protocol, ErrNoParameters)
}

// Read opens the line to a controller, waits until the controller has booted, and reads its
// parameters. No platform may run at the same time. If log is nil, nothing is logged.
func Read(ctx context.Context, at Controller, log *slog.Logger) ([]wire.Parameter, error) {
	return readFrom(ctx, dialerOf(at), at, log)
}

func readFrom(ctx context.Context, dial dialer, at Controller, log *slog.Logger) ([]wire.Parameter, error) {
	s, err := parameterAccessOf(at.Protocol)
	if err != nil {
		return nil, err
	}
	var all []wire.Parameter
	err = withController(ctx, dial, at, log, func(t *wire.Exchange, _ *slog.Logger) error {
		all, err = s.Read(ctx, t)
		return err
	})
	return all, err
}

// Write sets the parameters named in set, reads them back, and saves them permanently if save is
// true. Nothing is written if one of them is unknown, read-only or out of its range.
//
// The motors have power: a controller may react to new gains with a movement. If log is nil,
// nothing is logged.
func Write(ctx context.Context, at Controller, set map[string]float64, save bool, log *slog.Logger) error {
	return writeTo(ctx, dialerOf(at), at, set, save, log)
}

func writeTo(ctx context.Context, dial dialer, at Controller, set map[string]float64, save bool, log *slog.Logger) error {
	s, err := parameterAccessOf(at.Protocol)
	if err != nil {
		return err
	}
	names := slices.Sorted(maps.Keys(set))
	if err := checkRequested(s.Table(), names, set); err != nil {
		return err
	}
	return withController(ctx, dial, at, log, func(t *wire.Exchange, log *slog.Logger) error {
		if err := writeAndVerify(ctx, t, log, s, names, set); err != nil || !save {
			return err
		}
		log.Info("platform controller saves its parameters")
		return s.Save(t)
	})
}

// checkRequested returns an error for every parameter that must not be written.
func checkRequested(table []wire.Parameter, names []string, values map[string]float64) error {
	var errs []error
	for _, name := range names {
		i := findParameter(table, name)
		if i < 0 {
			errs = append(errs, fmt.Errorf("motion: parameter %q not found; list them with: rig motion config", name))
			continue
		}
		if table[i].ReadOnly() {
			errs = append(errs, fmt.Errorf("motion: parameter %s can only be read", name))
			continue
		}
		errs = append(errs, wire.InRange("parameter "+name, values[name], table[i].Low, table[i].High))
	}
	return errors.Join(errs...)
}

// findParameter returns the index of the parameter with a name, -1 if there is none.
func findParameter(all []wire.Parameter, name string) int {
	return slices.IndexFunc(all, func(p wire.Parameter) bool { return p.Name == name })
}

// writeAndVerify writes the parameters in names and returns an error if the controller reports
// other values afterwards.
func writeAndVerify(ctx context.Context, t *wire.Exchange, log *slog.Logger, s parameterAccess, names []string, set map[string]float64) error {
	all, err := s.Read(ctx, t)
	if err != nil {
		return err
	}
	was := slices.Clone(all)
	for _, name := range names {
		i := findParameter(all, name)
		if i < 0 {
			return fmt.Errorf("motion: this controller does not report parameter %s; nothing was written to it", name)
		}
		all[i].Value = set[name]
	}
	if err := checkLimitPairs(all); err != nil {
		return err
	}
	for _, name := range names {
		i := findParameter(all, name)
		if err := s.Write(t, all[i], all); err != nil {
			return err
		}
		log.Info(fmt.Sprintf("platform parameter %s: %g, was %g", name, set[name], was[i].Value))
	}
	now, err := s.Read(ctx, t)
	if err != nil {
		return err
	}
	return checkAccepted(now, names, set)
}

// checkLimitPairs reports lower limits that are above their upper limits, for each motor.
func checkLimitPairs(all []wire.Parameter) error {
	var errs []error
	for _, p := range all {
		for _, pair := range [...][2]string{{"cutoff_", "clip_"}, {"pwm_min_", "pwm_max_"}} {
			motor, ok := strings.CutPrefix(p.Name, pair[0])
			if i := findParameter(all, pair[1]+motor); ok && i >= 0 && p.Value > all[i].Value {
				errs = append(errs, fmt.Errorf("motion: parameter %s: %s is more than %s, which is %s; set both",
					p.Name, printable.Plain(p.Value), all[i].Name, printable.Plain(all[i].Value)))
			}
		}
	}
	return errors.Join(errs...)
}

// checkAccepted returns an error for every parameter that the controller did not accept.
func checkAccepted(now []wire.Parameter, names []string, set map[string]float64) error {
	var errs []error
	for _, name := range names {
		i := findParameter(now, name)
		if i < 0 || math.Abs(now[i].Value-set[name]) > 0.5*resolution(now[i]) {
			errs = append(errs, fmt.Errorf("motion: parameter %s: controller did not accept %s; check the line and try again",
				name, printable.Plain(set[name])))
		}
	}
	return errors.Join(errs...)
}

// resolution returns the smallest difference that a controller stores of a parameter: hundredths
// for a gain, else whole numbers.
func resolution(p wire.Parameter) float64 {
	if p.Unit == wire.UnitGain {
		return 0.01
	}
	return 1
}

// dialerOf returns the dialer for a controller's line.
func dialerOf(at Controller) dialer {
	if at.Dial != nil {
		return at.Dial
	}
	return func() (io.ReadWriteCloser, error) { return port.Open(at.Port, at.Baud) }
}

// withController opens the line, waits until the controller has booted and calls do.
func withController(ctx context.Context, dial dialer, at Controller, log *slog.Logger, do func(*wire.Exchange, *slog.Logger) error) error {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	l, err := dial()
	if err != nil {
		return err
	}
	defer l.Close()
	t := &wire.Exchange{Line: l}
	if err := t.Receive(ctx, time.Duration(at.BootWait*float64(time.Second)), func(byte) bool { return false }); err != nil && !errors.Is(err, wire.ErrSilent) {
		return err
	}
	return do(t, log)
}
