package evdev

import (
	"errors"
	"fmt"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
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

// Down tells whether the button is pressed.
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

// Node is an open input node. Its methods may be called from any goroutine,
// also while another closes it: they then fail with ErrGone.
type Node struct {
	gate gate
	fd   int
	path string
}

// Open opens the node at path for reading, writing and force, non-blocking,
// with event times on CLOCK_MONOTONIC.
func Open(path string) (*Node, error) {
	fd, err := unix.Open(path, unix.O_RDWR|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, explain(path, err)
	}
	n := &Node{fd: fd, path: path}
	clock := int32(unix.CLOCK_MONOTONIC)
	if err := n.ioctl(evIOCSClockID, unsafe.Pointer(&clock)); err != nil {
		n.Close()
		return nil, explain(path, err)
	}
	return n, nil
}

// Path returns where the node was opened.
func (n *Node) Path() string { return n.path }

// Close closes the descriptor once nobody is inside a call. The kernel then
// stops and erases all its effects. It may be called twice.
func (n *Node) Close() error {
	if !n.gate.shut() {
		return nil
	}
	return unix.Close(n.fd)
}

// Read takes waiting events, at most len(buf), and returns how many. With
// none waiting it returns 0 at once. It allocates nothing. After an unplug the
// error is ErrGone; others are plain error numbers.
func (n *Node) Read(buf []Event) (int, error) {
	if len(buf) == 0 {
		return 0, nil
	}
	if !n.gate.enter() {
		return 0, ErrGone
	}
	defer n.gate.leave()
	got, err := unix.Read(n.fd, unsafe.Slice((*byte)(unsafe.Pointer(&buf[0])), len(buf)*eventSize))
	switch err {
	case nil:
		return got / eventSize, nil
	case unix.EAGAIN, unix.EINTR:
		return 0, nil
	case unix.ENODEV:
		return 0, ErrGone
	default:
		return 0, err
	}
}

// Abs asks for one axis as it is now. It allocates nothing.
func (n *Node) Abs(code uint16, info *AbsInfo) error {
	return n.ioctl(evIOCGAbs+uintptr(code), unsafe.Pointer(info))
}

// sharpen lets the kernel tell every change of an axis. It takes wheels for joysticks,
// and hides changes of up to 1/256 of the way as noise, which is several degrees.
func (n *Node) sharpen(code uint16) error {
	var info AbsInfo
	if err := n.Abs(code, &info); err != nil || info.Fuzz == 0 && info.Flat == 0 {
		return err
	}
	info.Fuzz, info.Flat = 0, 0
	return n.ioctl(evIOCSAbs+uintptr(code), unsafe.Pointer(&info))
}

// alive reports whether the device is still there. It does not wait, as ioctls may: see Input.read.
func (n *Node) alive() bool {
	if !n.gate.enter() {
		return false
	}
	defer n.gate.leave()
	fds := [1]unix.PollFd{{Fd: int32(n.fd)}}
	_, err := unix.Ppoll(fds[:], &unix.Timespec{}, nil)
	return (err == nil || err == unix.EINTR) && fds[0].Revents == 0
}

// Keys asks which buttons are pressed now, and with that throws away the events of buttons
// that wait to be read. It allocates nothing.
func (n *Node) Keys(k *Keys) error { return n.ioctl(evIOCGKey, unsafe.Pointer(k)) }

// write sends one event to the device: play, gain, autocentre.
func (n *Node) write(typ, code uint16, value int32) error {
	if !n.gate.enter() {
		return ErrGone
	}
	defer n.gate.leave()
	ev := Event{Type: typ, Code: code, Value: value}
	for {
		_, err := unix.Write(n.fd, unsafe.Slice((*byte)(unsafe.Pointer(&ev)), eventSize))
		if err == unix.EINTR {
			continue
		}
		return gone(err)
	}
}

func (n *Node) ioctl(request uintptr, arg unsafe.Pointer) error {
	return n.retry(func() unix.Errno {
		_, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(n.fd), request, uintptr(arg))
		return errno
	})
}

// ioctlValue is ioctl for the requests that take a number, not a pointer.
func (n *Node) ioctlValue(request, arg uintptr) error {
	return n.retry(func() unix.Errno {
		_, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(n.fd), request, arg)
		return errno
	})
}

// retry makes a call inside the gate, again after a signal.
func (n *Node) retry(call func() unix.Errno) error {
	if !n.gate.enter() {
		return ErrGone
	}
	defer n.gate.leave()
	for {
		errno := call()
		switch errno {
		case 0:
			return nil
		case unix.EINTR:
			continue
		default:
			return gone(errno)
		}
	}
}

func gone(err error) error {
	if errors.Is(err, unix.ENODEV) {
		return ErrGone
	}
	return err
}

// Wait sleeps until bell rings, timeout passes (negative: never), or the
// device is unplugged, which it reports as ErrGone. Waiting events do not wake it.
func (n *Node) Wait(bell *Bell, timeout time.Duration) error { return n.await(bell, timeout, 0) }

// WaitEvent is Wait without end that waiting events wake, too.
func (n *Node) WaitEvent(bell *Bell) error { return n.await(bell, -1, unix.POLLIN) }

func (n *Node) await(bell *Bell, timeout time.Duration, events int16) error {
	if !n.gate.enter() {
		return ErrGone
	}
	defer n.gate.leave()
	if !bell.gate.enter() {
		return fmt.Errorf("evdev: wait: %w", unix.EBADF)
	}
	defer bell.gate.leave()
	fds := [2]unix.PollFd{{Fd: int32(bell.fd), Events: unix.POLLIN}, {Fd: int32(n.fd), Events: events}}
	var limit *unix.Timespec
	if timeout >= 0 {
		ts := unix.NsecToTimespec(timeout.Nanoseconds())
		limit = &ts
	}
	if _, err := unix.Ppoll(fds[:], limit, nil); err != nil && err != unix.EINTR {
		return fmt.Errorf("evdev: wait: %w", err)
	}
	if fds[1].Revents&(unix.POLLHUP|unix.POLLERR|unix.POLLNVAL) != 0 {
		return ErrGone
	}
	if fds[0].Revents != 0 {
		bell.silence()
	}
	return nil
}
