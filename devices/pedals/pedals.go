package pedals

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"rig/calib"
	"rig/internal/evdev"
)

// Sample is what the driver's feet do, each 0 released to 1 fully pressed.
type Sample struct {
	Throttle, Brake, Clutch, Handbrake float64
	Present                            bool
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
	dead  error // why there is no bell

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
	node   *evdev.Node
	input  *evdev.Input // belongs to the loop once the session is published
	pedals [count]pedal // likewise

	guesses int           // pedals whose resting end is not known from before
	doubt   atomic.Uint32 // pedals that are released because of a doubt, one bit each
	lost    atomic.Bool   // the loop could not read it
}

// New returns pedals that are absent until Run finds them. cfg must be valid.
func New(cfg Config, store calib.Store, log *slog.Logger) *Pedals {
	p := &Pedals{cfg: cfg, store: store, log: log, quit: make(chan struct{}), done: make(chan struct{})}
	p.bell, p.dead = evdev.NewBell()
	return p
}

// Run opens the pedals, waits for them where they are missing, and opens them
// again after an unplug, until ctx ends or Close is called.
func (p *Pedals) Run(ctx context.Context) error {
	if p.dead != nil {
		return fmt.Errorf("pedals: %w", p.dead)
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
	changes, err := evdev.Watch(ctx)
	if err != nil {
		return fmt.Errorf("pedals: %w", err)
	}
	for ctx.Err() == nil {
		if s := p.find(ctx, changes); s != nil {
			p.use(ctx, s)
			pause(ctx, settle) // a device that fails at once must not be opened in a tight loop
		}
	}
	return nil
}

// settle is how long drivers and udev take over a new node.
const settle = 100 * time.Millisecond

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// find returns the pedals once there are some, nil when ctx ends.
func (p *Pedals) find(ctx context.Context, changes <-chan struct{}) *session {
	for ctx.Err() == nil {
		s, err := p.try()
		if err == nil {
			return s
		}
		p.report(err)
		select {
		case <-ctx.Done():
		case <-changes:
			pause(ctx, settle)
		}
	}
	return nil
}

func (p *Pedals) try() (*session, error) {
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
	s := &session{info: info}
	if s.pedals, err = layout(p.cfg, info, profile); err != nil {
		return nil, err
	}
	s.guesses = unknownEnds(&s.pedals)
	if s.node, err = evdev.Open(info.Path); err != nil {
		return nil, err
	}
	if s.input, err = evdev.NewInput(s.node, info.Axes); err != nil {
		s.node.Close()
		return nil, fmt.Errorf("pedals: %s: %w", info.Path, err)
	}
	p.note(s, profile.Version != 0)
	return s, nil
}

// unknownEnds counts the pedals whose resting end is not known from before.
func unknownEnds(ps *[count]pedal) (n int) {
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
			st.Axes = append(st.Axes, pedalNames[i]+" "+evdev.AbsName(q.code))
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
	for told := false; ctx.Err() == nil && !s.lost.Load() && s.node.Wait(p.bell, -1) == nil; {
		if notes := s.notes(); len(notes) > 0 && !told {
			told = true
			p.log.Warn("pedals", "name", s.info.Name, "notes", notes)
		}
	}
	if ctx.Err() == nil {
		p.log.Warn("pedals disconnected", "name", s.info.Name)
	}
	p.current.CompareAndSwap(s, nil)
	s.node.Close()
}

// Poll writes the newest state to out.
func (p *Pedals) Poll(out *Sample) {
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

// sample writes the pedals' state to out and reports a doubt that is new.
func (s *session) sample(out *Sample) (doubts bool) {
	var v [count]float64
	for i := range s.pedals {
		q := &s.pedals[i]
		q.guess(s.input.First(q.code), s.input.Moved(q.code))
	}
	doubt := settleEnds(&s.pedals, s.guesses)
	for i := range s.pedals {
		q := &s.pedals[i]
		v[i] = q.value(s.input.Abs(q.code), s.input.Moved(q.code))
	}
	*out = Sample{Throttle: v[throttle], Brake: v[brake], Clutch: v[clutch], Handbrake: v[handbrake], Present: true}
	return s.doubt.Swap(doubt) != doubt && doubt != 0
}

// notes tells of pedals that are in doubt.
func (s *session) notes() []string {
	var list []string
	doubt := s.doubt.Load()
	for i, name := range pedalNames {
		if doubt>>i&1 == 1 {
			list = append(list, fmt.Sprintf("%s: it was held when it was found, or counts down; released until it is known: run `rig calibrate pedals`, or let go and plug it in again", name))
		}
	}
	return list
}

// Status describes the pedals as they are now.
func (p *Pedals) Status() Status {
	p.mu.Lock()
	s := p.status
	p.mu.Unlock()
	now := p.current.Load()
	if now == nil {
		s.Present = false
		return s
	}
	s.Notes = now.notes()
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
	if p.bell == nil {
		return nil
	}
	return p.bell.Close()
}
