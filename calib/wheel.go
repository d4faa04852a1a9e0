package calib

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"rig.example/rig/calib/dialog"
)

// WheelOptions are the options of Wheel. DefaultWheelOptions suit a person in front of the wheel.
type WheelOptions struct {
	Axis     string        // steering axis, such as ABS_X
	RangeDeg float64       // rotation from lock to lock that is offered as the default answer [deg]
	Window   time.Duration // longest wait for each position
	Hold     time.Duration // how long a position must be held
	SignTest bool          // offer the force pulse that measures the sign of the force
	PushOK   bool          // the operator has agreed to that pulse: do not ask
}

// DefaultWheelOptions returns options that suit most wheels.
func DefaultWheelOptions() WheelOptions {
	return WheelOptions{Axis: "ABS_X", RangeDeg: 900, Window: 30 * time.Second, Hold: time.Second, SignTest: true}
}

const (
	// Shares of the declared range.
	stillZone    = 0.005 // a rim that moves less is still
	minTurn      = 0.20  // a rim that turns less was not turned to a lock
	lockZone     = 0.02  // a rim within this distance of the farthest point is held at the lock
	endZone      = 0.01  // a rim within this distance of the end of its range is at a lock
	pulseMinimum = 0.003 // a movement after a pulse that is smaller is noise

	maxSamples = 200 // largest number of samples in a profile

	pulseTime      = 150 * time.Millisecond // length of a pulse
	pulseWatchTime = 400 * time.Millisecond // time from the start of a pulse in which the rim must move
)

// pulseShares are the pulses of the sign test as shares of full force, the gentlest first.
var pulseShares = []float64{0.08, 0.14, 0.20}

// Wheel guides the operator through the calibration of a wheel and returns its profile. It pushes the rim
// only in the sign test, and there only after a typed yes or with PushOK.
func Wheel(ctx context.Context, src Source, ui *dialog.Dialog, opt WheelOptions) (WheelProfile, error) {
	m, err := newAxisMeter(ctx, src, opt.Axis)
	if err != nil {
		return WheelProfile{}, err
	}
	p := WheelProfile{Version: ProfileVersion, Date: time.Now().UTC().Truncate(time.Second), Device: src.Device(), Axis: opt.Axis}
	if err := m.measureLocks(ui, opt, &p); err != nil {
		return WheelProfile{}, err
	}
	if p.RangeDeg, err = ui.Number(ctx, "How many degrees does the rim turn from lock to lock?", opt.RangeDeg, minRangeDeg, maxRangeDeg); err != nil {
		return WheelProfile{}, err
	}
	if opt.SignTest {
		if p.Force, err = m.signTest(ui, opt.PushOK, p.Right > p.Left); err != nil {
			return WheelProfile{}, err
		}
	}
	p.Samples = downsample(m.recorded)
	return p, p.Validate()
}

// measureLocks measures both locks and the center.
func (m *axisMeter) measureLocks(ui *dialog.Dialog, opt WheelOptions, p *WheelProfile) error {
	start, err := m.startPosition(ui, opt)
	if err != nil {
		return err
	}
	ui.Say("Turn the wheel all the way to the LEFT and hold it there.")
	if p.Left, err = m.measureLock(opt, start, m.isAtLeftEnd); err != nil {
		return fmt.Errorf("calib: left lock: %w", err)
	}
	ui.Say("  left lock at %d. Now all the way to the RIGHT, and hold.", p.Left)
	if p.Right, err = m.measureLock(opt, p.Left, never); err != nil {
		return fmt.Errorf("calib: right lock: %w", err)
	}
	if err := m.checkSides(ui, p); err != nil {
		return err
	}
	ui.Say("  right lock at %d. Now straight ahead, and hold.", p.Right)
	left, right := p.Left, p.Right
	middle := func(v int32) bool {
		return m.fraction(v, left) >= minTurn/2 && m.fraction(v, right) >= minTurn/2 && between(v, left, right)
	}
	if p.Center, err = m.waitHeld(opt, middle); err != nil {
		return fmt.Errorf("calib: center: %w", err)
	}
	ui.Say("  center at %d.", p.Center)
	return nil
}

// startPosition returns the present value of the axis [counts]. If the device has not reported yet, it asks
// the operator to turn the wheel, because the value may be the kernel's initial 0 or an old one.
func (m *axisMeter) startPosition(ui *dialog.Dialog, opt WheelOptions) (int32, error) {
	v, err := m.next()
	if err != nil || axisReported(m.src, m.index) {
		return v, err
	}
	ui.Say("Turn the wheel to about the middle and hold it there; move it a little if it is there already.")
	v, err = m.waitHeld(opt, func(int32) bool { return axisReported(m.src, m.index) })
	if err != nil && !axisReported(m.src, m.index) && m.ctx.Err() == nil {
		return 0, fmt.Errorf("calib: %s reported nothing within %v; turn the wheel when asked to, and look at its power and cable: %w", m.src.Axes()[m.index].Name, opt.Window, err)
	}
	if err != nil {
		err = fmt.Errorf("calib: middle: %w", err)
	}
	return v, err
}

func never(int32) bool { return false }

// isAtLeftEnd reports whether the rim is at the low end of the axis: a wheel that is there when the
// measurement starts cannot be turned left. It returns false if the device may never have reported.
func (m *axisMeter) isAtLeftEnd(v int32) bool {
	return m.hasReported() && m.fraction(v, m.low) <= endZone
}

// hasReported reports whether the device has certainly reported: its axes are not all at 0.
func (m *axisMeter) hasReported() bool {
	return slices.ContainsFunc(m.raw, func(v int32) bool { return v != 0 })
}

// checkSides asks for confirmation if ABS_X grows to the left. By the kernel's convention it grows to the
// right, so the operator has probably mixed up the sides, and the car would steer the wrong way.
func (m *axisMeter) checkSides(ui *dialog.Dialog, p *WheelProfile) error {
	if p.Axis != "ABS_X" || p.Left < p.Right {
		return nil
	}
	sure, err := ui.Consent(m.ctx, "", fmt.Sprintf("%s fell from %d to %d on the way from left to right, where it should have grown. Did you really turn LEFT first?", p.Axis, p.Left, p.Right))
	if err == nil && !sure {
		err = fmt.Errorf("calib: left and right seem mixed up: %s fell from %d to %d; start again and turn left first", p.Axis, p.Left, p.Right)
	}
	return err
}

// signTest pushes the free rim and returns the sign of the force: +1 if a positive effect pushes left, -1
// if it pushes right, 0 if the rim did not move or consent was not given.
//
// The gentlest push may not move a geared wheel. It asks again before each stronger one. growsRight reports
// whether the axis grows to the right.
func (m *axisMeter) signTest(ui *dialog.Dialog, agreed, growsRight bool) (int, error) {
	for _, share := range pulseShares {
		if ok, err := m.confirmPush(ui, agreed, share); err != nil || !ok {
			return 0, err
		}
		moved, err := m.pulse(ui, share)
		if err != nil {
			return 0, err
		}
		switch {
		case moved == 0:
			ui.Say("  the rim did not move.")
		case (moved > 0) == growsRight:
			ui.Say("  a positive force pushes right.")
			return -1, nil
		default:
			ui.Say("  a positive force pushes left.")
			return 1, nil
		}
	}
	ui.Say("  the sign stays unknown and the torque low. Check the wheel's power and try again.")
	return 0, nil
}

// confirmPush asks for consent to a push, unless agreed reports that it was given beforehand.
func (m *axisMeter) confirmPush(ui *dialog.Dialog, agreed bool, share float64) (bool, error) {
	what := fmt.Sprintf("Sign test: the motor will push the rim for 0.15 s with %.0f %% of its force. Take your hands OFF the wheel.", 100*share)
	if agreed {
		ui.Say("%s", what)
		return true, nil
	}
	return ui.Consent(m.ctx, "--push-ok", what+" Push now?")
}

// pulse pushes once with a share of full force, -1..1, positive to the left by the kernel's convention, and
// returns how far the axis moved [counts], 0 if that was only noise.
func (m *axisMeter) pulse(ui *dialog.Dialog, share float64) (int64, error) {
	start, err := m.next()
	if err != nil {
		return 0, err
	}
	if err := m.src.Pulse(share, pulseTime); err != nil {
		ui.Say("  it takes no force: %v", err)
		return 0, nil
	}
	farthest := start
	for range int(pulseWatchTime / samplePeriod) {
		v, err := m.next()
		if err != nil {
			return 0, err
		}
		if m.fraction(v, start) > m.fraction(farthest, start) {
			farthest = v
		}
	}
	if m.fraction(farthest, start) < pulseMinimum {
		return 0, nil
	}
	return int64(farthest) - int64(start), nil
}

// axisMeter samples one axis of a source.
type axisMeter struct {
	ctx      context.Context
	src      Source
	index    int
	low      int32   // declared lower end [counts]
	span     float64 // declared range [counts]
	raw      []int32 // newest values of all axes [counts]
	recorded []int32 // all values of the axis so far [counts]
}

func newAxisMeter(ctx context.Context, src Source, axis string) (*axisMeter, error) {
	axes := src.Axes()
	for i, a := range axes {
		if a.Name == axis && a.Max > a.Min {
			return &axisMeter{ctx: ctx, src: src, index: i, low: a.Min, span: float64(a.Max) - float64(a.Min), raw: make([]int32, len(axes))}, nil
		}
	}
	return nil, fmt.Errorf("calib: %s has no usable axis %s; name another one, as `rig devices` shows them", src.Device().Name, axis)
}

func (m *axisMeter) next() (int32, error) {
	if err := context.Cause(m.ctx); err != nil {
		return 0, err
	}
	if err := m.src.Next(m.raw); err != nil {
		return 0, err
	}
	m.recorded = append(m.recorded, m.raw[m.index])
	return m.raw[m.index], nil
}

// fraction returns the distance between two values [counts] as a share of the declared range.
func (m *axisMeter) fraction(a, b int32) float64 { return math.Abs(float64(a)-float64(b)) / m.span }

// measureLock waits until the rim is held at a lock and returns the value of the axis there [counts]. The
// lock is the farthest point that the rim reached since from, or since it last turned back by minTurn:
// hands that hold the rim at the lock give way a little. The rim must have turned by at least minTurn,
// unless atEnd reports true for the farthest point.
func (m *axisMeter) measureLock(opt WheelOptions, from int32, atEnd func(int32) bool) (int32, error) {
	farthest := from
	_, err := m.waitHeld(opt, func(v int32) bool {
		switch {
		case m.fraction(v, from) > m.fraction(farthest, from):
			farthest = v
		case m.fraction(v, farthest) >= minTurn: // the rim turned back toward the other side
			from, farthest = farthest, v
		}
		turned := m.fraction(farthest, from) >= minTurn || atEnd(farthest)
		return turned && m.fraction(v, farthest) <= lockZone
	})
	return farthest, err
}

// waitHeld waits until the axis is still for opt.Hold, at values for which wanted returns true, and returns
// its mean there [counts].
func (m *axisMeter) waitHeld(opt WheelOptions, wanted func(int32) bool) (int32, error) {
	need := max(1, int(opt.Hold/samplePeriod))
	var anchor int32
	var sum float64
	count := 0
	for range int(opt.Window / samplePeriod) {
		v, err := m.next()
		if err != nil {
			return 0, err
		}
		if !wanted(v) || count > 0 && m.fraction(v, anchor) > stillZone {
			count = 0
		}
		if !wanted(v) {
			continue
		}
		if count == 0 {
			anchor, sum = v, 0
		}
		sum += float64(v)
		count++
		if count == need {
			return int32(math.Round(sum / float64(count))), nil
		}
	}
	return 0, fmt.Errorf("%w within %v; turn further, hold still, and start again", ErrNoTravel, opt.Window)
}

// downsample returns at most maxSamples of the values, evenly spread.
func downsample(raw []int32) []int32 {
	step := (len(raw) + maxSamples - 1) / maxSamples
	if step <= 1 {
		return raw
	}
	var out []int32
	for i := 0; i < len(raw); i += step {
		out = append(out, raw[i])
	}
	return out
}
