package motion

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// session is the time between the opening of a line and its loss: a writer
// thread, a reader, and the watch that Run's goroutine keeps over both.
type session struct {
	p    *Platform
	line *line

	start time.Time
	heard atomic.Int64 // when the last position came, since start [ns]

	lost     chan error    // why the reader gave up
	quitRead chan struct{} // closed to end the reader
	readDone chan struct{}

	// Of the writer thread alone.
	buf     []byte
	taken   bool          // the port took all of buf
	takenAt time.Time     // when it last did so
	number  uint64        // of the newest demand seen
	bad     uint64        // bad demands seen
	ask     int           // motor to ask next
	steps   int           // since the last question
	settled time.Duration // since the park position is demanded
	stepped time.Duration // when the pilot stepped last, by the platform's clock
	blind   bool          // no answer for too long: it parks without knowing where it stands
	over    time.Time     // when it must be parked, once ctx ended or it is blind
}

func newSession(p *Platform, l *line) *session {
	_, _, number, _ := p.box.take() // what was pushed before must not move the platform now
	return &session{
		p: p, line: l, start: time.Now(), number: number, bad: p.box.bad.Load(),
		buf:  make([]byte, 0, demandLen+motors*frameLen),
		lost: make(chan error, 1), quitRead: make(chan struct{}), readDone: make(chan struct{}),
	}
}

// run lasts until the line is lost, or until the platform is parked after ctx
// ended.
func (s *session) run(ctx context.Context) error {
	written := make(chan error, 1)
	go s.read()
	go func() { written <- s.write(ctx) }()
	err := s.watch(written)
	close(s.quitRead)
	<-s.readDone
	s.line.close()
	return err
}

// watch waits for the writer and tells of changes of state.
func (s *session) watch(written <-chan error) error {
	tick := time.NewTicker(watchPeriod)
	defer tick.Stop()
	for shown := Opening; ; {
		select {
		case err := <-written:
			return err
		case <-tick.C:
		}
		if now := s.p.board.currentState(); now != shown {
			s.p.log.Info("platform", "state", now.String(), "was", shown.String())
			shown = now
		}
	}
}

// read takes what the controller sends until the port fails or run is over.
func (s *session) read() {
	defer close(s.readDone)
	var in parser
	buf := make([]byte, 256)
	for {
		select {
		case <-s.quitRead:
			return
		default:
		}
		n, err := s.line.Read(buf) // a time-out gives 0 and no error
		for _, b := range buf[:n] {
			if f, ok := in.feed(b); ok {
				s.hear(f)
			}
		}
		s.p.board.noise.Add(in.noise)
		in.noise = 0
		if err != nil && !errors.Is(err, unix.EAGAIN) {
			s.lost <- fmt.Errorf("%w (%w)", errLost, err)
			return
		}
	}
}

// hear notes an answer.
func (s *session) hear(f frame) {
	s.p.board.answers.Add(1)
	if motor, share, ok := f.feedback(); ok {
		s.heard.Store(int64(time.Since(s.start)))
		s.p.board.feedback[motor].Store(math.Float64bits(share))
	}
}

// write is the writer thread: nothing else writes to the line. Should a driver
// block in spite of everything, it blocks here.
func (s *session) write(ctx context.Context) error {
	runtime.LockOSThread() // never unlocked: the thread ends with the session
	if err := s.pause(ctx, time.Duration(s.p.cfg.BootWait*float64(time.Second))); err != nil {
		return ended(ctx, err)
	}
	s.takenAt = time.Now()
	at, err := s.locate(ctx)
	if err != nil {
		return ended(ctx, err)
	}
	s.p.pilot.start(at)
	return s.stream(ctx)
}

// ended drops the error of a session that was called off before it moved anything.
func ended(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// pause lets d pass, unless the line is lost or ctx ends.
func (s *session) pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case err := <-s.lost:
		return err
	case <-timer.C:
		return nil
	}
}

// locate asks where the actuators stand until all have answered. What has no
// motor is taken to stand at the centre. What came before is forgotten: it may
// have waited in the port since long ago.
func (s *session) locate(ctx context.Context) (Legs, error) {
	s.p.board.forget()
	for range 20 {
		s.buf = s.buf[:0]
		for motor := range motors {
			s.buf = appendQuestion(s.buf, motor)
		}
		if err := s.send(); err != nil {
			return Legs{}, err
		}
		if err := s.pause(ctx, 50*time.Millisecond); err != nil {
			return Legs{}, err
		}
		if at, ok := s.positions(); ok {
			return at, nil
		}
	}
	return Legs{}, errSilent
}

func (s *session) positions() (at Legs, ok bool) {
	at = all(0.5)
	for motor := range motors {
		at[motor] = s.p.board.position(motor)
	}
	return at, at.finite()
}

// stream sends where to go, period after period.
func (s *session) stream(ctx context.Context) error {
	tick := time.NewTicker(s.p.cfg.period())
	defer tick.Stop()
	s.heard.Store(int64(time.Since(s.start)))
	s.stepped = s.p.clock()
	for {
		select {
		case err := <-s.lost:
			return err
		case <-tick.C:
		}
		leaving := ctx.Err() != nil
		s.watchSilence()
		if s.over.IsZero() && (leaving || s.blind) {
			s.over = time.Now().Add(s.p.cfg.parkTime())
		}
		if err := s.step(leaving); err != nil {
			return err
		}
		if ended, err := s.hasEnded(leaving); ended {
			return err
		}
	}
}

// watchSilence notices that the controller does not answer. It may hear all the
// same, so the platform is not left where it is.
func (s *session) watchSilence() {
	if time.Since(s.start)-time.Duration(s.heard.Load()) > s.p.silence {
		s.blind = true
	}
}

// hasEnded reports that nothing is left to send, and why.
func (s *session) hasEnded(leaving bool) (bool, error) {
	late := !s.over.IsZero() && time.Now().After(s.over)
	switch {
	case leaving && s.p.pilot.halted():
		return true, errHalted
	case s.blind:
		return late || s.p.pilot.atPark(), errSilent
	case leaving && s.p.board.arrived.Load():
		return true, nil
	default:
		return late, errNotParked
	}
}

// step sends the next demand. One that the port did not take is sent again
// instead: the path waits, so that it does not leap when the port goes on.
func (s *session) step(leaving bool) error {
	if s.taken {
		s.compose(leaving)
	}
	return s.send()
}

// compose fills the buffer with the next demand, and now and then a question.
func (s *session) compose(leaving bool) {
	legs := s.p.pilot.step(s.orders(leaving))
	s.buf = appendDemand(s.buf[:0], &legs)
	if s.steps++; s.steps >= s.askEvery() {
		s.buf = appendQuestion(s.buf, s.ask)
		s.ask, s.steps = (s.ask+1)%motors, 0
	}
	s.publish(&legs)
}

// askEvery returns how many demands go out for each question: about a hundred
// questions a second tell enough.
func (s *session) askEvery() int { return max(1, int(s.p.cfg.Rate/100)) }

// orders gathers what was wanted since the step before.
func (s *session) orders(leaving bool) orders {
	now := s.p.clock()
	o := orders{
		elapsed: (now - s.stepped).Seconds(),
		halt:    s.p.halt.Load(),
		park:    leaving || s.blind || s.p.parkWish.Load(),
		homes:   s.p.homes.Load(),
	}
	s.stepped = now
	demand, at, number, ok := s.p.box.take()
	if ok && number != s.number {
		o.demand, o.fresh, s.number = demand, true, number
		o.age = (now - at).Seconds()
	}
	if bad := s.p.box.bad.Load(); bad != s.bad {
		o.bad, s.bad = true, bad
	}
	return o
}

// publish leaves what the step did for Status and those who wait.
func (s *session) publish(legs *Legs) {
	b := s.p.board
	for motor := range motors {
		b.demand[motor].Store(math.Float64bits(legs[motor]))
	}
	b.setState(s.state())
	b.arrived.Store(s.atPark(legs) && !s.blind)
	b.homes.Store(s.p.pilot.homes)
}

// state is what the pilot does, or that it does it blind.
func (s *session) state() State {
	if s.blind && s.p.pilot.state != Halted {
		return Fault
	}
	return s.p.pilot.state
}

// atPark reports that the platform rests at the park position: all motors say
// so, or they had time enough (one that is not connected never says so).
func (s *session) atPark(legs *Legs) bool {
	const near = 0.02 // of the stroke: feedback comes in steps of 0.004
	if !s.p.pilot.atPark() {
		s.settled = 0
		return false
	}
	s.settled += s.p.cfg.period()
	for motor := range motors {
		if !(math.Abs(s.p.board.position(motor)-legs[motor]) <= near) {
			return s.settled >= settleLimit
		}
	}
	return true
}

// send writes the buffer, or notes that the port did not take all of it. The
// controller finds the next whole frame after one that was cut short.
func (s *session) send() error {
	n, err := s.line.Write(s.buf)
	s.taken = n == len(s.buf)
	switch {
	case s.taken:
		s.takenAt = time.Now()
		s.p.board.sent.Add(1)
	case err != nil && !errors.Is(err, unix.EAGAIN):
		return fmt.Errorf("%w (%w)", errLost, err)
	case time.Since(s.takenAt) > s.p.stall:
		return errStalled
	}
	return nil
}
