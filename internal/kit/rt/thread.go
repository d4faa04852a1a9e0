package rt

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
	"rig.example/rig/internal/kit/valid"
)

// Config holds what the program requests from the kernel for its real-time loop.
type Config struct {
	// SCHED_FIFO priority of the loop; 0 leaves it an ordinary thread
	Priority   int     `toml:"priority" range:"0 (ordinary thread) or 11..90"`
	LockMemory bool    `toml:"lock_memory"`            // keeps the program's memory from being paged out
	CPU        int     `toml:"cpu" range:"-1..1023"`   // processor that the loop is bound to; -1 for any
	Spin       float64 `toml:"spin_us" range:"0..500"` // last part of every wait in which the loop polls the clock [µs]; keeps one processor busy
	NoIdle     bool    `toml:"no_deep_idle"`           // keeps processors out of idle states that wake slowly
}

// DefaultConfig returns a configuration that requests everything that does no harm if the kernel refuses it.
func DefaultConfig() Config {
	return Config{Priority: 50, LockMemory: true, CPU: -1, NoIdle: true}
}

// Validate reports every field that is out of range.
func (c Config) Validate() error { return valid.Struct(c) }

// Clock returns a clock that polls for the last c.Spin µs of each wait.
func (c Config) Clock() *Clock { return NewClock(time.Duration(c.Spin * 1e3)) }

// Problem is something that the kernel refused, and what to do about it.
type Problem struct {
	Check  string `json:"check"` // which of the requests was refused: memory, timers, idle, processor or priority
	What   string `json:"what"`
	Remedy string `json:"remedy"`
}

func (p Problem) String() string { return p.What + "; " + p.Remedy }

// rightsRemedy is what to do if the kernel refuses a right to the user.
const rightsRemedy = "install systemd/rig.limits with `make install`, join the group `realtime` and log in again, or run the service"

// Process prepares the whole process: it raises its threads above other programs, locks its memory,
// keeps the processors out of deep idle states and turns the garbage collector off. It returns a
// problem for everything that the kernel refused; the program runs without it. Call release at exit.
// Process and release stop all goroutines for a moment, so call them while no thread has a real-time
// priority above that of the others.
func (c Config) Process() (problems []Problem, release func()) {
	release = stopCollector()
	runtime.GOMAXPROCS(runtime.NumCPU() + spareProcessors)
	if c.Priority > BackgroundPriority {
		if restore, err := Raise(BackgroundPriority); err == nil {
			previous := release
			release = func() { restore(); previous() }
		}
	}
	if c.LockMemory {
		if err := lockMemory(); err != nil {
			problems = append(problems, Problem{"memory", "memory is not locked: " + err.Error(), rightsRemedy})
		}
		reserveHeap()
	}
	if t, err := FindTimerThreads(); err == nil {
		if p := t.Problem(); p != nil {
			problems = append(problems, *p)
		}
	}
	if c.NoIdle {
		f, err := noDeepIdle()
		if err != nil {
			problems = append(problems, Problem{"idle", "processors may idle deeply: " + err.Error(),
				"install systemd/70-rig.rules with `make install`, or set no_deep_idle = false"})
		} else {
			previous := release
			release = func() { f.Close(); previous() }
		}
	}
	return problems, release
}

// spareProcessors is how many processors (P) Go's scheduler gets in addition to the machine's. It must be
// greater than the number of threads that keep their P while they sleep (see sleep).
const spareProcessors = 8

// garbageLimit is the size of the program's memory above which garbage is collected even while the loop
// runs [bytes]. A drive leaves about 5 kB per second, and its recorder 3.
const garbageLimit = 1 << 30

// stopCollector turns the garbage collector off, because it would interrupt the loop in the
// middle of a tick to scan its stack.
func stopCollector() (restore func()) {
	percent, limit := debug.SetGCPercent(-1), debug.SetMemoryLimit(garbageLimit)
	return func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}
}

// reserveHeap grows Go's heap in advance by the garbage that a drive leaves in an hour. If a heap grows
// while memory is locked, the kernel fills the new pages at once; on a machine with one processor this
// stops everything else for 4 ms.
func reserveHeap() {
	block := make([]byte, heapReserve)
	runtime.KeepAlive(block)
	runtime.GC() // frees the block; the process keeps its memory as long as the collector is off
}

// heapReserve is by how much reserveHeap grows the heap [bytes].
const heapReserve = 32 << 20

// CollectGarbage collects garbage if the heap has grown by more than 4 MB since the last collection.
// Call it when a late tick does no harm. It does not use runtime.ReadMemStats, which stops all
// goroutines.
func CollectGarbage() {
	const minGrowth = 4 << 20 // [bytes]
	heap := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/gc/heap/live:bytes"}}
	if metrics.Read(heap); heap[0].Value.Uint64() > heap[1].Value.Uint64()+minGrowth {
		runtime.GC()
	}
}

// Thread locks the calling goroutine to its thread, binds the thread to c.CPU and gives it the real-time
// priority. It returns a problem for everything that the kernel refused.
func (c Config) Thread() []Problem {
	runtime.LockOSThread()
	var problems []Problem
	if c.CPU >= 0 {
		var set unix.CPUSet
		set.Set(c.CPU)
		if err := unix.SchedSetaffinity(0, &set); err != nil {
			problems = append(problems, Problem{"processor", fmt.Sprintf("not bound to cpu %d: %v", c.CPU, err),
				fmt.Sprintf("choose one of 0..%d or -1", runtime.NumCPU()-1)})
		}
	}
	if c.Priority > 0 {
		if err := setFIFO(c.Priority); err != nil {
			problems = append(problems, Problem{"priority", fmt.Sprintf("no real-time priority %d: %v", c.Priority, err), rightsRemedy})
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

// lockMemory locks each page when it is first used, because Go reserves far more memory than it uses. It
// returns an error and locks nothing if the locked memory is limited, because a later allocation would
// then fail.
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

// hasCapability reports whether the process has a capability, such as unix.CAP_IPC_LOCK.
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

// noDeepIdle requests a wake-up latency of 0 µs from the kernel. The request holds until the file is closed.
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
