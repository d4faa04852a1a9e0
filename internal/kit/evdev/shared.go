package evdev

import (
	"errors"
	"fmt"
	"sync"

	"rig.example/rig/internal/kit/lifecycle"
)

// sharedInputs has the open nodes by their paths. Several parts of this process, such as pedals and buttons,
// share one Input for a node, which they read on the loop's thread: if one part grabbed the node with a
// descriptor of its own, the others would get no events.
//
// No call that may block in the kernel is made under this lock. All calls for a node except reads and polls
// may block, because they wait for the driver while an effect is being uploaded.
var sharedInputs = struct {
	sync.Mutex
	open map[string]*Input
}{open: map[string]*Input{}}

// openMutexes has a mutex for each path of a node that was opened. Several parts may open one node at the
// same time after it was plugged
// in, and without the lock each would mistake the other's checkNotGrabbed for a grab by another program. A
// driver that hangs blocks only the opening of its own node.
var openMutexes sync.Map // of *sync.Mutex

// Share opens the node of info, or adds a user to the Input that is open already. Every Share needs
// one Release. Only the loop's thread may use the Input's state, unless nobody else shares it. After
// lost events a goroutine queries the state, so that the loop does not wait: a later Update takes the
// answer. A node that another program has grabbed is refused with ErrGrabbed.
func Share(info Info) (*Input, error) {
	lock, _ := openMutexes.LoadOrStore(info.Path, &sync.Mutex{})
	lock.(*sync.Mutex).Lock()
	defer lock.(*sync.Mutex).Unlock()
	if in := joinShared(info.Path); in != nil {
		return in, nil
	}
	node, err := Open(info.Path)
	if err != nil {
		return nil, err
	}
	if err := node.checkNotGrabbed(); err != nil {
		return nil, errors.Join(err, node.Close())
	}
	in, err := NewInput(node, info.Axes)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("evdev: %s: %w", info.Path, err), node.Close())
	}
	if err := in.register(); err != nil {
		return nil, errors.Join(err, node.Close())
	}
	return in, nil
}

// joinShared adds a user to the shared node at path. It returns nil if the node is not shared or was
// unplugged.
func joinShared(path string) *Input {
	sharedInputs.Lock()
	defer sharedInputs.Unlock()
	in := sharedInputs.open[path]
	if in == nil || !in.Alive() {
		return nil
	}
	in.users++
	return in
}

// register makes the Input available to joinShared.
func (in *Input) register() error {
	sharedInputs.Lock()
	defer sharedInputs.Unlock()
	if err := in.startQuery(in.readState); err != nil {
		return err
	}
	if err := in.addToPoll(); err != nil {
		in.stopQuery()
		return err
	}
	in.users = 1
	sharedInputs.open[in.node.path] = in
	return nil
}

// Alive reports whether the device is still plugged in and no other program has grabbed it. It may be
// called from any goroutine and does not wait.
func (in *Input) Alive() bool { return !in.grabbedElsewhere.Load() && in.node.isPresent() }

// Release closes the node when the last user releases it. A driver that hangs is left behind with
// lifecycle.ErrHung: the node closes once it answers.
func (in *Input) Release() error {
	if !in.removeUser() {
		return nil
	}
	return lifecycle.CloseOrAbandon(func() error {
		in.stopQuery()
		return in.node.Close()
	}, fmt.Errorf("evdev: %s: %w", in.node.path, lifecycle.ErrHung))
}

// removeUser removes a user, and reports whether that was the last one.
func (in *Input) removeUser() bool {
	sharedInputs.Lock()
	defer sharedInputs.Unlock()
	in.users--
	if in.users > 0 {
		return false
	}
	if sharedInputs.open[in.node.path] == in {
		delete(sharedInputs.open, in.node.path)
	}
	in.removeFromPoll()
	return true
}

// Grab keeps the device's events from all programs and parts that do not share the Input, until the
// last user releases it.
func (in *Input) Grab() error {
	in.grabMu.Lock()
	defer in.grabMu.Unlock()
	if in.grabbed { // the kernel refuses a second grab by the same node
		return nil
	}
	err := in.node.grab()
	in.grabbed = err == nil
	return err
}

// Node returns the node that the Input reads. It may be waited on.
func (in *Input) Node() *Node { return in.node }
