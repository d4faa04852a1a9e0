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
	"rig.example/rig/devices/levers"
	"rig.example/rig/internal/axis"
	"rig.example/rig/internal/evdev"
	"rig.example/rig/internal/lifecycle"
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

// session is one device from the moment it is plugged in until it is unplugged. input, pedals, shapes and
// check belong to the loop once the session is published.
type session struct {
	info   evdev.Info
	input  *evdev.Input
	pedals [axis.Count]pedal
	shapes [axis.Count]axis.Shape
	check  sensorCheck
	start  time.Time

	unknownEnds int           // number of pedals whose resting end was not known when the device was opened
	ambiguous   atomic.Uint32 // pedals that count as released because they are ambiguous, one bit each
	lost        atomic.Bool   // the loop could not read the device
	grabErr     error         // why the device could not be grabbed
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
	s.unknownEnds = countUnknownEnds(&s.pedals)
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

// countUnknownEnds counts the pedals whose resting end is not known.
func countUnknownEnds(ps *[axis.Count]pedal) (n int) {
	for i := range ps {
		if ps[i].used && !ps[i].known {
			n++
		}
	}
	return n
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
	if s.sample(out) {
		p.waker.Wake() // use logs the new notes
	}
}

// sample writes the state of the pedals to out and reports whether there are new notes.
func (s *session) sample(out *Sample) (changed bool) {
	var v [axis.Count]float64
	for i := range s.pedals {
		q := &s.pedals[i]
		q.guessEnds(s.input.FirstAbs(q.code), s.input.AxisReported(q.code))
	}
	ambiguous := resolveEnds(&s.pedals, s.unknownEnds)
	for i := range s.pedals {
		q := &s.pedals[i]
		v[i] = q.value(s.input.Abs(q.code), s.input.AxisReported(q.code))
	}
	flagsBefore := s.check.flags.Load()
	fault := s.check.step(&s.pedals, &v, s.input, time.Since(s.start))
	for i := range v {
		v[i] = s.shapes[i].Step(v[i])
	}
	*out = Sample{Throttle: v[axis.Throttle], Brake: v[axis.Brake], Clutch: v[axis.Clutch], Handbrake: v[axis.Handbrake], Present: true, Fault: fault}
	return s.ambiguous.Swap(ambiguous) != ambiguous && ambiguous != 0 || s.check.flags.Load()&^flagsBefore != 0
}

// notes returns what is wrong with the pedals now, with remedies.
func (s *session) notes() []string {
	var list []string
	if s.grabErr != nil {
		list = append(list, s.grabErr.Error())
	}
	ambiguous := s.ambiguous.Load()
	for i, name := range axis.Names {
		if ambiguous>>i&1 == 1 {
			list = append(list, fmt.Sprintf("%s: it was pressed when it was connected, or its device counts down; "+
				"it counts as released until that is known: run `rig calibrate pedals`, or let go and plug it in again", name))
		}
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
