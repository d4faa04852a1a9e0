package motion

import (
	"io"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// wireBytes is what one way of a wire holds before a write finds no room [bytes].
const wireBytes = 4096

// wire is a serial line in memory, which has the clock of a synctest bubble. Read,
// Write and Close are the controller's; host is the other end.
type wire struct {
	toHost, toController chan byte
	cut                  chan struct{} // closed by Close
	once                 sync.Once
}

func newWire() *wire {
	return &wire{toHost: make(chan byte, wireBytes), toController: make(chan byte, wireBytes), cut: make(chan struct{})}
}

func (w *wire) Read(b []byte) (int, error) {
	select {
	case <-w.cut:
		return 0, io.EOF
	case b[0] = <-w.toController:
		return 1 + waiting(w.toController, b[1:]), nil
	}
}

func (w *wire) Write(b []byte) (int, error) {
	for i := range b {
		select {
		case <-w.cut:
			return i, io.EOF
		case w.toHost <- b[i]:
		}
	}
	return len(b), nil
}

// fill leaves no room for what the host sends.
func (w *wire) fill() {
	for {
		select {
		case w.toController <- 0:
		default:
			return
		}
	}
}

// Close is what unplugging is to a real line.
func (w *wire) Close() error {
	w.once.Do(func() { close(w.cut) })
	return nil
}

// waiting fills b with the bytes that are there already.
func waiting(from <-chan byte, b []byte) (n int) {
	for n < len(b) {
		select {
		case b[n] = <-from:
			n++
		default:
			return n
		}
	}
	return n
}

// dial opens the host's end.
func (w *wire) dial() (io.ReadWriteCloser, error) {
	select {
	case <-w.cut:
		return nil, unix.ENOENT
	default:
		return wireHost{w}, nil
	}
}

// wireHost is the host's end of a wire.
type wireHost struct{ *wire }

// Close leaves the wire plugged in.
func (h wireHost) Close() error { return nil }

func (h wireHost) Read(b []byte) (int, error) {
	timeout := time.NewTimer(readPause)
	defer timeout.Stop()
	select {
	case <-h.cut:
		return 0, unix.EIO
	case b[0] = <-h.toHost:
		return 1 + waiting(h.toHost, b[1:]), nil
	case <-timeout.C:
		return 0, nil
	}
}

func (h wireHost) Write(b []byte) (int, error) {
	for i := range b {
		select {
		case <-h.cut:
			return i, unix.EIO
		case h.toController <- b[i]:
		default:
			return i, unix.EAGAIN
		}
	}
	return len(b), nil
}
