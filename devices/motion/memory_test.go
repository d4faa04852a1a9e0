package motion

import (
	"io"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// readPause is how long a Read of it waits.
const readPause = 20 * time.Millisecond

// memoryBytes is what one way of a memoryLine holds before a write finds no room [bytes].
const memoryBytes = 4096

// memoryLine is a serial line in memory, which has the clock of a synctest bubble. Read,
// Write and Close are the controller's; host is the other end.
type memoryLine struct {
	toHost, toController chan byte
	cut                  chan struct{} // closed by Close
	once                 sync.Once
}

func newMemoryLine() *memoryLine {
	return &memoryLine{toHost: make(chan byte, memoryBytes), toController: make(chan byte, memoryBytes), cut: make(chan struct{})}
}

func (w *memoryLine) Read(b []byte) (int, error) {
	select {
	case <-w.cut:
		return 0, io.EOF
	case b[0] = <-w.toController:
		return 1 + waiting(w.toController, b[1:]), nil
	}
}

func (w *memoryLine) Write(b []byte) (int, error) {
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
func (w *memoryLine) fill() {
	for {
		select {
		case w.toController <- 0:
		default:
			return
		}
	}
}

// Close is what unplugging is to a real line.
func (w *memoryLine) Close() error {
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
func (w *memoryLine) dial() (io.ReadWriteCloser, error) {
	select {
	case <-w.cut:
		return nil, unix.ENOENT
	default:
		return memoryHost{w}, nil
	}
}

// memoryHost is the host's end of a memoryLine.
type memoryHost struct{ *memoryLine }

// Close leaves the wire plugged in.
func (h memoryHost) Close() error { return nil }

func (h memoryHost) Read(b []byte) (int, error) {
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

func (h memoryHost) Write(b []byte) (int, error) {
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
