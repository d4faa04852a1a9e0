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
)

// Sample is what the driver's feet do, each 0 released to 1 fully pressed.
type Sample struct {
	Throttle, Brake, Clutch, Handbrake float64
	Present                            bool
	Fault                              bool // a sensor does what no foot can do
	Levers                             levers.Sample
}

// absentBrake slows a car whose pedals were lost without throwing it.
const absentBrake = 0.2

// absent is what counts while there are no pedals.
var absent = Sample{Brake: absentBrake}

// Status describes the pedals to people.
type Status struct {
	Present    bool
	Name       string
	Path       string
	Axes       []string // such as "throttle ABS_Z"
	Calibrated bool
	Notes      []string // what does not work as it could, with the remedy
	Problem    string   // why there are none, with the remedy
	Sensor     string   // what no foot can do and one of them does now, with the remedy
	Analog     []analog.Status
	Missing    []string // why levers and pedals on other nodes are not there
}

// Pedals are pedals that may come and go.
//
// Run keeps them open. Poll belongs to the loop thread: it never waits, locks
// or allocates. All other methods may be called from anywhere.
type Pedals struct {
	cfg   Config
	store calib.Store
	log   *slog.Logger
	bell  *evdev.Bell
	dead  error // why it cannot run

	others *Others // nil if it cannot run

	current atomic.Pointer[session]

	mu      sync.Mutex
	status  Status
	running bool

	closing sync.Once
	quit    chan struct{} // closed by Close
	done    chan struct{} // closed when Run ends
}

// session is one device from plug to unplug.
type session struct {
	info   evdev.Info
	input  *evdev.Input           // belongs to the loop once the session is published
	pedals [axis.Count]pedal      // likewise
	shapes [axis.Count]axis.Shape // likewise
	judge  judge
	start  time.Time

	guesses int           // pedals whose resting end is not known from before
	doubt   atomic.Uint32 // pedals that are released because of a doubt, one bit each
	lost    atomic.Bool   // the loop could not read it
	grabbed error         // why it could not be grabbed
}

// New returns pedals that are absent until Run finds them. cfg must be valid.
func New(cfg Config, store calib.Store, log *slog.Logger) *Pedals {
	p := &Pedals{cfg: cfg, store: store, log: log, quit: make(chan struct{}), done: make(chan struct{})}
	bell, err := evdev.NewBell()
	if err != nil {
		p.dead = fmt.Errorf("pedals: %w", err)
		return p
	}
	p.bell = bell
	p.others, p.dead = NewOthers(cfg.OthersConfig, store, tick, log)
	return p
}

// tick is the time between two Polls [s]; the loop's rate is fixed.
const tick = 0.001

// Run opens the pedals, waits for them where they are missing, and opens them
// again after an unplug, until ctx ends or Close is called.
func (p *Pedals) Run(ctx context.Context) error {
	if p.dead != nil {
		return p.dead
	}
	p.mu.Lock()
	if p.running {
		p.mu.Unlock()
		return errors.New("pedals: Run was called twice")
	}
	p.running = true
	p.mu.Unlock()
	defer close(p.done)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-p.quit:
			cancel()
		case <-ctx.Done():
		}
	}()
	defer context.AfterFunc(ctx, p.bell.Ring)()
	var others sync.WaitGroup
	defer others.Wait()
	defer cancel()
	others.Go(func() {
		if err := p.others.Run(ctx); err != nil {
			p.log.Warn("no other pedals and levers", "error", err)
		}
	})
	k := evdev.Keeper[*session]{Open: p.try, Missing: p.report, Drop: func(s *session) { s.input.Release() }, Use: p.use}
	if err := k.Run(ctx); err != nil {
		return fmt.Errorf("pedals: %w", err)
	}
	return nil
}

// try opens the pedals if they are there.
func (p *Pedals) try(bool) (s *session, again bool, err error) {
	s, err = p.open()
	return s, errors.Is(err, evdev.ErrGrabbed), err // nothing announces the end of a grab
}

func (p *Pedals) open() (*session, error) {
	list, err := evdev.List()
	if err != nil {
		return nil, err
	}
	info, err := Choose(list, p.cfg.Device, p.store)
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
	if s.pedals, err = layout(p.cfg, info, profile); err != nil {
		return nil, err
	}
	if err = s.judge.begin(p.cfg.Check, info); err != nil {
		return nil, err
	}
	for i, cfg := range p.cfg.Shape.All() {
		s.shapes[i] = axis.NewShape(cfg, tick)
	}
	s.guesses = unknownEnds(&s.pedals)
	if s.input, err = evdev.Share(info); err != nil {
		return nil, err
	}
	if p.cfg.Grab {
		if s.grabbed = s.input.Grab(); s.grabbed != nil {
			p.log.Warn("pedals", "note", s.grabbed)
		}
	}
	p.note(s, profile.Version != 0)
	return s, nil
}

// unknownEnds counts the pedals whose resting end is not known from before.
func unknownEnds(ps *[axis.Count]pedal) (n int) {
	for i := range ps {
		if ps[i].used && !ps[i].known {
			n++
		}
	}
	return n
}

// note tells what is used.
func (p *Pedals) note(s *session, calibrated bool) {
	st := Status{Present: true, Name: s.info.Name, Path: s.info.Path, Calibrated: calibrated}
	for i, q := range s.pedals {
		if q.used {
			st.Axes = append(st.Axes, axis.Names[i]+" "+evdev.AbsName(q.code))
		}
	}
	p.mu.Lock()
	p.status = st
	p.mu.Unlock()
	p.log.Info("pedals connected", "name", st.Name, "path", st.Path, "axes", st.Axes, "calibrated", calibrated)
}

// report notes why there are no pedals, and logs it once.
func (p *Pedals) report(err error) {
	p.mu.Lock()
	changed := p.status.Problem != err.Error()
	p.status = Status{Problem: err.Error()}
	p.mu.Unlock()
	if changed {
		p.log.Warn("no pedals", "error", err)
	}
}

// use keeps one device until it goes or ctx ends.
func (p *Pedals) use(ctx context.Context, s *session) {
	p.current.Store(s)
	var told []string
	for ctx.Err() == nil && !s.lost.Load() && s.input.Node().Wait(p.bell, -1) == nil {
		for _, n := range s.notes() {
			if !slices.Contains(told, n) {
				told = append(told, n)
				p.log.Warn("pedals", "name", s.info.Name, "note", n)
			}
		}
	}
	if ctx.Err() == nil {
		p.log.Warn("pedals disconnected", "name", s.info.Name)
	}
	p.current.CompareAndSwap(s, nil)
	s.input.Release()
}

// Poll writes the newest state to out.
func (p *Pedals) Poll(out *Sample) {
	p.poll(out)
	if p.others != nil {
		p.others.Overlay(out, &out.Levers)
	}
}

// poll writes what the one set of pedals does to out.
func (p *Pedals) poll(out *Sample) {
	s := p.current.Load()
	if s != nil && s.input.Update() != nil {
		p.current.CompareAndSwap(s, nil)
		s.lost.Store(true)
		p.bell.Ring()
		s = nil
	}
	if s == nil {
		*out = absent
		return
	}
	if s.sample(out) {
		p.bell.Ring() // Run tells of the doubt
	}
}

// sample writes the pedals' state to out and reports whether something is to be told.
func (s *session) sample(out *Sample) (doubts bool) {
	var v [axis.Count]float64
	for i := range s.pedals {
		q := &s.pedals[i]
		q.guess(s.input.First(q.code), s.input.Moved(q.code))
	}
	doubt := settleEnds(&s.pedals, s.guesses)
	for i := range s.pedals {
		q := &s.pedals[i]
		v[i] = q.value(s.input.Abs(q.code), s.input.Moved(q.code))
	}
	odd := s.judge.odd.Load()
	fault := s.judge.step(&s.pedals, &v, s.input, time.Since(s.start))
	for i := range v {
		v[i] = s.shapes[i].Step(v[i])
	}
	*out = Sample{Throttle: v[axis.Throttle], Brake: v[axis.Brake], Clutch: v[axis.Clutch], Handbrake: v[axis.Handbrake], Present: true, Fault: fault}
	return s.doubt.Swap(doubt) != doubt && doubt != 0 || s.judge.odd.Load()&^odd != 0
}

// notes tells of pedals that are in doubt.
func (s *session) notes() []string {
	var list []string
	if s.grabbed != nil {
		list = append(list, s.grabbed.Error())
	}
	doubt := s.doubt.Load()
	for i, name := range axis.Names {
		if doubt>>i&1 == 1 {
			list = append(list, fmt.Sprintf("%s: it was held when it was found, or counts down; released until it is known: run `rig calibrate pedals`, or let go and plug it in again", name))
		}
	}
	return append(list, s.judge.notes()...)
}

// Status describes the pedals as they are now.
func (p *Pedals) Status() Status {
	p.mu.Lock()
	s := p.status
	p.mu.Unlock()
	if p.others != nil {
		s.Analog, s.Missing = p.others.Analog.Status(), p.others.Levers.Problems()
	}
	now := p.current.Load()
	if now == nil {
		s.Present = false
		return s
	}
	s.Notes = now.notes()
	if odd := now.judge.notes(); len(odd) > 0 {
		s.Sensor = odd[0]
	}
	return s
}

// Close ends Run. It may be called twice.
func (p *Pedals) Close() error {
	p.closing.Do(func() { close(p.quit) })
	p.mu.Lock()
	running := p.running
	p.mu.Unlock()
	if running {
		<-p.done
	}
	var errs []error
	if p.others != nil {
		errs = append(errs, p.others.Close())
	}
	if p.bell != nil {
		errs = append(errs, p.bell.Close())
	}
	return errors.Join(errs...)
}
