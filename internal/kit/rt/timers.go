package rt

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// TimerPriority is the SCHED_FIFO priority that TimerThreads.Raise gives to the kernel threads that end force
// effects, on a kernel with PREEMPT_RT. Programs with this or a higher priority can still delay the end of an effect.
const TimerPriority = 95

// forceThreads matches the names of the kernel threads that end a force effect whose duration is over. ktimers/N
// ends the effects of wheels whose driver counts the effect's duration (drivers/input/ff-memless.c). The report
// that ends an effect may wait in the queue of the USB host controller, whose interrupt is handled by a thread as
// well.
var forceThreads = regexp.MustCompile(`^ktimers/\d|^irq/\d+-[xeou]hci`)

// kernelThread is a thread of the kernel.
type kernelThread struct {
	pid      int
	name     string // up to 15 characters
	priority int    // real-time priority; 0 for an ordinary thread
}

// TimerThreads are the kernel threads that must run for a force effect to end on time.
type TimerThreads struct {
	realTime   bool // the kernel has PREEMPT_RT: timers and interrupts are threads, which programs can delay
	procHidden bool // /proc does not show the processes of other users
	threads    []kernelThread
}

// FindTimerThreads finds the kernel threads of this machine that must run for a force effect to end on time.
func FindTimerThreads() (TimerThreads, error) {
	var name unix.Utsname
	if err := unix.Uname(&name); err != nil {
		return TimerThreads{}, err
	}
	return findTimerThreads(unix.ByteSliceToString(name.Version[:]), "/proc")
}

// findTimerThreads is FindTimerThreads for a kernel's version text, as uname returns it, and a proc
// file system.
func findTimerThreads(version, proc string) (t TimerThreads, err error) {
	t.realTime = strings.Contains(version, "PREEMPT_RT") || strings.Contains(version, "PREEMPT RT")
	if !t.realTime {
		return t, nil
	}
	if _, err := os.Stat(filepath.Join(proc, "2", "comm")); err != nil { // kthreadd
		t.procHidden = true
		return t, nil
	}
	names, err := filepath.Glob(filepath.Join(proc, "[0-9]*", "comm"))
	if err != nil {
		return t, err
	}
	for _, path := range names {
		name, err := os.ReadFile(path)
		if err != nil || !forceThreads.Match(name) {
			continue // the thread has ended, or does not end forces
		}
		k := kernelThread{name: strings.TrimSpace(string(name))}
		if k.pid, err = strconv.Atoi(filepath.Base(filepath.Dir(path))); err != nil {
			continue
		}
		if k.priority, err = priorityOf(filepath.Dir(path)); err != nil {
			return t, err
		}
		t.threads = append(t.threads, k)
	}
	return t, nil
}

// priorityOf returns the real-time priority of the process with the given folder in /proc.
func priorityOf(folder string) (int, error) {
	stat, err := os.ReadFile(filepath.Join(folder, "stat"))
	if err != nil {
		return 0, err
	}
	// Fields count from 1. Field 2 is the name in parentheses; field 40 is rt_priority (proc(5)).
	const nameField, priorityField = 2, 40
	_, rest, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(rest)
	if len(fields) < priorityField-nameField {
		return 0, fmt.Errorf("%s/stat has %d fields", folder, len(fields)+nameField)
	}
	return strconv.Atoi(fields[priorityField-nameField-1])
}

// tooLow returns the threads whose priority is below TimerPriority.
func (t TimerThreads) tooLow() (list []kernelThread) {
	for _, k := range t.threads {
		if k.priority < TimerPriority {
			list = append(list, k)
		}
	}
	return list
}

// hasTimers reports whether the kernel has threads for its timers.
func (t TimerThreads) hasTimers() bool {
	for _, k := range t.threads {
		if strings.HasPrefix(k.name, "ktimers/") {
			return true
		}
	}
	return false
}

// Problem returns why a force effect may end late, or nil if it ends on time or /proc does not show that.
func (t TimerThreads) Problem() *Problem {
	const consequence = "a real-time program can hold up the end of a force for as long as it runs"
	low := t.tooLow()
	switch {
	case !t.realTime || t.procHidden:
		return nil
	case !t.hasTimers():
		return &Problem{"timers", "this PREEMPT_RT kernel has no ktimers threads: " + consequence, "use a PREEMPT_RT kernel of Linux 6.1 or later, or a standard kernel"}
	case len(low) > 0:
		return &Problem{"timers", fmt.Sprintf("%s runs at real-time priority %d: %s", low[0].name, low[0].priority, consequence),
			"raise them after each start of the machine, as the service does: `sudo rig timers`"}
	}
	return nil
}

// Raise gives TimerPriority to the threads that have a lower priority, and returns the names of those
// that it changed. It needs root or CAP_SYS_NICE.
func (t TimerThreads) Raise() (raised []string, err error) {
	for _, k := range t.tooLow() {
		e := unix.SchedSetAttr(k.pid, &unix.SchedAttr{Size: attrSize, Policy: unix.SCHED_FIFO, Priority: TimerPriority}, 0)
		if e != nil {
			err = errors.Join(err, fmt.Errorf("%s stays at real-time priority %d: %w; run this as root", k.name, k.priority, e))
			continue
		}
		raised = append(raised, k.name)
	}
	return raised, err
}

// RealTime reports whether the kernel has PREEMPT_RT.
func (t TimerThreads) RealTime() bool { return t.realTime }
