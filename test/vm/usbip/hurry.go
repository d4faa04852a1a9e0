package usbip

import (
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"rig.example/rig/internal/rt"
)

// hurry keeps the goroutine, which is a part of the device, on a thread of its
// own that gets the processor before others.
func hurry() {
	runtime.LockOSThread()
	const most = -20 // not real-time: Go's threads wait for each other
	_ = unix.Setpriority(unix.PRIO_PROCESS, unix.Gettid(), most)
}

// keepGarbage keeps Go's garbage collector from holding up the devices of this program. A
// collection holds up all of it for 15 ms on a guest's only processor in virtual time:
// long enough for a rig to take a stop switch for dead, as it should.
func keepGarbage() {
	const limit = 128 << 20 // [bytes]
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(limit)
}

// hurryBus gives the kernel's threads of the virtual host controller, which are
// the bus, a priority above all of a rig but its loop: hardware does not wait
// for the programs that use it. Without the privilege it is only slower.
func hurryBus() {
	names, _ := filepath.Glob("/proc/[0-9]*/comm")
	for _, path := range names {
		name, err := os.ReadFile(path)
		pid, atoiErr := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if err == nil && atoiErr == nil && strings.HasPrefix(string(name), "vhci_") {
			attr := unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_FIFO, Priority: rt.Background + 1}
			_ = unix.SchedSetAttr(pid, &attr, 0)
		}
	}
}
