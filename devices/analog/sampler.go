// Package analog samples pedals and levers on analogue converters: load cells and
// potentiometers without USB, on ADS1115, ADS1015 and HX711 chips.
//
// In go the configuration of each axis and what was calibrated; out comes each axis' newest
// position with its age, or why there is none. A goroutine for each chip samples it and opens
// it again when it fails; the loop only looks at the newest value, and never waits. The package
// decides nothing about a lost pedal, and drives no line but a chip's clock.
package analog

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"rig.example/rig/calib"
	"rig.example/rig/internal/axis"
	"rig.example/rig/internal/evdev"
)

// Sampler is all axes on converters.
//
// Run samples them. Cover and Now never wait, lock or allocate. All methods may be called from
// anywhere.
type Sampler struct {
	log    *slog.Logger
	boards []*board
	axes   [axis.Count]*input // nil where a pedal is on no converter
	start  time.Time
	open   func([]ADC) (chip, error) // another one in tests
}

// Status describes one pedal on a converter to people.
type Status struct {
	Axis     string
	Chip     string        // such as "ads1115 at 0x48 on I2C bus 1, channel 0"
	Present  bool          // its value is used
	Raw      int32         // newest sample [counts]
	Age      time.Duration // of the newest value that could be used; 0 if there is none
	Delay    float64       // of its filters [s]
	Problem  string        // why it is not used, with the remedy
	Warnings []string
}

// board is one chip and all that the goroutine which samples it owns.
type board struct {
	name string
	adcs []ADC // settled
	axes []*input
}

// input is one pedal on a chip.
type input struct {
	adc    ADC // settled
	ends   calib.Axis
	shape  axis.Shape // belongs to the sampler
	health health     // likewise
	newest newest

	mu      sync.Mutex // between the sampler and Status
	raw     int32
	problem string
	stuck   bool
}

// New returns pedals that are absent until Run samples them. list and
// shapes must be valid. A chip with a profile in store is measured by it.
func New(list ADCs, shapes axis.Shapes, store calib.Store, log *slog.Logger) (*Sampler, error) {
	a := &Sampler{log: log, start: time.Now(), open: openChip}
	for _, adc := range list {
		adc = adc.settled()
		ends, err := measured(adc, store)
		if err != nil {
			return nil, err
		}
		cfg := shapes.All()[adc.pedal()]
		x := &input{adc: adc, ends: cfg.Orient(ends), shape: axis.NewShape(cfg, 1/adc.Rate), health: newHealth(adc), problem: "not sampled yet"}
		if err := x.usable(); err != nil {
			return nil, err
		}
		a.axes[adc.pedal()] = x
		b := a.board(adc.chipKey())
		b.adcs, b.axes = append(b.adcs, adc), append(b.axes, x)
	}
	return a, nil
}

// board returns the chip called name, a new one if there is none yet.
func (a *Sampler) board(name string) *board {
	i := slices.IndexFunc(a.boards, func(b *board) bool { return b.name == name })
	if i < 0 {
		a.boards = append(a.boards, &board{name: name})
		i = len(a.boards) - 1
	}
	return a.boards[i]
}

// usable refuses an axis that was never measured.
func (x *input) usable() error {
	if x.ends.Rest == x.ends.Press {
		return fmt.Errorf("pedals: adc %s: rest and press are both %d: %w; run `rig calibrate pedals`, or set rest_counts and press_counts", x.adc.Axis, x.ends.Rest, calib.ErrNoTravel)
	}
	return nil
}

// Run samples all chips, and opens those again that fail, until ctx ends.
func (a *Sampler) Run(ctx context.Context) error {
	var all sync.WaitGroup
	for _, b := range a.boards {
		all.Go(func() { a.serve(ctx, b) })
	}
	all.Wait()
	return nil
}

const (
	firstRetry = 100 * time.Millisecond
	lastRetry  = 5 * time.Second
)

// serve keeps one chip open. Each attempt that brought nothing doubles the wait.
func (a *Sampler) serve(ctx context.Context, b *board) {
	wait := firstRetry
	for ctx.Err() == nil {
		sampled, err := a.session(ctx, b)
		if ctx.Err() != nil {
			break
		}
		a.fail(b, err)
		if sampled {
			wait = firstRetry
		}
		evdev.Pause(ctx, wait)
		wait = min(2*wait, lastRetry)
	}
	for _, x := range b.axes {
		x.newest.clear()
	}
}

// session samples a chip until it fails or ctx ends.
func (a *Sampler) session(ctx context.Context, b *board) (sampled bool, err error) {
	c, err := a.open(b.adcs)
	if err != nil {
		return false, err
	}
	for _, x := range b.axes { // what was seen before may be another pedal's
		x.health = newHealth(x.adc)
		x.shape.Reset()
	}
	period := time.Duration(float64(time.Second) / b.adcs[0].Rate)
	errs := 0
	for next := time.Now(); ctx.Err() == nil; {
		if err = a.round(b, c); err == nil {
			errs, sampled = 0, true
		} else if errs++; errs >= badInARow {
			return sampled, errors.Join(err, c.close())
		}
		next = latest(next.Add(period), time.Now())
		time.Sleep(time.Until(next))
	}
	return sampled, c.close()
}

// round samples each axis of a chip once. An error ends it: what the others
// would say then may be another channel's.
func (a *Sampler) round(b *board, c chip) error {
	for i, x := range b.axes {
		s, err := c.pins[i].Read()
		if err != nil {
			return fmt.Errorf("%s: %w; check its wires and address", x.adc.Axis, err)
		}
		a.take(x, s.Raw)
	}
	return nil
}

// latest returns the later time: a sampler that is late does not catch up.
func latest(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// take is one sample's way to the loop.
func (a *Sampler) take(x *input, raw int32) {
	problem := ""
	switch x.health.judge(raw) {
	case good:
		x.newest.put(x.shape.Step(x.ends.Value(raw)), a.Now())
	case suspect:
		x.note(raw)
		return
	case broken:
		x.newest.clear()
		x.shape.Reset()
		problem = x.railProblem()
	}
	x.note(raw)
	a.tell(x, problem)
}

func (x *input) note(raw int32) {
	x.mu.Lock()
	x.raw, x.stuck = raw, x.health.stuck()
	x.mu.Unlock()
}

func (x *input) railProblem() string {
	return fmt.Sprintf("counts at or beyond %d or %d: a broken wire, a short or too much gain; check the cable, and supply_v and gain", x.health.low, x.health.high)
}

// tell notes what is wrong with an axis, and logs it when it changes.
func (a *Sampler) tell(x *input, problem string) {
	x.mu.Lock()
	was := x.problem
	x.problem = problem
	x.mu.Unlock()
	switch {
	case was == problem:
	case problem == "":
		a.log.Info("analogue pedal connected", "axis", x.adc.Axis, "chip", x.adc.chipKey())
	default:
		a.log.Warn("analogue pedal lost", "axis", x.adc.Axis, "chip", x.adc.chipKey(), "problem", problem)
	}
}

// Now returns the time since New, by which samples age.
func (a *Sampler) Now() time.Duration { return time.Since(a.start) }

// Cover writes the pedals that are on converters to c; now is from Now. One that is lost, or
// whose newest value is too old, is released.
func (a *Sampler) Cover(c *axis.Coverage, now time.Duration) {
	for i, x := range a.axes {
		if x == nil {
			continue
		}
		v, fresh := x.at(now)
		c.Add(i, v, fresh)
	}
}

// at returns the pedal's position, 0 unless it is fresh.
func (x *input) at(now time.Duration) (position float64, fresh bool) {
	v, age, ok := x.newest.get(now)
	if !ok || age.Seconds() > x.adc.Stale {
		return 0, false
	}
	return v, true
}

// fail tells of a chip that cannot be read.
func (a *Sampler) fail(b *board, err error) {
	for _, x := range b.axes {
		x.newest.clear()
		a.tell(x, fmt.Sprintf("%s: %v; check its wires and address", b.name, err))
	}
}

// Status describes every pedal on a converter as it is now.
func (a *Sampler) Status() []Status {
	var list []Status
	for _, x := range a.axes {
		if x != nil {
			list = append(list, x.status(a.Now()))
		}
	}
	return list
}

func (x *input) status(now time.Duration) Status {
	_, age, ok := x.newest.get(now)
	x.mu.Lock()
	defer x.mu.Unlock()
	s := Status{Axis: x.adc.Axis, Chip: x.adc.chipKey() + ", channel " + x.adc.Channel, Raw: x.raw, Age: age, Delay: x.shape.Delay(), Problem: x.problem}
	s.Present = ok && age.Seconds() <= x.adc.Stale
	if !s.Present && s.Problem == "" {
		s.Problem = fmt.Sprintf("the newest value is %v old; the bus is stuck or too slow for rate_hz", age)
	}
	if x.stuck {
		s.Warnings = []string{fmt.Sprintf("no change at all for %g s, not even noise: is the sensor connected?", x.adc.Stuck)}
	}
	return s
}
