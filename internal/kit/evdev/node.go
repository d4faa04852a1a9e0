package evdev

import (
	"errors"
	"fmt"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"rig.example/rig/internal/kit/nodelock"
)

// Event is struct input_event of a 64-bit kernel.
type Event struct {
	Sec, Usec  int64 // CLOCK_MONOTONIC
	Type, Code uint16
	Value      int32
}

const eventSize = int(unsafe.Sizeof(Event{}))

// AbsInfo is struct input_absinfo: one axis in the device's counts.
type AbsInfo struct{ Value, Min, Max, Fuzz, Flat, Resolution int32 }

// Keys is the kernel's bitmap of pressed buttons.
type Keys [keyCodes / 8]byte

// Down reports whether a button is pressed.
func (k *Keys) Down(code uint16) bool {
	return int(code) < keyCodes && k[code/8]>>(code%8)&1 == 1
}

func (k *Keys) set(code uint16, down bool) {
	if int(code) >= keyCodes {
		return
	}
	k[code/8] &^= 1 << (code % 8)
	if down {
		k[code/8] |= 1 << (code % 8)
	}
}

// ioctl requests of linux/input.h, 64-bit layout.
const (
	evIOCSClockID = 0x400445a0
	evIOCGrab     = 0x40044590
	evIOCGKey     = 0x80000000 | (keyCodes/8)<<16 | 0x45<<8 | 0x18
	evIOCGAbs     = 0x80000000 | 24<<16 | 0x45<<8 | 0x40
	evIOCSAbs     = 0x40000000 | 24<<16 | 0x45<<8 | 0xc0
)

// Node is an open input node. Its methods may be called from any goroutine, even while another one closes
// the node: they return ErrDisconnected then.
type Node struct {
	users userCount
	fd    int
	path  string
}

// Open opens the node at path for reading, writing and force, non-blocking,
// with event times on CLOCK_MONOTONIC.
func Open(path string) (*Node, error) {
	fd, err := unix.Open(path, unix.O_RDWR|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, withRemedy(path, err)
	}
	n := &Node{fd: fd, path: path}
	clock := int32(unix.CLOCK_MONOTONIC)
	if err := n.ioctl(evIOCSClockID, unsafe.Pointer(&clock)); err != nil {
		n.Close()
		return nil, withRemedy(path, err)
	}
	return n, nil
}

// OpenForForce opens a node as Open does, for the one program of the machine that plays forces on it. It returns an error
// that wraps ErrLocked and names the program if another one, of any user, has opened it so.
func OpenForForce(path string) (*Node, error) {
	n, err := Open(path)
	if err != nil {
		return nil, err
	}
	if !nodelock.Lock(n.fd) {
		return nil, errors.Join(lockedError(path), n.Close())
	}
	return n, nil
}

// ErrLocked is returned when another program plays the forces of a device.
var ErrLocked = errors.New("another program gives its force")

// lockedError returns ErrLocked with the program that has locked the node at path.
func lockedError(path string) error {
	return fmt.Errorf("evdev: %s: %w; end %s first", path, ErrLocked, nodelock.Holder(path))
}

// Path returns the path under which the node was opened.
func (n *Node) Path() string { return n.path }

// Close waits until no other call is running and closes the descriptor. The kernel then stops and erases all
// effects that were uploaded with it. Close may be called twice.
func (n *Node) Close() error {
	if !n.users.close() {
		return nil
	}
	return unix.Close(n.fd)
}

// Read reads waiting events, at most len(buf), and returns how many. If there are none it returns 0 at
// once. It allocates nothing. After an unplug the error is ErrDisconnected; other errors are plain error
// numbers.
func (n *Node) Read(buf []Event) (int, error) {
	if len(buf) == 0 {
		return 0, nil
	}
	if !n.users.acquire() {
		return 0, ErrDisconnected
	}
	defer n.users.release()
	got, err := unix.Read(n.fd, unsafe.Slice((*byte)(unsafe.Pointer(&buf[0])), len(buf)*eventSize))
	switch err {
	case nil:
		return got / eventSize, nil
	case unix.EAGAIN, unix.EINTR:
		return 0, nil
	case unix.ENODEV:
		return 0, ErrDisconnected
	default:
		return 0, err
	}
}

// Abs queries one axis. It allocates nothing.
func (n *Node) Abs(code uint16, info *AbsInfo) error {
	return n.ioctl(evIOCGAbs+uintptr(code), unsafe.Pointer(info))
}

// clearFuzz makes the kernel report every change of an axis. The kernel treats wheels as joysticks,
// and hides changes of up to 1/256 of the range as noise, which is several degrees of a wheel.
func (n *Node) clearFuzz(code uint16) error {
	var info AbsInfo
	if err := n.Abs(code, &info); err != nil || info.Fuzz == 0 && info.Flat == 0 {
		return err
	}
	info.Fuzz, info.Flat = 0, 0
	return n.ioctl(evIOCSAbs+uintptr(code), unsafe.Pointer(&info))
}

// isPresent reports whether the device is still plugged in. It does not wait, unlike ioctls: see
// Input.readState.
func (n *Node) isPresent() bool {
	if !n.users.acquire() {
		return false
	}
	defer n.users.release()
	fds := [1]unix.PollFd{{Fd: int32(n.fd)}}
	_, err := unix.Ppoll(fds[:], &unix.Timespec{}, nil)
	return (err == nil || err == unix.EINTR) && fds[0].Revents == 0
}

// Keys queries which buttons are pressed. The kernel then discards the waiting events of buttons. It
// allocates nothing.
func (n *Node) Keys(k *Keys) error { return n.ioctl(evIOCGKey, unsafe.Pointer(k)) }

// write sends one event to the device: play, gain or autocenter.
func (n *Node) write(typ, code uint16, value int32) error {
	if !n.users.acquire() {
		return ErrDisconnected
	}
	defer n.users.release()
	ev := Event{Type: typ, Code: code, Value: value}
	for {
		_, err := unix.Write(n.fd, unsafe.Slice((*byte)(unsafe.Pointer(&ev)), eventSize))
		if err == unix.EINTR {
			continue
		}
		return orErrDisconnected(err)
	}
}

// ioctl makes a request whose argument is a pointer.
func (n *Node) ioctl(request uintptr, arg unsafe.Pointer) error {
	return n.retryInterrupted(func() unix.Errno {
		_, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(n.fd), request, uintptr(arg))
		return errno
	})
}

// ioctlValue makes a request whose argument is a number.
func (n *Node) ioctlValue(request, arg uintptr) error {
	return n.retryInterrupted(func() unix.Errno {
		_, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(n.fd), request, arg)
		return errno
	})
}

// retryInterrupted makes a system call, and repeats it if a signal interrupted it. Close waits meanwhile.
func (n *Node) retryInterrupted(call func() unix.Errno) error {
	if !n.users.acquire() {
		return ErrDisconnected
	}
	defer n.users.release()
	for {
		errno := call()
		switch errno {
		case 0:
			return nil
		case unix.EINTR:
			continue
		default:
			return orErrDisconnected(errno)
		}
	}
}

// orErrDisconnected returns ErrDisconnected for ENODEV, and any other error as it is.
func orErrDisconnected(err error) error {
	if errors.Is(err, unix.ENODEV) {
		return ErrDisconnected
	}
	return err
}

// Wait sleeps until waker is woken or timeout passes (negative: never). It returns ErrDisconnected if the
// device is unplugged. Waiting events do not end it.
func (n *Node) Wait(waker *Waker, timeout time.Duration) error { return n.poll(waker, timeout, 0) }

// WaitEvent waits as Wait does, but without a timeout, and returns also if there are events to read.
func (n *Node) WaitEvent(waker *Waker) error { return n.poll(waker, -1, unix.POLLIN) }

// poll waits as Wait does, and also for the poll events of the node in the mask events, such as POLLIN.
func (n *Node) poll(waker *Waker, timeout time.Duration, events int16) error {
	if !n.users.acquire() {
		return ErrDisconnected
	}
	defer n.users.release()
	if !waker.users.acquire() {
		return fmt.Errorf("evdev: wait: %w", unix.EBADF)
	}
	defer waker.users.release()
	fds := [2]unix.PollFd{{Fd: int32(waker.fd), Events: unix.POLLIN}, {Fd: int32(n.fd), Events: events}}
	var limit *unix.Timespec
	if timeout >= 0 {
		ts := unix.NsecToTimespec(timeout.Nanoseconds())
		limit = &ts
	}
	if _, err := unix.Ppoll(fds[:], limit, nil); err != nil && err != unix.EINTR {
		return fmt.Errorf("evdev: wait: %w", err)
	}
	if fds[1].Revents&(unix.POLLHUP|unix.POLLERR|unix.POLLNVAL) != 0 {
		return ErrDisconnected
	}
	if fds[0].Revents != 0 {
		waker.clear()
	}
	return nil
}
