package rt

import (
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestClockSleepsToTheDeadlineNotShort(t *testing.T) {
	for _, spin := range []time.Duration{0, 200 * time.Microsecond} {
		c := NewClock(spin)
		for range 5 {
			at := c.Now() + 2*time.Millisecond
			c.SleepUntil(at)
			if now := c.Now(); now < at-time.Microsecond {
				t.Errorf("spin %v: woke %v early", spin, at-now)
			}
		}
		before := c.Now()
		c.SleepUntil(before - time.Hour)
		if d := c.Now() - before; d > time.Minute {
			t.Errorf("a deadline an hour ago took %v", d)
		}
	}
}

func TestClockIsTheKernels(t *testing.T) {
	c := NewClock(0)
	a := kernelNow()
	now := c.Now()
	b := kernelNow()
	if now < a-10*time.Microsecond || now > b+10*time.Microsecond {
		t.Errorf("clock says %v, the kernel %v to %v", now, a, b)
	}
}

func TestSleepAllocatesNothing(t *testing.T) {
	c := NewClock(0)
	if n := testing.AllocsPerRun(10, func() { c.SleepUntil(c.Now() + 50*time.Microsecond) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func TestThreadTakesItsPriorityOrSaysWhy(t *testing.T) {
	done := make(chan struct{})
	go func() { // the thread ends with its goroutine, which never unlocks
		defer close(done)
		problems := Config{Priority: 40, CPU: 0}.Thread()
		attr, err := unix.SchedGetAttr(0, 0)
		if err != nil {
			t.Error(err)
			return
		}
		fifo := attr.Policy == unix.SCHED_FIFO && attr.Priority == 40
		if fifo == (len(problems) > 0) {
			t.Errorf("policy %d priority %d, problems %v", attr.Policy, attr.Priority, problems)
		}
		var set unix.CPUSet
		if err := unix.SchedGetaffinity(0, &set); err != nil || set.Count() != 1 || !set.IsSet(0) {
			t.Errorf("bound to %d processors, %v", set.Count(), err)
		}
	}()
	<-done
}

func TestAllThreadsRankBelowTheLoopAndAboveOtherPrograms(t *testing.T) {
	restore, err := Raise(BackgroundPriority)
	if restore(); err != nil {
		t.Skip("real-time priority is not allowed here:", err)
	}
	problems, release := DefaultConfig().Process()
	t.Log(problems)
	policies := func() map[uint32]int {
		n := map[uint32]int{}
		tasks, _ := filepath.Glob("/proc/self/task/*")
		for _, task := range tasks {
			tid, _ := strconv.Atoi(filepath.Base(task))
			if attr, err := unix.SchedGetAttr(tid, 0); err == nil {
				n[attr.Policy<<8|attr.Priority]++
			}
		}
		return n
	}
	started, end := make(chan struct{}), make(chan struct{})
	for range 20 { // threads that start later, too
		go func() { runtime.LockOSThread(); started <- struct{}{}; <-end }()
		<-started
	}
	if n := policies(); n[unix.SCHED_NORMAL<<8] > 0 || n[unix.SCHED_RR<<8|BackgroundPriority] < 20 {
		t.Errorf("threads by policy and priority: %v, want none ordinary, 20 or more RR %d", n, BackgroundPriority)
	}
	close(end)
	child := make(chan uint32)
	go func() {
		runtime.LockOSThread()
		DropPriority()
		out, err := exec.Command("chrt", "-p", "0").CombinedOutput() // of chrt itself
		if err != nil || !strings.Contains(string(out), "SCHED_OTHER") {
			t.Errorf("a program started from there has %s, %v", out, err)
		}
		close(child)
	}()
	<-child
	release()
	if n := policies(); n[unix.SCHED_RR<<8|BackgroundPriority] > 0 || n[unix.SCHED_NORMAL<<8] == 0 {
		t.Errorf("threads by policy and priority after the release: %v, want them ordinary", n)
	}
}

func TestProblemsNameTheRemedy(t *testing.T) {
	problems := make(chan []Problem)
	go func() { problems <- Config{CPU: 1000}.Thread() }()
	got := <-problems
	if len(got) != 1 || got[0].Remedy == "" {
		t.Errorf("an absurd processor gave %v", got)
	}
}

func TestProcessLeavesGoProcessorsToSpare(t *testing.T) {
	old := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(old)
	_, release := Config{}.Process()
	defer release()
	if n := runtime.GOMAXPROCS(0); n < runtime.NumCPU()+1 || n < 4 {
		t.Errorf("%d Go processors on %d of the machine", n, runtime.NumCPU())
	}
}

func TestValidate(t *testing.T) {
	const want = "priority = 99: must be 0 (ordinary thread) or 11 to 90\ncpu = -2: must be -1 to 1023\nspin_us = -1: must be 0 to 500"
	if err := (Config{Priority: 99, CPU: -2, Spin: -1}).Validate(); err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
	if err := DefaultConfig().Validate(); err != nil {
		t.Error(err)
	}
}

func TestGarbageIsLeftAloneUntilTidied(t *testing.T) {
	_, release := Config{}.Process()
	defer release()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 100 {
		garbage = make([]byte, 1<<20)
	}
	runtime.ReadMemStats(&after)
	if after.NumGC != before.NumGC {
		t.Errorf("%d collections while the loop might run", after.NumGC-before.NumGC)
	}
	garbage = nil
	CollectGarbage()
	runtime.ReadMemStats(&before)
	if before.NumGC == after.NumGC || before.HeapAlloc > 32<<20 {
		t.Errorf("%d MB left after tidying", before.HeapAlloc>>20)
	}
	for range 6 {
		garbage = make([]byte, 1<<20)
	}
	if CollectGarbage(); collections() != before.NumGC+1 {
		t.Errorf("%d collections of 6 MB, want one", collections()-before.NumGC)
	}
	if CollectGarbage(); collections() != before.NumGC+1 {
		t.Error("a collection for nothing")
	}
}

// collections returns how often garbage was collected.
func collections() uint32 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.NumGC
}

var garbage []byte // keeps the compiler from leaving it out
