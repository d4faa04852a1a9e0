package motion

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"time"

	"golang.org/x/sys/unix"

	"rig.example/rig/devices/motion/wire"
)

// lateDemand is how long a demand may wait in the port, and a period more: as long as one
// may be of age.
const lateDemand = 50 * time.Millisecond

// session is the time between the opening of a line and its loss: a writer
// thread that a stateMachine tells what to say, a reader, and the watch that Run's
// goroutine keeps over both.
type session struct {
	p     *Platform
	line  io.ReadWriteCloser
	codec wire.Codec

	lost     chan error    // why the reader gave up
	quitRead chan struct{} // closed to end the reader
	readDone chan struct{}

	// Of the writer thread alone.
	machine *stateMachine
	backlog wire.Backlog
	buf     []byte
	sent    int           // bytes of buf that the port took
	takenAt time.Duration // when it last took all
	number  uint64        // of the newest demand seen
	bad     uint64        // bad demands seen

	// Of the reader alone.
	texts map[string]bool // that the log has
	noise uint64          // bytes that belonged to no answer
}

func newSession(p *Platform, l io.ReadWriteCloser, c wire.Codec) *session {
	_, _, number, _ := p.box.take() // what was pushed before must not move the platform now
	return &session{
		p: p, line: l, codec: c, number: number, bad: p.box.bad.Load(), texts: map[string]bool{},
		machine: newStateMachine(p.cfg, c, p.trajectory, p.board, &p.past, p.clock()),
		lost:    make(chan error, 1), quitRead: make(chan struct{}), readDone: make(chan struct{}),
	}
}

// run lasts until the line is lost, or until the platform is parked after ctx
// ended.
func (s *session) run(ctx context.Context) error {
	written := make(chan error, 1)
	s.announce()
	go s.read()
	go func() { written <- s.write(ctx) }()
	err := s.watch(written)
	close(s.quitRead)
	<-s.readDone
	_ = s.line.Close() // of a line that may be dead: there is nobody to tell
	return err
}

// watch waits for the writer and tells of what changes.
func (s *session) watch(written <-chan error) error {
	tick := time.NewTicker(watchPeriod)
	defer tick.Stop()
	shown := Status{State: Opening}
	for {
		select {
		case err := <-written:
			return err
		case <-tick.C:
		}
		now := s.p.board.snapshot()
		s.tell(&now, &shown)
		shown = now
	}
}

// tell logs what changed since was.
func (s *session) tell(now, was *Status) {
	log := s.p.log
	if now.State != was.State {
		log.Info("platform", "state", now.State.String(), "was", was.State.String(), "faults", now.Faults.String())
	}
	if news := trouble(now) &^ trouble(was); news != 0 {
		log.Warn("platform fault", "cause", news.String())
	}
	if now.Warnings > was.Warnings {
		log.Warn("a demand jumped and was held; see motion.spike_share", "jumps", now.Warnings)
	}
	if now.Restarts > was.Restarts {
		log.Warn("controller restarted in mid-drive", "next", s.afterRestart(now))
	}
}

// trouble is what of the faults to tell: a controller that gets ready is off line
// for a while.
func trouble(s *Status) wire.Faults {
	if s.State == Opening {
		return s.Faults &^ wire.FaultOffline
	}
	return s.Faults
}

// read takes what the controller sends until the port fails or run is over.
func (s *session) read() {
	defer close(s.readDone)
	buf := make([]byte, 256)
	for {
		select {
		case <-s.quitRead:
			return
		default:
		}
		n, err := s.line.Read(buf) // a time-out gives 0 and no error
		s.hear(buf[:n])
		if err != nil && !errors.Is(err, unix.EAGAIN) {
			s.lost <- fmt.Errorf("%w (%w)", wire.ErrLost, err)
			return
		}
	}
}

// hear takes what the controller sent.
func (s *session) hear(in []byte) {
	for _, b := range in {
		if a, ok := s.codec.Feed(b); ok {
			s.p.board.hear(a, s.p.clock())
			s.repeat(&a)
		}
	}
	s.p.board.noise.Add(s.codec.Noise() - s.noise)
	s.noise = s.codec.Noise()
}

// repeat logs what the controller said, once.
func (s *session) repeat(a *wire.Answer) {
	const most = 100 // different texts: noise can look like new ones for ever
	if a.Text == "" || s.texts[a.Text] || len(s.texts) >= most {
		return
	}
	s.texts[a.Text] = true
	level := slog.LevelInfo
	if a.Alarming || a.Fault&wire.Latching != 0 {
		level = slog.LevelWarn
	}
	s.p.log.Log(context.Background(), level, "controller", "says", a.Text)
}

// write is the writer thread: nothing else writes to the line. Should a driver
// block in spite of everything, it blocks here.
func (s *session) write(ctx context.Context) error {
	runtime.LockOSThread() // never unlocked: the thread ends with the session
	s.takenAt = s.p.clock()
	tick := time.NewTicker(s.p.cfg.period())
	defer tick.Stop()
	for {
		select {
		case err := <-s.lost:
			return s.ended(ctx.Err() != nil, err)
		case <-tick.C:
		}
		if over, err := s.turn(ctx.Err() != nil); over {
			return s.ended(ctx.Err() != nil, err)
		}
	}
}

// turn is what the writer does in a period. It reports whether nothing is left to say, and why.
func (s *session) turn(leave bool) (over bool, err error) {
	if err := s.step(leave); err != nil {
		return true, err
	}
	return s.machine.ended(s.p.clock())
}

// ended leaves to the next session what the controller was told last, and drops the error of a
// session that was called off before it moved anything.
func (s *session) ended(leave bool, err error) error {
	if told, waits := s.backlog.Told(); waits {
		s.p.past.sent = told
	}
	if leave && !s.machine.driven {
		return nil
	}
	return err
}

// step says what is next, or what the port did not take of that before. While demands
// wait in the port the path waits too, so that it does not leap when the port goes on.
func (s *session) step(leave bool) error {
	now := s.p.clock()
	s.backlog.Pass(s.unsent())
	if s.sent == len(s.buf) {
		if s.backlog.Late(now, lateDemand+s.p.cfg.period()) {
			return s.stalled(leave)
		}
		before := s.p.past.sent
		s.buf, s.sent = s.machine.step(now, s.wishes(leave), s.demands()), 0
		if s.machine.demanded() {
			s.backlog.Add(&before, &s.machine.legs, len(s.buf), now)
		}
	}
	if len(s.buf) == 0 {
		s.takenAt = s.p.clock()
		return nil
	}
	return s.send(leave)
}

// unsent returns how many bytes the port took and has not sent yet [bytes], as far as it
// can tell: a pseudo-terminal cannot.
func (s *session) unsent() int {
	if port, ok := s.line.(interface{ Unsent() int }); ok {
		return port.Unsent()
	}
	return 0
}

// stalled decides about a port that takes nothing. Closing it would drop what it holds, and
// then nobody knew where a controller without feedback stands: such a one is waited for,
// unless it told that it has restarted. The others are asked when the port is open again.
func (s *session) stalled(leave bool) error {
	since := s.p.clock() - s.takenAt
	if since <= stallLimit {
		return nil
	}
	if leave || s.codec.ReportsPosition() || s.p.board.boots.Load() != s.p.past.boots {
		return wire.ErrStalled
	}
	s.machine.showStalled(since)
	return nil
}

// wishes looks for an order to home first: what that lifts is lifted then.
func (s *session) wishes(leave bool) wishes {
	w := wishes{leave: leave, homes: s.p.homes.Load()}
	w.locked, w.park, w.halt = s.p.locked.Load(), s.p.parkWish.Load(), s.p.halt.Load()
	return w
}

// demands returns what was pushed since the step before: of many the newest.
func (s *session) demands() (d demands) {
	newest, at, number, ok := s.p.box.take()
	if ok && number != s.number {
		d.newest, d.at, d.fresh, s.number = newest, at, true, number
	}
	if bad := s.p.box.bad.Load(); bad != s.bad {
		d.bad, s.bad = true, bad
	}
	return d
}

// send writes what is left of the buffer, or notes that the port did not take all
// of it. A frame is never cut short by another one: a controller that looks at
// nothing but a frame's beginning would take that one's bytes for a position.
func (s *session) send(leave bool) error {
	n, err := s.line.Write(s.buf[s.sent:])
	s.sent += n
	s.backlog.Took(n)
	switch {
	case s.sent == len(s.buf):
		s.takenAt = s.p.clock()
		s.p.board.sent.Add(1)
		if s.machine.stamp != 0 {
			s.p.latency.note(s.p.clock() - s.machine.stamp + byteTime(len(s.buf), s.p.cfg.Baud))
		}
	case err != nil && !errors.Is(err, unix.EAGAIN):
		return fmt.Errorf("%w (%w)", wire.ErrLost, err)
	default:
		return s.stalled(leave)
	}
	return nil
}
