// Package analog samples pedals and levers on analog converters: load cells and potentiometers without
// USB, on ADS1115, ADS1015 and HX711 chips.
//
// The configuration of each axis and its calibration go in; the newest position of each axis comes out,
// with its age, or the reason why there is none. A goroutine for each chip samples it, and opens it again
// when it fails; the loop only reads the newest values and never waits. The package does not decide what a
// lost pedal means for the car, and drives no line except a chip's clock.
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
	"rig.example/rig/devices/axis"
	"rig.example/rig/internal/kit/evdev"
	"rig.example/rig/internal/kit/lifecycle"
)

// Sampler samples all axes on converters.
//
// Run samples them. Read and Now never wait, lock or allocate. All methods may be called from any
// goroutine.
type Sampler struct {
	log      *slog.Logger
	chips    []*chipSampler
	channels [axis.Count]*channel // nil for a pedal that is not on a converter
	start    time.Time
	open     func([]ADC) (chip, error) // openChip, or a fake in tests
	root     string                    // stands for /, "" except in tests
}

// Status describes one pedal on a converter to people.
type Status struct {
	Axis     string
	Chip     string        // such as "ads1115 at 0x48 on I2C bus 1, channel 0"
	Present  bool          // its value is used
	Raw      int32         // newest sample [counts]
	Age      time.Duration // of the newest valid value; 0 if there is none
	Delay    float64       // delay of its filters [s]
	Problem  string        // why it is not used, with the remedy
	Warnings []string
}

// chipSampler is one chip with its axes, which belong to the goroutine that samples it.
type chipSampler struct {
	name     string
	adcs     []ADC // with their defaults filled in
	channels []*channel
	adapter  evdev.ReturningUSB // of its bus
}

// channel is one pedal on a chip.
type channel struct {
	adc    ADC // with its defaults filled in
	ends   calib.Axis
	newest newest

	// These belong to the sampling goroutine.
	rest      axis.Rest
	sampledAt time.Duration // of the newest sample, since the Sampler's start
	shape     axis.Shape
	signal    signalCheck

	mu      sync.Mutex // guards the fields that Status reads
	raw     int32
	problem string
	stuck   bool
}

// New returns pedals that are absent until Run samples them. list and shapes must be valid. A profile in
// store overrides the rest and press counts of list.
func New(list ADCs, shapes axis.Shapes, store calib.Store, log *slog.Logger) (*Sampler, error) {
	a := &Sampler{log: log, start: time.Now(), open: openChip}
	for _, adc := range list {
		adc = adc.withDefaults()
		ends, err := calibratedEnds(adc, store)
		if err != nil {
			return nil, err
		}
		cfg := shapes.All()[adc.axisIndex()]
		x := &channel{adc: adc, ends: cfg.Orient(ends), rest: axis.Rest{Axes: 1 << adc.axisIndex()}, shape: axis.NewShape(cfg, 1/adc.Rate), signal: newSignalCheck(adc), problem: "not sampled yet"}
		if err := x.validateEnds(); err != nil {
			return nil, err
		}
		a.channels[adc.axisIndex()] = x
		b := a.chipFor(adc.chipKey())
		b.adcs, b.channels = append(b.adcs, adc), append(b.channels, x)
	}
	return a, nil
}

// chipFor returns the chip with a name, and adds it if there is none yet.
func (a *Sampler) chipFor(name string) *chipSampler {
	i := slices.IndexFunc(a.chips, func(b *chipSampler) bool { return b.name == name })
	if i < 0 {
		a.chips = append(a.chips, &chipSampler{name: name})
		i = len(a.chips) - 1
	}
	return a.chips[i]
}

// validateEnds returns an error for an axis whose ends were never measured.
func (x *channel) validateEnds() error {
	if x.ends.Rest == x.ends.Press {
		return fmt.Errorf("pedals: adc %s: rest and press are both %d: %w; run `rig calibrate pedals`, or set rest_counts and press_counts", x.adc.Axis, x.ends.Rest, calib.ErrNoTravel)
	}
	return nil
}

// Run samples all chips, and opens a chip again that fails, until ctx ends.
func (a *Sampler) Run(ctx context.Context) error {
	var all sync.WaitGroup
	for _, b := range a.chips {
		all.Go(func() { a.keepSampling(ctx, b) })
	}
	all.Wait()
	return nil
}

const (
	firstRetry = 100 * time.Millisecond
	maxRetry   = 5 * time.Second
)

// keepSampling samples one chip, and opens it again when it fails, until ctx ends.
func (a *Sampler) keepSampling(ctx context.Context, b *chipSampler) {
	if ctx.Err() != nil {
		return
	}
	_ = lifecycle.Retry(ctx, lifecycle.Backoff{First: firstRetry, Longest: maxRetry},
		func(ctx context.Context) (sampled bool, err error) { return a.sampleChip(ctx, b) },
		func(err error, _ bool) { a.chipFailed(b, err) })
	for _, x := range b.channels {
		x.newest.clear()
	}
}

// sampleChip samples a chip until it fails or ctx ends.
func (a *Sampler) sampleChip(ctx context.Context, b *chipSampler) (sampled bool, err error) {
	folder := a.adapterOf(b.adcs[0])
	if err := b.adapter.Check("pedals", b.name, folder); err != nil {
		return false, err
	}
	c, err := a.open(b.adcs)
	if err != nil {
		return false, err
	}
	b.adapter.Use(folder)
	for _, x := range b.channels { // earlier samples may be from another chip
		x.signal = newSignalCheck(x.adc)
		x.rest.Restart()
		x.sampledAt = a.Now()
		x.shape.Reset()
	}
	period := time.Duration(float64(time.Second) / b.adcs[0].Rate)
	errs := 0
	for next := time.Now(); ctx.Err() == nil; {
		if err = a.sampleOnce(b, c); err == nil {
			errs, sampled = 0, true
		} else if errs++; errs >= maxBadSamples {
			return sampled, errors.Join(err, c.close())
		}
		next = later(next.Add(period), time.Now())
		time.Sleep(time.Until(next))
	}
	return sampled, c.close()
}

// sampleOnce samples each axis of a chip once. It stops at an error, because later samples may be those
// of a wrong channel then.
func (a *Sampler) sampleOnce(b *chipSampler, c chip) error {
	for i, x := range b.channels {
		s, err := c.pins[i].Read()
		if err != nil {
			return fmt.Errorf("%s: %w; check its wires and address", x.adc.Axis, err)
		}
		a.handleSample(x, s.Raw)
	}
	return nil
}

// later returns the later of two times. A late sampler uses it to skip samples instead of catching up.
func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// handleSample checks one sample [counts] and passes its position to the loop.
func (a *Sampler) handleSample(x *channel, raw int32) {
	problem := ""
	switch x.signal.check(raw) {
	case good:
		position := x.ends.Value(raw)
		if at := axis.StandingAt(position, raw, true, true); !x.isSeen(at, a.Now()) {
			x.setRaw(raw)
			if at != axis.AtRest {
				a.setProblem(x, x.rest.Doubts().Texts()[0])
			}
			return
		}
		x.newest.put(x.shape.Step(position), a.Now())
	case suspect:
		x.setRaw(raw)
		return
	case broken:
		x.newest.clear()
		x.shape.Reset()
		problem = x.railProblem()
	}
	x.setRaw(raw)
	a.setProblem(x, problem)
}

// isSeen takes where the pedal stands in the next sample, at now, and reports whether it was seen at rest since its chip was opened. Until
// then it is lost.
func (x *channel) isSeen(at axis.Standing, now time.Duration) bool {
	const longest = 250 * time.Millisecond // between two samples, of the slowest chip
	var standing [axis.Count]axis.Standing
	standing[x.adc.axisIndex()] = at
	x.rest.Step(&standing, min(now-x.sampledAt, longest).Seconds())
	x.sampledAt = now
	return x.rest.Seen != 0
}

func (x *channel) setRaw(raw int32) {
	x.mu.Lock()
	x.raw, x.stuck = raw, x.signal.isStuck()
	x.mu.Unlock()
}

func (x *channel) railProblem() string {
	return fmt.Sprintf("counts at or beyond %d or %d: a broken wire, a short or too much gain; check the cable, and supply_v and gain", x.signal.low, x.signal.high)
}

// setProblem stores why an axis is not used, "" if it is, and logs a change.
func (a *Sampler) setProblem(x *channel, problem string) {
	x.mu.Lock()
	was := x.problem
	x.problem = problem
	x.mu.Unlock()
	switch {
	case was == problem:
	case problem == "":
		a.log.Info("analog pedal connected", "device", x.adc.Axis+" on "+x.adc.chipKey())
	default:
		a.log.Warn("analog pedal lost", "device", x.adc.Axis+" on "+x.adc.chipKey(), "cause", problem)
	}
}

// Now returns the time since New, on the clock of the samples.
func (a *Sampler) Now() time.Duration { return time.Since(a.start) }

// Read writes the positions of the pedals on converters to c. now is the result of Now. A pedal that is
// lost, or whose newest value is too old, is written as released and not valid.
func (a *Sampler) Read(c *axis.Readings, now time.Duration) {
	for i, x := range a.channels {
		if x == nil {
			continue
		}
		v, fresh := x.position(now)
		c.Set(i, v, fresh)
	}
}

// position returns the newest position of the pedal, or 0 if that is too old.
func (x *channel) position(now time.Duration) (position float64, fresh bool) {
	v, age, ok := x.newest.get(now)
	if !ok || age.Seconds() > x.adc.StaleAfter {
		return 0, false
	}
	return v, true
}

// chipFailed removes the positions of the axes on a chip that cannot be read, and reports why.
func (a *Sampler) chipFailed(b *chipSampler, err error) {
	for _, x := range b.channels {
		x.newest.clear()
		a.setProblem(x, fmt.Sprintf("%s: %v; check its wires and address", b.name, err))
	}
}

// Status describes every pedal on a converter as it is now.
func (a *Sampler) Status() []Status {
	var list []Status
	for _, x := range a.channels {
		if x != nil {
			list = append(list, x.status(a.Now()))
		}
	}
	return list
}

func (x *channel) status(now time.Duration) Status {
	_, age, ok := x.newest.get(now)
	x.mu.Lock()
	defer x.mu.Unlock()
	s := Status{Axis: x.adc.Axis, Chip: x.adc.chipKey() + ", channel " + x.adc.Channel, Raw: x.raw, Age: age, Delay: x.shape.Delay(), Problem: x.problem}
	s.Present = ok && age.Seconds() <= x.adc.StaleAfter
	if !s.Present && s.Problem == "" {
		s.Problem = fmt.Sprintf("the newest value is %v old; the bus is stuck or too slow for rate_hz", age)
	}
	if x.stuck {
		s.Warnings = []string{fmt.Sprintf("no change at all for %g s, not even noise: is the sensor connected?", x.adc.StuckAfter)}
	}
	return s
}
