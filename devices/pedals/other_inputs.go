package pedals

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"rig.example/rig/calib"
	"rig.example/rig/devices/analog"
	"rig.example/rig/devices/axis"
	"rig.example/rig/devices/levers"
)

// otherInputs are all pedals and levers besides the one set of pedals that Pedals finds: those on analog
// converters and on input nodes of their own.
//
// run keeps them open. overlay belongs to the loop thread: it never waits, locks or allocates. All other
// methods may be called from any goroutine.
type otherInputs struct {
	analog *analog.Sampler
	levers *levers.Set
}

// newOtherInputs returns pedals and levers that are absent until run finds them. cfg must be valid; tick
// is the time between two calls of overlay [s].
func newOtherInputs(cfg Config, store calib.Store, tick float64, log *slog.Logger) (*otherInputs, error) {
	a, err := analog.New(cfg.ADC, cfg.Shape, store, log)
	if err != nil {
		return nil, err
	}
	l, err := levers.New(cfg.Config, cfg.Shape, store, tick, log)
	if err != nil {
		return nil, err
	}
	return &otherInputs{a, l}, nil
}

// run opens all of them, and opens them again after an unplug, until ctx ends.
func (o *otherInputs) run(ctx context.Context) error {
	var all sync.WaitGroup
	var errs [2]error
	all.Go(func() { errs[0] = o.analog.Run(ctx) })
	all.Go(func() { errs[1] = o.levers.Run(ctx) })
	all.Wait()
	return errors.Join(errs[:]...)
}

// close frees the resources of run. It is called after run has ended.
func (o *otherInputs) close() error { return o.levers.Close() }

// overlay replaces those positions in out, which holds the set of pedals, that are on other nodes and on
// converters, and writes the state of the gear levers to shift.
//
// If a throttle or brake is lost, or its value too old, the throttle is cut and the car brakes gently, as
// when a set of pedals is unplugged. The driver can still brake harder. A lost clutch or handbrake is
// released, and a lost shifter is in neutral.
func (o *otherInputs) overlay(out *Sample, shift *levers.Sample, now time.Duration) {
	var r axis.Readings
	o.levers.Read(&r, shift, now)
	o.analog.Read(&r, now)
	merge(&r, out)
}

// hasNeededAxes reports whether all needed pedals are among r.
func hasNeededAxes(r *axis.Readings) bool { return r.Assigned&axis.Needed == axis.Needed }

// merge writes the axes of r to out. If one of the needed pedals is lost, it cuts the throttle and brakes.
func merge(r *axis.Readings, out *Sample) {
	for i, p := range [axis.Count]*float64{&out.Throttle, &out.Brake, &out.Clutch, &out.Handbrake} {
		if r.Assigned>>i&1 == 1 {
			*p = r.Position[i]
		}
	}
	lost := r.Assigned&axis.Needed&^r.Valid != 0
	if hasNeededAxes(r) {
		out.Present = !lost
	}
	if lost || !out.Present {
		out.Throttle, out.Brake = absent.Throttle, max(out.Brake, absent.Brake)
	}
}
