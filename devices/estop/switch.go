package estop

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"periph.io/x/conn/v3/gpio"
)

// closeWithin is how long Close waits for an adapter that does not answer.
const closeWithin = 500 * time.Millisecond

// Switch is an emergency stop switch and the enable relay beside it. Either
// may be missing: without a switch nothing stops, without a relay Enable does
// nothing.
type Switch struct {
	clock func() time.Duration
	poll  time.Duration
	lines []*line
	relay *relay

	verdict atomic.Uint32
	seen    [2]atomic.Int64 // when each line was sampled last [ns]
	closed  atomic.Bool
	parting error // why the relay could not be left off

	mu   sync.Mutex // the samplers' alone: the loop never takes it
	pair pair
	work sync.WaitGroup
}

// New watches the switch on inputs, one or two lines or none, and holds the
// relay on output, which may be nil. The clock is monotonic, the loop's.
//
// It fails if a line cannot be used. The switch counts as pressed until it has
// been seen released for the time of debouncing.
func New(cfg Config, inputs []gpio.PinIn, output gpio.PinOut, clock func() time.Duration) (*Switch, error) {
	s, err := prepare(cfg, inputs, output, clock)
	if err != nil {
		free(output)
		for _, pin := range inputs {
			free(pin)
		}
		return nil, err
	}
	for i := range s.lines {
		s.work.Go(func() { s.watch(i) })
		s.work.Go(func() { s.listen(i) })
	}
	if s.relay != nil {
		s.work.Go(s.hold)
	}
	return s, nil
}

// prepare builds a switch that nothing samples yet. The relay is off before
// anything else.
func prepare(cfg Config, inputs []gpio.PinIn, output gpio.PinOut, clock func() time.Duration) (*Switch, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	s := &Switch{clock: clock, poll: millis(cfg.Poll), pair: newPair(len(inputs), millis(cfg.Debounce), millis(cfg.Agree))}
	if output != nil {
		s.relay = newRelay(output, cfg, clock)
		if err := s.relay.release(); err != nil {
			return nil, fmt.Errorf("estop: relay %s: %w; is another program using it?", cfg.Relay, err)
		}
	}
	for _, pin := range inputs {
		l := &line{pin: pin, pull: cfg.resistor()}
		if err := l.arm(); err != nil {
			return nil, fmt.Errorf("estop: line %s: %w; is another program using it?", pin, err)
		}
		s.lines = append(s.lines, l)
	}
	if len(s.lines) > 0 {
		s.verdict.Store(uint32(Starting))
	}
	return s, nil
}

// State tells whether the rig must be stopped, and why. It is for the loop:
// it neither waits nor allocates.
//
// A line that nobody sampled for 20 ms is a stop. A stop ends here when all
// contacts are released; that the operator confirms it is the caller's duty.
func (s *Switch) State() (stopped bool, cause Cause) {
	stale := false
	for i := range s.lines {
		seen := time.Duration(s.seen[i].Load()) // before the verdict, which is at least as new then
		age := s.clock() - seen
		stale = stale || age < 0 || age > staleAfter
	}
	cause = Cause(s.verdict.Load())
	if cause == None && stale {
		cause = Stale
	}
	return cause != None, cause
}

// Enable holds the relay while it is called with true at least every
// relay_deadman_ms and nothing is stopped; false drops it within poll_ms.
//
// A relay that dropped by itself needs an Enable(false) before it can come
// back. Enable neither waits nor allocates.
func (s *Switch) Enable(on bool) {
	if s.relay != nil {
		s.relay.order(on)
	}
}

// Relay tells whether the relay is on; if it dropped by itself, or cannot be
// switched, also why.
func (s *Switch) Relay() (on bool, cause Cause) {
	if s.relay == nil {
		return false, None
	}
	return s.relay.state()
}

// watch polls line i until the switch is closed.
func (s *Switch) watch(i int) {
	for ; !s.closed.Load(); time.Sleep(s.poll) {
		s.sample(i)
	}
}

// listen waits for openings of line i until the switch is closed.
func (s *Switch) listen(i int) {
	for !s.closed.Load() {
		if s.lines[i].fell() {
			s.publish(i, open, s.clock())
			time.Sleep(s.poll) // it is stopped now: noise must not take the processor
		}
	}
}

// sample looks at line i once.
func (s *Switch) sample(i int) {
	at := s.clock() // before the read, which may take long
	s.publish(i, s.lines[i].read(), at)
	s.seen[i].Store(int64(at))
	s.lines[i].doubt(at)
}

// publish takes note of what was found on line i and says what it means.
func (s *Switch) publish(i int, r reading, at time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed.Load() {
		s.verdict.Store(uint32(s.pair.sample(i, r, at)))
	}
}

// hold drives the relay until the switch is closed, and leaves it off.
func (s *Switch) hold() {
	for ; !s.closed.Load(); time.Sleep(s.poll) {
		_, stop := s.State()
		s.relay.step(stop)
	}
	s.parting = s.relay.release()
}

// Close drops the relay and stops the rig for good. It may be called twice.
func (s *Switch) Close() error {
	s.mu.Lock()
	s.closed.Store(true)
	s.verdict.Store(uint32(Closed))
	s.mu.Unlock()
	done := make(chan error, 1)
	go func() { done <- s.finish() }()
	select {
	case err := <-done:
		return err
	case <-time.After(closeWithin):
		return errors.New("estop: the adapter does not answer; the relay may still be on: switch the power off")
	}
}

// finish waits for the goroutines, of which one leaves the relay off, and
// gives the lines back.
func (s *Switch) finish() error {
	s.work.Wait()
	if s.relay != nil {
		free(s.relay.pin)
	}
	for _, l := range s.lines {
		free(l.pin)
	}
	if s.parting != nil {
		return fmt.Errorf("estop: relay: %w; it may still be on: switch the power off", s.parting)
	}
	return nil
}

// free gives a line back to the kernel, where it is of a kind that can be.
func free(pin any) {
	if c, ok := pin.(interface{ Close() }); ok {
		c.Close()
	}
}
