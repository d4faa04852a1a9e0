package evdev

import (
	"encoding/binary"
	"fmt"

	"golang.org/x/sys/unix"
)

// Waker wakes the goroutine that waits on a node. Several calls of Wake before the goroutine wakes
// count as one.
type Waker struct {
	users userCount
	fd    int
}

// NewWaker returns a new waker.
func NewWaker() (*Waker, error) {
	fd, err := unix.Eventfd(0, unix.EFD_NONBLOCK|unix.EFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("evdev: eventfd: %w; raise the limit of open files", err)
	}
	return &Waker{fd: fd}, nil
}

// wakeCount is what one Wake adds to the counter of an eventfd.
var wakeCount = func() (b [8]byte) {
	binary.NativeEndian.PutUint64(b[:], 1)
	return b
}()

// Wake wakes the goroutine that waits, or else the next one that starts to wait. It never blocks and
// allocates nothing. After Close it does nothing.
func (w *Waker) Wake() {
	if !w.users.acquire() {
		return
	}
	defer w.users.release()
	// The only possible failure is a full counter, which wakes too.
	_, _ = unix.Write(w.fd, wakeCount[:])
}

// clear forgets all calls of Wake so far.
func (w *Waker) clear() {
	var count [8]byte
	_, _ = unix.Read(w.fd, count[:]) // an empty counter is no error here
}

// Close waits until no goroutine waits on the waker and closes it. The caller must wake a waiting goroutine
// first. Close may be called twice.
func (w *Waker) Close() error {
	if !w.users.close() {
		return nil
	}
	return unix.Close(w.fd)
}
