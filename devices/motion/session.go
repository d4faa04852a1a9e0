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

// maxQueueTime is how long targets may wait in the port, besides one period: as long as a target
// may be old.
const maxQueueTime = 50 * time.Millisecond

// session lasts from the opening of a line to its loss: a writer thread that sends what the
// state machine decides, a reader, and Run's goroutine, which logs what changes.
type session struct {
	p     *Platform
	line  io.ReadWriteCloser
	codec wire.Codec

	readError   chan error    // why the reader ended
	stopReading chan struct{} // closed to end the reader
	readerDone  chan struct{}

	// Used by the writer thread alone.
	machine     *stateMachine
	backlog     wire.Backlog
	buf         []byte
	written     int           // bytes of buf that the port accepted
	writtenAt   time.Duration // when the port last accepted all of buf
	lastSeq     uint64        // sequence number of the newest target taken
	invalidSeen uint64        // number of refused targets (NaN or Inf) that were handled

	// Used by the reader alone.
	loggedTexts map[string]bool // texts that were logged
	noise       uint64          // bytes that belonged to no answer
}

func newSession(p *Platform, l io.ReadWriteCloser, c wire.Codec) *session {
	return &session{
		p: p, line: l, codec: c, lastSeq: p.targets.cell.Number(), // targets pushed before must not move the platform now
		invalidSeen: p.targets.refused.Load(), loggedTexts: map[string]bool{},
		machine:   newStateMachine(p.cfg, c, p.trajectory, p.sharedStatus, &p.carriedOver, p.clock()),
		readError: make(chan error, 1), stopReading: make(chan struct{}), readerDone: make(chan struct{}),
	}
}

// run returns when the line is lost, or when the platform is parked after ctx ended.
func (s *session) run(ctx context.Context) error {
	written := make(chan error, 1)
	s.logAssumedStart()
	go s.read()
	go func() { written <- s.write(ctx) }()
	err := s.watch(written)
	close(s.stopReading)
	<-s.readerDone
	_ = s.line.Close() // nothing can be done about an error of a dead line
	return err
}

// watch logs what changes until the writer ends, and returns the writer's error.
func (s *session) watch(written <-chan error) error {
	tick := time.NewTicker(watchPeriod)
	defer tick.Stop()
	logged := Status{State: Opening}
	for {
		select {
		case err := <-written:
			return err
		case <-tick.C:
		}
		now := s.p.sharedStatus.snapshot()
		s.logChanges(&now, &logged)
		logged = now
	}
}

// logChanges logs the differences between two statuses.
func (s *session) logChanges(now, before *Status) {
	log := s.p.log
	if now.State != before.State {
		log.Info("platform", "state", now.State.String(), "from", before.State.String(), "cause", now.Faults.String())
	}
	if newFaults := faultsToLog(now) &^ faultsToLog(before); newFaults != 0 {
		log.Warn("platform fault", "cause", newFaults.String())
	}
	if now.TargetJumps > before.TargetJumps {
		log.Warn(fmt.Sprintf("a target jumped and was not followed (%d so far); see motion.spike_share", now.TargetJumps))
	}
	if now.Restarts > before.Restarts {
		log.Warn("controller restarted during the drive", "remedy", s.restartRemedy(now))
	}
}

// faultsToLog returns the faults that are worth a warning: while the platform is opened, a
// controller that prepares is off line for a while.
func faultsToLog(s *Status) wire.Faults {
	if s.State == Opening {
		return s.Faults &^ wire.FaultOffline
	}
	return s.Faults
}

// read receives what the controller sends until the port fails or run ends.
func (s *session) read() {
	defer close(s.readerDone)
	buf := make([]byte, 256)
	for {
		select {
		case <-s.stopReading:
			return
		default:
		}
		n, err := s.line.Read(buf) // a timeout returns 0 and no error
		s.receive(buf[:n])
		if err != nil && !errors.Is(err, unix.EAGAIN) {
			s.readError <- fmt.Errorf("%w (%w)", wire.ErrLost, err)
			return
		}
	}
}

// receive feeds bytes from the controller to the codec and stores its answers.
func (s *session) receive(received []byte) {
	for _, b := range received {
		if a, ok := s.codec.Feed(b); ok {
			s.p.sharedStatus.store(a, s.p.clock())
			s.logText(&a)
		}
	}
	s.p.sharedStatus.noise.Add(s.codec.Noise() - s.noise)
	s.noise = s.codec.Noise()
}

// logText logs a text from the controller the first time that it is received.
func (s *session) logText(a *wire.Answer) {
	const maxTexts = 100 // different ones, because noise can look like new texts without end
	if a.Text == "" || s.loggedTexts[a.Text] || len(s.loggedTexts) >= maxTexts {
		return
	}
	s.loggedTexts[a.Text] = true
	level := slog.LevelInfo
	if a.IsWarning || a.Fault&wire.Latching != 0 {
		level = slog.LevelWarn
	}
	s.p.log.Log(context.Background(), level, "controller: "+a.Text)
}

// write is the writer thread: nothing else writes to the line, so that a driver that blocks
// blocks only this thread.
func (s *session) write(ctx context.Context) error {
	runtime.LockOSThread() // never unlocked: the thread ends with the session
	s.writtenAt = s.p.clock()
	tick := time.NewTicker(s.p.cfg.period())
	defer tick.Stop()
	for {
		select {
		case err := <-s.readError:
			return s.finish(ctx.Err() != nil, err)
		case <-tick.C:
		}
		if ended, err := s.writeNext(ctx.Err() != nil); ended {
			return s.finish(ctx.Err() != nil, err)
		}
	}
}

// writeNext is one period of the writer. It reports whether the session is over, and with which error.
func (s *session) writeNext(shutDown bool) (ended bool, err error) {
	if err := s.step(shutDown); err != nil {
		return true, err
	}
	return s.machine.isFinished(s.p.clock())
}

// finish stores for the next session the target that was sent last. It returns err, or nil if the
// session was ended by an order before anything was moved.
func (s *session) finish(shutDown bool, err error) error {
	if lastSent, queued := s.backlog.LastSent(); queued {
		s.p.carriedOver.sent = lastSent
	}
	if shutDown && !s.machine.hasDriven {
		return nil
	}
	return err
}

// step writes what comes next, or the rest of what the port has not accepted yet. While targets
// wait in the port the path waits too, so that it does not jump when the port goes on.
func (s *session) step(shutDown bool) error {
	now := s.p.clock()
	s.backlog.SetUnsent(s.unsent())
	if s.written == len(s.buf) {
		if s.backlog.IsLate(now, maxQueueTime+s.p.cfg.period()) {
			return s.checkStall(shutDown)
		}
		before := s.p.carriedOver.sent
		s.buf, s.written = s.machine.step(now, s.requests(shutDown), s.takePushedTarget()), 0
		if s.machine.wroteTargets() {
			s.backlog.Add(&before, &s.machine.sent, len(s.buf), now)
		}
	}
	if len(s.buf) == 0 {
		s.writtenAt = s.p.clock()
		return nil
	}
	return s.send(shutDown)
}

// unsent returns how many bytes the port has accepted and not sent yet; 0 where the port cannot
// tell, as a pseudo-terminal.
func (s *session) unsent() int {
	if port, ok := s.line.(interface{ Unsent() int }); ok {
		return port.Unsent()
	}
	return 0
}

// checkStall handles a port that accepts nothing. Closing it would drop what it holds, and the
// position of a controller without feedback would be unknown: such a controller is waited for,
// unless it reported a restart. With the others the session ends, and they are asked for their
// positions when the port is open again.
func (s *session) checkStall(shutDown bool) error {
	since := s.p.clock() - s.writtenAt
	if since <= s.p.cfg.patient(stallLimit) {
		return nil
	}
	if shutDown || s.codec.ReportsPosition() || s.p.sharedStatus.bootReports.Load() != s.p.carriedOver.bootsHandled {
		return wire.ErrStalled
	}
	s.machine.publishStalled(since)
	return nil
}

// requests returns the orders in force. It reads orders to home first, because these lift the others.
func (s *session) requests(shutDown bool) requests {
	r := requests{shutDown: shutDown, homeOrders: s.p.homeOrders.Load()}
	r.interlock, r.park, r.halt = s.p.interlockLatched.Load(), s.p.parkOrdered.Load(), s.p.halt.Load()
	return r
}

// takePushedTarget returns the newest target that was pushed since the previous call, if any.
func (s *session) takePushedTarget() (t pushedTarget) {
	var newest target
	if number := s.p.targets.cell.Get(&newest); number > s.lastSeq {
		t.newest, t.pushedAt, t.hasNew, s.lastSeq = newest.legs, newest.pushedAt, true, number
	}
	if bad := s.p.targets.refused.Load(); bad != s.invalidSeen {
		t.invalid, s.invalidSeen = true, bad
	}
	return t
}

// send writes the rest of the buffer, as far as the port accepts it. A frame is always sent
// completely before another begins: a controller that checks nothing but a frame's head would
// take the bytes of the next frame for positions.
func (s *session) send(shutDown bool) error {
	n, err := s.line.Write(s.buf[s.written:])
	s.written += n
	s.backlog.Accepted(n)
	switch {
	case s.written == len(s.buf):
		s.writtenAt = s.p.clock()
		s.p.sharedStatus.sent.Add(1)
		if s.machine.targetPushedAt != 0 {
			s.p.latency.record(s.p.clock() - s.machine.targetPushedAt + byteTime(len(s.buf), s.p.cfg.Baud))
		}
	case err != nil && !errors.Is(err, unix.EAGAIN):
		return fmt.Errorf("%w (%w)", wire.ErrLost, err)
	default:
		return s.checkStall(shutDown)
	}
	return nil
}
