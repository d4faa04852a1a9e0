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
	"slices"
	"sync"
	"time"
)

// Port is a plugged-in device.
type Port struct {
	device device
	wire   io.ReadWriteCloser
	number int
	writes chan transfer // output reports the device has not taken yet
	served chan struct{} // closed when the wire is dead

	sending sync.Mutex // held while a reply goes out

	mu     sync.Mutex
	asked  []transfer      // the host waits for input reports
	report []byte          // what the host has not fetched yet: an input report, or bytes in a row
	dead   bool            // the plug is being pulled
	open   map[uint32]bool // output transfers that are not answered yet
}

// transfer is one the host has asked for.
type transfer struct {
	seq      uint32
	endpoint uint8
	length   int    // room for an input report
	data     []byte // output report
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

// PlugACM plugs a serial adapter in.
func PlugACM(a *ACM) (*Port, error) {
	wire, number, err := attach()
	if err != nil {
		return nil, err
	}
	p := serve(a, wire, number)
	hurryBus()
	return p, nil
}

// serve starts to answer the host at the other end of wire.
func serve(d device, wire io.ReadWriteCloser, number int) *Port {
	keepGarbage()
	const most = 64 // more output transfers than any driver has under way
	p := &Port{
		device: d,
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

// mostWaiting is how much a serial adapter keeps for a host that does not
// fetch it [bytes]. The rest is lost, as an adapter's buffer overruns.
const mostWaiting = 4096

// Send gives the host an input report. One that the host has not fetched yet
// is replaced: a device tells its present state. A serial adapter's bytes wait
// behind those before. Unplugged, it does nothing.
func (p *Port) Send(report []byte) {
	p.mu.Lock()
	switch {
	case !p.device.streams():
		p.report = append(p.report[:0], report...)
	case len(p.report)+len(report) <= mostWaiting:
		p.report = append(p.report, report...)
	}
	p.mu.Unlock()
	p.deliver()
}

// deliver answers the transfers that wait on the endpoint of the data, as long
// as there is something for them.
func (p *Port) deliver() {
	p.sending.Lock() // what is taken first must leave first
	defer p.sending.Unlock()
	for {
		t, report, ok := p.nextAnswer()
		if !ok {
			return
		}
		p.wire.Write(appendReply(nil, t.seq, statusOK, len(report), report))
	}
}

// nextAnswer takes a waiting transfer and what goes into it.
func (p *Port) nextAnswer() (t transfer, report []byte, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := slices.IndexFunc(p.asked, func(t transfer) bool { return t.endpoint == endpointIn&^directionIn })
	if at < 0 || len(p.report) == 0 {
		return transfer{}, nil, false
	}
	t = p.asked[at]
	p.asked = slices.Delete(p.asked, at, at+1)
	n := min(len(p.report), t.length)
	report = slices.Clone(p.report[:n])
	p.report = slices.Delete(p.report, 0, n)
	if !p.device.streams() {
		p.report = p.report[:0] // the host's room cuts a report
	}
	return t, report, true
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
		p.mu.Lock()
		p.asked = append(p.asked, transfer{seq: c.seq, endpoint: c.endpoint, length: c.length})
		p.mu.Unlock()
		p.deliver()
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

// takeWrites takes output transfers one after the other at the device's pace:
// until then the transfer stays open. The virtual host controller itself keeps
// no pace.
func (p *Port) takeWrites() {
	hurry()
	wait := p.device.pace()
	for t := range p.writes {
		wait(len(t.data))
		if p.finish(t.seq) {
			p.device.take(t.data)
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
