package evdev

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"rig.example/rig/internal/kit/lifecycle"
)

// sharing adds a shared Input with one user to the table, with a node of its own.
func sharing(t *testing.T, path string) *Input {
	t.Helper()
	n, _ := pipeNode(t)
	n.path = path
	in := &Input{node: n, users: 1}
	sharedInputs.open[path] = in
	return in
}

// A driver that never returns from an upload holds the node's lock in the kernel, which closing the node waits for.
// Neither the program's call to close it nor users of this or other nodes may wait long.
func TestAHangingDriverBlocksNoOtherDevice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		wheel, pedals := sharing(t, "wheel"), sharing(t, "pedals")
		wheel.users = 2
		wheel.node.users.acquire() // the call that does not return
		began := time.Now()
		ended := make(chan error, 3)
		for _, in := range []*Input{wheel, pedals, wheel} {
			go func() { ended <- in.Release() }()
		}
		var stuck int
		for range 3 {
			if errors.Is(<-ended, lifecycle.ErrHung) {
				stuck++
			}
		}
		if took := time.Since(began); took > lifecycle.HangLimit || stuck != 1 {
			t.Errorf("three releases took %v, %d of them reported a hanging driver; want at most %v and 1", took, stuck, lifecycle.HangLimit)
		}
		wheel.node.users.release()
		for n := int64(0); n != closedFlag; n = wheel.node.users.n.Load() {
			time.Sleep(time.Millisecond) // it is closed as soon as the driver answers
		}
		if sharedInputs.open["wheel"] != nil || sharedInputs.open["pedals"] != nil {
			t.Error("a released node is still shared")
		}
	})
}
