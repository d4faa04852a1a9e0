package wheel

import (
	"errors"
	"fmt"
	"log/slog"
	"math"
	"runtime"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"rig.example/rig/calib"
	"rig.example/rig/internal/evdev"
)

// mailbox holds the newest torque. The loop writes, the writer reads; neither waits.
type mailbox struct {
	seq  atomic.Uint64
	bits atomic.Uint64 // of a float64 [N·m]
}

// session is one device from plug to unplug.
type session struct {
	info    evdev.Info
	node    forceNode // belongs to the writer once it runs
	input   inputNode // the same device again, for the loop
	profile calib.WheelProfile
	axis    uint16
	lim     limits
	drv     driver

	effect evdev.Constant
	guard  evdev.Constant
	own    own
	sine   evdev.Periodic
	tuning tuning
	report time.Duration // what one report to the device takes, 0 if it is not known
	lag    time.Duration // of motor and sensor, see lagOf
	attrs  attrs

	vibration vibration
	tremor    *tremor

	kept []setting // of the driver, to be put back

	box    *mailbox
	bell   *evdev.Bell
	stop   atomic.Bool
	ended  chan struct{}  // closed when the writer has let go
	live   *atomic.Bool   // see Wheel.Live
	allow  *atomic.Uint64 // see Wheel.Allow
	adds   *atomic.Uint64 // see Wheel.Own
	writes *atomic.Uint64
	upload meter
	clock  func() time.Duration
	log    *slog.Logger

	steering steering
	presence presence
	refusal  error // of the driver as the force was made ready
}

// open prepares a device: range, gain, autocentre off, an effect of level 0.
func open(cfg Config, info evdev.Info, store calib.Store, log *slog.Logger) (*session, error) {
	node, err := evdev.Open(info.Path)
	if err != nil {
		return nil, err
	}
	input, err := evdev.Share(info)
	if err != nil {
		node.Close()
		return nil, err
	}
	s := &session{info: info, node: node, input: input, ended: make(chan struct{}), clock: monotonic, log: log}
	if err := s.prepare(cfg, store); err != nil {
		s.shut()
		return nil, err
	}
	return s, nil
}

// shut closes a device that no writer has.
func (s *session) shut() {
	s.putBack()
	s.node.Close()
	s.input.Release()
}

func (s *session) prepare(cfg Config, store calib.Store) (err error) {
	var known bool
	if s.drv, known = drivers[s.info.Driver]; !known {
		s.drv = unknownDriver
	}
	calibrated, err := s.loadProfile(store)
	if err != nil {
		return err
	}
	s.tuning, s.attrs = tuningOf(s.info.Driver), attrsOf("/sys", s.info.Path)
	s.report = endpointPeriod("/sys", s.info.Path)
	s.drv = s.drv.with(s.report)
	s.limit(cfg)
	s.lag = lagOf(cfg, s.info)
	s.setRange(cfg, calibrated)
	if s.axis, err = evdev.AbsCode(s.profile.Axis); err != nil {
		return err
	}
	if cfg.Grab {
		if err := s.input.Grab(); err != nil {
			s.lim.notes = append(s.lim.notes, err.Error())
		}
	}
	return s.ready(cfg)
}

// loadProfile reads the device's calibration, or makes one from what the
// device declares.
func (s *session) loadProfile(store calib.Store) (calibrated bool, err error) {
	s.profile, err = store.Wheel(calib.IdentityOf(s.info))
	if err == nil {
		return true, nil
	}
	if !isMissing(err) {
		return false, err
	}
	code := steeringAxis(s.info)
	a, ok := s.info.Axis(code)
	if !ok || a.Max <= a.Min {
		return false, fmt.Errorf("wheel: %s has no steering axis ABS_X or ABS_WHEEL; run `rig calibrate wheel`", s.info.Name)
	}
	s.profile = calib.WheelProfile{
		Axis: evdev.AbsName(code), Left: a.Min, Right: a.Max,
		Center: int32((int64(a.Min) + int64(a.Max) + 1) / 2),
	}
	return false, nil
}

func steeringAxis(info evdev.Info) uint16 {
	if _, ok := info.Axis(evdev.AbsWheel); ok {
		return evdev.AbsWheel
	}
	return evdev.AbsX
}

// setRange settles the rotation and tells the driver, if it can be told. A
// driver that can scales its counts to the range, so the configuration may
// overrule the calibration there, and only there.
func (s *session) setRange(cfg Config, calibrated bool) {
	model, known := Known(s.info.Vendor, s.info.Product)
	measured := s.profile.RangeDeg
	switch {
	case calibrated:
		defer func() { s.recentre(measured) }()
	case known:
		s.profile.RangeDeg = model.DefaultDeg
	default:
		s.profile.RangeDeg = unknownRangeDeg
	}
	asked := s.profile.RangeDeg
	if cfg.RangeDeg > 0 {
		asked = cfg.RangeDeg
	}
	r, err := s.tuning.turn(s.attrs, model, asked, time.Sleep)
	s.kept = append(s.kept, r.kept...)
	switch {
	case errors.Is(err, errNoRange) && calibrated:
		return
	case err != nil && !errors.Is(err, errNoRange):
		s.lim.notes = append(s.lim.notes, err.Error())
	case r.note != "":
		s.lim.notes = append(s.lim.notes, r.note)
	}
	s.profile.RangeDeg = asked
	if r.deg >= leastDeg && r.deg <= mostDeg { // what a driver shows may be nonsense
		s.profile.RangeDeg = r.deg
	}
}

// putBack leaves the driver's settings as they were found. A device that is
// gone has none.
func (s *session) putBack() {
	err := s.attrs.restore(s.kept)
	s.kept = nil
	if err != nil && !isMissing(err) && !errors.Is(err, unix.ENODEV) {
		s.log.Warn("wheel settings not put back; plug it in again", "error", err)
	}
}

// recentre moves a centre that was found at another range, in degrees: around
// the middle of its axis the driver stretches the counts by what the range
// shrinks.
func (s *session) recentre(measured float64) {
	code, err := evdev.AbsCode(s.profile.Axis)
	a, ok := s.info.Axis(code)
	if err != nil || !ok {
		return // prepare tells of the axis
	}
	middle := (float64(a.Min) + float64(a.Max)) / 2
	off := (float64(s.profile.Center) - middle) * measured / s.profile.RangeDeg
	s.profile.Center = int32(math.Round(min(max(middle+off, float64(a.Min)), float64(a.Max))))
}

// arm makes the force ready, at level 0, also after it was refused.
func (s *session) arm() error {
	s.effect, s.guard = evdev.NewConstant(effectLength), evdev.NewConstant(0)
	slots, err := s.node.Effects()
	if err == nil && slots < 1 {
		err = errNoRoom
	}
	if err != nil {
		return fmt.Errorf("wheel: %w", err)
	}
	if err := errors.Join(s.node.Autocenter(0), s.node.Gain(1)); err != nil {
		return fmt.Errorf("wheel: %w", err)
	}
	if err := s.node.Upload(&s.effect); err != nil {
		return fmt.Errorf("wheel: %w", err)
	}
	if s.drv.memless {
		s.armGuard()
	}
	return nil
}

// armGuard plays an endless effect of level 0 in a slot after the force's.
//
// When the process is killed the kernel erases its effects in the order of
// their slots. A force killed between upload and play would stay in the rim
// (see evdev.Upload): the guard is playing, so erasing it last sends the sum of
// what is left, which is nothing. It closes a gap of microseconds, so a device
// without room for it is used all the same.
func (s *session) armGuard() {
	err := s.node.Upload(&s.guard)
	if err == nil && s.guard.Slot() < s.effect.Slot() {
		err = errors.Join(errors.New("wheel: another program plays effects"), s.node.Erase(&s.guard))
	}
	if err == nil {
		err = s.node.Play(&s.guard)
	}
	if err != nil {
		s.lim.notes = append(s.lim.notes, fmt.Sprintf("no second effect to end the force of a killed program: %v", err))
	}
}

// limp takes every force off the rim.
// Drivers that do not tell their spring come up with it off, and keep it off.
func (s *session) limp() {
	if err := s.letGo(); err != nil && !errors.Is(err, evdev.ErrGone) {
		s.log.Warn("wheel not left as it should be; the kernel stops its force", "error", err)
	}
}

// letGo ends and erases all effects, if there are any.
func (s *session) letGo() error {
	if !s.info.HasForce() || s.effect.Slot() < 0 {
		return nil
	}
	s.effect.SetLevel(0)
	// The play makes the driver send the 0 before the effect is gone.
	return errors.Join(s.node.Upload(&s.effect), s.node.Play(&s.effect), s.node.Stop(&s.effect), s.node.Erase(&s.effect), s.node.Erase(&s.guard), s.eraseOwn())
}

// write is the writer thread: it ends when the device goes or stop is set.
func (s *session) write() {
	runtime.LockOSThread() // never unlocked: the thread ends with the session
	defer close(s.ended)
	if err := s.node.KeepAlone(s.bell); err != nil {
		s.log.Warn("if this program is killed the force lasts some 20 ms", "error", err)
	}
	s.serve()
	s.limp()
	s.putBack()
	s.node.Close()
}

// feed sends what the pacer decides until stop is set.
func (s *session) feed() error {
	p := newPacer(s.drv, s.lim, s.box.seq.Load(), s.clock())
	p.report = s.report
	for !s.stop.Load() {
		s.presence.grow(s.clock())
		s.warn()
		seq := s.box.seq.Load() // before the torque: a newer torque is welcome
		o := p.decide(s.clock(), seq, s.box.torque())
		if err := s.deliver(&p, o); err != nil {
			return err
		}
		if err := s.sleep(o); err != nil {
			return err
		}
	}
	return nil
}

// sendAll sends the force and the wheel's own effects.
func (s *session) sendAll(p *pacer, o order) error {
	if err := s.send(o); err != nil {
		return err
	}
	return s.tend(s.clock(), p, o.hold)
}

// tend keeps the wheel's own effects within what they may add up to. They become weaker at
// once, and stronger only while the device is not busy: then the force has made room.
func (s *session) tend(now time.Duration, p *pacer, busy bool) error {
	nm := 0.0
	if p.alive && s.live.Load() {
		nm = math.Float64frombits(s.allow.Load())
	}
	of := func(room float64) float64 { return nm * room / max(s.own.room+s.vibration.most, tiny) }
	conditions, sine := of(s.own.room), of(s.vibration.most)
	reports, err := s.lower(now, conditions)
	if err == nil && (!busy || s.vibration.now() > sine) {
		var more int
		more, err = s.vibrate(now, sine)
		reports += more
	}
	if err == nil && !busy {
		var more int
		more, err = s.raise(now, conditions)
		reports += more
	}
	s.adds.Store(math.Float64bits(s.own.now() + s.vibration.now()))
	p.spend(now, reports)
	return err
}

const tiny = 1e-9 // [N·m]

func (s *session) send(o order) error {
	if !s.info.HasForce() {
		return nil
	}
	if o.upload {
		s.effect.SetLevel(o.level)
		began := s.clock()
		if err := s.node.Upload(&s.effect); err != nil {
			return err
		}
		if note := s.upload.add(s.clock() - began); note != "" {
			s.log.Warn("wheel", "note", note)
		}
		s.writes.Add(1)
	}
	if o.play {
		return s.node.Play(&s.effect)
	}
	return nil
}

// sleep waits as ordered. What is pushed during a hold is found after it.
func (s *session) sleep(o order) error {
	if !o.hold {
		return s.node.Wait(s.bell, o.wait)
	}
	ts := unix.NsecToTimespec(o.wait.Nanoseconds())
	_ = unix.Nanosleep(&ts, nil) // the thread is ours; a signal only makes it early
	return nil
}

// endLimit is how long a writer may take to let go of its wheel.
const endLimit = time.Second

// errStuck tells of a writer that was left behind in a call of its driver.
var errStuck = errors.New("wheel: its driver does not answer; the kernel ends the force, unplug the wheel if it does not")

// end makes the wheel limp and closes it, or leaves it behind with errStuck.
func (s *session) end() error {
	s.stop.Store(true)
	s.bell.Ring()
	err := s.join(endLimit)
	s.input.Release()
	return err
}

// join waits for the writer, but no longer than limit: a driver that hangs must
// not hold up who leaves.
func (s *session) join(limit time.Duration) error {
	select {
	case <-s.ended:
		return nil
	case <-time.After(limit):
		return errStuck
	}
}

// angle is the steering angle [rad], positive left. Until its first report a
// device's axes hold 0, which is a lock of wheels that count from 0: such a
// wheel counts as straight ahead. One report tells all axes, and those that
// really are at 0 make no event of their own.
func (s *session) angle() float64 {
	if !s.input.Reported() {
		return 0
	}
	return s.profile.Angle(s.input.Abs(s.axis))
}

// rate is how many forces a second driver and device take [1/s].
func (s *session) rate() float64 {
	return 1 / s.upload.period(max(s.drv.period, s.report)).Seconds()
}

// monotonic is the time since boot without suspends. The writer may read the
// clock: only the loop's functions may not.
func monotonic() time.Duration {
	var ts unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts) // cannot fail for this clock
	return time.Duration(ts.Nano())
}
