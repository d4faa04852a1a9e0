package evdev

import (
	"fmt"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// maxPolled is the number of shared nodes that are polled with one call; further nodes are read one by one.
const maxPolled = 64

// sharedPoll polls all shared nodes with one system call, which costs the loop several times less than
// reading each of them.
var sharedPoll = struct {
	epoll  atomic.Int64 // descriptor; 0 before the first node
	active atomic.Bool  // PollShared was called
	inputs [maxPolled]atomic.Pointer[Input]
	events [maxPolled]unix.EpollEvent // belongs to the loop
}{}

// PollShared finds the shared nodes that have events. From the first PollShared on, Update of a shared
// Input reads only if the last PollShared found events. It belongs to the loop thread: it neither
// waits nor allocates.
func PollShared() {
	sharedPoll.active.Store(true)
	for i := range sharedPoll.inputs {
		if in := sharedPoll.inputs[i].Load(); in != nil {
			in.readable = in.justShared.Swap(false) // not polled yet
		}
	}
	epoll := int(sharedPoll.epoll.Load())
	if epoll == 0 {
		return
	}
	n, err := unix.EpollWait(epoll, sharedPoll.events[:], 0)
	if err != nil { // a signal interrupted it: read all
		n = 0
		for i := range sharedPoll.inputs {
			if in := sharedPoll.inputs[i].Load(); in != nil {
				in.readable = true
			}
		}
	}
	for _, ev := range sharedPoll.events[:n] {
		if in := sharedPoll.inputs[ev.Fd].Load(); in != nil {
			in.readable = true
		}
	}
}

// nothingToRead reports whether PollShared found no events for this Input.
func (in *Input) nothingToRead() bool {
	return in.pollSlot > 0 && sharedPoll.active.Load() && !in.readable
}

// addToPoll adds the node to PollShared. The caller holds the lock of sharedInputs.
func (in *Input) addToPoll() error {
	if sharedPoll.epoll.Load() == 0 {
		fd, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
		if err != nil {
			return fmt.Errorf("evdev: epoll: %w; raise the limit of open files", err)
		}
		sharedPoll.epoll.Store(int64(fd))
	}
	for i := range sharedPoll.inputs {
		if sharedPoll.inputs[i].Load() != nil {
			continue
		}
		in.pollSlot = i + 1
		in.justShared.Store(true)
		sharedPoll.inputs[i].Store(in)
		ev := unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(i)}
		if err := unix.EpollCtl(int(sharedPoll.epoll.Load()), unix.EPOLL_CTL_ADD, in.node.fd, &ev); err != nil {
			in.removeFromPoll()
			return fmt.Errorf("evdev: %s: epoll: %w", in.node.path, err)
		}
		return nil
	}
	return nil
}

// removeFromPoll undoes addToPoll.
func (in *Input) removeFromPoll() {
	if in.pollSlot == 0 {
		return
	}
	_ = unix.EpollCtl(int(sharedPoll.epoll.Load()), unix.EPOLL_CTL_DEL, in.node.fd, nil) // the device may be unplugged already
	sharedPoll.inputs[in.pollSlot-1].Store(nil)
}
