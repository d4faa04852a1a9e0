package evdev

import (
	"fmt"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// maxShared is how many shared nodes are asked about at once; more are read
// one by one.
const maxShared = 64

// rounds asks the kernel once for all shared nodes which of them have news: a
// read of each would cost the loop several times as much.
var rounds = struct {
	epoll  atomic.Int64 // descriptor, 0 before the first node
	active atomic.Bool
	slots  [maxShared]atomic.Pointer[Input]
	events [maxShared]unix.EpollEvent // belongs to the loop
}{}

// Round finds the shared nodes that have news. From the first Round on, an
// Update of a shared Input reads only if the last Round found some. It belongs
// to the loop thread: it neither waits nor allocates.
func Round() {
	rounds.active.Store(true)
	for i := range rounds.slots {
		if in := rounds.slots[i].Load(); in != nil {
			in.news = in.fresh.Swap(false) // it joined since: nobody asked yet
		}
	}
	epoll := int(rounds.epoll.Load())
	if epoll == 0 {
		return
	}
	n, err := unix.EpollWait(epoll, rounds.events[:], 0)
	if err != nil { // a signal: all are read
		n = 0
		for i := range rounds.slots {
			if in := rounds.slots[i].Load(); in != nil {
				in.news = true
			}
		}
	}
	for _, ev := range rounds.events[:n] {
		if in := rounds.slots[ev.Fd].Load(); in != nil {
			in.news = true
		}
	}
}

// silent tells that there is nothing to read.
func (in *Input) silent() bool { return in.slot > 0 && rounds.active.Load() && !in.news }

// enrol lets Round look at the node. The caller holds the table of shared nodes.
func (in *Input) enrol() error {
	if rounds.epoll.Load() == 0 {
		fd, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
		if err != nil {
			return fmt.Errorf("evdev: epoll: %w; raise the limit of open files", err)
		}
		rounds.epoll.Store(int64(fd))
	}
	for i := range rounds.slots {
		if rounds.slots[i].Load() != nil {
			continue
		}
		in.slot = i + 1
		in.fresh.Store(true)
		rounds.slots[i].Store(in)
		ev := unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(i)}
		if err := unix.EpollCtl(int(rounds.epoll.Load()), unix.EPOLL_CTL_ADD, in.node.fd, &ev); err != nil {
			in.leave()
			return fmt.Errorf("evdev: %s: epoll: %w", in.node.path, err)
		}
		return nil
	}
	return nil
}

// leave ends what enrol began.
func (in *Input) leave() {
	if in.slot == 0 {
		return
	}
	_ = unix.EpollCtl(int(rounds.epoll.Load()), unix.EPOLL_CTL_DEL, in.node.fd, nil) // it may be gone from there
	rounds.slots[in.slot-1].Store(nil)
}
