package wheel

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"rig.example/rig/calib"
	"rig.example/rig/internal/evdev"
)

// Sample is what the driver's hands do.
type Sample struct {
	Angle   float64 // steering [rad], positive left; kept from before while the wheel is absent
	Present bool
	Fault   bool // its steering sensor does what no rim can do
}

// Status describes the wheel to people.
type Status struct {
	Present  bool
	Name     string
	Path     string
	Driver   string   // kernel driver of the HID device
	RangeDeg float64  // rotation from lock to lock
	RatedNm  float64  // most torque now
	Notes    []string // why it is less than it could be, with remedies
	Problem  string   // why there is no wheel, with the remedy
	Sensor   string   // what is odd about its steering sensor now, with the remedy
	NoForce  string   // why it steers and gives no force, or less for a while, with the remedy
	Fault    string   // latched until ClearFault
	Writes   uint64   // effects sent so far
	UpdateMs float64  // what one of them takes in the driver
	MaxHz    float64  // how many a second it is sent at most
}

const faultNotFinite = "asked for a torque that is not a number; the rim is limp until the fault is cleared"

// Wheel is a steering wheel that may come and go.
//
// Run keeps it open. Poll and Push belong to the loop thread: they never wait,
// lock or allocate. All other methods may be called from anywhere.
type Wheel struct {
	cfg   Config
	store calib.Store
	log   *slog.Logger
	bell  *evdev.Bell
	dead  error // why there is no bell

	box     mailbox
	fault   atomic.Bool
	rated   atomic.Uint64 // bits of a float64 [N·m]
	writes  atomic.Uint64
	live    atomic.Bool   // the wheel's own effects may work
	allow   atomic.Uint64 // bits of a float64 [N·m], see Allow
	adds    atomic.Uint64 // bits of a float64 [N·m], see Own
	tremor  tremor
	room    atomic.Uint64 // bits of a float64 [N·m], see Room
	sine    atomic.Uint64 // bits of a float64 [N·m], see Headroom
	current atomic.Pointer[session]
	found   func(preset string) // see Announce
	now     func() time.Duration

	mu      sync.Mutex
	status  Status
	running bool

	closing sync.Once
	quit    chan struct{} // closed by Close
	done    chan struct{} // closed when Run ends
	stuck   error         // of Run, to be read once done is closed
}

// New returns a wheel that is absent until Run finds it. cfg must be valid.
func New(cfg Config, store calib.Store, log *slog.Logger) *Wheel {
	start := time.Now()
	w := &Wheel{cfg: cfg, store: store, log: log, now: func() time.Duration { return time.Since(start) }, quit: make(chan struct{}), done: make(chan struct{})}
	w.bell, w.dead = evdev.NewBell()
	return w
}

// Announce has f told of each wheel before it counts as present: of the preset that
// its table names for it, if any. It must come before Run, and f must not wait.
func (w *Wheel) Announce(f func(preset string)) { w.found = f }

// Run opens the wheel, waits for it where it is missing, and opens it again
// after an unplug, until ctx ends or Close is called. It leaves the wheel limp;
// its error, which Close repeats, tells of a driver that hung at the end.
func (w *Wheel) Run(ctx context.Context) error {
	if w.dead != nil {
		return fmt.Errorf("wheel: %w", w.dead)
	}
	w.mu.Lock()
	if w.running {
		w.mu.Unlock()
		return errors.New("wheel: Run was called twice")
	}
	w.running = true
	w.mu.Unlock()
	defer close(w.done)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-w.quit:
			cancel()
		case <-ctx.Done():
		}
	}()
	k := evdev.Keeper[*session]{Open: w.try, Missing: w.report, Drop: (*session).shut, Use: func(ctx context.Context, s *session) { w.stuck = w.use(ctx, s) }}
	if err := k.Run(ctx); err != nil {
		return fmt.Errorf("wheel: %w", err)
	}
	return w.stuck
}

// try opens the wheel if it is there. again asks for a retry even if no node
// changes: a driver adds the force, which also tells a wheel from a gamepad, a
// moment after the node, and nothing announces that; nor that another program
// lets go of its effects.
func (w *Wheel) try(patient bool) (s *session, again bool, err error) {
	list, err := evdev.List()
	if err != nil {
		return nil, false, err
	}
	info, err := Choose(list, w.cfg.Device)
	if err != nil {
		return nil, patient, err
	}
	if isKnown(info) && !info.HasForce() && patient {
		return nil, true, fmt.Errorf("wheel: %s offers no force yet; is its power supply plugged in?", info.Name)
	}
	s, err = open(w.cfg, info, w.store, w.log)
	return s, err != nil, err
}

// isKnown tells a wheel by what its maker calls it, force or not.
func isKnown(i evdev.Info) bool {
	_, known := models[[2]evdev.ID{i.Vendor, i.Product}]
	return known
}

// Choose picks the device the selector means, or the likeliest wheel.
func Choose(list []evdev.Info, selector string) (evdev.Info, error) {
	var best evdev.Info
	var unreadable error
	for _, i := range list {
		if i.Err != nil {
			if errors.Is(i.Err, fs.ErrPermission) || i.Matches(selector) {
				unreadable = i.Err
			}
			continue
		}
		if selector != "" && i.Matches(selector) {
			return i, nil
		}
		if selector == "" && (i.Kind == evdev.KindWheel || isKnown(i)) && (best.Path == "" || i.HasForce() && !best.HasForce()) {
			best = i
		}
	}
	switch {
	case best.Path != "":
		return best, nil
	case unreadable != nil:
		return best, fmt.Errorf("wheel: none found, but not every device could be read: %w", unreadable)
	case selector != "":
		return best, fmt.Errorf("wheel: no device matches %q; plug it in, or choose one that `rig devices` shows", selector)
	default:
		return best, errors.New("wheel: none found; plug it in, or name it in wheel.device")
	}
}

// report notes why there is no wheel, and logs it once.
func (w *Wheel) report(err error) {
	w.mu.Lock()
	changed := w.status.Problem != err.Error()
	w.status = Status{Problem: err.Error()}
	w.mu.Unlock()
	if changed {
		w.log.Warn("no wheel", "error", err)
	}
}

// use drives one device until it goes or ctx ends. The error is errStuck.
func (w *Wheel) use(ctx context.Context, s *session) error {
	s.box, s.bell, s.writes, s.live, s.tremor = &w.box, w.bell, &w.writes, &w.live, &w.tremor
	s.allow, s.adds = &w.allow, &w.adds
	w.mu.Lock()
	w.status = Status{Present: true, Name: s.info.Name, Path: s.info.Path, Driver: s.info.Driver, RangeDeg: s.profile.RangeDeg, RatedNm: s.lim.rated, Notes: s.lim.notes}
	w.mu.Unlock()
	w.log.Info("wheel connected", "name", s.info.Name, "path", s.info.Path, "driver", s.info.Driver, "range_deg", s.profile.RangeDeg, "rated_nm", s.lim.rated)
	for _, n := range s.lim.notes {
		w.log.Warn("wheel", "note", n)
	}
	if w.found != nil {
		w.found(PresetOf(s.info.Vendor, s.info.Product))
	}
	w.rated.Store(math.Float64bits(s.lim.rated)) // before the writer, whose own they are then
	w.sine.Store(math.Float64bits(s.vibration.most))
	w.room.Store(math.Float64bits(s.own.room + s.vibration.most))
	go s.write()
	w.current.Store(s)
	if !w.await(ctx, s) {
		w.log.Warn("wheel disconnected", "name", s.info.Name)
	}
	w.drop(s)
	return s.end()
}

// await waits for the end of ctx, or of the session, which it reports as false. Meanwhile it
// logs what the writer cannot log while it is in the driver.
func (w *Wheel) await(ctx context.Context, s *session) bool {
	look := time.NewTicker(time.Second)
	defer look.Stop()
	for told := uint64(0); ; {
		select {
		case <-ctx.Done():
			return true
		case <-s.ended:
			return false
		case <-look.C:
		}
		call := s.presence.call.Load()
		if held := s.presence.held(w.box.seq.Load()); held != 0 && call != told {
			told = call
			w.log.Error("wheel", "note", heldText(held))
		}
	}
}

// drop makes the wheel absent; the loop may do it too.
func (w *Wheel) drop(s *session) {
	if w.current.CompareAndSwap(s, nil) {
		w.rated.Store(0)
		w.room.Store(0)
		w.sine.Store(0)
		w.adds.Store(0)
	}
}

// Poll writes the newest state to out.
func (w *Wheel) Poll(out *Sample) {
	s := w.current.Load()
	if s != nil && s.input.Update() != nil {
		w.drop(s)
		s.stop.Store(true)
		w.bell.Ring() // the writer ends, and Run looks for the wheel again
		s = nil
	}
	if s == nil {
		out.Present, out.Fault = false, false
		return
	}
	out.Present = true
	out.Angle = s.steer(w.now())
	out.Fault = s.steering.axis.Fault()
}

// Push asks for a torque at the rim [N·m], positive left. The newest wins; it
// holds for 20 ms. One that is no number latches a fault and counts as 0.
func (w *Wheel) Push(torqueNm float64) {
	if math.IsNaN(torqueNm) || math.IsInf(torqueNm, 0) {
		w.fault.Store(true)
	}
	if w.fault.Load() {
		torqueNm = 0
		w.tremor.put(0, 0)
	}
	if s := w.current.Load(); s != nil {
		s.steering.bear(torqueNm)
	}
	w.box.put(torqueNm)
	w.bell.Ring()
}

// Live lets the wheel's own effects, if any are asked for, work from now on, or ends
// them. They end too when nothing is pushed any more.
func (w *Wheel) Live(on bool) { w.live.Store(on) }

// Allow bounds all that the wheel makes by itself, wherever its rim is and however it moves:
// spring, damper, friction and sine add up to nm at most [N·m], and to Room. It is 0 at first.
// The newest counts. Weaker they become within an update of the device, stronger in steps.
func (w *Wheel) Allow(nm float64) { w.allow.Store(math.Float64bits(nm)) }

// Room is the most that the wheel makes by itself [N·m]; Rated leaves it out. It is 0 if the
// wheel makes nothing, or nobody asked for it.
func (w *Wheel) Room() float64 { return math.Float64frombits(w.room.Load()) * w.share() }

// Own is what the wheel's own effects may add up to in the device by now [N·m].
func (w *Wheel) Own() float64 { return math.Float64frombits(w.adds.Load()) }

// Shake asks for a vibration of the wheel's own: its peak [N·m], at most Headroom, and its
// frequency [Hz], which the wheel holds within 5..100. The newest wins; it lasts while Live
// allows it and torques are pushed. 0 ends it.
func (w *Wheel) Shake(peakNm, hz float64) {
	if w.fault.Load() {
		peakNm = 0
	}
	w.tremor.put(peakNm, hz)
}

// Headroom is the highest peak of a vibration [N·m], a part of Room. It is 0 if the wheel has
// none, or nobody asked for one.
func (w *Wheel) Headroom() float64 { return math.Float64frombits(w.sine.Load()) * w.share() }

func (b *mailbox) put(torque float64) {
	b.bits.Store(math.Float64bits(torque))
	b.seq.Add(1)
}

func (b *mailbox) torque() float64 { return math.Float64frombits(b.bits.Load()) }

// Rated is the most torque the wheel may give now [N·m]; 0 while it is absent or its driver
// refuses forces. After that it grows from 0.
func (w *Wheel) Rated() float64 { return math.Float64frombits(w.rated.Load()) * w.share() }

// share is how much of its torque the wheel has, 0..1.
func (w *Wheel) share() float64 {
	s := w.current.Load()
	if s == nil {
		return 1 // rated and room are 0
	}
	return s.presence.share(w.box.seq.Load())
}

// Rate is how many forces a second the wheel takes at most [1/s]; 0 while it is
// absent. The loop may ask.
func (w *Wheel) Rate() float64 {
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
	s.Writes = w.writes.Load()
	if now := w.current.Load(); now != nil {
		s.UpdateMs = 1e3 * math.Float64frombits(now.upload.typical.Load())
		s.MaxHz = now.rate()
		s.NoForce, s.Sensor = now.presence.text(w.box.seq.Load()), now.steering.text()
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

// ClearFault ends a latched fault; the operator asks for it.
func (w *Wheel) ClearFault() { w.fault.Store(false) }

// Close takes the force off the rim at once and ends Run. It may be called twice.
func (w *Wheel) Close() error {
	w.closing.Do(func() { close(w.quit) })
	w.mu.Lock()
	running := w.running
	w.mu.Unlock()
	if !running {
		return w.closeBell()
	}
	select {
	case <-w.done:
	case <-time.After(2 * endLimit): // what Run needs, and another for opening a wheel just then
		return errStuck
	}
	return errors.Join(w.stuck, w.closeBell())
}

func (w *Wheel) closeBell() error {
	if w.bell == nil {
		return nil
	}
	return w.bell.Close()
}

func isMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) }
