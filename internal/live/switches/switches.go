// Package switches opens and reads the switches that end all forces: the emergency stop with its relay, and
// the interlock of a belt or a door. Their configuration and their lines go in; their present states come
// out. The package does not decide what a state means for the rig, and never switches a relay.
package switches

import (
	"errors"
	"slices"
	"time"

	"rig.example/rig/devices/estop"
)

// Switch is an emergency stop switch or the switch of an interlock, with a relay if it has one. It is an
// *estop.Switch, or a fake in tests.
type Switch interface {
	State() (stopped bool, cause estop.Cause)
	Enable(on bool)
	Relay() (on bool, cause estop.Cause)
}

// newClock returns a monotonic clock that starts at 0.
func newClock() func() time.Duration {
	start := time.Now()
	return func() time.Duration { return time.Since(start) }
}

// WaitSettled waits after the start until the state of a switch is certain: until it is known whether the
// switch is released, whether its contacts agree if it is not, and until its relay is being driven. It
// returns that state. It gives up 1 s after the debounce time and returns the state at that time.
func WaitSettled(s Switch, cfg estop.Config) (stopped bool, cause estop.Cause) {
	const look, slack, margin = 2 * time.Millisecond, time.Second, 20 * time.Millisecond
	began := time.Now()
	deadline := began.Add(estop.Milliseconds(cfg.DebounceMs) + slack)
	contactsAgreeBy := began
	if cfg.SecondPin != "" {
		contactsAgreeBy = began.Add(estop.Milliseconds(cfg.AgreeMs) + margin)
	}
	for {
		stopped, cause = s.State()
		now := time.Now()
		_, relayCause := s.Relay()
		known := cause != estop.Starting && (cause != estop.Opened || now.After(contactsAgreeBy))
		if known && cause != estop.NotSampled && relayCause != estop.NotSampled || now.After(deadline) {
			return stopped, cause
		}
		time.Sleep(look)
	}
}

// OpenStop opens the emergency stop and its relay. It returns nil if neither is configured.
func OpenStop(cfg estop.Config) (*estop.Switch, error) {
	if cfg.Pin == "" && cfg.Relay == "" {
		return nil, nil
	}
	return estop.Open(cfg, newClock())
}

// Interlock is the switch of a belt or a door on a GPIO line. (A button can be an interlock too; package
// drive reads that one.)
type Interlock struct {
	Line Switch // nil if no interlock is configured
}

// IsOpen reports whether the belt or the door is open, by the state of the line. It returns false if no
// interlock is configured.
func (i *Interlock) IsOpen() bool {
	if i.Line == nil {
		return false
	}
	open, _ := i.Line.State()
	return open
}

// OpenInterlock opens the line of a belt or a door. It returns nil if none is configured.
func OpenInterlock(cfg estop.Config) (*estop.Switch, error) {
	if cfg.Interlock == "" {
		return nil, nil
	}
	return estop.OpenInterlock(cfg, newClock())
}

// Set holds the switches of a rig.
type Set struct {
	Stop      Switch // emergency stop with its relay; nil if none is configured
	Interlock Interlock

	close []func() error // in the order in which they were opened
}

// Open opens the switches that are configured, that of a belt or a door only if it is not ignored.
func Open(cfg estop.Config, ignoreInterlock bool) (s Set, err error) {
	stop, err := OpenStop(cfg)
	if stop != nil {
		s.Stop, s.close = stop, append(s.close, stop.Close)
	}
	if err == nil && !ignoreInterlock {
		var line *estop.Switch
		if line, err = OpenInterlock(cfg); line != nil {
			s.Interlock.Line, s.close = line, append(s.close, line.Close)
		}
	}
	if err != nil {
		return Set{}, errors.Join(err, s.Close())
	}
	return s, nil
}

// WaitSettled waits until the states of all switches are certain.
func (s *Set) WaitSettled(cfg estop.Config) {
	if s.Stop != nil {
		WaitSettled(s.Stop, cfg)
	}
	if s.Interlock.Line != nil { // until it is certain, the line counts as open
		WaitSettled(s.Interlock.Line, estop.Config{DebounceMs: cfg.DebounceMs})
	}
}

// Close closes the switches, the emergency stop last, which cuts the power: torque and motion have ended before.
func (s *Set) Close() (err error) {
	for _, f := range slices.Backward(s.close) {
		err = errors.Join(err, f())
	}
	return err
}

// ReadStop returns the state of an emergency stop and its relay, nothing if there is none. failed reports whether the relay
// dropped by itself, was not driven for too long or cannot be switched; a relay that a stop switched off has not failed.
// cause is that of the stop or, if there is no stop, of the failed relay.
func ReadStop(s Switch) (stopped, failed bool, cause estop.Cause) {
	if s == nil {
		return false, false, estop.None
	}
	stopped, cause = s.State()
	switch _, relayCause := s.Relay(); relayCause {
	case estop.RelayFailed, estop.NotRenewed, estop.NotSampled:
		failed = true
		if !stopped {
			cause = relayCause
		}
	}
	return stopped, failed, cause
}
