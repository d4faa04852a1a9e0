// Package mono reads CLOCK_MONOTONIC and waits on it. All devices and tests in the virtual machine use this clock.
package mono

import (
	"time"

	"golang.org/x/sys/unix"
)

// Now returns the time on CLOCK_MONOTONIC, which starts at boot.
func Now() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &t); err != nil {
		panic("mono: " + err.Error()) // the kernel lacks the clock
	}
	return time.Duration(t.Nano())
}

// SleepUntil blocks the calling thread until Now is at least t.
//
// Go's timers wait in epoll, whose time limit has a resolution of 1 ms.
func SleepUntil(t time.Duration) {
	at := unix.NsecToTimespec(int64(t))
	for unix.ClockNanosleep(unix.CLOCK_MONOTONIC, unix.TIMER_ABSTIME, &at, nil) == unix.EINTR {
	}
}
