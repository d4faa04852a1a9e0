package pedals

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"rig.example/rig/calib"
	"rig.example/rig/devices/analog"
	"rig.example/rig/devices/levers"
	"rig.example/rig/internal/axis"
)

// Others are all pedals and levers besides the one set of pedals that Pedals finds.
//
// Run keeps them open. Overlay belongs to the loop thread: it never waits,
// locks or allocates. All other methods may be called from anywhere.
type Others struct {
	Analog *analog.Sampler
	Levers *levers.Set
}

// OthersConfig says which there are.
type OthersConfig struct {
	Shape axis.Shapes `toml:"shape"`
	ADC   analog.ADCs `toml:"adc"`
	levers.Config
}

// DefaultOthers is none.
func DefaultOthers() OthersConfig {
	return OthersConfig{Config: levers.Config{Shifter: levers.DefaultShifter()}}
}

// Validate reports every key that cannot be used.
func (c OthersConfig) Validate() error {
	err := errors.Join(c.Shape.Validate(), c.ADC.Validate(), c.Config.Validate())
	for i, e := range c.Extra {
		for _, name := range e.Names() {
			for _, a := range c.ADC {
				if a.Axis == name {
					err = errors.Join(err, fmt.Errorf("pedals: extra %d: axis: %s is on a converter too; keep one", i+1, name))
				}
			}
		}
	}
	return err
}

// Owns tells whether both throttle and brake are among the others, so that no
// further pedals are needed.
func (c OthersConfig) Owns() bool {
	var m axis.Coverage
	for _, a := range c.ADC {
		m.Mark(axis.Index(a.Axis))
	}
	for _, e := range c.Extra {
		for _, name := range e.Names() {
			m.Mark(axis.Index(name))
		}
	}
	return alone(&m)
}

// NewOthers returns pedals and levers that are absent until Run finds them.
// cfg must be valid; tick is the time between two Overlays [s].
func NewOthers(cfg OthersConfig, store calib.Store, tick float64, log *slog.Logger) (*Others, error) {
	a, err := analog.New(cfg.ADC, cfg.Shape, store, log)
	if err != nil {
		return nil, err
	}
	l, err := levers.New(cfg.Config, cfg.Shape, store, tick, log)
	if err != nil {
		return nil, err
	}
	return &Others{a, l}, nil
}

// Run keeps all open until ctx ends.
func (o *Others) Run(ctx context.Context) error {
	var all sync.WaitGroup
	var errs [2]error
	all.Go(func() { errs[0] = o.Analog.Run(ctx) })
	all.Go(func() { errs[1] = o.Levers.Run(ctx) })
	all.Wait()
	return errors.Join(errs[:]...)
}

// Close frees what Run needs. Call it after Run has ended.
func (o *Others) Close() error { return o.Levers.Close() }

// Overlay writes what is on other nodes and on converters over out, which says
// what the pedals do, and what gear levers do to shift.
//
// A throttle or brake that is lost, or too old, cuts the throttle and brakes
// gently, as pedals do that vanish: without a brake nobody should accelerate.
// The driver may still brake harder. A lost clutch or handbrake is released, a
// lost shifter is in neutral.
func (o *Others) Overlay(out *Sample, shift *levers.Sample) {
	o.overlay(out, shift, o.Analog.Now())
}

func (o *Others) overlay(out *Sample, shift *levers.Sample, now time.Duration) {
	var c axis.Coverage
	o.Levers.Cover(&c, shift, now)
	o.Analog.Cover(&c, now)
	settle(&c, out)
}

// needed are the pedals that nobody drives without.
const needed = 1<<axis.Throttle | 1<<axis.Brake

// alone tells whether the needed pedals are all others.
func alone(c *axis.Coverage) bool { return c.Owned&needed == needed }

// settle writes what c covers over out, and decides what counts in the end.
func settle(c *axis.Coverage, out *Sample) {
	for i, p := range [axis.Count]*float64{&out.Throttle, &out.Brake, &out.Clutch, &out.Handbrake} {
		if c.Owned>>i&1 == 1 {
			*p = c.Position[i]
		}
	}
	lost := c.Owned&needed&^c.Fresh != 0
	if alone(c) {
		out.Present = !lost
	}
	if lost || !out.Present {
		out.Throttle, out.Brake = absent.Throttle, max(out.Brake, absent.Brake)
	}
}
