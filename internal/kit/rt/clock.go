// Package rt provides what the 1 kHz loop needs from Linux: a clock that sleeps to absolute deadlines,
// and a thread with real-time priority. The input is a Config. The output is a Clock, and a list of
// problems for everything that the kernel refused; the program runs without it. The package never steps
// the loop itself.
//
// A thread that returns from a system call spins while another thread holds its goroutine's status in order
// to pass on its processor (P). With SCHED_FIFO it can keep the very thread that it waits for from running,
// until the kernel throttles it after 0.95 s (measured, Go 1.26). Therefore the loop sleeps by a raw system
// call, which Go's scheduler does not notice, and calls the scheduler every 8 ms when there is time. All other
// threads have a low real-time priority, above other programs and below the loop (see Background); only what computes
// for milliseconds runs as an ordinary thread. Garbage is not collected while a wheel gives torque, because ticks come
// some 12 ms late on one processor meanwhile: a drive leaves about 5 kB per second, and its recorder 3. 32 MB are reserved for
// it, because the growth of a locked heap blocks one processor for 4 ms.
package rt

import (
	"runtime"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Clock reads CLOCK_MONOTONIC and sleeps to absolute deadlines on it.
type Clock struct {
	// Spin is the last part of each wait, in which SleepUntil polls the clock instead of sleeping.
	// It keeps a processor busy, but avoids the delay of the kernel's wake-up.
	Spin time.Duration

	start     time.Time     // reading of Go's clock at the instant when the kernel's clock read offset
	offset    time.Duration // reading of the kernel's clock at the same instant
	lastYield time.Duration // time of the last call of Go's scheduler
}

// Go's scheduler preempts a goroutine that has run for 10 ms without calling it, at an arbitrary
// moment. The loop therefore calls the scheduler earlier, when enough time is left.
const (
	yieldEvery  = 8 * time.Millisecond
	yieldMargin = 400 * time.Microsecond // shortest time before the deadline at which the loop yields
)

// NewClock returns a clock whose readings come from Go's monotonic clock, which needs no system
// call, and agree with the kernel's CLOCK_MONOTONIC.
func NewClock(spin time.Duration) *Clock {
	c := &Clock{Spin: spin}
	best := time.Hour
	for range 10 { // keep the pair of readings that are closest together in time
		a := time.Now()
		k := kernelNow()
		if d := time.Since(a); d < best {
			best, c.start, c.offset = d, a, k
		}
	}
	return c
}

// Now returns the time since an unspecified start.
func (c *Clock) Now() time.Duration { return c.offset + time.Since(c.start) }

// SleepUntil returns at t or soon after, at once if t has passed.
func (c *Clock) SleepUntil(t time.Duration) {
	now := c.Now()
	if now-c.lastYield >= yieldEvery && t-now >= yieldMargin {
		c.lastYield = now
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

// sleep waits in the kernel until t without telling Go's scheduler.
//
// The scheduler passes the processor (P) of a thread in a system call on to other threads, which
// hold its goroutine's status for a moment to take it (setBlockOnExitSyscall
// and exitsyscallTryGetP in runtime/proc.go of Go 1.26). A thread that returns
// spins until it has the status back. If it has real-time priority and the holder
// waits for the same CPU, it spins until the kernel throttles it after 0.95 s.
// A raw system call avoids this: the thread keeps its P while it sleeps, and spareProcessors
// make up for it.
func sleep(t *unix.Timespec) unix.Errno {
	_, _, errno := unix.RawSyscall6(unix.SYS_CLOCK_NANOSLEEP, unix.CLOCK_MONOTONIC, unix.TIMER_ABSTIME, uintptr(unsafe.Pointer(t)), 0, 0, 0)
	return errno
}

// kernelNow returns the reading of CLOCK_MONOTONIC.
func kernelNow() time.Duration {
	var ts unix.Timespec
	if unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts) != nil {
		panic("rt: no CLOCK_MONOTONIC")
	}
	return time.Duration(ts.Nano())
}

// Suspended returns the least and the most time for which the machine has been suspended in total since it
// started: CLOCK_BOOTTIME runs on during a suspension, CLOCK_MONOTONIC does not, and is read before and after it.
// The two results differ by the time between these readings, in which the thread may be held up. Like sleep it
// does not involve Go's scheduler.
func Suspended() (low, high time.Duration) {
	read := func(clock uintptr) time.Duration {
		var ts unix.Timespec
		_, _, _ = unix.RawSyscall(unix.SYS_CLOCK_GETTIME, clock, uintptr(unsafe.Pointer(&ts)), 0) // cannot fail for these clocks
		return time.Duration(ts.Nano())
	}
	before := read(unix.CLOCK_MONOTONIC)
	boot := read(unix.CLOCK_BOOTTIME)
	return boot - read(unix.CLOCK_MONOTONIC), boot - before
}
