package evdev

import (
	"encoding/binary"
	"fmt"

	"golang.org/x/sys/unix"
)

// Bell wakes the goroutine that waits on a node. Rings before it wakes count
// as one.
type Bell struct {
	gate gate
	fd   int
}

// NewBell returns a silent bell.
func NewBell() (*Bell, error) {
	fd, err := unix.Eventfd(0, unix.EFD_NONBLOCK|unix.EFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("evdev: eventfd: %w; raise the limit of open files", err)
	}
	return &Bell{fd: fd}, nil
}

// ring is a count of one, as an eventfd takes it.
var ring = func() (b [8]byte) {
	binary.NativeEndian.PutUint64(b[:], 1)
	return b
}()

// Ring never blocks and allocates nothing. After Close it does nothing.
func (b *Bell) Ring() {
	if !b.gate.enter() {
		return
	}
	defer b.gate.leave()
	// The only failure left is a full counter, and then the bell rings already.
	_, _ = unix.Write(b.fd, ring[:])
}

func (b *Bell) silence() {
	var count [8]byte
	_, _ = unix.Read(b.fd, count[:]) // nothing there is as good as taken
}

// Close frees the bell once nobody waits on it: ring it first. It may be
// called twice.
func (b *Bell) Close() error {
	if !b.gate.shut() {
		return nil
	}
	return unix.Close(b.fd)
}
