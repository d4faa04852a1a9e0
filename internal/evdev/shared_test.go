package evdev

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// sharing puts a shared Input of one user on a node of its own into the table.
func sharing(t *testing.T, path string) *Input {
	t.Helper()
	n, _ := pipeNode(t)
	n.path = path
	in := &Input{node: n, users: 1}
	shared.open[path] = in
	return in
}

// A driver that never returns from an upload holds the node's lock in the kernel: who closes
// the node waits for it. Neither that one nor those who use other nodes, or the same, wait long.
func TestADriverThatHangsHoldsUpNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		wheel, pedals := sharing(t, "wheel"), sharing(t, "pedals")
		wheel.users = 2
		wheel.node.gate.enter() // the call that does not return
		began := time.Now()
		ended := make(chan error, 3)
		for _, in := range []*Input{wheel, pedals, wheel} {
			go func() { ended <- in.Release() }()
		}
		var stuck int
		for range 3 {
			if errors.Is(<-ended, ErrStuck) {
				stuck++
			}
		}
		if took := time.Since(began); took > closeLimit || stuck != 1 {
			t.Errorf("three releases took %v, %d of them told of a driver that hangs; want at most %v and 1", took, stuck, closeLimit)
		}
		wheel.node.gate.leave()
		for n := int64(0); n != gateShut; n = wheel.node.gate.n.Load() {
			time.Sleep(time.Millisecond) // it is closed as soon as the driver answers
		}
		if shared.open["wheel"] != nil || shared.open["pedals"] != nil {
			t.Error("a released node is still shared")
		}
	})
}

// A device that cannot be opened because its driver hangs does not keep a program from ending.
func TestAnOpenThatHangsIsLeftBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hang, dropped := make(chan struct{}), 0
		k := Keeper[int]{
			Open:    func(bool) (int, bool, error) { <-hang; return 7, false, nil },
			Missing: func(error) {},
			Drop:    func(s int) { dropped += s },
		}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		began := time.Now()
		if _, ok := k.find(ctx, nil); ok || time.Since(began) > time.Second+closeLimit {
			t.Errorf("found %v after %v", ok, time.Since(began))
		}
		close(hang)
		synctest.Wait()
		if dropped != 7 {
			t.Error("what was opened too late stays open")
		}
	})
}
