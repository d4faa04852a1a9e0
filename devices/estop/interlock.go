package estop

import (
	"fmt"
	"time"
)

// OpenInterlock watches the configured switch of a belt or a door, which has one contact and no relay. As
// in Open, a line that cannot be read counts as open.
func OpenInterlock(cfg Config, clock func() time.Duration) (*Switch, error) {
	if err := cfg.Validate(); err != nil {
		return nil, fmt.Errorf("estop: %w", err)
	}
	if _, err := findLines(cfg.Pin, cfg.SecondPin, cfg.Relay, cfg.Interlock); err != nil {
		return nil, err // also if two names mean one line
	}
	return Open(cfg.interlockSwitch(), clock)
}

// interlockSwitch returns the configuration of a switch whose only contact is the interlock's.
func (c Config) interlockSwitch() Config {
	one := DefaultConfig()
	one.Pin, one.Wiring, one.DebounceMs, one.PollMs = c.Interlock, c.InterlockWiring, c.DebounceMs, c.PollMs
	return one
}

// InterlockText returns why a belt or a door counts as open.
func (c Cause) InterlockText() string {
	switch c {
	case Starting:
		return "not seen closed yet"
	case Unreadable:
		return "its line cannot be read"
	case NotSampled:
		return "its line is not being looked at"
	}
	return "open, or its cable is"
}
