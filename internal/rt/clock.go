// Package rt is what the loop needs of Linux: the clock to sleep on, and a
// thread that nothing else keeps from waking.
//
// A thread that returns from a system call spins while any other holds its goroutine's status to lend its
// processor; with SCHED_FIFO it can spin against the very thread it waits for, until the kernel throttles it after
// 0.95 s (measured, Go 1.26). So the loop sleeps without a word to Go's scheduler and lets it in every 8 ms, where
// there is time. What it hands back it gets from another thread: those all have a low real-time priority, above
// other programs and below the loop, and take turns (SCHED_RR): Go's collector lets threads spin for each other, and
// under SCHED_FIFO, on one processor, the end of a drive hung in it for good. Garbage is not collected while the car
// drives: some 5 kB a second are left, for which 24 MB are reserved, as a locked heap that grows costs 4 ms of one
// processor.
package rt

import (
	"runtime"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Clock is CLOCK_MONOTONIC, on which it sleeps to absolute deadlines.
type Clock struct {
	// Spin is how long before a deadline sleeping turns into polling, which
	// trades a busy core for a wake-up without the scheduler's delay.
	Spin time.Duration

	start  time.Time     // one instant, seen through Go's clock …
	offset time.Duration // … and through the kernel's
	shared time.Duration // when Go's scheduler was last let in
}

// Go's scheduler interrupts who runs for 10 ms without a word to it, in the
// worst moment. The loop lets it in before, where there is time.
const (
	shareEvery = 8 * time.Millisecond
	shareTime  = 400 * time.Microsecond // at least so long before the deadline
)

// NewClock ties Go's monotonic clock, which is read without a system call, to
// the kernel's absolute time.
func NewClock(spin time.Duration) *Clock {
	c := &Clock{Spin: spin}
	best := time.Hour
	for range 10 { // the pair read closest together
		a := time.Now()
		k := kernelNow()
		if d := time.Since(a); d < best {
			best, c.start, c.offset = d, a, k
		}
	}
	return c
}

// Now is the time since an unspecified start.
func (c *Clock) Now() time.Duration { return c.offset + time.Since(c.start) }

// SleepUntil returns at t or soon after, at once if t has passed.
func (c *Clock) SleepUntil(t time.Duration) {
	now := c.Now()
	if now-c.shared >= shareEvery && t-now >= shareTime {
		c.shared = now
		runtime.Gosched()
	}
	if d := t - c.Spin; d > now {
		ts := unix.NsecToTimespec(int64(d))
		for sleep(&ts) == unix.EINTR {
		}
	}
	for c.Now() < t {
	}
}

// sleep waits in the kernel until t without a word to Go's scheduler.
//
// The scheduler lends the processor of a thread in a system call to others, who
// hold its goroutine's status for a moment to take it (setBlockOnExitSyscall
// and exitsyscallTryGetP in runtime/proc.go of Go 1.26). A thread that returns
// spins until it has the status back: with real-time priority, and the holder
// waiting for the same processor, until the kernel throttles it after 0.95 s.
// Unknown to the scheduler the thread keeps its processor; there are spare ones.
func sleep(t *unix.Timespec) unix.Errno {
	_, _, errno := unix.RawSyscall6(unix.SYS_CLOCK_NANOSLEEP, unix.CLOCK_MONOTONIC, unix.TIMER_ABSTIME, uintptr(unsafe.Pointer(t)), 0, 0, 0)
	return errno
}

func kernelNow() time.Duration {
	var ts unix.Timespec
	if unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts) != nil {
		panic("rt: no CLOCK_MONOTONIC")
	}
	return time.Duration(ts.Nano())
}

// Suspended returns for how long the machine has been suspended since it started:
// CLOCK_BOOTTIME goes on then, CLOCK_MONOTONIC does not. It is never more, and less by the
// time between two readings of a clock at most. Like sleep it says no word to Go's scheduler.
func Suspended() time.Duration {
	read := func(clock uintptr) time.Duration {
		var ts unix.Timespec
		_, _, _ = unix.RawSyscall(unix.SYS_CLOCK_GETTIME, clock, uintptr(unsafe.Pointer(&ts)), 0) // cannot fail for these clocks
		return time.Duration(ts.Nano())
	}
	boot := read(unix.CLOCK_BOOTTIME)
	return boot - read(unix.CLOCK_MONOTONIC)
}
