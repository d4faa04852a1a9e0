package lifecycle

import (
	"context"
	"time"
)

// Backoff returns the waits between attempts: First at the beginning and after a Reset, then twice as long
// each time, but at most Longest.
type Backoff struct {
	First, Longest time.Duration

	next time.Duration // the next wait; 0: First
}

// Next returns the next wait.
func (b *Backoff) Next() time.Duration {
	d := max(b.next, b.First)
	b.next = min(2*d, b.Longest)
	return d
}

// Reset sets the next wait to First.
func (b *Backoff) Reset() { b.next = 0 }

// Retry runs sessions with one device, one after the other, until ctx ends, and returns the error of the last
// session. A session opens the device, uses it until it is lost or ctx ends, and returns the reason, which must
// not be nil before ctx ends, and whether the device worked; if it worked, wait is reset. lost is called after each session that ended
// before ctx did. isNew is false if the reason is the same as before and the device has not worked since.
func Retry(ctx context.Context, wait Backoff, session func(context.Context) (worked bool, err error), lost func(err error, isNew bool)) error {
	reason := ""
	for {
		worked, err := session(ctx)
		if ctx.Err() != nil {
			return err
		}
		if worked {
			wait.Reset()
		}
		lost(err, worked || err.Error() != reason)
		reason = err.Error()
		if !Sleep(ctx, wait.Next()) {
			return nil
		}
	}
}
