package audiotest

import (
	"fmt"
	"os"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A server outlives the thread on which its test happened to start it: threads of drives in the same process end.
func TestAServerOutlivesTheThreadThatAsksForIt(t *testing.T) {
	var s *Server
	for thread := unix.Getpid(); thread == unix.Getpid(); { // Go keeps the first thread, so a goroutine on it is of no use
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			runtime.LockOSThread() // and never unlocked: the thread ends with this goroutine
			if thread = unix.Gettid(); thread != unix.Getpid() {
				s = Start(t, 2)
			}
		}()
		<-ended
		for thread != unix.Getpid() { // until the thread has ended, and with it what the kernel sends then
			if _, err := os.Stat(fmt.Sprintf("/proc/self/task/%d", thread)); err != nil {
				break
			}
			time.Sleep(time.Millisecond)
		}
	}
	s.Unplug(t) // fails unless the server answers
}
