package calib

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"rig.example/rig/calib/dialog"
	"rig.example/rig/internal/kit/evdev"
)

// PedalsOptions are the options of Pedals.
type PedalsOptions struct {
	Names  []string      // pedals to measure, in this order
	Rest   time.Duration // time for which the released pedals are measured
	Window time.Duration // longest wait for each pedal
	Except []string      // axes that are not pedals, such as the steering axis of a wheel
}

// DefaultPedalsOptions returns options for the three pedals of a car.
func DefaultPedalsOptions() PedalsOptions {
	return PedalsOptions{Names: []string{"throttle", "brake", "clutch"}, Rest: 2 * time.Second, Window: 20 * time.Second}
}

const (
	minDead       = 0.01 // smallest dead zone at rest, as a share of the travel, even for a sensor without noise
	maxDead       = 0.4  // largest dead zone, as a share of the travel, see Axis.Validate
	deadHigh      = 0.02 // dead zone at the pressed end, because a foot does not reach the very end twice
	releasedShare = 0.25 // share of the measured travel below which a pedal counts as released again
)

// Pedals guides the operator through the calibration of the pedals and returns their profile. Which axis
// belongs to which pedal follows from the axis that moves.
func Pedals(ctx context.Context, src Source, ui *dialog.Dialog, opt PedalsOptions) (PedalsProfile, error) {
	p := PedalsProfile{Version: ProfileVersion, Date: time.Now().UTC().Truncate(time.Second), Device: src.Device()}
	b, err := newPedalRecorder(ctx, src, opt.Except)
	if err != nil {
		return PedalsProfile{}, err
	}
	// Some drivers report 0 for a pedal until it has moved once.
	if _, err := ui.Ask(ctx, "ENTER", "Press every pedal once, then take your feet off all of them."); err != nil {
		return PedalsProfile{}, err
	}
	if err := b.measureRest(opt.Rest); err != nil {
		return PedalsProfile{}, err
	}
	for _, name := range opt.Names {
		axis := p.axis(name)
		if axis == nil {
			return PedalsProfile{}, fmt.Errorf("calib: no pedal is called %q; the names are %v", name, PedalNames)
		}
		answer, err := ui.Ask(ctx, "ENTER", "Next: the %s. ENTER, then press it fully and let go; or s to skip it.", name)
		if err != nil {
			return PedalsProfile{}, err
		}
		if answer == "s" {
			continue
		}
		*axis, err = b.measurePress(opt.Window)
		for errors.Is(err, errFirstReport) {
			if _, err = ui.Ask(ctx, "ENTER", "%v. Take your feet off all pedals. ENTER, and after the next ENTER press it again.", err); err != nil {
				return PedalsProfile{}, err
			}
			*axis, err = b.repeatPress(ui, name, opt)
		}
		if err != nil {
			return PedalsProfile{}, fmt.Errorf("calib: %s: %w", name, err)
		}
		ui.Say("  %s is %s: %d released, %d pressed.", name, (*axis).Code, (*axis).Rest, (*axis).Press)
	}
	return p, p.Validate()
}

// errFirstReport is returned when an axis reports for the first time while a pedal is being pressed. Its
// value at rest is not valid then: it was the kernel's initial 0, or the last value that another program
// had read.
var errFirstReport = errors.New("had not reported before")

// repeatPress repeats measureRest, and measurePress for one pedal.
func (b *pedalRecorder) repeatPress(ui *dialog.Dialog, name string, opt PedalsOptions) (*Axis, error) {
	if err := b.measureRest(opt.Rest); err != nil {
		return nil, err
	}
	if _, err := ui.Ask(b.ctx, "ENTER", "Next: the %s. ENTER, then press it fully and let go.", name); err != nil {
		return nil, err
	}
	return b.measurePress(opt.Window)
}

// pedalRecorder samples all axes that may be pedals.
type pedalRecorder struct {
	ctx  context.Context
	src  Source
	raw  []int32
	axes []axisRecord
}

// axisRecord has the measurements of one axis.
type axisRecord struct {
	axis           AxisRange
	index          int     // in Source.Axes
	samples        []int32 // at rest [counts]
	mean           float64 // of samples [counts]
	sigma          float64 // standard deviation of samples [counts]
	assigned       bool    // the axis is assigned to a pedal
	reportedAtRest bool    // the axis had reported when it was measured at rest
}

// travel returns the distance of v from rest as a share of the declared range.
func (s *axisRecord) travel(v int32) float64 {
	return math.Abs(float64(v)-s.mean) / (float64(s.axis.Max) - float64(s.axis.Min))
}

func newPedalRecorder(ctx context.Context, src Source, except []string) (*pedalRecorder, error) {
	axes := src.Axes()
	b := &pedalRecorder{ctx: ctx, src: src, raw: make([]int32, len(axes))}
	for i, a := range axes {
		code, err := evdev.AbsCode(a.Name)
		if err == nil && a.Max > a.Min && code < evdev.AbsHat0X && !slices.Contains(except, a.Name) {
			b.axes = append(b.axes, axisRecord{axis: a, index: i})
		}
	}
	if len(b.axes) == 0 {
		return nil, fmt.Errorf("calib: %s has no axis that could be a pedal; choose another device, as `rig devices` shows them", src.Device().Name)
	}
	return b, nil
}

func (b *pedalRecorder) next() error {
	if err := context.Cause(b.ctx); err != nil {
		return err
	}
	return b.src.Next(b.raw)
}

// measureRest measures mean and standard deviation of every axis for the time d.
func (b *pedalRecorder) measureRest(d time.Duration) error {
	for i := range b.axes {
		b.axes[i].samples = nil
	}
	for range max(2, int(d/samplePeriod)) {
		if err := b.next(); err != nil {
			return err
		}
		for i := range b.axes {
			s := &b.axes[i]
			s.samples = append(s.samples, b.raw[s.index])
		}
	}
	for i := range b.axes {
		s := &b.axes[i]
		s.mean, s.sigma = meanSigma(s.samples)
		s.reportedAtRest = axisReported(b.src, s.index)
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

// measurePress waits until an axis that is not assigned yet has moved by at least MinTravel and come back. It
// assigns the axis and returns its profile.
func (b *pedalRecorder) measurePress(window time.Duration) (*Axis, error) {
	farthest := make([]int32, len(b.axes))
	for i := range farthest {
		farthest[i] = int32(math.Round(b.axes[i].mean))
	}
	for range int(window / samplePeriod) {
		if err := b.next(); err != nil {
			return nil, err
		}
		if s := b.firstReport(); s != nil {
			if err := b.waitUntilStill(window); err != nil {
				return nil, err
			}
			return nil, fmt.Errorf("%s %w", s.axis.Name, errFirstReport)
		}
		for i := range b.axes {
			s := &b.axes[i]
			if v := b.raw[s.index]; !s.assigned && s.travel(v) > s.travel(farthest[i]) {
				farthest[i] = v
			}
		}
		i := b.farthestAxis(farthest)
		s := &b.axes[i]
		maxTravel := s.travel(farthest[i])
		if maxTravel >= MinTravel && s.travel(b.raw[s.index]) < releasedShare*maxTravel {
			s.assigned = true
			return s.profile(farthest[i]), nil
		}
	}
	return nil, b.notEnoughTravel(farthest)
}

// firstReport returns an axis that has reported for the first time since the pedals were measured at rest, or
// nil.
func (b *pedalRecorder) firstReport() *axisRecord {
	for i := range b.axes {
		if s := &b.axes[i]; !s.reportedAtRest && axisReported(b.src, s.index) {
			return s
		}
	}
	return nil
}

// waitUntilStill waits until no axis has moved for half a second.
func (b *pedalRecorder) waitUntilStill(window time.Duration) error {
	const (
		needed    = int(500 * time.Millisecond / samplePeriod) // number of snapshots without movement
		tolerance = 0.02                                       // share of the declared range
	)
	last, stillCount := slices.Clone(b.raw), 0
	for range int(window / samplePeriod) {
		if err := b.next(); err != nil {
			return err
		}
		stillCount++
		for i := range b.axes {
			s := &b.axes[i]
			if moved := math.Abs(float64(b.raw[s.index]) - float64(last[s.index])); moved > tolerance*(float64(s.axis.Max)-float64(s.axis.Min)) {
				copy(last, b.raw)
				stillCount = 0
			}
		}
		if stillCount == needed {
			break
		}
	}
	return nil
}

func (b *pedalRecorder) farthestAxis(farthest []int32) int {
	best := 0
	for i := range b.axes {
		if b.axes[i].travel(farthest[i]) > b.axes[best].travel(farthest[best]) {
			best = i
		}
	}
	return best
}

func (b *pedalRecorder) notEnoughTravel(farthest []int32) error {
	s := &b.axes[b.farthestAxis(farthest)]
	maxTravel := s.travel(farthest[b.farthestAxis(farthest)])
	if maxTravel >= MinTravel {
		return fmt.Errorf("%s was pressed but not let go; let it go and start again", s.axis.Name)
	}
	return fmt.Errorf("%w: %s moved most, by %.1f %% of its range, %.0f %% are needed; press it fully and start again",
		ErrNoTravel, s.axis.Name, 100*maxTravel, 100*MinTravel)
}

// profile returns the profile of the axis. Its dead zone at rest is three standard deviations of the noise.
func (s *axisRecord) profile(press int32) *Axis {
	rest := int32(math.Round(s.mean))
	noise := 3 * s.sigma / math.Abs(float64(press)-s.mean)
	return &Axis{
		Code:     s.axis.Name,
		Rest:     rest,
		Press:    press,
		DeadLow:  min(max(noise, minDead), maxDead),
		DeadHigh: deadHigh,
		Samples:  downsample(slices.Clone(s.samples)),
	}
}
