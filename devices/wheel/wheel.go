package wheel

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"rig.example/rig/calib"
	"rig.example/rig/internal/kit/evdev"
	"rig.example/rig/internal/kit/latest"
	"rig.example/rig/internal/kit/lifecycle"
	"rig.example/rig/internal/kit/valid"
)

// Sample is the state of the steering wheel.
type Sample struct {
	Angle   float64 // steering [rad], positive left; the last known angle while the wheel is absent
	Present bool
	Fault   bool // the steering sensor is faulty
}

// Status describes the wheel to people.
type Status struct {
	Present  bool
	Name     string
	Path     string
	Driver   string   // kernel driver of the HID device
	RangeDeg float64  // rotation from lock to lock [deg]
	RatedNm  float64  // highest torque now [N·m]
	Notes    []string // why the torque is lower than it could be, with remedies
	Problem  string   // why there is no wheel, with the remedy
	Sensor   string   // present fault of the steering sensor, with the remedy
	NoForce  string   // why the wheel steers without force, or with less for a while, with the remedy
	Fault    string   // latched until ClearFault
	Writes   uint64   // force updates sent so far
	UpdateMs float64  // time that one force update takes in the driver [ms]
	MaxHz    float64  // highest rate of force updates [1/s]
}

const faultNotFinite = "a torque was NaN or Inf; no force until the fault is cleared"

// Wheel is a steering wheel that may come and go.
//
// Run keeps it open. Poll, Push and Vibrate belong to one goroutine, the loop thread: they never wait,
// lock or allocate. All other methods may be called from anywhere.
type Wheel struct {
	cfg     Config
	store   calib.Store
	log     *slog.Logger
	waker   *evdev.Waker
	initErr error // why there is no waker

	torque         latest.Cell[float64] // requested by Push, read by the writer [N·m]
	fault          atomic.Bool
	rated          latest.Float // [N·m]
	updatesSent    atomic.Uint64
	effectsEnabled atomic.Bool                   // the wheel's own effects may play
	effectLimit    latest.Float                  // [N·m], see LimitEffects
	effectTorque   latest.Float                  // [N·m], see EffectTorque
	vibration      latest.Cell[vibrationRequest] // requested by Vibrate
	effectReserve  latest.Float                  // [N·m], see EffectReserve
	maxVibration   latest.Float                  // [N·m], see MaxVibration
	current        atomic.Pointer[session]
	onConnect      func(preset string) // see OnConnect
	now            func() time.Duration
	measuredOnly   bool            // see MeasuredOnly
	returning      evdev.Returning // belongs to Run
	list           func() ([]evdev.Info, error)
	open           func(Config, evdev.Info, calib.Store, *slog.Logger) (*session, error)

	mu     sync.Mutex
	status Status

	runner lifecycle.Runner
	runErr error // the error of Run, valid once Run has ended
}

// New returns a wheel that is absent until Run finds it. cfg must be valid.
func New(cfg Config, store calib.Store, log *slog.Logger) *Wheel {
	start := time.Now()
	w := &Wheel{cfg: cfg, store: store, log: log, now: func() time.Duration { return time.Since(start) }, list: evdev.List, open: open}
	w.waker, w.initErr = evdev.NewWaker()
	return w
}

// OnConnect sets a function that is called for each wheel before it counts as present. Its argument is
// the preset that suits the wheel, "" if that is not known. OnConnect must be called before Run, and f
// must not wait.
func (w *Wheel) OnConnect(f func(preset string)) { w.onConnect = f }

// MeasuredOnly makes the wheel refuse every device that CheckMeasured refuses. It must be called before
// Run.
func (w *Wheel) MeasuredOnly() { w.measuredOnly = true }

// Run opens the wheel, waits for it while it is missing, and opens it again after an unplug, until ctx
// ends or Close is called. It leaves the wheel without force. It returns an error, which Close returns
// too, if the driver hung at the end.
func (w *Wheel) Run(ctx context.Context) error {
	if w.initErr != nil {
		return fmt.Errorf("wheel: %w", w.initErr)
	}
	ctx, end, err := w.runner.Begin(ctx)
	if err != nil {
		return fmt.Errorf("wheel: %w", err)
	}
	defer end()
	k := lifecycle.Keeper[*session]{
		Watch: evdev.Watch, Open: w.tryOpen, Missing: w.report, Discard: (*session).closeUnused,
		Use: func(ctx context.Context, s *session) { w.runErr = w.use(ctx, s) },
	}
	if err := k.Run(ctx); err != nil {
		return fmt.Errorf("wheel: %w", err)
	}
	return w.runErr
}

// tryOpen opens the wheel if it is plugged in. again asks for another attempt even if no node changes,
// because two changes are not announced: a driver adds the force feedback, by which a wheel differs
// from a gamepad, a moment after the node; and another program releases its effects. early is true for
// the first attempts after a change of the nodes.
func (w *Wheel) tryOpen(early bool) (s *session, again bool, err error) {
	list, err := w.list()
	if err != nil {
		return nil, false, err
	}
	info, err := chooseReturning(&w.returning, list, w.cfg.Device)
	if err != nil {
		return nil, early, err
	}
	if w.measuredOnly {
		if err := CheckMeasured(w.cfg, info, w.store); err != nil {
			return nil, early, err
		}
	}
	if isKnown(info) && !info.HasForce() && early {
		return nil, true, fmt.Errorf("wheel: %s offers no force yet; is its power supply plugged in?", info.Name)
	}
	if s, err = w.open(w.cfg, info, w.store, w.log); err == nil {
		w.returning.Use(info)
	}
	return s, err != nil, err
}

// chooseReturning is Choose for a part that may have lost its wheel: it finds no other one.
func chooseReturning(r *evdev.Returning, list []evdev.Info, selector string) (evdev.Info, error) {
	return r.Choose("wheel", list, func(list []evdev.Info) (evdev.Info, error) { return Choose(list, selector) })
}

// isKnown reports whether the device is a wheel by its USB id, with or without force feedback.
func isKnown(i evdev.Info) bool {
	_, known := modelTable[[2]evdev.ID{i.Vendor, i.Product}]
	return known
}

// Choose returns the device that selector means. If selector is empty, it returns the first wheel that
// offers force, or else the first wheel.
func Choose(list []evdev.Info, selector string) (evdev.Info, error) {
	return evdev.Choose(list, "wheel", selector, func(i evdev.Info) int {
		switch {
		case i.Kind != evdev.KindWheel && !isKnown(i):
			return 0
		case i.HasForce():
			return 2
		}
		return 1
	})
}

// report logs why there is no wheel and stores the reason for Status.
func (w *Wheel) report(err error) {
	w.mu.Lock()
	w.status = Status{Problem: err.Error()}
	w.mu.Unlock()
	w.log.Warn("no wheel", "error", err)
}

// use drives one device until it is unplugged or ctx ends. The only error is errStuck.
func (w *Wheel) use(ctx context.Context, s *session) error {
	s.torque, s.waker, s.updatesSent = &w.torque, w.waker, &w.updatesSent
	s.effectsEnabled, s.requestedVibration = &w.effectsEnabled, &w.vibration
	s.effectLimit, s.effectTorque = &w.effectLimit, &w.effectTorque
	w.mu.Lock()
	w.status = Status{
		Present: true, Name: s.info.Name, Path: s.info.Path, Driver: s.info.Driver,
		RangeDeg: s.profile.RangeDeg, RatedNm: s.limits.rated, Notes: s.limits.notes,
	}
	w.mu.Unlock()
	w.log.Info("wheel connected", "device", s.info.Name, "path", s.info.Path, "driver", s.info.Driver,
		"range_deg", s.profile.RangeDeg, "rated_nm", s.limits.rated)
	for _, n := range s.limits.notes {
		w.log.Warn("wheel: " + n)
	}
	if w.onConnect != nil {
		w.onConnect(PresetOf(s.info.Vendor, s.info.Product))
	}
	w.rated.Store(s.limits.rated) // before the writer starts, because the limits belong to it then
	w.maxVibration.Store(s.vibration.maxPeak)
	w.effectReserve.Store(s.ownEffects.reservedTorque + s.vibration.maxPeak)
	go s.runWriter()
	w.current.Store(s)
	if !w.waitForEnd(ctx, s) {
		w.log.Warn("wheel disconnected", "device", s.info.Name)
	}
	w.drop(s)
	return s.end()
}

// waitForEnd waits until ctx ends, and returns true then, or until the session ends, and returns false.
// Meanwhile it logs a driver that does not return from a call, because the writer, which waits in that
// call, cannot log it.
func (w *Wheel) waitForEnd(ctx context.Context, s *session) bool {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for loggedCall := uint64(0); ; {
		select {
		case <-ctx.Done():
			return true
		case <-s.ended:
			return false
		case <-ticker.C:
		}
		call := s.force.callStart.Load()
		if stalled := s.force.stalledFor(w.torque.Number()); stalled != 0 && call != loggedCall {
			loggedCall = call
			w.log.Error("wheel: " + stalledText(stalled))
		}
	}
}

// drop makes the wheel absent. The loop may call it too.
func (w *Wheel) drop(s *session) {
	if w.current.CompareAndSwap(s, nil) {
		w.rated.Store(0)
		w.effectReserve.Store(0)
		w.maxVibration.Store(0)
		w.effectTorque.Store(0)
	}
}

// Poll writes the newest state to out.
func (w *Wheel) Poll(out *Sample) {
	s := w.current.Load()
	if s != nil && s.input.Update() != nil {
		w.drop(s)
		s.stop.Store(true)
		w.waker.Wake() // the writer ends, and Run searches for the wheel again
		s = nil
	}
	if s == nil {
		out.Present, out.Fault = false, false
		return
	}
	out.Present = true
	out.Angle = s.steeringAngle(w.now())
	out.Fault = s.sensor.axis.Fault()
}

// Push sets the torque at the rim [N·m], positive left. It stays in force for 20 ms, or until the next
// Push. NaN and Inf latch a fault and count as 0.
func (w *Wheel) Push(torqueNm float64) {
	if !valid.Finite(torqueNm) {
		w.fault.Store(true)
	}
	if w.fault.Load() {
		torqueNm = 0
		w.vibration.Put(&vibrationRequest{})
	}
	if s := w.current.Load(); s != nil {
		s.sensor.noteTorque(torqueNm)
	}
	w.torque.Put(&torqueNm)
	w.waker.Wake()
}

// EnableEffects switches the wheel's own effects on or off. They also end when no torque is pushed any
// more.
func (w *Wheel) EnableEffects(on bool) { w.effectsEnabled.Store(on) }

// LimitEffects limits the sum of all effects that the wheel computes by itself: at any position and
// speed of the rim, spring, damper, friction and sine add up to at most nm [N·m], and never to more than
// EffectReserve. The limit is 0 until the first call. A lower limit acts within one update of the
// device, a higher one in steps.
func (w *Wheel) LimitEffects(nm float64) { w.effectLimit.Store(nm) }

// EffectReserve returns the torque that is reserved for the wheel's own effects [N·m]. Rated does not
// include it. It is 0 if the wheel has no effects of its own.
func (w *Wheel) EffectReserve() float64 { return w.effectReserve.Load() * w.availableShare() }

// EffectTorque returns the highest torque that the wheel's own effects can reach together at their
// present strength [N·m].
func (w *Wheel) EffectTorque() float64 { return w.effectTorque.Load() }

// Vibrate requests a vibration, which the wheel plays as a sine effect of its own. peakNm is its peak
// [N·m], at most MaxVibration; 0 ends it. hz is its frequency [Hz], limited to 5..100. A request stays
// in force until the next one, as long as EnableEffects allows effects and torques are pushed.
func (w *Wheel) Vibrate(peakNm, hz float64) {
	if w.fault.Load() {
		peakNm = 0
	}
	w.vibration.Put(&vibrationRequest{peakNm, hz})
}

// MaxVibration returns the highest peak of a vibration [N·m], a part of EffectReserve; 0 if the wheel
// has none.
func (w *Wheel) MaxVibration() float64 { return w.maxVibration.Load() * w.availableShare() }

// Rated returns the highest torque that the wheel may give now [N·m]. It is 0 while the wheel is absent
// or its driver refuses forces, and grows gradually after a refusal.
func (w *Wheel) Rated() float64 { return w.rated.Load() * w.availableShare() }

// availableShare returns the share of its torque that the wheel can give now, 0..1.
func (w *Wheel) availableShare() float64 {
	s := w.current.Load()
	if s == nil {
		return 1 // drop has set the torques to 0
	}
	return s.force.availableShare(w.torque.Number())
}

// UpdateRate returns the highest rate of torque updates that the wheel accepts [1/s]; 0 while it is
// absent. It may be called from the loop.
func (w *Wheel) UpdateRate() float64 {
	s := w.current.Load()
	if s == nil {
		return 0
	}
	return s.rate()
}

// Status describes the wheel as it is now.
func (w *Wheel) Status() Status {
	w.mu.Lock()
	s := w.status
	w.mu.Unlock()
	s.Writes = w.updatesSent.Load()
	if now := w.current.Load(); now != nil {
		s.UpdateMs = 1e3 * now.uploads.medianTime.Load()
		s.MaxHz = now.rate()
		s.NoForce, s.Sensor = now.force.text(w.torque.Number()), now.sensor.text()
	}
	if w.fault.Load() {
		s.Fault = faultNotFinite
	}
	if s.Present && w.current.Load() == nil {
		s.Present, s.RatedNm = false, 0
	}
	if s.NoForce != "" {
		s.RatedNm = 0
	}
	return s
}

// ClearFault ends a latched fault. It is called when the operator asks for it.
func (w *Wheel) ClearFault() { w.fault.Store(false) }

// Close ends the force at once, and then Run. It may be called twice.
func (w *Wheel) Close() error {
	if !w.runner.Close(2 * endLimit) { // Run needs one endLimit, and a wheel that is just being opened another one
		return errStuck
	}
	return errors.Join(w.runErr, w.closeWaker())
}

func (w *Wheel) closeWaker() error {
	if w.waker == nil {
		return nil
	}
	return w.waker.Close()
}

func isNotExist(err error) bool { return errors.Is(err, fs.ErrNotExist) }
