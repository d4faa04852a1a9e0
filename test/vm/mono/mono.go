// Package mono reads and waits on CLOCK_MONOTONIC, the clock all devices and
// tests in the virtual machine share.
package mono

import (
	"time"

	"golang.org/x/sys/unix"
)

// Now returns the time since boot.
func Now() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &t); err != nil {
		panic("mono: " + err.Error()) // the kernel lacks the clock
	}
	return time.Duration(t.Nano())
}

// SleepUntil blocks the calling thread until Now is at least t.
//
// Go's own timers wait in epoll, which knows milliseconds only.
func SleepUntil(t time.Duration) {
	at := unix.NsecToTimespec(int64(t))
	for unix.ClockNanosleep(unix.CLOCK_MONOTONIC, unix.TIMER_ABSTIME, &at, nil) == unix.EINTR {
	}
}
