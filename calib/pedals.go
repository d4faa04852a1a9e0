package calib

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"rig.example/rig/internal/evdev"
)

// PedalsOptions steer the pedals' calibration.
type PedalsOptions struct {
	Names  []string      // pedals to measure, in this order
	Rest   time.Duration // how long the released pedals are watched
	Window time.Duration // longest wait for each pedal
	Except []string      // axes that are no pedals, such as the steering axis of a wheel
}

// DefaultPedalsOptions measure the three pedals of a car.
func DefaultPedalsOptions() PedalsOptions {
	return PedalsOptions{Names: []string{"throttle", "brake", "clutch"}, Rest: 2 * time.Second, Window: 20 * time.Second}
}

const (
	minDead   = 0.01 // of the travel: even a silent sensor gets this much
	maxDead   = 0.4  // of the travel: see Axis.Validate
	deadHigh  = 0.02 // of the travel: nobody reaches the very end twice
	backShare = 0.25 // of the way down: below, a pedal counts as let go
)

// Pedals leads the operator through the pedals' calibration and returns their
// profile. Which axis belongs to which pedal is seen from what moves.
func Pedals(ctx context.Context, src Source, ui *UI, opt PedalsOptions) (PedalsProfile, error) {
	p := PedalsProfile{Version: Version, Date: time.Now().UTC().Truncate(time.Second), Device: src.Device()}
	b, err := newBench(ctx, src, opt.Except)
	if err != nil {
		return PedalsProfile{}, err
	}
	// Some drivers report 0 for a pedal until it has moved once.
	if _, err := ui.ask(ctx, "ENTER", "Press every pedal once, then take your feet off all of them."); err != nil {
		return PedalsProfile{}, err
	}
	if err := b.rest(opt.Rest); err != nil {
		return PedalsProfile{}, err
	}
	for _, name := range opt.Names {
		slot := p.pedal(name)
		if slot == nil {
			return PedalsProfile{}, fmt.Errorf("calib: no pedal is called %q; the names are %v", name, PedalNames)
		}
		answer, err := ui.ask(ctx, "ENTER", "Next: the %s. ENTER, then press it fully and let go; or s to skip it.", name)
		if err != nil {
			return PedalsProfile{}, err
		}
		if answer == "s" {
			continue
		}
		*slot, err = b.press(opt.Window)
		for errors.Is(err, errFirst) {
			if _, err = ui.ask(ctx, "ENTER", "%v. Take your feet off all pedals. ENTER, and after the next ENTER press it again.", err); err != nil {
				return PedalsProfile{}, err
			}
			*slot, err = b.again(ui, name, opt)
		}
		if err != nil {
			return PedalsProfile{}, fmt.Errorf("calib: %s: %w", name, err)
		}
		ui.say("  %s is %s: %d released, %d pressed.", name, (*slot).Code, (*slot).Rest, (*slot).Press)
	}
	return p, p.Validate()
}

// errFirst tells of an axis that reported for the first time while a pedal was pressed: at
// rest it was known as the kernel's 0, or as what another program saw of it last.
var errFirst = errors.New("had not reported before")

// again measures the released pedals, and one that is pressed, once more.
func (b *bench) again(ui *UI, name string, opt PedalsOptions) (*Axis, error) {
	if err := b.rest(opt.Rest); err != nil {
		return nil, err
	}
	if _, err := ui.ask(b.ctx, "ENTER", "Next: the %s. ENTER, then press it fully and let go.", name); err != nil {
		return nil, err
	}
	return b.press(opt.Window)
}

// bench watches all axes that may be pedals at once.
type bench struct {
	ctx   context.Context
	src   Source
	raw   []int32
	sites []site
}

// site is what is known of one axis.
type site struct {
	axis    AxisRange
	index   int
	samples []int32 // at rest
	mean    float64 // at rest [counts]
	sigma   float64 // at rest [counts]
	taken   bool    // it belongs to a pedal already
	known   bool    // it had reported when it was at rest
}

// travel is the distance from rest as part of the declared range.
func (s *site) travel(v int32) float64 {
	return math.Abs(float64(v)-s.mean) / (float64(s.axis.Max) - float64(s.axis.Min))
}

func newBench(ctx context.Context, src Source, except []string) (*bench, error) {
	axes := src.Axes()
	b := &bench{ctx: ctx, src: src, raw: make([]int32, len(axes))}
	for i, a := range axes {
		code, err := evdev.AbsCode(a.Name)
		if err == nil && a.Max > a.Min && code < evdev.AbsHat0X && !slices.Contains(except, a.Name) {
			b.sites = append(b.sites, site{axis: a, index: i})
		}
	}
	if len(b.sites) == 0 {
		return nil, fmt.Errorf("calib: %s has no axis that could be a pedal; choose another device, as `rig devices` shows them", src.Device().Name)
	}
	return b, nil
}

func (b *bench) next() error {
	if err := context.Cause(b.ctx); err != nil {
		return err
	}
	return b.src.Next(b.raw)
}

// rest takes mean and spread of every axis over d.
func (b *bench) rest(d time.Duration) error {
	for i := range b.sites {
		b.sites[i].samples = nil
	}
	for range max(2, int(d/samplePeriod)) {
		if err := b.next(); err != nil {
			return err
		}
		for i := range b.sites {
			s := &b.sites[i]
			s.samples = append(s.samples, b.raw[s.index])
		}
	}
	for i := range b.sites {
		s := &b.sites[i]
		s.mean, s.sigma = meanSigma(s.samples)
		s.known = moved(b.src, s.index)
	}
	return nil
}

func meanSigma(v []int32) (mean, sigma float64) {
	for _, x := range v {
		mean += float64(x)
	}
	mean /= float64(len(v))
	for _, x := range v {
		sigma += (float64(x) - mean) * (float64(x) - mean)
	}
	return mean, math.Sqrt(sigma / float64(len(v)))
}

// press waits until some free axis has gone out by MinTravel and come back,
// and describes it.
func (b *bench) press(window time.Duration) (*Axis, error) {
	far := make([]int32, len(b.sites))
	for i := range far {
		far[i] = int32(math.Round(b.sites[i].mean))
	}
	for range int(window / samplePeriod) {
		if err := b.next(); err != nil {
			return nil, err
		}
		if s := b.first(); s != nil {
			if err := b.still(window); err != nil {
				return nil, err
			}
			return nil, fmt.Errorf("%s %w", s.axis.Name, errFirst)
		}
		for i := range b.sites {
			s := &b.sites[i]
			if v := b.raw[s.index]; !s.taken && s.travel(v) > s.travel(far[i]) {
				far[i] = v
			}
		}
		i := b.farthest(far)
		s := &b.sites[i]
		most := s.travel(far[i])
		if most >= MinTravel && s.travel(b.raw[s.index]) < backShare*most {
			s.taken = true
			return s.describe(far[i]), nil
		}
	}
	return nil, b.tooLittle(far)
}

// first returns the site that has reported since the pedals were at rest, and not before.
func (b *bench) first() *site {
	for i := range b.sites {
		if s := &b.sites[i]; !s.known && moved(b.src, s.index) {
			return s
		}
	}
	return nil
}

// still waits until no axis has moved for half a second.
func (b *bench) still(window time.Duration) error {
	const enough, slack = int(500 * time.Millisecond / samplePeriod), 0.02 // snapshots, of the declared range
	last, quiet := slices.Clone(b.raw), 0
	for range int(window / samplePeriod) {
		if err := b.next(); err != nil {
			return err
		}
		quiet++
		for i := range b.sites {
			s := &b.sites[i]
			if way := math.Abs(float64(b.raw[s.index]) - float64(last[s.index])); way > slack*(float64(s.axis.Max)-float64(s.axis.Min)) {
				copy(last, b.raw)
				quiet = 0
			}
		}
		if quiet == enough {
			break
		}
	}
	return nil
}

func (b *bench) farthest(far []int32) int {
	best := 0
	for i := range b.sites {
		if b.sites[i].travel(far[i]) > b.sites[best].travel(far[best]) {
			best = i
		}
	}
	return best
}

func (b *bench) tooLittle(far []int32) error {
	s := &b.sites[b.farthest(far)]
	most := s.travel(far[b.farthest(far)])
	if most >= MinTravel {
		return fmt.Errorf("%s was pressed but not let go; let it go and start again", s.axis.Name)
	}
	return fmt.Errorf("%w: %s moved most, by %.1f %% of its range, %.0f %% are needed; press it fully and start again",
		ErrNoTravel, s.axis.Name, 100*most, 100*MinTravel)
}

// describe makes the axis' profile: three sigma of the noise at rest, on
// either side of the mean, count as released.
func (s *site) describe(press int32) *Axis {
	rest := int32(math.Round(s.mean))
	noise := 3 * s.sigma / math.Abs(float64(press)-s.mean)
	return &Axis{
		Code:     s.axis.Name,
		Rest:     rest,
		Press:    press,
		DeadLow:  min(max(noise, minDead), maxDead),
		DeadHigh: deadHigh,
		Samples:  thin(slices.Clone(s.samples)),
	}
}
