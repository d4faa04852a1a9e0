package labtest

import (
	"os"
	"runtime"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"rig.example/rig/test/vm/mono"
)

// virtualTime reports whether the guest's clock counts instructions.
func virtualTime() bool { return os.Getenv("RIG_VM_CLOCK") == "virtual" }

// realTime locks the calling goroutine to a thread with real-time priority (SCHED_FIFO).
func realTime(t *testing.T) {
	t.Helper()
	runtime.LockOSThread()
	attr := &unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_FIFO, Priority: 50}
	if err := unix.SchedSetAttr(0, attr, 0); err != nil {
		t.Fatal(err)
	}
}

func TestOneKilohertzInVirtualTimeMissesNoTick(t *testing.T) {
	inGuest(t)
	if !virtualTime() {
		t.Skip("needs virtual time: vmexec -icount")
	}
	realTime(t)
	const periods, period = 2000, time.Millisecond
	late := make([]time.Duration, 0, periods)
	start := mono.Now() + 10*period
	for i := range time.Duration(periods) {
		due := start + i*period
		mono.SleepUntil(due)
		late = append(late, mono.Now()-due)
	}
	slices.Sort(late)
	t.Logf("wake lateness: p50 %v, p99 %v, p99.9 %v, max %v",
		late[periods/2], late[periods*99/100], late[periods*999/1000], late[periods-1])
	if worst := late[periods-1]; worst >= period {
		t.Errorf("woke %v late, want less than a period of %v", worst, period)
	}
}

func TestClocksAgree(t *testing.T) {
	inGuest(t)
	wall, clock := time.Now(), mono.Now()
	time.Sleep(200 * time.Millisecond)
	byWall, byClock := time.Since(wall), mono.Now()-clock
	if byClock < 200*time.Millisecond {
		t.Errorf("a sleep of 200 ms took %v", byClock)
	}
	if d := byWall - byClock; d.Abs() > 10*time.Millisecond {
		t.Errorf("CLOCK_MONOTONIC went %v, Go's clock %v", byClock, byWall)
	}
}
