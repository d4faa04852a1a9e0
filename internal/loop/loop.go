// Package loop calls a tick at a fixed rate. It knows time and nothing else:
// the clock is given, so that a test can stall it.
package loop

import (
	"errors"
	"fmt"
	"time"
)

// Clock tells and awaits one monotonic time.
type Clock interface {
	Now() time.Duration
	SleepUntil(t time.Duration)
}

// ErrDone ends Run without an error when a tick returns it.
var ErrDone = errors.New("done")

// Config is what a loop does about lateness.
type Config struct {
	CatchUp int `toml:"catch_up_ticks"` // late ticks stepped in a row at most; the rest is dropped
}

// DefaultConfig catches up with three ticks at most.
func DefaultConfig() Config { return Config{CatchUp: 3} }

// Validate reports a field that is out of range.
func (c Config) Validate() error {
	if c.CatchUp < 0 || c.CatchUp > 10 {
		return fmt.Errorf("loop: catch_up_ticks = %d is outside 0..10", c.CatchUp)
	}
	return nil
}

// Stats is what a loop has been through. Only the loop's thread writes it.
type Stats struct {
	Ticks    uint64    // ticks stepped
	Missed   uint64    // periods that were over before the loop woke
	Dropped  uint64    // periods never stepped
	Lateness Histogram // from a deadline to the wake-up
	Cost     Histogram // of one tick
}

// Run calls tick every period until it returns an error; ErrDone counts as none.
//
// Deadlines are absolute. A late wake-up steps the periods it overran, at most
// cfg.CatchUp of them in a row, drops the rest and counts both: the time step
// is never stretched and a long stall never ends in a burst.
func Run(c Clock, period time.Duration, cfg Config, st *Stats, tick func() error) error {
	next := c.Now() + period
	for {
		c.SleepUntil(next)
		late := max(c.Now()-next, 0)
		st.Lateness.Add(late)
		behind := int64(late / period)
		caughtUp := min(behind, int64(cfg.CatchUp))
		st.Missed += uint64(behind)
		st.Dropped += uint64(behind - caughtUp)
		for range 1 + caughtUp {
			if err := timed(c, st, tick); err != nil {
				return done(err)
			}
		}
		next += time.Duration(1+behind) * period
	}
}

func timed(c Clock, st *Stats, tick func() error) error {
	start := c.Now()
	err := tick()
	st.Cost.Add(c.Now() - start)
	st.Ticks++
	return err
}

func done(err error) error {
	if errors.Is(err, ErrDone) {
		return nil
	}
	return err
}
