// Package acm emulates a motion controller that is connected by a USB serial adapter. The kernel's
// driver cdc-acm shows the adapter as /dev/ttyACM0.
package acm

import (
	"sync"
	"time"

	"rig.example/rig/test/vm/mono"
	"rig.example/rig/test/vm/usbip"
)

// Board is the motion controller behind the adapter. Its methods may be called from several goroutines.
type Board interface {
	Handle(in []byte) []byte        // accepts bytes from the host and returns the answer
	Advance(d time.Duration) []byte // simulates the board for the time d and returns what it sends unasked
	Reset()                         // restarts the board's program
}

// Options describe the adapter. The zero value is a board with a USB interface of its own: without a serial
// number and a bit rate, and DTR does not restart it.
type Options struct {
	Serial     string // serial number; "": none
	Baud       int    // bit rate that the board expects [bit/s]; 0: any, and bytes take no time
	ResetOnDTR bool   // a rising DTR restarts the board, as on an Arduino
	Vendor     uint16 // vendor's number with Product's; 0: pid.codes, for tests
	Product    uint16
}

// Adapter is one adapter with its board, plugged in or not.
type Adapter struct {
	board   Board
	options Options

	plugMutex sync.Mutex // held while the adapter is plugged in or unplugged

	mu         sync.Mutex
	port       *usbip.Port // nil while unplugged
	stopped    chan struct{}
	rates      []int // bit rates that the host has set, without repetitions [bit/s]
	dtr        bool
	rts        bool
	resets     int // number of restarts of the board by DTR
	stalled    bool
	lineFreeAt time.Duration // time at which the line to the board can take the next byte, on CLOCK_MONOTONIC
	noise      noise
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
	vendor, product := a.options.Vendor, a.options.Product
	if vendor == 0 {
		vendor, product = 0x1209, 0x0001 // of pid.codes, which assigns numbers to open-source devices, and reserves this for tests
	}
	port, err := usbip.PlugACM(&usbip.ACM{
		Vendor:       vendor,
		Product:      product,
		Release:      0x0100,
		Manufacturer: "rig",
		Name:         "Motion controller",
		Serial:       a.options.Serial,
		Ready:        func(n int) { a.waitReady(n, stopped) },
		Output:       func(b []byte) { a.receive(b, answers, stopped) },
		Rate:         a.setRate,
		Lines:        a.setLines,
	})
	if err != nil {
		return err
	}
	a.mu.Lock()
	a.port, a.stopped, a.dtr, a.rts = port, stopped, false, false
	a.mu.Unlock()
	go a.runBoard(answers, stopped)
	go a.sendAnswers(port, answers, stopped)
	return nil
}

// Node waits for the adapter's serial device and returns its path, /dev/ttyACMn.
func (a *Adapter) Node() (string, error) {
	a.mu.Lock()
	port := a.port
	a.mu.Unlock()
	return port.Device("ttyACM[0-9]*", 10*time.Second)
}

// Unplug unplugs the adapter. It may be called twice.
func (a *Adapter) Unplug() {
	a.plugMutex.Lock()
	defer a.plugMutex.Unlock()
	a.mu.Lock()
	port, stopped := a.port, a.stopped
	a.port = nil
	a.mu.Unlock()
	if port != nil {
		port.Unplug()
		close(stopped)
	}
}

// Replug plugs the adapter in again after Unplug. The board restarts, because the bus powers its processor;
// the actuators stay at their positions.
func (a *Adapter) Replug() error {
	a.plugMutex.Lock()
	defer a.plugMutex.Unlock()
	a.board.Reset()
	return a.plug()
}

// SetStalled sets whether the adapter refuses all bytes from the host.
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

// Lines returns the states of the control lines, which the host sets.
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
	rises := dtr && !a.dtr && a.options.ResetOnDTR
	a.dtr, a.rts = dtr, rts
	if rises {
		a.resets++
	}
	a.mu.Unlock()
	if rises {
		a.board.Reset()
	}
}

// waitReady waits until the adapter is not stalled and the line has had the time to send n more bytes to the
// board, after those before. Unplug ends the wait for a stalled adapter.
func (a *Adapter) waitReady(n int, stopped <-chan struct{}) {
	for a.isStalled() {
		select {
		case <-stopped:
			return
		case <-time.After(time.Millisecond):
		}
	}
	a.mu.Lock()
	a.lineFreeAt = max(a.lineFreeAt, mono.Now()) + a.byteTime(n)
	freeAt := a.lineFreeAt
	a.mu.Unlock()
	if freeAt > mono.Now() {
		mono.SleepUntil(freeAt)
	}
}

func (a *Adapter) isStalled() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.stalled
}

// byteTime returns how long the line needs for n bytes at the rate that the host has set.
func (a *Adapter) byteTime(n int) time.Duration {
	const bitsPerByte = 10 // with start and stop bit
	if a.options.Baud == 0 || len(a.rates) == 0 || a.rates[len(a.rates)-1] <= 0 {
		return 0
	}
	return time.Duration(n*bitsPerByte) * time.Second / time.Duration(a.rates[len(a.rates)-1])
}

// receive passes bytes from the host to the board and queues the answer.
func (a *Adapter) receive(b []byte, answers chan<- []byte, stopped <-chan struct{}) {
	queueAnswer(a.board.Handle(a.transmit(b)), answers, stopped)
}

// queueAnswer queues bytes of the board for the host. After Unplug it discards them.
func queueAnswer(b []byte, answers chan<- []byte, stopped <-chan struct{}) {
	if len(b) == 0 {
		return
	}
	select {
	case answers <- b:
	case <-stopped:
	}
}

// transmit returns what the receiver of b reads: b itself, or random bytes if host and board have different
// bit rates.
func (a *Adapter) transmit(b []byte) []byte {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ratesDiffer() {
		return a.noise.replace(b)
	}
	return b
}

// ratesDiffer reports whether host and board have different bit rates.
func (a *Adapter) ratesDiffer() bool {
	const tolerance = 0.03 // difference that the synchronization at each start bit corrects
	if a.options.Baud == 0 || len(a.rates) == 0 {
		return false
	}
	boardRate := float64(a.options.Baud)
	hostRate := float64(a.rates[len(a.rates)-1])
	return hostRate < boardRate*(1-tolerance) || hostRate > boardRate*(1+tolerance)
}

// runBoard simulates the board in real time until the adapter is unplugged.
func (a *Adapter) runBoard(answers chan<- []byte, stopped <-chan struct{}) {
	const step = 2 * time.Millisecond
	for last := mono.Now(); ; {
		select {
		case <-stopped:
			return
		default:
		}
		mono.SleepUntil(last + step)
		now := mono.Now()
		queueAnswer(a.board.Advance(now-last), answers, stopped)
		last = now
	}
}

// sendAnswers sends the queued bytes of the board to the host at the bit rate of the line.
func (a *Adapter) sendAnswers(port *usbip.Port, answers <-chan []byte, stopped <-chan struct{}) {
	var lineFreeAt time.Duration
	for {
		select {
		case <-stopped:
			return
		case b := <-answers:
			a.mu.Lock()
			lineFreeAt = max(lineFreeAt, mono.Now()) + a.byteTime(len(b))
			a.mu.Unlock()
			mono.SleepUntil(lineFreeAt)
			port.Send(a.transmit(b))
		}
	}
}
