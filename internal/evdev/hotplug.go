package evdev

import (
	"context"
	"time"
)

const (
	settle     = 100 * time.Millisecond // drivers and udev finish a new node in steps
	retryAfter = 250 * time.Millisecond
	maxRetries = 8
	slowRetry  = 2 * time.Second // of what another program must let go of first
)

// Keeper opens a device, waits for it where it is missing, and opens it again
// after an unplug.
type Keeper[S any] struct {
	// Open returns the device if it is there. again asks for another try though
	// no node changes: what drivers and other programs do to a node that is there
	// already is not announced. A patient caller tries again soon.
	Open func(patient bool) (s S, again bool, err error)
	// Missing is told why there is none, each time that it was looked for.
	Missing func(error)
	// Drop closes a device that was opened after ctx had ended.
	Drop func(S)
	// Use returns when the device is gone or ctx ends.
	Use func(ctx context.Context, s S)
}

// Run keeps the device until ctx ends.
func (k Keeper[S]) Run(ctx context.Context) error {
	changes, err := Watch(ctx)
	if err != nil {
		return err
	}
	for ctx.Err() == nil {
		if s, ok := k.find(ctx, changes); ok {
			k.Use(ctx, s)
			Settle(ctx) // a device that fails at once must not be opened in a tight loop
		}
	}
	return nil
}

// find returns the device once there is one; not ok tells that ctx ended.
func (k Keeper[S]) find(ctx context.Context, changes <-chan struct{}) (s S, ok bool) {
	for retries := 0; ctx.Err() == nil; {
		s, again, err := k.open(ctx, retries < maxRetries)
		if err == nil {
			return s, true
		}
		k.Missing(err)
		var retry <-chan time.Time
		if again {
			retries++
			retry = time.After(waitFor(retries))
		}
		select {
		case <-ctx.Done():
		case <-retry:
		case <-changes:
			retries = 0
			Settle(ctx)
		}
	}
	return s, false
}

// open leaves an Open that hangs in a driver behind when ctx ends.
func (k Keeper[S]) open(ctx context.Context, patient bool) (S, bool, error) {
	var r struct {
		s     S
		again bool
		err   error
	}
	late := func() {
		if r.err == nil {
			k.Drop(r.s)
		}
	}
	if !Within(ctx, func() { r.s, r.again, r.err = k.Open(patient) }, late) {
		var none S
		return none, false, ErrStuck
	}
	return r.s, r.again, r.err
}

// waitFor is the time until the next try.
func waitFor(retries int) time.Duration {
	if retries > maxRetries {
		return slowRetry
	}
	return retryAfter
}

// Settle waits for as long as drivers and udev take over a new node.
func Settle(ctx context.Context) { Pause(ctx, settle) }

// Pause waits for d, or until ctx ends.
func Pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
