package motion

import (
	"errors"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"rig.example/rig/test/vm/acm"
	"rig.example/rig/test/vm/mono"
)

// line is a connection from the platform to a board.
type line interface {
	path() string
	stall(on bool)
}

// opener creates a line to a board with this bit rate.
type opener func(t *testing.T, b *board, baud int) line

// way is a kind of line, with its name.
type way struct {
	name string
	open opener
}

// lines lists all kinds of lines. The second can be unplugged.
var lines = []way{
	{"16550", newUART},
	{"cdc-acm", overUSB(acm.Options{Serial: "RIG0001"})},
}

// overUSB returns an opener of lines over a USB adapter with the options o.
func overUSB(o acm.Options) opener {
	return func(t *testing.T, b *board, baud int) line {
		o.Baud = baud
		return newUSB(t, b, o)
	}
}

// usb is an adapter on the USB bus.
type usb struct {
	*acm.Adapter
	node string
}

func newUSB(t *testing.T, b *board, o acm.Options) *usb {
	t.Helper()
	adapter, err := acm.New(b, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(adapter.Unplug)
	node, err := adapter.Node()
	if err != nil {
		t.Fatal(err)
	}
	return &usb{adapter, node}
}

func (u *usb) path() string { return u.node }

// stall makes the endpoint refuse all data from the host.
func (u *usb) stall(on bool) { u.SetStalled(on) }

// uart is a line over the machine's serial port, with the board at its other end.
type uart struct {
	board   *board
	far     *os.File
	stalled atomic.Bool
	writing sync.Mutex
}

// newUART connects b to the other end of the serial port, which always has the port's highest rate.
func newUART(t *testing.T, b *board, _ int) line {
	t.Helper()
	keepBusy(t)
	far, err := os.OpenFile(os.Getenv("RIG_VM_LINE_B"), os.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK, 0)
	if err == nil {
		err = raw(far)
	}
	if err != nil {
		t.Fatal(err)
	}
	u := &uart{board: b, far: far}
	stop := make(chan struct{})
	var both sync.WaitGroup
	both.Go(u.listen)
	both.Go(func() { u.live(stop) })
	t.Cleanup(func() { close(stop); far.Close(); both.Wait() })
	return u
}

// raw sets the other end to the highest rate and discards bytes received before.
func raw(f *os.File) error {
	t, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	if err != nil {
		return err
	}
	t.Iflag, t.Oflag, t.Lflag = 0, 0, 0
	t.Cflag = unix.CS8 | unix.CREAD | unix.CLOCAL | unix.B115200
	t.Cc[unix.VMIN], t.Cc[unix.VTIME] = 1, 0
	return errors.Join(
		unix.IoctlSetTermios(int(f.Fd()), unix.TCSETS, t),
		unix.IoctlSetInt(int(f.Fd()), unix.TCFLSH, unix.TCIOFLUSH),
		unix.SetNonblock(int(f.Fd()), true)) // Fd has made it block
}

func (u *uart) path() string { return os.Getenv("RIG_VM_LINE_A") }

// stall makes the board hang: it neither reads nor sends. The port accepts data all the same.
func (u *uart) stall(on bool) { u.stalled.Store(on) }

// listen passes received bytes to the board and sends its answers, until the port is closed.
func (u *uart) listen() {
	buf := make([]byte, 256)
	for {
		if u.stalled.Load() {
			mono.SleepUntil(mono.Now() + time.Millisecond)
		}
		n, err := u.far.Read(buf)
		if err != nil {
			return
		}
		if !u.stalled.Load() {
			u.say(u.board.Handle(buf[:n]))
		}
	}
}

// live simulates the board in real time.
func (u *uart) live(stop <-chan struct{}) {
	const step = 2 * time.Millisecond
	for last := mono.Now(); ; {
		select {
		case <-stop:
			return
		default:
		}
		mono.SleepUntil(last + step)
		now := mono.Now()
		if said := u.board.Advance(now - last); !u.stalled.Load() {
			u.say(said)
		}
		last = now
	}
}

func (u *uart) say(b []byte) {
	if len(b) == 0 {
		return
	}
	u.writing.Lock()
	defer u.writing.Unlock()
	u.far.Write(b) // fails when the test is over
}
