// Package lifecycle keeps devices open that may be plugged in and unplugged: it searches for a device, opens
// it, uses it until it is lost, and searches for it again.
//
// The functions of one device that open it, use it and close it go in; out come its sessions, one after the
// other, and each new reason why there is none. Keeper is for devices whose arrival the system announces,
// Retry for devices that must be tried, Runner for the state that Run and Close of a device share, and
// CallOrAbandon and CloseOrAbandon are for calls that may hang in a driver. The package itself opens and logs
// nothing, and depends on no kind of device.
package lifecycle

import (
	"context"
	"time"
)

const (
	settleTime = 100 * time.Millisecond // wait after a change, because drivers and udev finish a new node in steps
	retryAfter = 250 * time.Millisecond // wait before each of the first maxRetries retries
	maxRetries = 8
	slowRetry  = 2 * time.Second // wait before each later retry, which succeeds only if another program releases the device
)

// Keeper opens a device, waits for it while it is missing, and opens it again after it was unplugged.
type Keeper[S any] struct {
	// Watch returns a channel that receives a value when a device is plugged in, unplugged or changed, until
	// ctx ends.
	Watch func(ctx context.Context) (<-chan struct{}, error)
	// Open returns a session with the device, or an error if it is not plugged in or cannot be used. again
	// asks for another attempt even if Watch reports no change, because the system does not announce what
	// drivers and other programs do with a device. early is true for the first attempts after a change,
	// which follow soon after each other.
	Open func(early bool) (s S, again bool, err error)
	// Missing is called with the reason why there is no device, if it differs from the reason before.
	Missing func(error)
	// Discard closes a device that was opened after ctx had ended.
	Discard func(S)
	// Use returns when the device is lost or ctx ends.
	Use func(ctx context.Context, s S)
}

// Run keeps the device open until ctx ends.
func (k Keeper[S]) Run(ctx context.Context) error {
	changes, err := k.Watch(ctx)
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

// find tries to open the device until that succeeds, and returns its session. ok is false if ctx ended first.
func (k Keeper[S]) find(ctx context.Context, changes <-chan struct{}) (s S, ok bool) {
	reason := ""
	for retries := 0; ctx.Err() == nil; {
		s, again, err := k.open(ctx, retries < maxRetries)
		if err == nil {
			return s, true
		}
		if reason != err.Error() {
			reason = err.Error()
			k.Missing(err)
		}
		var retry <-chan time.Time
		if again {
			retries++
			retry = time.After(retryTime(retries))
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

// open calls Open, and abandons the call if it still hangs in a driver when ctx ends.
func (k Keeper[S]) open(ctx context.Context, early bool) (S, bool, error) {
	var result struct {
		s     S
		again bool
		err   error
	}
	late := func() {
		if result.err == nil {
			k.Discard(result.s)
		}
	}
	if !CallOrAbandon(ctx, func() { result.s, result.again, result.err = k.Open(early) }, late) {
		var none S
		return none, false, ErrHung
	}
	return result.s, result.again, result.err
}

// retryTime returns the wait before the given retry, counted from 1.
func retryTime(retries int) time.Duration {
	if retries > maxRetries {
		return slowRetry
	}
	return retryAfter
}

// Settle waits for as long as drivers and udev need to finish a new node, or until ctx ends.
func Settle(ctx context.Context) { Sleep(ctx, settleTime) }

// Sleep waits for d, or until ctx ends, and reports whether all of d has passed.
func Sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
