package rt

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Config says what the loop's thread asks of the kernel.
type Config struct {
	Priority   int     `toml:"priority"`     // SCHED_FIFO 11..90; 0 stays an ordinary thread
	LockMemory bool    `toml:"lock_memory"`  // nothing of the process is ever paged out
	CPU        int     `toml:"cpu"`          // processor to run on, -1 any
	Spin       float64 `toml:"spin_us"`      // last part of every wait spent polling [µs]
	NoIdle     bool    `toml:"no_deep_idle"` // keep processors out of idle states that wake slowly
}

// DefaultConfig asks for all that costs nothing when it is refused.
func DefaultConfig() Config {
	return Config{Priority: 50, LockMemory: true, CPU: -1, NoIdle: true}
}

// Validate reports every field that is out of range.
func (c Config) Validate() error {
	var errs []error
	if c.Priority != 0 && (c.Priority <= Background || c.Priority > 90) {
		errs = append(errs, fmt.Errorf("realtime: priority = %d is neither 0 nor in %d..90", c.Priority, Background+1))
	}
	if c.CPU < -1 || c.CPU >= 1024 {
		errs = append(errs, fmt.Errorf("realtime: cpu = %d is outside -1..1023", c.CPU))
	}
	if !(c.Spin >= 0 && c.Spin <= 500) {
		errs = append(errs, fmt.Errorf("realtime: spin_us = %g is outside 0..500 µs", c.Spin))
	}
	return errors.Join(errs...)
}

// Clock returns the clock that c asks for.
func (c Config) Clock() *Clock { return NewClock(time.Duration(c.Spin * 1e3)) }

// Problem is something that the kernel refused, and what to do about it.
type Problem struct {
	What   string `json:"what"`
	Remedy string `json:"remedy"`
}

func (p Problem) String() string { return p.What + "; " + p.Remedy }

const remedy = "install systemd/rig.limits with `make install`, join the group `realtime` and log in again, or run the service"

// Process readies the whole process: it raises its threads above other
// programs, locks its memory, keeps the processors awake and leaves garbage alone. What is refused comes back as
// problems; the rig runs without. Call the function it returns at exit. Both
// stop the world, so call them while no thread has real-time priority.
func (c Config) Process() (problems []Problem, release func()) {
	release = quiet()
	runtime.GOMAXPROCS(runtime.NumCPU() + spareProcessors)
	if c.Priority > Background {
		if restore, err := Raise(Background); err == nil {
			loud := release
			release = func() { restore(); loud() }
		}
	}
	if c.LockMemory {
		if err := lockMemory(); err != nil {
			problems = append(problems, Problem{"memory is not locked: " + err.Error(), remedy})
		}
		reserve()
	}
	if t, err := FindTimerThreads(); err == nil {
		if p := t.Problem(); p != nil {
			problems = append(problems, *p)
		}
	}
	if c.NoIdle {
		f, err := noDeepIdle()
		if err != nil {
			problems = append(problems, Problem{"processors may idle deeply: " + err.Error(),
				"install systemd/70-rig.rules with `make install`, or set no_deep_idle = false"})
		} else {
			loud := release
			release = func() { f.Close(); loud() }
		}
	}
	return problems, release
}

// spareProcessors are those that Go's scheduler has beyond the machine's: more
// than a rig has threads that keep one while they wait (see sleep).
const spareProcessors = 8

// garbageLimit is the memory at which garbage is collected even while the loop
// runs [bytes]. A rig that drives leaves some 5 kB a second.
const garbageLimit = 1 << 30

// quiet stops the garbage collector, which would interrupt the loop in the
// middle of a tick to read its stack.
func quiet() (restore func()) {
	percent, limit := debug.SetGCPercent(-1), debug.SetMemoryLimit(garbageLimit)
	return func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}
}

// reserve leaves room in Go's heap for what a drive leaves behind in an hour: a heap that grows
// while memory is locked holds up a machine of one processor for 4 ms, in which the kernel
// fills what is new.
func reserve() {
	room := make([]byte, heapRoom)
	runtime.KeepAlive(room)
	runtime.GC() // it is free now, and stays with the process: nothing gives it back while garbage is left alone
}

const heapRoom = 24 << 20 // [bytes]

// Tidy collects garbage if much has come since the last time. Call it when a late tick does
// no harm.
//
// It asks without runtime.ReadMemStats, which stops the world.
func Tidy() {
	const much = 4 << 20 // [bytes]
	heap := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/gc/heap/live:bytes"}}
	if metrics.Read(heap); heap[0].Value.Uint64() > heap[1].Value.Uint64()+much {
		runtime.GC()
	}
}

// Thread readies the calling goroutine's thread, which it keeps: real-time
// priority and processor. What is refused comes back as problems.
func (c Config) Thread() []Problem {
	runtime.LockOSThread()
	var problems []Problem
	if c.CPU >= 0 {
		var set unix.CPUSet
		set.Set(c.CPU)
		if err := unix.SchedSetaffinity(0, &set); err != nil {
			problems = append(problems, Problem{fmt.Sprintf("not bound to cpu %d: %v", c.CPU, err),
				fmt.Sprintf("choose one of 0..%d or -1", runtime.NumCPU()-1)})
		}
	}
	if c.Priority > 0 {
		if err := setFIFO(c.Priority); err != nil {
			problems = append(problems, Problem{fmt.Sprintf("no real-time priority %d: %v", c.Priority, err), remedy})
		}
	}
	return problems
}

const attrSize = unix.SizeofSchedAttr

// setFIFO gives the calling thread real-time priority, which the threads that
// it starts do not inherit.
func setFIFO(priority int) error {
	const resetOnFork = 1 // SCHED_FLAG_RESET_ON_FORK
	return unix.SchedSetAttr(0, &unix.SchedAttr{
		Size: attrSize, Policy: unix.SCHED_FIFO, Flags: resetOnFork, Priority: uint32(priority),
	}, 0)
}

// lockMemory locks on fault: Go reserves far more than it uses. With a limit
// in place it does nothing, for then a later allocation would fail instead.
func lockMemory() error {
	var lim unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_MEMLOCK, &lim); err != nil {
		return err
	}
	if lim.Cur != unix.RLIM_INFINITY && !hasCapability(unix.CAP_IPC_LOCK) {
		return fmt.Errorf("the limit is %d kB", lim.Cur/1024)
	}
	return unix.Mlockall(unix.MCL_CURRENT | unix.MCL_FUTURE | unix.MCL_ONFAULT)
}

func hasCapability(bit uint) bool {
	b, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return false
	}
	for line := range strings.Lines(string(b)) {
		if hex, ok := strings.CutPrefix(line, "CapEff:"); ok {
			caps, err := strconv.ParseUint(strings.TrimSpace(hex), 16, 64)
			return err == nil && caps>>bit&1 == 1
		}
	}
	return false
}

// noDeepIdle holds the latency request until the file is closed.
func noDeepIdle() (*os.File, error) {
	f, err := os.OpenFile("/dev/cpu_dma_latency", os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	if _, err := f.Write(make([]byte, 4)); err != nil { // 0 µs
		f.Close()
		return nil, err
	}
	return f, nil
}
