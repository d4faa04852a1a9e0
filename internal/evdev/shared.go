package evdev

import (
	"errors"
	"fmt"
	"sync"
)

// shared are the nodes of this process that several of its parts may read, by
// their paths. All of them read on one thread, the loop's.
//
// A node that one part has grabbed would be silent for the others' descriptors.
var shared = struct {
	sync.Mutex
	open map[string]*Input
}{open: map[string]*Input{}}

// Share opens the node of info, or joins those who have it open. Every Share
// needs one Release. Only the loop's thread may use the Input's state, unless
// nobody else shares it. After lost events a goroutine asks for the state, so that the
// loop does not wait: some Update then finds the answer.
func Share(info Info) (*Input, error) {
	shared.Lock()
	defer shared.Unlock()
	if in := shared.open[info.Path]; in != nil && in.Alive() {
		in.users++
		return in, nil
	}
	node, err := Open(info.Path)
	if err != nil {
		return nil, err
	}
	in, err := NewInput(node, info.Axes)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("evdev: %s: %w", info.Path, err), node.Close())
	}
	if err := in.hire(in.read); err != nil {
		return nil, errors.Join(err, node.Close())
	}
	if err := in.enrol(); err != nil {
		in.dismiss()
		return nil, errors.Join(err, node.Close())
	}
	in.users = 1
	shared.open[info.Path] = in
	return in, nil
}

// Alive tells whether the device is still plugged in. Any goroutine may ask.
func (in *Input) Alive() bool { return in.node.alive() }

// Release closes the node when the last who shares it releases it.
func (in *Input) Release() error {
	shared.Lock()
	defer shared.Unlock()
	in.users--
	if in.users > 0 {
		return nil
	}
	if shared.open[in.node.path] == in {
		delete(shared.open, in.node.path)
	}
	in.leave()
	in.dismiss()
	return in.node.Close()
}

// Grab keeps the device's events from all who do not share it, until the last
// who does releases it.
func (in *Input) Grab() error {
	shared.Lock()
	defer shared.Unlock()
	if in.grabbed { // the kernel would refuse a second time
		return nil
	}
	err := in.node.grab()
	in.grabbed = err == nil
	return err
}

// Node is what the input reads. It may be waited on.
func (in *Input) Node() *Node { return in.node }
