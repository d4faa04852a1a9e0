// Package mono reads CLOCK_MONOTONIC and waits on it. All devices and tests in the virtual machine use this clock.
package mono

import (
	"runtime"
	"sync"
	"time"
	"unsafe"

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
//
// The raw system call keeps the processor (P) that the goroutine has in Go's scheduler. One that the scheduler takes
// away in each sleep makes it look for such sleeps every 20 µs (sysmon in runtime/proc.go of Go 1.26), and in the
// emulator each of these looks costs as much as thousands of instructions, because it changes the address space.
func SleepUntil(t time.Duration) {
	spareProcessors()
	at := unix.NsecToTimespec(int64(t))
	for sleep(&at) == unix.EINTR {
		runtime.Gosched() // the signal may be that of a collection, which waits for this goroutine
	}
}

func sleep(until *unix.Timespec) unix.Errno {
	_, _, errno := unix.RawSyscall6(unix.SYS_CLOCK_NANOSLEEP, unix.CLOCK_MONOTONIC, unix.TIMER_ABSTIME, uintptr(unsafe.Pointer(until)), 0, 0, 0)
	return errno
}

// spareProcessors gives Go's scheduler a processor for each thread that may sleep at the same time.
var spareProcessors = sync.OnceFunc(func() {
	const sleepers = 8 // devices with a rim, a board or lines of their own: no bench has more
	runtime.GOMAXPROCS(runtime.NumCPU() + sleepers)
})
