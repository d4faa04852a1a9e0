package rig

import (
	"time"

	"rig.example/rig/devices/estop"
)

// stopSwitch is the emergency stop with its relay, or a test's.
type stopSwitch interface {
	State() (stopped bool, cause estop.Cause)
	Enable(on bool)
	Relay() (on bool, cause estop.Cause)
}

// monotonic returns a clock for the emergency stop.
func monotonic() func() time.Duration {
	start := time.Now()
	return func() time.Duration { return time.Since(start) }
}

// settled waits until a switch has been looked at for long enough to know
// whether it is released, and if not, whether its contacts agree on that, and
// until its relay is being looked after. It returns what the switch says then.
func settled(s stopSwitch, cfg estop.Config) (stopped bool, cause estop.Cause) {
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

// openSwitch opens the emergency stop if one is configured, or its relay.
func openSwitch(cfg estop.Config) (*estop.Switch, error) {
	if cfg.Pin == "" && cfg.Relay == "" {
		return nil, nil
	}
	return estop.Open(cfg, monotonic())
}
