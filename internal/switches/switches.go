// Package switches opens and reads the switches that end a force: the emergency stop with its relay,
// and the line of a belt or a door. In go their configuration and their lines; out come what they
// say now, and whether that is sure. It decides nothing, and leaves every relay as it is.
package switches

import (
	"time"

	"rig.example/rig/devices/estop"
)

// Switch is the emergency stop with its relay, or a test's.
type Switch interface {
	State() (stopped bool, cause estop.Cause)
	Enable(on bool)
	Relay() (on bool, cause estop.Cause)
}

// monotonic returns a clock for the emergency stop.
func monotonic() func() time.Duration {
	start := time.Now()
	return func() time.Duration { return time.Since(start) }
}

// Settled waits until a switch has been looked at for long enough to know
// whether it is released, and if not, whether its contacts agree on that, and
// until its relay is being looked after. It returns what the switch says then.
func Settled(s Switch, cfg estop.Config) (stopped bool, cause estop.Cause) {
	const look, slack, margin = 2 * time.Millisecond, time.Second, 20 * time.Millisecond
	began := time.Now()
	limit := began.Add(milliseconds(cfg.Debounce) + slack)
	agreed := began
	if cfg.SecondPin != "" {
		agreed = began.Add(milliseconds(cfg.Agree) + margin)
	}
	for {
		stopped, cause = s.State()
		now := time.Now()
		_, relay := s.Relay()
		known := cause != estop.Starting && (cause != estop.Opened || now.After(agreed))
		if known && cause != estop.Stale && relay != estop.Stale || now.After(limit) {
			return stopped, cause
		}
		time.Sleep(look)
	}
}

func milliseconds(ms float64) time.Duration { return time.Duration(ms * float64(time.Millisecond)) }

// OpenStop opens the emergency stop if one is configured, or its relay. It returns nil where
// neither is.
func OpenStop(cfg estop.Config) (*estop.Switch, error) {
	if cfg.Pin == "" && cfg.Relay == "" {
		return nil, nil
	}
	return estop.Open(cfg, monotonic())
}

// Interlock is the switch of a belt or a door on a line. A button may do the same.
type Interlock struct {
	Line Switch // nil if none is configured
}

// Open reports whether the line says that it is open.
func (i *Interlock) Open() bool {
	if i.Line == nil {
		return false
	}
	open, _ := i.Line.State()
	return open
}

// Settle waits until the line has been looked at for long enough: before, it counts as open.
func (i *Interlock) Settle(cfg estop.Config) {
	if i.Line != nil {
		Settled(i.Line, estop.Config{Debounce: cfg.Debounce})
	}
}

// OpenInterlock opens the line of belt or door if one is configured, and returns nil if not.
func OpenInterlock(cfg estop.Config) (*estop.Switch, error) {
	if cfg.Interlock == "" {
		return nil, nil
	}
	return estop.OpenInterlock(cfg, monotonic())
}

// ReadStop reads an emergency stop and its relay. A relay that dropped by itself, or cannot be
// switched, has failed; one that a stop dropped has not.
func ReadStop(s Switch) (stopped, failed bool, cause estop.Cause) {
	stopped, cause = s.State()
	switch _, dropped := s.Relay(); dropped {
	case estop.RelayFailed, estop.Unrenewed, estop.Stale:
		failed = true
		if !stopped {
			cause = dropped
		}
	}
	return stopped, failed, cause
}
