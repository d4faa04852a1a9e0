package calib

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"
)

// WheelOptions steer the wheel's calibration. DefaultWheelOptions are right
// for a person in front of it.
type WheelOptions struct {
	Axis     string        // steering axis; ABS_X
	RangeDeg float64       // rotation from lock to lock, offered as the answer
	Window   time.Duration // longest wait for each position
	Hold     time.Duration // how long a position must be held
	SignTest bool          // offer the force pulse that measures the sign
	PushOK   bool          // the operator agreed to it beforehand: do not ask
}

// DefaultWheelOptions suit most wheels.
func DefaultWheelOptions() WheelOptions {
	return WheelOptions{Axis: "ABS_X", RangeDeg: 900, Window: 30 * time.Second, Hold: time.Second, SignTest: true}
}

const (
	stallShare = 0.005 // of the declared range: less movement than this is none
	minTurn    = 0.20  // of the declared range: what counts as turned to a lock
	lockShare  = 0.02  // of the declared range: so near the farthest point a lock is held
	endShare   = 0.01  // of the declared range: so near its end the rim is at a lock
	keptMax    = 200   // raw values kept in a profile

	pulseTime    = 150 * time.Millisecond
	pulseWatch   = 400 * time.Millisecond
	pulseMinimum = 0.003 // of the declared range: less is noise
)

// pulseShares are parts of full force, gentlest first.
var pulseShares = []float64{0.08, 0.14, 0.20}

// Wheel leads the operator through a wheel's calibration and returns its
// profile. It pushes the rim only in the sign test, and there only after a yes
// that somebody typed, or with PushOK.
func Wheel(ctx context.Context, src Source, ui *UI, opt WheelOptions) (WheelProfile, error) {
	m, err := newMeter(ctx, src, opt.Axis)
	if err != nil {
		return WheelProfile{}, err
	}
	p := WheelProfile{Version: Version, Date: time.Now().UTC().Truncate(time.Second), Device: src.Device(), Axis: opt.Axis}
	if err := m.locks(ui, opt, &p); err != nil {
		return WheelProfile{}, err
	}
	if p.RangeDeg, err = askRange(ctx, ui, opt.RangeDeg); err != nil {
		return WheelProfile{}, err
	}
	if opt.SignTest {
		if p.Force, err = m.signTest(ui, opt.PushOK, p.Right > p.Left); err != nil {
			return WheelProfile{}, err
		}
	}
	p.Samples = thin(m.kept)
	return p, p.Validate()
}

// locks measures left, right and centre.
func (m *meter) locks(ui *UI, opt WheelOptions, p *WheelProfile) error {
	start, err := m.start(ui, opt)
	if err != nil {
		return err
	}
	ui.say("Turn the wheel all the way to the LEFT and hold it there.")
	if p.Left, err = m.lock(opt, start, m.atLeftEnd); err != nil {
		return fmt.Errorf("calib: left lock: %w", err)
	}
	ui.say("  left lock at %d. Now all the way to the RIGHT, and hold.", p.Left)
	if p.Right, err = m.lock(opt, p.Left, never); err != nil {
		return fmt.Errorf("calib: right lock: %w", err)
	}
	if err := m.checkSides(ui, p); err != nil {
		return err
	}
	ui.say("  right lock at %d. Now straight ahead, and hold.", p.Right)
	left, right := p.Left, p.Right
	middle := func(v int32) bool {
		return m.share(v, left) >= minTurn/2 && m.share(v, right) >= minTurn/2 && between(v, left, right)
	}
	if p.Center, err = m.hold(opt, middle); err != nil {
		return fmt.Errorf("calib: centre: %w", err)
	}
	ui.say("  centre at %d.", p.Center)
	return nil
}

// start returns where the wheel stands. A device that was not read yet holds the kernel's 0,
// or what another program saw of it last: it must report first.
func (m *meter) start(ui *UI, opt WheelOptions) (int32, error) {
	v, err := m.next()
	if err != nil || moved(m.src, m.index) {
		return v, err
	}
	ui.say("Turn the wheel to about the middle and hold it there; move it a little if it is there already.")
	v, err = m.hold(opt, func(int32) bool { return moved(m.src, m.index) })
	if err != nil && !moved(m.src, m.index) && m.ctx.Err() == nil {
		return 0, fmt.Errorf("calib: %s reported nothing within %v; turn the wheel when asked to, and look at its power and cable: %w", m.src.Axes()[m.index].Name, opt.Window, err)
	}
	if err != nil {
		err = fmt.Errorf("calib: middle: %w", err)
	}
	return v, err
}

func never(int32) bool { return false }

// atLeftEnd reports that the rim stands where the axis begins: a wheel that is
// there when the measurement starts cannot be turned left. Where all axes are 0
// the device may never have reported, and nobody knows where it stands.
func (m *meter) atLeftEnd(v int32) bool {
	return m.reported() && m.share(v, m.low) <= endShare
}

// reported tells whether the device has told where its axes are.
func (m *meter) reported() bool {
	return slices.ContainsFunc(m.raw, func(v int32) bool { return v != 0 })
}

// checkSides asks back when the axis grows to the left: by the kernel's
// convention ABS_X grows to the right, so the sides were probably mixed up,
// and the car would steer the wrong way.
func (m *meter) checkSides(ui *UI, p *WheelProfile) error {
	if p.Axis != "ABS_X" || p.Left < p.Right {
		return nil
	}
	sure, err := ui.Consent(m.ctx, "", fmt.Sprintf("%s fell from %d to %d on the way from left to right, where it should have grown. Did you really turn LEFT first?", p.Axis, p.Left, p.Right))
	if err == nil && !sure {
		err = fmt.Errorf("calib: left and right seem mixed up: %s fell from %d to %d; start again and turn left first", p.Axis, p.Left, p.Right)
	}
	return err
}

func askRange(ctx context.Context, ui *UI, otherwise float64) (float64, error) {
	answer, err := ui.ask(ctx, strconv.FormatFloat(otherwise, 'g', -1, 64), "How many degrees does the rim turn from lock to lock?")
	if err != nil {
		return 0, err
	}
	deg, err := strconv.ParseFloat(answer, 64)
	if err != nil {
		return 0, fmt.Errorf("calib: %q is not a number of degrees; answer with one such as 900", answer)
	}
	return deg, nil
}

// signTest pushes the free rim and looks where it goes: +1 if a positive
// effect pushes left, 0 if the rim did not move or consent was not given.
//
// A geared wheel may not move for the gentlest push; each harder one is asked
// for again.
func (m *meter) signTest(ui *UI, agreed, growsRight bool) (int, error) {
	for _, share := range pulseShares {
		if ok, err := m.mayPush(ui, agreed, share); err != nil || !ok {
			return 0, err
		}
		moved, err := m.pulse(ui, share)
		if err != nil {
			return 0, err
		}
		switch {
		case moved == 0:
			ui.say("  the rim did not move.")
		case (moved > 0) == growsRight:
			ui.say("  a positive force pushes right.")
			return -1, nil
		default:
			ui.say("  a positive force pushes left.")
			return 1, nil
		}
	}
	ui.say("  the sign stays unknown and the torque low. Check the wheel's power and try again.")
	return 0, nil
}

// mayPush asks for consent, unless it was given before all of this.
func (m *meter) mayPush(ui *UI, agreed bool, share float64) (bool, error) {
	what := fmt.Sprintf("Sign test: the motor will push the rim for 0.15 s with %.0f %% of its force. Take your hands OFF the wheel.", 100*share)
	if agreed {
		ui.say("%s", what)
		return true, nil
	}
	return ui.Consent(m.ctx, "--push-ok", what+" Push now?")
}

// pulse pushes once and returns how far the axis went [counts], 0 if that was
// no more than noise.
func (m *meter) pulse(ui *UI, share float64) (int64, error) {
	start, err := m.next()
	if err != nil {
		return 0, err
	}
	if err := m.src.Pulse(share, pulseTime); err != nil {
		ui.say("  it takes no force: %v", err)
		return 0, nil
	}
	far := start
	for range int(pulseWatch / samplePeriod) {
		v, err := m.next()
		if err != nil {
			return 0, err
		}
		if m.share(v, start) > m.share(far, start) {
			far = v
		}
	}
	if m.share(far, start) < pulseMinimum {
		return 0, nil
	}
	return int64(far) - int64(start), nil
}

// meter follows one axis of a source.
type meter struct {
	ctx   context.Context
	src   Source
	index int
	low   int32   // declared lower end [counts]
	span  float64 // declared range [counts]
	raw   []int32
	kept  []int32
}

func newMeter(ctx context.Context, src Source, axis string) (*meter, error) {
	axes := src.Axes()
	for i, a := range axes {
		if a.Name == axis && a.Max > a.Min {
			return &meter{ctx: ctx, src: src, index: i, low: a.Min, span: float64(a.Max) - float64(a.Min), raw: make([]int32, len(axes))}, nil
		}
	}
	return nil, fmt.Errorf("calib: %s has no usable axis %s; name another one, as `rig devices` shows them", src.Device().Name, axis)
}

func (m *meter) next() (int32, error) {
	if err := context.Cause(m.ctx); err != nil {
		return 0, err
	}
	if err := m.src.Next(m.raw); err != nil {
		return 0, err
	}
	m.kept = append(m.kept, m.raw[m.index])
	return m.raw[m.index], nil
}

// share is the distance between two values as part of the declared range.
func (m *meter) share(a, b int32) float64 { return math.Abs(float64(a)-float64(b)) / m.span }

// lock waits until the axis is held at the farthest point that it reached from
// where it came, or where it turned back last, and returns that point: a hand gives way a
// little while it holds. The way there must be worth the name unless it began at the end.
func (m *meter) lock(opt WheelOptions, from int32, atEnd func(int32) bool) (int32, error) {
	far := from
	_, err := m.hold(opt, func(v int32) bool {
		switch {
		case m.share(v, from) > m.share(far, from):
			far = v
		case m.share(v, far) >= minTurn: // it came back a long way, to the other side
			from, far = far, v
		}
		turned := m.share(far, from) >= minTurn || atEnd(far)
		return turned && m.share(v, far) <= lockShare
	})
	return far, err
}

// hold waits until the axis rests for opt.Hold where wanted is true, and
// returns its mean there: against a lock the rim stalls, and so does a hand
// that holds it.
func (m *meter) hold(opt WheelOptions, wanted func(int32) bool) (int32, error) {
	need := max(1, int(opt.Hold/samplePeriod))
	var anchor int32
	var sum float64
	count := 0
	for range int(opt.Window / samplePeriod) {
		v, err := m.next()
		if err != nil {
			return 0, err
		}
		if !wanted(v) || count > 0 && m.share(v, anchor) > stallShare {
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

// thin keeps at most keptMax values, evenly spread.
func thin(raw []int32) []int32 {
	step := (len(raw) + keptMax - 1) / keptMax
	if step <= 1 {
		return raw
	}
	var out []int32
	for i := 0; i < len(raw); i += step {
		out = append(out, raw[i])
	}
	return out
}
