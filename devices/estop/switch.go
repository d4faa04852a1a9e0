package estop

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"periph.io/x/conn/v3/gpio"

	"rig.example/rig/internal/kit/lifecycle"
)

// errHung is returned by Close if the adapter does not answer.
var errHung = errors.New("estop: the adapter does not answer; the relay may still be on: switch the power off")

// Switch is an emergency stop switch with its enable relay. Either may be missing: without a switch State
// never reports a stop, and without a relay Enable does nothing.
type Switch struct {
	clock func() time.Duration
	poll  time.Duration
	lines []*line
	relay *relay

	cause     atomic.Uint32
	sampledAt [2]atomic.Int64 // when each line was sampled last [ns]
	closed    atomic.Bool
	closeErr  error // why the relay could not be switched off at the end

	mu         sync.Mutex // guards pair; only the goroutines that sample lock it, never the loop
	pair       pair
	goroutines sync.WaitGroup
}

// New watches the switch on inputs, which are no, one or two lines, and drives the relay on output, which
// may be nil. clock must be a monotonic clock.
//
// New fails if a line cannot be used. The switch counts as pressed until it has been released for the
// debounce time.
func New(cfg Config, inputs []gpio.PinIn, output gpio.PinOut, clock func() time.Duration) (*Switch, error) {
	s, err := prepare(cfg, inputs, output, clock)
	if err != nil {
		closeLine(output)
		for _, pin := range inputs {
			closeLine(pin)
		}
		return nil, err
	}
	for i := range s.lines {
		s.goroutines.Go(func() { s.pollLine(i) })
		s.goroutines.Go(func() { s.waitForEdges(i) })
	}
	if s.relay != nil {
		s.goroutines.Go(s.driveRelay)
	}
	return s, nil
}

// prepare returns a switch that is not sampled yet. It switches the relay off before it uses any other line.
func prepare(cfg Config, inputs []gpio.PinIn, output gpio.PinOut, clock func() time.Duration) (*Switch, error) {
	if err := cfg.Validate(); err != nil {
		return nil, fmt.Errorf("estop: %w", err)
	}
	s := &Switch{clock: clock, poll: Milliseconds(cfg.PollMs), pair: newPair(len(inputs), Milliseconds(cfg.DebounceMs), Milliseconds(cfg.AgreeMs))}
	if output != nil {
		s.relay = newRelay(output, cfg, clock)
		if err := s.relay.switchOff(); err != nil {
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
		s.cause.Store(uint32(Starting))
	}
	return s, nil
}

// State reports whether the rig must be stopped, and why. It may be called from the loop: it neither
// waits nor allocates.
//
// A line that was not sampled for 20 ms is a stop. Once all contacts are released,
// State reports no stop any more; the caller must have the operator confirm that.
func (s *Switch) State() (stopped bool, cause Cause) {
	stale := false
	for i := range s.lines {
		sampledAt := time.Duration(s.sampledAt[i].Load()) // before the cause, which is at least as new then
		age := s.clock() - sampledAt
		stale = stale || age < 0 || age > sampleTimeout
	}
	cause = Cause(s.cause.Load())
	if cause == None && stale {
		cause = NotSampled
	}
	return cause != None, cause
}

// Enable keeps the relay on while it is called with true at least every relay_deadman_ms and there is no
// stop. Enable(false) switches the relay off within poll_ms.
//
// A relay that dropped by itself stays off until an Enable(false). Enable neither waits nor allocates.
func (s *Switch) Enable(on bool) {
	if s.relay != nil {
		s.relay.order(on)
	}
}

// Relay reports whether the relay is on. If the relay dropped by itself or cannot be switched, cause is the
// reason.
func (s *Switch) Relay() (on bool, cause Cause) {
	if s.relay == nil {
		return false, None
	}
	return s.relay.state()
}

// pollLine polls line i until Close is called.
func (s *Switch) pollLine(i int) {
	for ; !s.closed.Load(); time.Sleep(s.poll) {
		s.sample(i)
	}
}

// waitForEdges waits for the contact of line i to open, again and again, until Close is called.
func (s *Switch) waitForEdges(i int) {
	for !s.closed.Load() {
		if s.lines[i].waitForOpening() {
			s.publish(i, contactOpen, s.clock())
			time.Sleep(s.poll) // noise on an open line must not occupy the processor
		}
	}
}

// sample reads line i once.
func (s *Switch) sample(i int) {
	at := s.clock() // before the read, which may take long
	s.publish(i, s.lines[i].read(), at)
	s.sampledAt[i].Store(int64(at))
	s.lines[i].checkPresent(at)
}

// publish adds a reading of line i and stores the resulting cause for State.
func (s *Switch) publish(i int, r reading, at time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed.Load() {
		s.cause.Store(uint32(s.pair.sample(i, r, at)))
	}
}

// driveRelay drives the relay until Close is called, and then switches it off.
func (s *Switch) driveRelay() {
	for ; !s.closed.Load(); time.Sleep(s.poll) {
		_, stop := s.State()
		s.relay.step(stop)
	}
	s.closeErr = s.relay.switchOff()
}

// Close switches the relay off and makes State report a stop from now on. It may be called twice.
func (s *Switch) Close() error {
	s.mu.Lock()
	s.closed.Store(true)
	s.cause.Store(uint32(Closed))
	s.mu.Unlock()
	return lifecycle.CloseOrAbandon(s.finish, errHung)
}

// finish waits for the goroutines, of which driveRelay switches the relay off, and closes the lines.
func (s *Switch) finish() error {
	s.goroutines.Wait()
	if s.relay != nil {
		closeLine(s.relay.pin)
	}
	for _, l := range s.lines {
		closeLine(l.pin)
	}
	if s.closeErr != nil {
		return fmt.Errorf("estop: relay: %w; it may still be on: switch the power off", s.closeErr)
	}
	return nil
}

// closeLine returns a line to the kernel, if it is of a type with a method Close.
func closeLine(pin any) {
	if c, ok := pin.(interface{ Close() }); ok {
		c.Close()
	}
}
