// Package acm emulates a motion controller's board behind a serial adapter on
// the USB bus, which the kernel's cdc-acm serves as /dev/ttyACM0.
package acm

import (
	"sync"
	"time"

	"rig.example/rig/test/vm/mono"
	"rig.example/rig/test/vm/usbip"
)

// Board is what sits behind the adapter. All its methods may be called at any time.
type Board interface {
	Handle(in []byte) []byte        // takes what the host sent and returns the answer
	Advance(d time.Duration) []byte // lets d pass and returns what the board says by itself
	Reset()                         // restarts the board
}

// Options say how the adapter is made. The zero value has no serial number and
// a board with USB of its own, which knows no bit rate and does not restart.
type Options struct {
	Serial string // number
	Baud   int    // of the line between adapter and board [bit/s]; 0: there is none, bytes take no time
	Resets bool   // DTR restarts the board when it rises, as on an Arduino
}

// Adapter is one adapter with its board, plugged in or not.
type Adapter struct {
	board   Board
	options Options

	plugging sync.Mutex // held while it leaves the bus or comes back

	mu      sync.Mutex
	port    *usbip.Port // nil: unplugged
	stopped chan struct{}
	rates   []int // that the host has set [bit/s], without repetitions
	dtr     bool
	rts     bool
	resets  int // of the board, by DTR
	stalled bool
	free    time.Duration // when the line to the board is free again
	dirt    dirt
}

// New plugs in an adapter with the board behind it.
func New(board Board, o Options) (*Adapter, error) {
	a := &Adapter{board: board, options: o}
	if err := a.plug(); err != nil {
		return nil, err
	}
	return a, nil
}

func (a *Adapter) plug() error {
	stopped := make(chan struct{})
	answers := make(chan []byte, 1024)
	port, err := usbip.PlugACM(&usbip.ACM{
		Vendor:       0x1209, // pid.codes
		Product:      0x0001, // for tests
		Release:      0x0100,
		Manufacturer: "rig",
		Name:         "Motion controller",
		Serial:       a.options.Serial,
		Ready:        func(n int) { a.ready(n, stopped) },
		Output:       func(b []byte) { a.hear(b, answers, stopped) },
		Rate:         a.setRate,
		Lines:        a.setLines,
	})
	if err != nil {
		return err
	}
	a.mu.Lock()
	a.port, a.stopped, a.dtr, a.rts = port, stopped, false, false
	a.mu.Unlock()
	go a.live(answers, stopped)
	go a.tell(port, answers, stopped)
	return nil
}

// Node waits for the adapter's device, /dev/ttyACMn.
func (a *Adapter) Node() (string, error) {
	a.mu.Lock()
	port := a.port
	a.mu.Unlock()
	return port.Device("ttyACM[0-9]*", 10*time.Second)
}

// Unplug pulls the adapter out. It may be called twice.
func (a *Adapter) Unplug() {
	a.plugging.Lock()
	defer a.plugging.Unlock()
	a.mu.Lock()
	port, stopped := a.port, a.stopped
	a.port = nil
	a.mu.Unlock()
	if port != nil {
		port.Unplug()
		close(stopped)
	}
}

// Replug plugs the adapter in again after Unplug. Its board, whose processor has
// its power from the bus, starts anew; the actuators stand where they stood.
func (a *Adapter) Replug() error {
	a.plugging.Lock()
	defer a.plugging.Unlock()
	a.board.Reset()
	return a.plug()
}

// SetStalled makes the adapter take nothing from the host, or go on.
func (a *Adapter) SetStalled(on bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.stalled = on
}

// Rates returns the bit rates that the host has set so far, in order.
func (a *Adapter) Rates() []int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]int(nil), a.rates...)
}

// Lines returns the control lines that the host holds.
func (a *Adapter) Lines() (dtr, rts bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.dtr, a.rts
}

// Resets returns how often DTR has restarted the board.
func (a *Adapter) Resets() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.resets
}

func (a *Adapter) setRate(baud int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if n := len(a.rates); n == 0 || a.rates[n-1] != baud {
		a.rates = append(a.rates, baud)
	}
}

func (a *Adapter) setLines(dtr, rts bool) {
	a.mu.Lock()
	rises := dtr && !a.dtr && a.options.Resets
	a.dtr, a.rts = dtr, rts
	if rises {
		a.resets++
	}
	a.mu.Unlock()
	if rises {
		a.board.Reset()
	}
}

// ready waits until the adapter takes n bytes more: while it is stalled, and
// until they have gone to the board.
func (a *Adapter) ready(n int, stopped <-chan struct{}) {
	for a.isStalled() {
		select {
		case <-stopped:
			return
		case <-time.After(time.Millisecond):
		}
	}
	a.mu.Lock()
	a.free = max(a.free, mono.Now()) + a.byteTime(n)
	until := a.free
	a.mu.Unlock()
	if until > mono.Now() {
		mono.SleepUntil(until)
	}
}

func (a *Adapter) isStalled() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.stalled
}

// byteTime is how long n bytes are on the line to the board, at the rate that
// the host has set.
func (a *Adapter) byteTime(n int) time.Duration {
	const bitsPerByte = 10 // with start and stop
	if a.options.Baud == 0 || len(a.rates) == 0 || a.rates[len(a.rates)-1] <= 0 {
		return 0
	}
	return time.Duration(n*bitsPerByte) * time.Second / time.Duration(a.rates[len(a.rates)-1])
}

// hear gives the board what the host sent.
func (a *Adapter) hear(b []byte, answers chan<- []byte, stopped <-chan struct{}) {
	answer(a.board.Handle(a.carried(b)), answers, stopped)
}

// answer hands out what the board says, unless the plug is out.
func answer(b []byte, answers chan<- []byte, stopped <-chan struct{}) {
	if len(b) == 0 {
		return
	}
	select {
	case answers <- b:
	case <-stopped:
	}
}

// carried returns b as it arrives at the other end of the line: spoiled, if
// the two ends have other rates.
func (a *Adapter) carried(b []byte) []byte {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.otherRate() {
		return a.dirt.spoil(b)
	}
	return b
}

// otherRate reports that host and board do not have the same rate.
func (a *Adapter) otherRate() bool {
	const tolerance = 0.03 // what a start bit still puts right
	if a.options.Baud == 0 || len(a.rates) == 0 {
		return false
	}
	want := float64(a.options.Baud)
	set := float64(a.rates[len(a.rates)-1])
	return set < want*(1-tolerance) || set > want*(1+tolerance)
}

// live lets the board's time pass with the clock.
func (a *Adapter) live(answers chan<- []byte, stopped <-chan struct{}) {
	const step = 2 * time.Millisecond
	for last := mono.Now(); ; {
		select {
		case <-stopped:
			return
		default:
		}
		mono.SleepUntil(last + step)
		now := mono.Now()
		answer(a.board.Advance(now-last), answers, stopped)
		last = now
	}
}

// tell sends the host what the board says, at the line's rate.
func (a *Adapter) tell(port *usbip.Port, answers <-chan []byte, stopped <-chan struct{}) {
	var free time.Duration
	for {
		select {
		case <-stopped:
			return
		case b := <-answers:
			a.mu.Lock()
			free = max(free, mono.Now()) + a.byteTime(len(b))
			a.mu.Unlock()
			mono.SleepUntil(free)
			port.Send(a.carried(b))
		}
	}
}
