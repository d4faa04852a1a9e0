package pedals

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"rig.example/rig/calib"
	"rig.example/rig/devices/analog"
	"rig.example/rig/devices/axis"
	"rig.example/rig/devices/levers"
	"rig.example/rig/internal/kit/evdev"
	"rig.example/rig/internal/kit/humanmotion"
	"rig.example/rig/internal/kit/lifecycle"
)

// Sample has the positions of the pedals, each 0 released to 1 fully pressed, and the state of the levers.
type Sample struct {
	Throttle, Brake, Clutch, Handbrake float64
	Present                            bool
	Fault                              bool // a sensor reports movements that no foot can make
	Levers                             levers.Sample
}

// absentBrake is the brake position while there are no pedals: it slows the car gently.
const absentBrake = 0.2

// absent is the sample while there are no pedals.
var absent = Sample{Brake: absentBrake}

// Status describes the pedals to people.
type Status struct {
	Present    bool
	Name       string
	Path       string
	Axes       []string // such as "throttle ABS_Z"
	Calibrated bool
	Notes      []string // limitations, with remedies
	Problem    string   // why there are no pedals, with the remedy
	Sensor     string   // the first present fault of a sensor, with the remedy
	Unusable   string   // why a pedal or lever that is connected does not count now, with the remedy
	Analog     []analog.Status
	Missing    []string // why pedals and levers on other nodes are missing
}

// Pedals are pedals that may come and go.
//
// Run keeps them open. Poll belongs to the loop thread: it never waits, locks or allocates. All other
// methods may be called from any goroutine.
type Pedals struct {
	cfg     Config
	store   calib.Store
	log     *slog.Logger
	waker   *evdev.Waker
	initErr error // why Run is not possible

	otherInputs *otherInputs // nil if Run is not possible

	current   atomic.Pointer[session]
	returning evdev.Returning // belongs to Run

	mu     sync.Mutex
	status Status

	runner lifecycle.Runner
}

// session is one device from the moment it is plugged in until it is unplugged. input, pedals, shapes,
// check, rest and lastAt belong to the loop once the session is published.
type session struct {
	info   evdev.Info
	input  *evdev.Input
	pedals [axis.Count]pedal
	shapes [axis.Count]axis.Shape
	check  sensorCheck
	rest   restState
	start  time.Time
	lastAt time.Duration // time of the last sample, since start

	doubts  atomic.Uint32 // axis.Doubts
	late    atomic.Bool   // the doubts have lasted for long enough to be logged
	lost    atomic.Bool   // the loop could not read the device
	grabErr error         // why the device could not be grabbed
}

// New returns pedals that are absent until Run finds them. cfg must be valid.
func New(cfg Config, store calib.Store, log *slog.Logger) *Pedals {
	p := &Pedals{cfg: cfg, store: store, log: log}
	waker, err := evdev.NewWaker()
	if err != nil {
		p.initErr = fmt.Errorf("pedals: %w", err)
		return p
	}
	p.waker = waker
	p.otherInputs, p.initErr = newOtherInputs(cfg, store, tick, log)
	return p
}

// tick is the time between two Polls [s].
const tick = 0.001

// Run opens the pedals, waits for them while they are missing, and opens them again after an unplug, until
// ctx ends or Close is called.
func (p *Pedals) Run(ctx context.Context) error {
	if p.initErr != nil {
		return p.initErr
	}
	ctx, end, err := p.runner.Begin(ctx)
	if err != nil {
		return fmt.Errorf("pedals: %w", err)
	}
	defer end()
	ctx, cancel := context.WithCancel(ctx)
	defer context.AfterFunc(ctx, p.waker.Wake)()
	var others sync.WaitGroup
	defer others.Wait()
	defer cancel()
	others.Go(func() {
		if err := p.otherInputs.run(ctx); err != nil {
			p.log.Warn("no pedals and levers on other devices", "error", err)
		}
	})
	k := lifecycle.Keeper[*session]{
		Watch: evdev.Watch, Open: p.tryOpen, Missing: p.report,
		Discard: func(s *session) { s.input.Release() }, Use: p.use,
	}
	if err := k.Run(ctx); err != nil {
		return fmt.Errorf("pedals: %w", err)
	}
	return nil
}

// tryOpen opens the pedals if they are plugged in. again asks for another attempt if another program has
// grabbed them, because the end of a grab is not announced.
func (p *Pedals) tryOpen(bool) (s *session, again bool, err error) {
	s, err = p.open()
	return s, errors.Is(err, evdev.ErrGrabbed), err
}

func (p *Pedals) open() (*session, error) {
	list, err := evdev.List()
	if err != nil {
		return nil, err
	}
	info, err := p.choose(list)
	if err != nil {
		return nil, err
	}
	profile, err := p.store.Pedals(calib.IdentityOf(info))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err != nil {
		profile = calib.PedalsProfile{}
	}
	if text := profile.Device.Changed(info); text != "" {
		p.log.Warn("pedals: "+text, "remedy", "measure them again: rig calibrate pedals")
	}
	s := &session{info: info, start: time.Now()}
	if s.pedals, err = layoutFor(p.cfg, info, profile); err != nil {
		return nil, err
	}
	if err = s.check.configure(p.cfg.Check, info); err != nil {
		return nil, err
	}
	for i, cfg := range p.cfg.Shape.All() {
		s.shapes[i] = axis.NewShape(cfg, tick)
	}
	s.rest = newRestState(&s.pedals, p.cfg.elsewhere().Assigned)
	s.doubts.Store(uint32(s.rest.doubts()))
	if s.input, err = evdev.Share(info); err != nil {
		return nil, err
	}
	if p.cfg.Grab {
		if s.grabErr = s.input.Grab(); s.grabErr != nil {
			p.log.Warn("other programs also read the pedals", "error", s.grabErr)
		}
	}
	p.returning.Use(info)
	p.reportConnected(s, profile.Version != 0)
	return s, nil
}

// choose is Choose for pedals that may have been lost: it finds no other ones.
func (p *Pedals) choose(list []evdev.Info) (evdev.Info, error) {
	return p.returning.Choose("pedals", list, func(list []evdev.Info) (evdev.Info, error) { return Choose(list, p.cfg.Device, p.store) })
}

// reportConnected logs the device and its axes, and stores them for Status.
func (p *Pedals) reportConnected(s *session, calibrated bool) {
	st := Status{Present: true, Name: s.info.Name, Path: s.info.Path, Calibrated: calibrated}
	for i, q := range s.pedals {
		if q.used {
			st.Axes = append(st.Axes, axis.Names[i]+" "+evdev.AbsName(q.code))
		}
	}
	p.mu.Lock()
	p.status = st
	p.mu.Unlock()
	p.log.Info("pedals connected", "device", st.Name, "path", st.Path, "axes", st.Axes, "calibrated", calibrated)
}

// report logs why there are no pedals and stores the reason for Status.
func (p *Pedals) report(err error) {
	p.mu.Lock()
	p.status = Status{Problem: err.Error()}
	p.mu.Unlock()
	p.log.Warn("no pedals", "error", err)
}

// use keeps one device open until it is unplugged or ctx ends, and logs its notes.
func (p *Pedals) use(ctx context.Context, s *session) {
	p.current.Store(s)
	var logged []string
	for ctx.Err() == nil && !s.lost.Load() && s.input.Node().Wait(p.waker, -1) == nil {
		for _, n := range s.notes() {
			if !slices.Contains(logged, n) {
				logged = append(logged, n)
				p.log.Warn("pedals: "+n, "device", s.info.Name)
			}
		}
	}
	if ctx.Err() == nil {
		p.log.Warn("pedals disconnected", "device", s.info.Name)
	}
	p.current.CompareAndSwap(s, nil)
	s.input.Release()
}

// Poll writes the newest state to out.
func (p *Pedals) Poll(out *Sample) {
	p.poll(out)
	if p.otherInputs != nil {
		p.otherInputs.overlay(out, &out.Levers, p.otherInputs.analog.Now())
	}
}

// poll writes the state of the set of pedals to out.
func (p *Pedals) poll(out *Sample) {
	s := p.current.Load()
	if s != nil && s.input.Update() != nil {
		p.current.CompareAndSwap(s, nil)
		s.lost.Store(true)
		p.waker.Wake()
		s = nil
	}
	if s == nil {
		*out = absent
		return
	}
	if s.sample(s.input, time.Since(s.start), out) {
		p.waker.Wake() // use logs the new notes
	}
}

// logDoubtsAfter is how long a pedal must have been waited for before that is logged [s].
const logDoubtsAfter = 2

// sample writes the state of the pedals at now, a time since start, to out, and reports whether there are new notes. A throttle or
// brake that was not seen at rest is as absent as the pedals of a device that is unplugged.
func (s *session) sample(in eventReader, now time.Duration, out *Sample) (changed bool) {
	dt, gap := humanmotion.TimeStep(s.lastAt, now)
	if s.lastAt = now; gap {
		dt = 0 // where they stood meanwhile is not known
	}
	s.rest.step(&s.pedals, in, dt)
	var v [axis.Count]float64
	for i := range s.pedals {
		q := &s.pedals[i]
		v[i] = q.value(in.Abs(q.code), in.AxisReported(q.code))
	}
	flagsBefore := s.check.flags.Load()
	fault := s.check.step(&s.pedals, &v, in, now)
	for i := range v {
		v[i] = s.shapes[i].Step(v[i])
	}
	*out = Sample{Throttle: v[axis.Throttle], Brake: v[axis.Brake], Clutch: v[axis.Clutch], Handbrake: v[axis.Handbrake], Present: s.rest.present(), Fault: fault}
	if !out.Present {
		out.Throttle, out.Brake = absent.Throttle, max(out.Brake, absent.Brake)
	}
	doubts := uint32(s.rest.doubts())
	isNew := s.doubts.Swap(doubts) != doubts || !s.late.Load()
	late := doubts != 0 && now.Seconds() >= logDoubtsAfter
	s.late.Store(late)
	return late && isNew || s.check.flags.Load()&^flagsBefore != 0
}

// notes returns what is wrong with the pedals now, with remedies.
func (s *session) notes() []string {
	var list []string
	if s.grabErr != nil {
		list = append(list, s.grabErr.Error())
	}
	if s.late.Load() {
		list = append(list, axis.Doubts(s.doubts.Load()).Texts()...)
	}
	return append(list, s.check.notes()...)
}

// Status describes the pedals as they are now.
func (p *Pedals) Status() Status {
	p.mu.Lock()
	s := p.status
	p.mu.Unlock()
	if p.otherInputs != nil {
		s.Analog, s.Missing = p.otherInputs.analog.Status(), p.otherInputs.levers.Problems()
	}
	current := p.current.Load()
	s.Unusable = p.unusable(current, s.Analog)
	if current == nil {
		s.Present = false
		return s
	}
	s.Notes = current.notes()
	if faults := current.check.notes(); len(faults) > 0 {
		s.Sensor = faults[0]
	}
	return s
}

// unusable returns why a pedal or lever that is connected does not count now, or "". While the set of pedals that a car needs is
// away, that is what must be said.
func (p *Pedals) unusable(current *session, converters []analog.Status) string {
	var doubts axis.Doubts
	switch {
	case current != nil:
		doubts = axis.Doubts(current.doubts.Load())
	case !p.cfg.CoversThrottleAndBrake():
		return ""
	}
	if p.otherInputs != nil {
		doubts |= p.otherInputs.levers.Doubts()
	}
	if texts := doubts.Texts(); len(texts) > 0 {
		return texts[0]
	}
	for _, a := range converters {
		if !a.Present {
			return a.Axis + ": " + a.Problem
		}
	}
	return ""
}

// Close ends Run. It may be called twice.
func (p *Pedals) Close() error {
	p.runner.Close(0)
	var errs []error
	if p.otherInputs != nil {
		errs = append(errs, p.otherInputs.close())
	}
	if p.waker != nil {
		errs = append(errs, p.waker.Close())
	}
	return errors.Join(errs...)
}
