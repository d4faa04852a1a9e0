package rt

import (
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"
)

// Background is the real-time priority of every thread of the program but the
// loop's.
//
// Go's scheduler passes its processors from thread to thread: what the loop
// hands back it gets back from another (see SleepUntil). A thread of ordinary
// priority may have to wait for any other program before it can do that, and
// the loop with it. And a thread that spins for a goroutine's status yields to
// its like, but not to threads below it. So all are alike, above other programs
// and below the loop.
const Background = 10

// Raise gives every thread of the program one real-time priority, which the
// threads and programs that they start inherit. restore makes them ordinary.
//
// They take turns (SCHED_RR): Go's scheduler and its garbage collector let a thread spin for
// what another is to do, and under SCHED_FIFO one that waits for its like on the only
// processor would spin for ever.
func Raise(priority int) (restore func(), err error) {
	err = move(unix.SchedAttr{Size: attrSize, Policy: unix.SCHED_RR, Priority: uint32(priority)})
	return func() {
		_ = move(unix.SchedAttr{Size: attrSize, Policy: unix.SCHED_NORMAL}) // less is always allowed
	}, err
}

// move gives every thread the same policy and priority. It looks again until it
// finds no other, for threads start while it looks.
func move(want unix.SchedAttr) error {
	const patience = 10
	for range patience {
		tasks, err := filepath.Glob("/proc/self/task/[0-9]*")
		if err != nil {
			return err
		}
		moved := false
		for _, task := range tasks {
			tid, err := strconv.Atoi(filepath.Base(task))
			if err != nil {
				continue
			}
			attr, err := unix.SchedGetAttr(tid, 0)
			if err != nil || attr.Policy == want.Policy && attr.Priority == want.Priority {
				continue // it has ended, or is as it should be
			}
			if err := unix.SchedSetAttr(tid, &want, 0); err != nil && err != unix.ESRCH {
				return err
			}
			moved = true
		}
		if !moved {
			return nil
		}
	}
	return nil
}

// Ordinary takes the background priority from the calling thread, which must be
// locked to its goroutine: the programs that it starts do not inherit it then.
// The thread must end with the goroutine.
func Ordinary() {
	// Without the right to change a policy there was none to begin with.
	_ = unix.SchedSetAttr(0, &unix.SchedAttr{Size: attrSize, Policy: unix.SCHED_NORMAL}, 0)
}
