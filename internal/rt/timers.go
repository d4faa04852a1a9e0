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

// TimerPriority is the SCHED_FIFO priority of the kernel's threads that end a force, on a
// kernel with PREEMPT_RT. Programs at or above it can still hold one up.
const TimerPriority = 95

// forceThreads are the names of those threads: ktimers/N ends the effect of a wheel whose
// driver keeps the time (drivers/input/ff-memless.c), and the report with which it does so
// may wait in the queue of the host controller, whose interrupt is a thread as well.
var forceThreads = regexp.MustCompile(`^ktimers/\d|^irq/\d+-[xeou]hci`)

// kernelThread is a thread of the kernel.
type kernelThread struct {
	pid      int
	name     string // up to 15 characters
	priority int    // real-time; 0 is none
}

// TimerThreads are the kernel's threads that end a force, and what the kernel is.
type TimerThreads struct {
	realTime bool // PREEMPT_RT: timers and interrupts are threads, which others can hold up
	hidden   bool // other users' processes cannot be seen from here
	threads  []kernelThread
}

// FindTimerThreads looks for them on this machine.
func FindTimerThreads() (TimerThreads, error) {
	var name unix.Utsname
	if err := unix.Uname(&name); err != nil {
		return TimerThreads{}, err
	}
	return findTimerThreads(unix.ByteSliceToString(name.Version[:]), "/proc")
}

// findTimerThreads reads the kernel's version, as uname tells it, and its processes.
func findTimerThreads(version, proc string) (t TimerThreads, err error) {
	t.realTime = strings.Contains(version, "PREEMPT_RT") || strings.Contains(version, "PREEMPT RT")
	if !t.realTime {
		return t, nil
	}
	if _, err := os.Stat(filepath.Join(proc, "2", "comm")); err != nil { // kthreadd
		t.hidden = true
		return t, nil
	}
	names, err := filepath.Glob(filepath.Join(proc, "[0-9]*", "comm"))
	if err != nil {
		return t, err
	}
	for _, path := range names {
		name, err := os.ReadFile(path)
		if err != nil || !forceThreads.Match(name) {
			continue // it has ended, or is another
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

// priorityOf returns the real-time priority of a process by its folder in /proc.
func priorityOf(folder string) (int, error) {
	stat, err := os.ReadFile(filepath.Join(folder, "stat"))
	if err != nil {
		return 0, err
	}
	const after, priority = 2, 40 // fields, of which those after the name in parentheses begin with the third
	_, rest, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(rest)
	if len(fields) < priority-after {
		return 0, fmt.Errorf("%s/stat has %d fields", folder, len(fields)+after)
	}
	return strconv.Atoi(fields[priority-after-1])
}

// low returns the threads below TimerPriority.
func (t TimerThreads) low() (list []kernelThread) {
	for _, k := range t.threads {
		if k.priority < TimerPriority {
			list = append(list, k)
		}
	}
	return list
}

// timers reports whether there are threads for the kernel's timers at all.
func (t TimerThreads) timers() bool {
	for _, k := range t.threads {
		if strings.HasPrefix(k.name, "ktimers/") {
			return true
		}
	}
	return false
}

// Problem returns what is wrong with the threads, nil if nothing is or nothing can be seen.
func (t TimerThreads) Problem() *Problem {
	const held = "a real-time program can hold up the end of a force for as long as it runs"
	low := t.low()
	switch {
	case !t.realTime || t.hidden:
		return nil
	case !t.timers():
		return &Problem{"this PREEMPT_RT kernel has no ktimers threads: " + held, "use a PREEMPT_RT kernel of Linux 6.1 or later, or a standard kernel"}
	case len(low) > 0:
		return &Problem{fmt.Sprintf("%s runs at real-time priority %d: %s", low[0].name, low[0].priority, held),
			"run `sudo rig timers` after each start of the machine; the service does so"}
	}
	return nil
}

// Raise gives TimerPriority to the threads that are below it, and returns their names. It
// needs the right to change any process' priority.
func (t TimerThreads) Raise() (raised []string, err error) {
	for _, k := range t.low() {
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
