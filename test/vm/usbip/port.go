// Package usbip emulates USB devices and plugs them into the running kernel,
// whose own drivers then meet them.
//
// It speaks the device's side of USB/IP to the kernel's virtual host
// controller (vhci-hcd) and needs root, no network and no tools.
package usbip

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"rig/test/vm/mono"
)

// Port is a plugged-in device.
type Port struct {
	device *HID
	wire   io.ReadWriteCloser
	number int
	writes chan transfer // output reports the device has not taken yet
	served chan struct{} // closed when the wire is dead

	sending sync.Mutex // held while a reply goes out

	mu     sync.Mutex
	asked  []transfer      // the host waits for input reports
	report []byte          // the input report the host has not fetched yet
	dead   bool            // the plug is being pulled
	open   map[uint32]bool // output transfers that are not answered yet
}

// transfer is one the host has asked for.
type transfer struct {
	seq    uint32
	length int    // room for an input report
	data   []byte // output report
}

// Plug plugs the device in. Its drivers find it within about half a second.
func Plug(h *HID) (*Port, error) {
	if h.Interval < time.Millisecond || h.Output == nil {
		return nil, fmt.Errorf("usbip: %s: want an interval of 1 ms or more and a function for output reports", h.Name)
	}
	wire, number, err := attach()
	if err != nil {
		return nil, err
	}
	p := serve(h, wire, number)
	hurryBus()
	return p, nil
}

// serve starts to answer the host at the other end of wire.
func serve(h *HID, wire io.ReadWriteCloser, number int) *Port {
	const most = 64 // more output transfers than any driver has under way
	p := &Port{
		device: h,
		wire:   wire,
		number: number,
		writes: make(chan transfer, most),
		served: make(chan struct{}),
		open:   map[uint32]bool{},
	}
	go p.readCommands()
	go p.takeWrites()
	return p
}

// Unplug pulls the device out: the kernel sees a disconnect. It may be called
// twice.
//
// Transfers under way fail first. The virtual host controller forgets those on
// a dead wire, and a driver that waits for one would hold up the whole bus for
// seconds.
func (p *Port) Unplug() {
	const lateComers = time.Millisecond
	for _, seq := range p.die() {
		p.send(appendReply(nil, seq, statusGone, 0, nil))
	}
	time.Sleep(lateComers)
	p.wire.Close()
	<-p.served
}

// die lets all transfers to come fail, and returns those under way.
func (p *Port) die() []uint32 {
	p.mu.Lock()
	defer p.mu.Unlock()
	var seqs []uint32
	for _, t := range p.asked {
		seqs = append(seqs, t.seq)
	}
	for seq := range p.open {
		seqs = append(seqs, seq)
	}
	p.dead, p.asked, p.open = true, nil, map[uint32]bool{}
	return seqs
}

func (p *Port) isDead() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.dead
}

// Node waits for the device's input node, /dev/input/eventN.
func (p *Port) Node(patience time.Duration) (string, error) {
	return waitNode(p.number, "input/input*/event*", "/dev/input", patience)
}

// Device waits for a file in /dev that belongs to the device and whose name
// matches, such as gpiochip*.
func (p *Port) Device(name string, patience time.Duration) (string, error) {
	return waitNode(p.number, name, "/dev", patience)
}

// Send gives the host an input report. One that the host has not fetched yet
// is replaced: a device tells its present state. Unplugged, it does nothing.
func (p *Port) Send(report []byte) {
	p.mu.Lock()
	if len(p.asked) == 0 {
		p.report = append(p.report[:0], report...)
		p.mu.Unlock()
		return
	}
	t := p.asked[0]
	p.asked = p.asked[1:]
	p.mu.Unlock()
	p.answerRead(t, report)
}

// readCommands answers the host until the wire is dead.
func (p *Port) readCommands() {
	hurry()
	defer close(p.served)
	defer close(p.writes)
	r := bufio.NewReader(p.wire)
	for {
		var header [headerSize]byte
		if _, err := io.ReadFull(r, header[:]); err != nil {
			return
		}
		c, err := parseCommand(&header)
		if err != nil {
			fmt.Fprintln(os.Stderr, err) // the kernel and this package disagree
			return
		}
		var out []byte
		if c.code == cmdSubmit && !c.in {
			out = make([]byte, c.length)
			if _, err := io.ReadFull(r, out); err != nil {
				return
			}
		}
		p.handle(c, out)
	}
}

func (p *Port) handle(c command, out []byte) {
	switch {
	case c.code == cmdUnlink:
		p.unlink(c)
	case p.isDead():
		p.send(appendReply(nil, c.seq, statusGone, 0, nil))
	case c.endpoint == 0:
		p.control(c, out)
	case c.in:
		p.read(transfer{seq: c.seq, length: c.length})
	default:
		p.mu.Lock()
		p.open[c.seq] = true
		p.mu.Unlock()
		p.writes <- transfer{seq: c.seq, data: out}
	}
}

// control answers a transfer to endpoint 0.
func (p *Port) control(c command, out []byte) {
	in, status := p.device.control(c.setup, out)
	if !c.in {
		p.send(appendReply(nil, c.seq, status, len(out), nil))
		return
	}
	in = in[:min(len(in), c.length)]
	p.send(appendReply(nil, c.seq, status, len(in), in))
}

// read hands out the waiting report, or remembers that the host asks for one.
func (p *Port) read(t transfer) {
	p.mu.Lock()
	if len(p.report) == 0 {
		p.asked = append(p.asked, t)
		p.mu.Unlock()
		return
	}
	report := append([]byte(nil), p.report...)
	p.report = p.report[:0]
	p.mu.Unlock()
	p.answerRead(t, report)
}

func (p *Port) answerRead(t transfer, report []byte) {
	report = report[:min(len(report), t.length)]
	p.send(appendReply(nil, t.seq, statusOK, len(report), report))
}

// takeWrites takes one output report at each interval, as a device does that
// the host controller polls: until then the transfer stays open. The virtual
// host controller itself keeps no pace.
func (p *Port) takeWrites() {
	hurry()
	next := mono.Now()
	for t := range p.writes {
		for now := mono.Now(); next <= now; {
			next += p.device.Interval
		}
		mono.SleepUntil(next)
		if p.finish(t.seq) {
			p.device.Output(t.data)
			p.send(appendReply(nil, t.seq, statusOK, len(t.data), nil))
		}
	}
}

// finish ends an output transfer; false if it was taken back.
func (p *Port) finish(seq uint32) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	was := p.open[seq]
	delete(p.open, seq)
	return was
}

// unlink takes back a transfer that is not answered yet.
func (p *Port) unlink(c command) {
	status := int32(statusOK) // it was answered already
	if p.finish(c.victim) || p.forget(c.victim) {
		status = statusUnlink
	}
	p.send(appendUnlinked(nil, c.seq, status))
}

// forget drops an input transfer; false if it is not waiting.
func (p *Port) forget(seq uint32) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, t := range p.asked {
		if t.seq == seq {
			p.asked = append(p.asked[:i:i], p.asked[i+1:]...)
			return true
		}
	}
	return false
}

// send writes one message. A failure means the plug is out, which readCommands sees.
func (p *Port) send(message []byte) {
	p.sending.Lock()
	defer p.sending.Unlock()
	p.wire.Write(message)
}
