package motiontest

import (
	"io"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// ReadPause is how long the host's Read waits for bytes, as a serial port does.
const ReadPause = 20 * time.Millisecond

// lineBytes is what one way of a Line holds before a write finds no room [bytes].
const lineBytes = 4096

// Line is a serial line in memory, which has the clock of a synctest bubble. Read,
// Write and Close are the controller's; Dial opens the host's end.
type Line struct {
	toHost, toController chan byte
	cut                  chan struct{} // closed by Close
	once                 sync.Once
}

// NewLine returns a line that is plugged in.
func NewLine() *Line {
	return &Line{toHost: make(chan byte, lineBytes), toController: make(chan byte, lineBytes), cut: make(chan struct{})}
}

// Read waits for bytes from the host.
func (w *Line) Read(b []byte) (int, error) {
	select {
	case <-w.cut:
		return 0, io.EOF
	case b[0] = <-w.toController:
		return 1 + waiting(w.toController, b[1:]), nil
	}
}

// Write sends bytes to the host.
func (w *Line) Write(b []byte) (int, error) {
	for i := range b {
		select {
		case <-w.cut:
			return i, io.EOF
		case w.toHost <- b[i]:
		}
	}
	return len(b), nil
}

// Fill leaves no room for what the host sends.
func (w *Line) Fill() {
	for {
		select {
		case w.toController <- 0:
		default:
			return
		}
	}
}

// Close is what unplugging is to a real line.
func (w *Line) Close() error {
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

// Dial opens the host's end.
func (w *Line) Dial() (io.ReadWriteCloser, error) {
	select {
	case <-w.cut:
		return nil, unix.ENOENT
	default:
		return hostEnd{w}, nil
	}
}

// hostEnd is the host's end of a Line.
type hostEnd struct{ *Line }

// Close leaves the wire plugged in.
func (h hostEnd) Close() error { return nil }

func (h hostEnd) Read(b []byte) (int, error) {
	timeout := time.NewTimer(ReadPause)
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

func (h hostEnd) Write(b []byte) (int, error) {
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
