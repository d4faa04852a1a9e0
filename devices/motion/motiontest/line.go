package motiontest

import (
	"io"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// ReadTimeout is how long the host's Read waits for bytes, as a serial port does.
const ReadTimeout = 20 * time.Millisecond

// lineCapacity is the number of bytes that each direction of a Line can hold.
const lineCapacity = 4096

// Line is a serial line in memory, for tests with the clock of a synctest bubble. Read, Write
// and Close are the controller's end; Dial opens the host's end.
type Line struct {
	toHost, toController chan byte
	unplugged            chan struct{} // closed when the line is unplugged
	once                 sync.Once
}

// NewLine returns a line that is plugged in.
func NewLine() *Line {
	return &Line{toHost: make(chan byte, lineCapacity), toController: make(chan byte, lineCapacity), unplugged: make(chan struct{})}
}

// Read waits for bytes from the host.
func (w *Line) Read(b []byte) (int, error) {
	select {
	case <-w.unplugged:
		return 0, io.EOF
	case b[0] = <-w.toController:
		return 1 + readAvailable(w.toController, b[1:]), nil
	}
}

// Write sends bytes to the host.
func (w *Line) Write(b []byte) (int, error) {
	for i := range b {
		select {
		case <-w.unplugged:
			return i, io.EOF
		case w.toHost <- b[i]:
		}
	}
	return len(b), nil
}

// FillHostOutput fills the buffer from the host to the controller, so that the host can write
// nothing more.
func (w *Line) FillHostOutput() {
	for {
		select {
		case w.toController <- 0:
		default:
			return
		}
	}
}

// Close unplugs the line: both ends fail from then on.
func (w *Line) Close() error {
	w.once.Do(func() { close(w.unplugged) })
	return nil
}

// readAvailable moves bytes that have already arrived into b, and returns how many.
func readAvailable(from <-chan byte, b []byte) (n int) {
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

// Dial opens the host's end.
func (w *Line) Dial() (io.ReadWriteCloser, error) {
	select {
	case <-w.unplugged:
		return nil, unix.ENOENT
	default:
		return hostEnd{w}, nil
	}
}

// hostEnd is the host's end of a Line.
type hostEnd struct{ *Line }

// Close does nothing: the line stays plugged in, and Dial can open it again.
func (h hostEnd) Close() error { return nil }

func (h hostEnd) Read(b []byte) (int, error) {
	timeout := time.NewTimer(ReadTimeout)
	defer timeout.Stop()
	select {
	case <-h.unplugged:
		return 0, unix.EIO
	case b[0] = <-h.toHost:
		return 1 + readAvailable(h.toHost, b[1:]), nil
	case <-timeout.C:
		return 0, nil
	}
}

func (h hostEnd) Write(b []byte) (int, error) {
	for i := range b {
		select {
		case <-h.unplugged:
			return i, unix.EIO
		case h.toController <- b[i]:
		default:
			return i, unix.EAGAIN
		}
	}
	return len(b), nil
}
