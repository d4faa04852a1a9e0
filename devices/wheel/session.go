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
	"rig.example/rig/internal/kit/evdev"
	"rig.example/rig/internal/kit/latest"
)

// session is one wheel from the moment it is plugged in until it is unplugged.
type session struct {
	info    evdev.Info
	node    forceNode // belongs to the writer once it runs
	input   inputNode // a second descriptor of the same device, for the loop
	profile calib.WheelProfile
	axis    uint16 // code of the steering axis
	limits  limits
	driver  driverTraits

	effect       evdev.Constant // the force
	guardEffect  evdev.Constant // see armGuard
	ownEffects   ownEffects
	sine         evdev.Periodic
	tuning       driverTuning
	reportPeriod time.Duration // time that one report to the device takes; 0: not known
	deviceDelay  time.Duration // delay of the wheel itself, see the function deviceDelay
	settings     driverSettings

	vibration          vibration
	requestedVibration *latest.Cell[vibrationRequest]

	savedSettings []setting // settings of the driver before the session changed them, to be restored

	torque         *latest.Cell[float64] // requested by the loop, read by the writer [N·m]
	waker          *evdev.Waker
	stop           atomic.Bool
	ended          chan struct{} // closed when the writer has ended
	effectsEnabled *atomic.Bool  // see Wheel.EnableEffects
	effectLimit    *latest.Float // see Wheel.LimitEffects
	effectTorque   *latest.Float // see Wheel.EffectTorque
	updatesSent    *atomic.Uint64
	uploads        uploadMeter
	clock          func() time.Duration
	log            *slog.Logger

	sensor   sensorCheck
	force    forceState
	armError error // why the driver refused the first force, nil if it did not
}

// open opens a wheel and prepares it: it sets the rotation and the gain, switches the autocenter spring
// off and uploads a force of level 0.
func open(cfg Config, info evdev.Info, store calib.Store, log *slog.Logger) (*session, error) {
	node, err := evdev.OpenForForce(info.Path)
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
		s.closeUnused()
		return nil, err
	}
	return s, nil
}

// closeUnused closes a device whose writer was never started.
func (s *session) closeUnused() {
	s.restoreSettings()
	s.node.Close()
	s.input.Release()
}

func (s *session) prepare(cfg Config, store calib.Store) (err error) {
	var known bool
	if s.driver, known = driverTable[s.info.Driver]; !known {
		s.driver = unknownDriverTraits
	}
	calibrated, err := s.loadProfile(store)
	if err != nil {
		return err
	}
	s.tuning, s.settings = tuningOf(s.info.Driver), settingsOf("/sys", s.info.Path)
	s.reportPeriod = endpointInterval("/sys", s.info.Path)
	s.driver = s.driver.withReportPeriod(s.reportPeriod)
	s.setLimits(cfg)
	if text := s.profile.Device.Changed(s.info); text != "" {
		s.limits.notes = append(s.limits.notes, text+"; measure it again: rig calibrate wheel")
	}
	s.deviceDelay = deviceDelay(cfg, s.info)
	s.setRange(cfg, calibrated)
	if s.axis, err = evdev.AbsCode(s.profile.Axis); err != nil {
		return err
	}
	if cfg.Grab {
		if err := s.input.Grab(); err != nil {
			s.limits.notes = append(s.limits.notes, err.Error())
		}
	}
	return s.prepareForce(cfg)
}

// loadProfile reads the calibration of the wheel. If there is none, it makes a profile from the range
// that the device declares, and returns false.
func (s *session) loadProfile(store calib.Store) (calibrated bool, err error) {
	s.profile, err = store.Wheel(calib.IdentityOf(s.info))
	if err == nil {
		return true, nil
	}
	if !isNotExist(err) {
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

// setRange chooses the rotation and sets it in the driver, if the driver supports that. The
// configuration overrides the calibration only with such a driver, because it scales the counts to the
// rotation.
func (s *session) setRange(cfg Config, calibrated bool) {
	model, known := LookupModel(s.info.Vendor, s.info.Product)
	measured := s.profile.RangeDeg
	switch {
	case calibrated:
		defer func() { s.recenter(measured) }()
	case known:
		s.profile.RangeDeg = model.DefaultDeg
	default:
		s.profile.RangeDeg = unknownRangeDeg
	}
	requested := s.profile.RangeDeg
	if cfg.RangeDeg > 0 {
		requested = cfg.RangeDeg
	}
	r, err := s.tuning.setRotation(s.settings, model, requested, time.Sleep)
	s.savedSettings = append(s.savedSettings, r.saved...)
	switch {
	case errors.Is(err, errNoRotation) && calibrated:
		return
	case err != nil && !errors.Is(err, errNoRotation):
		s.limits.notes = append(s.limits.notes, err.Error())
	case r.note != "":
		s.limits.notes = append(s.limits.notes, r.note)
	}
	s.profile.RangeDeg = requested
	if r.deg >= minRangeDeg && r.deg <= maxRangeDeg { // a driver may show an impossible rotation
		s.profile.RangeDeg = r.deg
	}
}

// restoreSettings restores the driver's settings. If the device was unplugged there are none left, which
// is no error.
func (s *session) restoreSettings() {
	err := s.settings.restore(s.savedSettings)
	s.savedSettings = nil
	if err != nil && !isNotExist(err) && !errors.Is(err, unix.ENODEV) {
		s.log.Warn("wheel: could not restore its settings; plug it in again", "error", err)
	}
}

// recenter adjusts a center that was calibrated while the rotation was measured [deg]: when the driver
// reduces the rotation, it stretches the counts around the middle of the axis by the same factor.
func (s *session) recenter(measured float64) {
	code, err := evdev.AbsCode(s.profile.Axis)
	a, ok := s.info.Axis(code)
	if err != nil || !ok {
		return // prepare reports it
	}
	middle := (float64(a.Min) + float64(a.Max)) / 2
	offset := (float64(s.profile.Center) - middle) * measured / s.profile.RangeDeg
	s.profile.Center = int32(math.Round(min(max(middle+offset, float64(a.Min)), float64(a.Max))))
}

// armForce uploads the force at level 0: at first, and again after the driver refused it.
func (s *session) armForce() error {
	s.effect, s.guardEffect = evdev.NewConstant(effectLength), evdev.NewConstant(0)
	slots, err := s.node.Effects()
	if err == nil && slots < 1 {
		err = errNoSlots
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
	if s.driver.memless {
		s.armGuard()
	}
	return nil
}

// armGuard plays an endless effect of level 0 in a slot after that of the force, so that the force of a
// killed program ends.
//
// When a process is killed, the kernel erases its effects in the order of their slots. If it is killed
// between the upload and the play of a force, the device keeps that force (see evdev.Node.Upload). The
// guard is erased last, and because it is playing, the driver then sends the sum of what is left, which
// is 0. The gap is only microseconds long, so a device that has no slot for the guard is used too.
func (s *session) armGuard() {
	err := s.node.Upload(&s.guardEffect)
	if err == nil && s.guardEffect.Slot() < s.effect.Slot() {
		err = errors.Join(errors.New("wheel: another program plays effects"), s.node.Erase(&s.guardEffect))
	}
	if err == nil {
		err = s.node.Play(&s.guardEffect)
	}
	if err != nil {
		s.limits.notes = append(s.limits.notes, fmt.Sprintf("no second effect to end the force of a killed program: %v", err))
	}
}

// removeForce ends all forces at the rim. The autocenter spring of drivers that do not show it stays
// off, as it was when the driver started.
func (s *session) removeForce() {
	if err := s.eraseEffects(); err != nil && !errors.Is(err, evdev.ErrDisconnected) {
		s.log.Warn("wheel: could not remove the force; the kernel stops it", "error", err)
	}
}

// eraseEffects stops and erases all effects, if there are any.
func (s *session) eraseEffects() error {
	if !s.info.HasForce() || s.effect.Slot() < 0 {
		return nil
	}
	s.effect.SetLevel(0)
	return errors.Join(s.node.Upload(&s.effect),
		s.node.Play(&s.effect), // makes the driver send level 0 before the effect is erased
		s.node.Stop(&s.effect), s.node.Erase(&s.effect), s.node.Erase(&s.guardEffect), s.eraseOwnEffects())
}

// runWriter runs the writer, the only thread that sends forces to the device. It ends when the device is
// unplugged or stop is set.
func (s *session) runWriter() {
	runtime.LockOSThread() // never unlocked: the thread ends with the session
	defer close(s.ended)
	if err := s.node.OwnByThread(s.waker); err != nil {
		s.log.Warn("if this program is killed, the force lasts about 20 ms", "error", err)
	}
	s.runForce()
	s.removeForce()
	s.restoreSettings()
	s.node.Close()
}

// sendForces sends the forces that the pacer decides on, until stop is set or a call fails.
func (s *session) sendForces() error {
	p := newPacer(s.driver, s.limits, s.torque.Number(), s.clock())
	p.reportPeriod = s.reportPeriod
	for !s.stop.Load() {
		s.force.fadeIn(s.clock())
		s.logSensorFlags()
		var torque float64
		seq := s.torque.Get(&torque)
		o := p.decide(s.clock(), seq, torque)
		if err := s.deliver(&p, o); err != nil {
			return err
		}
		if err := s.sleep(o); err != nil {
			return err
		}
	}
	return nil
}

// updateOwnEffects keeps the wheel's own effects within their limit. It weakens them at once, and
// strengthens them only while the device is not busy, so that they never delay the force.
func (s *session) updateOwnEffects(now time.Duration, p *pacer, busy bool) error {
	nm := 0.0
	if p.isFresh && s.effectsEnabled.Load() {
		nm = s.effectLimit.Load()
	}
	shareOf := func(reserve float64) float64 {
		return nm * reserve / max(s.ownEffects.reservedTorque+s.vibration.maxPeak, minTorque)
	}
	conditions, sine := shareOf(s.ownEffects.reservedTorque), shareOf(s.vibration.maxPeak)
	reports, err := s.weakenOwnEffects(now, conditions)
	if err == nil && (!busy || s.vibration.current() > sine) {
		var more int
		more, err = s.vibrate(now, sine)
		reports += more
	}
	if err == nil && !busy {
		var more int
		more, err = s.strengthenOwnEffects(now, conditions)
		reports += more
	}
	s.effectTorque.Store(s.ownEffects.current() + s.vibration.current())
	p.addReports(now, reports)
	return err
}

const minTorque = 1e-9 // avoids a division by 0 [N·m]

// sendForce uploads and plays the force as ordered.
func (s *session) sendForce(o sendOrder) error {
	if !s.info.HasForce() {
		return nil
	}
	if o.upload {
		s.effect.SetLevel(o.level)
		began := s.clock()
		if err := s.node.Upload(&s.effect); err != nil {
			return err
		}
		if note := s.uploads.add(s.clock() - began); note != "" {
			s.log.Warn("wheel: " + note)
		}
		s.updatesSent.Add(1)
	}
	if o.play {
		return s.node.Play(&s.effect)
	}
	return nil
}

// sleep waits as ordered. During a hold, a push does not end the wait.
func (s *session) sleep(o sendOrder) error {
	if !o.hold {
		return s.node.Wait(s.waker, o.wait)
	}
	ts := unix.NsecToTimespec(o.wait.Nanoseconds())
	_ = unix.Nanosleep(&ts, nil) // a signal may end it early, which is no error
	return nil
}

// endLimit is the longest time that a writer may take to end.
const endLimit = time.Second

// errStuck is returned when the writer hangs in a call of its driver and was abandoned.
var errStuck = errors.New("wheel: its driver does not answer; the kernel ends the force, unplug the wheel if it does not")

// end removes the force and closes the wheel. If the driver hangs, it abandons the writer and returns
// errStuck.
func (s *session) end() error {
	s.stop.Store(true)
	s.waker.Wake()
	err := s.waitForWriter(endLimit)
	s.input.Release()
	return err
}

// waitForWriter waits until the writer has ended, but no longer than limit, because a driver may hang.
func (s *session) waitForWriter(limit time.Duration) error {
	select {
	case <-s.ended:
		return nil
	case <-time.After(limit):
		return errStuck
	}
}

// angle returns the steering angle [rad], positive left. It returns 0, straight ahead, until the device
// has reported: before, all its axes hold 0, which is the left lock of a wheel that counts from 0. Any
// axis is proof of a report, because one report contains all axes and an axis at 0 sends no event.
func (s *session) angle() float64 {
	if !s.input.Reported() {
		return 0
	}
	return s.profile.Angle(s.input.Abs(s.axis))
}

// rate returns the highest rate of force updates that driver and device accept [1/s].
func (s *session) rate() float64 {
	return 1 / s.uploads.period(max(s.driver.updatePeriod, s.reportPeriod)).Seconds()
}

// monotonic returns the time since boot, without the time in suspend. Only the writer calls it: the
// functions of the loop must not read a clock.
func monotonic() time.Duration {
	var ts unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts) // cannot fail for this clock
	return time.Duration(ts.Nano())
}
