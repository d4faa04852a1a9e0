package rt

import (
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"
)

// BackgroundPriority is the real-time priority of every thread of the program except the
// loop's.
//
// Go's scheduler passes its processors (P) from thread to thread: when the loop calls
// runtime.Gosched in SleepUntil, its locked thread hands its P on, and another thread must return
// one to it. A thread of ordinary priority may have to wait for any other program before it can do
// that, and the loop waits with it. Also, a thread that spins on a goroutine's status yields to
// threads of its own priority, but not to threads of a lower one. Therefore all threads have the
// same priority, above other programs and below the loop.
const BackgroundPriority = 10

// Raise gives every thread of the program the same real-time priority, which the
// threads and programs that they start inherit. restore makes them ordinary threads again.
//
// The policy is SCHED_RR (round robin): Go's scheduler and garbage collector let a thread spin until
// another thread has done its part. Under SCHED_FIFO, on a machine with one processor, the spinning
// thread would keep an equal thread from ever running, and both would hang.
func Raise(priority int) (restore func(), err error) {
	err = setPolicy(unix.SchedAttr{Size: attrSize, Policy: unix.SCHED_RR, Priority: uint32(priority)})
	return func() {
		_ = setPolicy(unix.SchedAttr{Size: attrSize, Policy: unix.SCHED_NORMAL}) // a lower priority is always allowed
	}, err
}

// setPolicy gives every thread the same policy and priority. Because new threads start meanwhile,
// it lists the threads again until all of them have the policy, at most 10 times.
func setPolicy(policy unix.SchedAttr) error {
	const attempts = 10
	for range attempts {
		tasks, err := filepath.Glob("/proc/self/task/[0-9]*")
		if err != nil {
			return err
		}
		changed := false
		for _, task := range tasks {
			tid, err := strconv.Atoi(filepath.Base(task))
			if err != nil {
				continue
			}
			attr, err := unix.SchedGetAttr(tid, 0)
			if err != nil || attr.Policy == policy.Policy && attr.Priority == policy.Priority {
				continue // the thread has ended, or already has the policy
			}
			if err := unix.SchedSetAttr(tid, &policy, 0); err != nil && err != unix.ESRCH {
				return err
			}
			changed = true
		}
		if !changed {
			return nil
		}
	}
	return nil
}

// DropPriority makes the calling thread an ordinary one, so that the programs that it starts do
// not inherit the background priority. The goroutine must be locked to the thread, and the thread
// must end with the goroutine.
func DropPriority() {
	// The error is ignored: without the right to change a policy the thread never had the priority.
	_ = unix.SchedSetAttr(0, &unix.SchedAttr{Size: attrSize, Policy: unix.SCHED_NORMAL}, 0)
}
