package estop

import "time"

// OpenInterlock watches the configured switch of a belt or a door, which has one contact
// and no relay. It looks at the line as Open does: what cannot be read is open.
func OpenInterlock(cfg Config, clock func() time.Duration) (*Switch, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	if _, err := find(cfg.Pin, cfg.SecondPin, cfg.Relay, cfg.Interlock); err != nil {
		return nil, err // two names of one line, too
	}
	return Open(cfg.alone(), clock)
}

// alone is the interlock's contact as a switch of its own.
func (c Config) alone() Config {
	one := DefaultConfig()
	one.Pin, one.Wiring, one.Debounce, one.Poll = c.Interlock, c.Closed, c.Debounce, c.Poll
	return one
}

// Interlocked says why a belt or a door counts as open.
func (c Cause) Interlocked() string {
	switch c {
	case Starting:
		return "not seen closed yet"
	case Lost:
		return "its line cannot be read"
	case Stale:
		return "its line is not being looked at"
	}
	return "open, or its cable is"
}
