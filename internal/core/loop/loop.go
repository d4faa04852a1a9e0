// Package loop calls a function at a fixed rate. The input is a clock, a period and the function; the
// output is statistics about lateness and cost. It never stretches a time step and starts no goroutine.
// The clock is a parameter, so that a test can simulate a stall.
package loop

import (
	"errors"
	"time"

	"rig.example/rig/internal/kit/valid"
)

// Clock is a monotonic clock that can sleep until an absolute time.
type Clock interface {
	Now() time.Duration
	SleepUntil(t time.Duration)
}

// ErrDone ends Run without an error when a tick returns it.
var ErrDone = errors.New("done")

// Config sets what a loop does after a late wake-up.
type Config struct {
	CatchUp int `toml:"catch_up_ticks" range:"0..10"` // maximum number of late ticks that are made up for in a row; further ones are dropped
}

// DefaultConfig returns a configuration that makes up for at most three late ticks.
func DefaultConfig() Config { return Config{CatchUp: 3} }

// Validate reports every field that is out of range.
func (c Config) Validate() error { return valid.Struct(c) }

// Stats counts what a loop has done. Only the loop's thread writes it.
type Stats struct {
	Ticks    uint64        // number of calls of tick
	Missed   uint64        // periods that had ended completely when the loop woke
	Dropped  uint64        // missed periods for which tick was not called
	Due      time.Duration // deadline of the newest call of tick, on the loop's clock
	Lateness Histogram     // time from a deadline to the wake-up
	Cost     Histogram     // run time of one call of tick
}

// Run calls tick every period until tick returns an error, and returns that error, or nil for ErrDone.
//
// Deadlines are absolute. After a late wake-up Run calls tick once more for each missed period, at most
// cfg.CatchUp times in a row, and drops the other periods. The time step is therefore never stretched, and
// a long stall is not followed by a burst of ticks.
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
		for i := behind - caughtUp; i <= behind; i++ { // the newest periods
			st.Due = next + time.Duration(i)*period
			if err := timed(c, st, tick); err != nil {
				return withoutErrDone(err)
			}
		}
		next += time.Duration(1+behind) * period
	}
}

// timed calls tick once and adds its run time to st.
func timed(c Clock, st *Stats, tick func() error) error {
	start := c.Now()
	err := tick()
	st.Cost.Add(c.Now() - start)
	st.Ticks++
	return err
}

// withoutErrDone returns err, or nil if err is or wraps ErrDone.
func withoutErrDone(err error) error {
	if errors.Is(err, ErrDone) {
		return nil
	}
	return err
}
