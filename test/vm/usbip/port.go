// Package usbip emulates USB devices and plugs them into the running kernel, whose drivers treat them like real
// ones.
//
// It implements the device's side of the USB/IP protocol for the kernel's virtual host controller (vhci-hcd). It
// needs root, but no network and no other programs.
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
	device     device
	wire       io.ReadWriteCloser
	number     int
	writes     chan transfer // output transfers that the device has not accepted yet
	readerDone chan struct{} // closed when readCommands has ended

	sendMutex sync.Mutex // held while a reply is written

	mu            sync.Mutex
	pendingReads  []transfer      // input transfers that wait for a report or bytes
	unsent        []byte          // data that the host has not fetched yet: an input report or, for a stream, all bytes
	unplugged     bool            // Unplug was called
	pendingWrites map[uint32]bool // output transfers that are not answered yet, by number
}

// transfer is one USB transfer that the host has requested.
type transfer struct {
	seq      uint32
	endpoint uint8
	length   int    // size of the host's buffer of an input transfer [bytes]
	data     []byte // data of an output transfer
}

// Plug plugs in an input device. The kernel's drivers find it within about half a second.
func Plug(h *HID) (*Port, error) {
	if h.Interval < time.Millisecond || h.Output == nil {
		return nil, fmt.Errorf("usbip: %s: want an interval of 1 ms or more and a function for output reports", h.Name)
	}
	wire, number, err := attach(h.identity())
	if err != nil {
		return nil, err
	}
	p := serve(h, wire, number)
	raiseBusPriority()
	return p, nil
}

// PlugACM plugs in a serial adapter.
func PlugACM(a *ACM) (*Port, error) {
	wire, number, err := attach(a.identity())
	if err != nil {
		return nil, err
	}
	p := serve(a, wire, number)
	raiseBusPriority()
	return p, nil
}

// serve starts to answer the host at the other end of wire, and returns at once.
func serve(d device, wire io.ReadWriteCloser, number int) *Port {
	limitGarbageCollection()
	const maxPending = 64 // more output transfers than any driver has pending
	p := &Port{
		device:        d,
		wire:          wire,
		number:        number,
		writes:        make(chan transfer, maxPending),
		readerDone:    make(chan struct{}),
		pendingWrites: map[uint32]bool{},
	}
	go p.readCommands()
	go p.serveWrites()
	return p
}

// Unplug unplugs the device: the kernel sees a disconnect. It may be called twice.
//
// Pending transfers fail first. The virtual host controller would never end those of a closed connection, and a
// driver that waits for one would block the whole bus for seconds.
func (p *Port) Unplug() {
	const settleTime = time.Millisecond
	if !p.isUnplugged() {
		leave(p.number)
	}
	for _, seq := range p.failTransfers() {
		p.send(appendReply(nil, seq, statusShutdown, 0, nil))
	}
	time.Sleep(settleTime)
	p.wire.Close()
	<-p.readerDone
}

// failTransfers makes all future transfers fail, and returns the numbers of the pending ones.
func (p *Port) failTransfers() []uint32 {
	p.mu.Lock()
	defer p.mu.Unlock()
	var seqs []uint32
	for _, t := range p.pendingReads {
		seqs = append(seqs, t.seq)
	}
	for seq := range p.pendingWrites {
		seqs = append(seqs, seq)
	}
	p.unplugged, p.pendingReads, p.pendingWrites = true, nil, map[uint32]bool{}
	return seqs
}

func (p *Port) isUnplugged() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.unplugged
}

// Node waits for the device's input node and returns its path, /dev/input/eventN.
func (p *Port) Node(patience time.Duration) (string, error) {
	return waitNode(p.number, "input/input*/event*", "/dev/input", patience)
}

// Device waits for a file in /dev that belongs to the device and whose name matches the pattern name, such as
// gpiochip*. It returns the file's path.
func (p *Port) Device(name string, patience time.Duration) (string, error) {
	return waitNode(p.number, name, "/dev", patience)
}

// maxUnsent is the buffer size of a serial adapter for data that the host has not fetched [bytes]. Data that does
// not fit is lost.
const maxUnsent = 4096

// Send sends data to the host. An input report replaces one that the host has not fetched yet, because only the
// present state counts. A serial adapter's bytes are appended. After Unplug, Send does nothing.
func (p *Port) Send(report []byte) {
	p.mu.Lock()
	switch {
	case !p.device.isStream():
		p.unsent = append(p.unsent[:0], report...)
	case len(p.unsent)+len(report) <= maxUnsent:
		p.unsent = append(p.unsent, report...)
	}
	p.mu.Unlock()
	p.answerReads()
}

// answerReads answers waiting input transfers as long as there is data for them.
func (p *Port) answerReads() {
	p.sendMutex.Lock() // keeps the order of the data
	defer p.sendMutex.Unlock()
	for {
		t, report, ok := p.nextAnswer()
		if !ok {
			return
		}
		p.wire.Write(appendReply(nil, t.seq, statusOK, len(report), report))
	}
}

// nextAnswer removes and returns a waiting input transfer and the data for it.
func (p *Port) nextAnswer() (t transfer, report []byte, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := slices.IndexFunc(p.pendingReads, func(t transfer) bool { return t.endpoint == endpointIn&^directionIn })
	if at < 0 || len(p.unsent) == 0 {
		return transfer{}, nil, false
	}
	t = p.pendingReads[at]
	p.pendingReads = slices.Delete(p.pendingReads, at, at+1)
	n := min(len(p.unsent), t.length)
	report = slices.Clone(p.unsent[:n])
	p.unsent = slices.Delete(p.unsent, 0, n)
	if !p.device.isStream() {
		p.unsent = p.unsent[:0] // a report longer than the host's buffer is truncated
	}
	return t, report, true
}

// readCommands reads and executes the host's commands until the connection is closed.
func (p *Port) readCommands() {
	raisePriority()
	defer close(p.readerDone)
	defer close(p.writes)
	r := bufio.NewReader(p.wire)
	for {
		var header [headerSize]byte
		if _, err := io.ReadFull(r, header[:]); err != nil {
			return
		}
		c, err := parseCommand(&header)
		if err != nil {
			fmt.Fprintln(os.Stderr, err) // the kernel uses a command that this package does not know
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
	case p.isUnplugged():
		p.send(appendReply(nil, c.seq, statusShutdown, 0, nil))
	case c.endpoint == 0:
		p.control(c, out)
	case c.in:
		p.mu.Lock()
		p.pendingReads = append(p.pendingReads, transfer{seq: c.seq, endpoint: c.endpoint, length: c.length})
		p.mu.Unlock()
		p.answerReads()
	default:
		p.mu.Lock()
		p.pendingWrites[c.seq] = true
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

// serveWrites passes output transfers to the device one after the other, as fast as the device accepts them. A
// transfer is answered when the device has accepted it, because the virtual host controller has no timing of
// its own.
func (p *Port) serveWrites() {
	raisePriority()
	wait := p.device.newPacer()
	for t := range p.writes {
		wait(len(t.data))
		if p.endWrite(t.seq) {
			p.device.receive(t.data)
			p.send(appendReply(nil, t.seq, statusOK, len(t.data), nil))
		}
	}
}

// endWrite removes an output transfer from the pending ones, and reports whether it was still pending.
func (p *Port) endWrite(seq uint32) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	pending := p.pendingWrites[seq]
	delete(p.pendingWrites, seq)
	return pending
}

// unlink cancels a transfer and answers whether that was in time.
func (p *Port) unlink(c command) {
	status := int32(statusOK) // the transfer was answered before
	if p.endWrite(c.unlinkSeq) || p.cancelRead(c.unlinkSeq) {
		status = statusUnlink
	}
	p.send(appendUnlinked(nil, c.seq, status))
}

// cancelRead removes an input transfer from the waiting ones, and reports whether it was waiting.
func (p *Port) cancelRead(seq uint32) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, t := range p.pendingReads {
		if t.seq == seq {
			p.pendingReads = append(p.pendingReads[:i:i], p.pendingReads[i+1:]...)
			return true
		}
	}
	return false
}

// send writes one message. Errors are ignored, because the connection is closed then, which ends readCommands.
func (p *Port) send(message []byte) {
	p.sendMutex.Lock()
	defer p.sendMutex.Unlock()
	p.wire.Write(message)
}
