package evdev

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// shared are the nodes of this process that several of its parts may read, by
// their paths. All of them read on one thread, the loop's.
//
// A node that one part has grabbed would be silent for the others' descriptors.
//
// Nothing that the kernel may hold up happens under the lock: all calls for a node but
// reads and polls wait for the driver that takes one of its effects.
var shared = struct {
	sync.Mutex
	open map[string]*Input
}{open: map[string]*Input{}}

// opening has a lock for each path: parts that open one node at once, as they do after a
// plug, would take each other's look at its grab for another program's. It may be held for as
// long as that node's driver hangs, which holds up those alone who want that node.
var opening sync.Map // of *sync.Mutex

// Share opens the node of info, or joins those who have it open. Every Share
// needs one Release. Only the loop's thread may use the Input's state, unless
// nobody else shares it. After lost events a goroutine asks for the state, so that the
// loop does not wait: some Update then finds the answer. A node that another program has
// grabbed is refused with ErrGrabbed.
func Share(info Info) (*Input, error) {
	lock, _ := opening.LoadOrStore(info.Path, &sync.Mutex{})
	lock.(*sync.Mutex).Lock()
	defer lock.(*sync.Mutex).Unlock()
	if in := join(info.Path); in != nil {
		return in, nil
	}
	node, err := Open(info.Path)
	if err != nil {
		return nil, err
	}
	if err := node.refuseGrabbed(); err != nil {
		return nil, errors.Join(err, node.Close())
	}
	in, err := NewInput(node, info.Axes)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("evdev: %s: %w", info.Path, err), node.Close())
	}
	if err := in.publish(); err != nil {
		return nil, errors.Join(err, node.Close())
	}
	return in, nil
}

// join adds a user to the node at path, and returns nil if it is not shared or is gone.
func join(path string) *Input {
	shared.Lock()
	defer shared.Unlock()
	in := shared.open[path]
	if in == nil || !in.Alive() {
		return nil
	}
	in.users++
	return in
}

// publish lets others join in.
func (in *Input) publish() error {
	shared.Lock()
	defer shared.Unlock()
	if err := in.hire(in.read); err != nil {
		return err
	}
	if err := in.enrol(); err != nil {
		in.dismiss()
		return err
	}
	in.users = 1
	shared.open[in.node.path] = in
	return nil
}

// Alive reports whether the device is still plugged in and its events come. Any goroutine may
// ask; it does not wait.
func (in *Input) Alive() bool { return !in.silenced.Load() && in.node.alive() }

// closeLimit is how long who lets go of a node waits for a driver that holds it.
const closeLimit = 500 * time.Millisecond

// ErrStuck tells of a driver that does not answer.
var ErrStuck = errors.New("evdev: its driver does not answer; unplug the device")

// Release closes the node when the last who shares it releases it. A driver that hangs is
// left behind with ErrStuck: the node closes once it answers.
func (in *Input) Release() error {
	if !in.part() {
		return nil
	}
	closed := make(chan error, 1)
	go func() {
		in.dismiss()
		closed <- in.node.Close()
	}()
	select {
	case err := <-closed:
		return err
	case <-time.After(closeLimit):
		return ErrStuck
	}
}

// part takes a user away, and reports whether that was the last one.
func (in *Input) part() bool {
	shared.Lock()
	defer shared.Unlock()
	in.users--
	if in.users > 0 {
		return false
	}
	if shared.open[in.node.path] == in {
		delete(shared.open, in.node.path)
	}
	in.leave()
	return true
}

// Within runs f, which may hang in a driver, and waits for it, but once ctx has ended no
// longer than closeLimit. It reports whether f has returned; if not, late is called when it
// does.
func Within(ctx context.Context, f, late func()) bool {
	done := make(chan struct{})
	go func() { f(); close(done) }()
	select {
	case <-done:
		return true
	case <-ctx.Done():
	}
	select {
	case <-done:
		return true
	case <-time.After(closeLimit):
	}
	go func() { <-done; late() }()
	return false
}

// Grab keeps the device's events from all who do not share it, until the last
// who does releases it.
func (in *Input) Grab() error {
	in.grabbing.Lock()
	defer in.grabbing.Unlock()
	if in.grabbed { // the kernel would refuse a second time
		return nil
	}
	err := in.node.grab()
	in.grabbed = err == nil
	return err
}

// Node is what the input reads. It may be waited on.
func (in *Input) Node() *Node { return in.node }
