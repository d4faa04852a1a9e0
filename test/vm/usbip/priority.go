package usbip

import (
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"rig.example/rig/internal/kit/rt"
)

// raisePriority locks the calling goroutine, which emulates a part of the device, to a thread of its own and
// gives the thread the highest ordinary priority (nice -20).
func raisePriority() {
	runtime.LockOSThread()
	const highest = -20 // nice value; a real-time priority could block threads of this program that it waits for
	_ = unix.Setpriority(unix.PRIO_PROCESS, unix.Gettid(), highest)
}

// limitGarbageCollection keeps Go's garbage collector from delaying the emulated devices. On a guest's only processor
// a collection stops this program for 15 ms of virtual time. After that time rig rightly reports
// a stop switch as failed.
func limitGarbageCollection() {
	const limit = 128 << 20 // [bytes]
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(limit)
}

// raiseBusPriority gives the kernel threads of the virtual host controller a priority above all of rig's threads
// except its loop, because a real bus does not wait for programs either. Without the privilege the bus is
// only slower.
func raiseBusPriority() {
	names, _ := filepath.Glob("/proc/[0-9]*/comm")
	for _, path := range names {
		name, err := os.ReadFile(path)
		pid, atoiErr := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if err == nil && atoiErr == nil && strings.HasPrefix(string(name), "vhci_") {
			attr := unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_FIFO, Priority: rt.BackgroundPriority + 1}
			_ = unix.SchedSetAttr(pid, &attr, 0)
		}
	}
}
