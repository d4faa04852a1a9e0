package evdev

import (
	"sync"
	"sync/atomic"
)

// Input follows the axes and buttons of one node.
//
// The kernel tells changes only, so the first state is asked for. When events
// were lost (SYN_DROPPED) everything up to the next report is void, and the
// state is asked for again. Until it is known, all that has not reported stays as it was.
type Input struct {
	node     *Node
	has      uint64 // axes the device has, one bit a code
	moved    uint64 // axes that have reported since Open
	abs      [absCodes]int32
	first    [absCodes]int32 // see First
	keys     Keys
	toldAbs  [absCodes]int64 // time of the last event of each [µs]
	toldKeys [keyCodes]int64
	asOf     int64 // events before this are older than what is known [µs]
	lost     bool  // between SYN_DROPPED and the next report
	resyncs  uint64
	state    snapshot // without an asker
	asker    *asker   // nil unless it is shared
	recent   recent
	users    int // see Share
	grabbing sync.Mutex
	grabbed  bool        // see Grab
	slot     int         // see Round, from 1
	fresh    atomic.Bool // joined since the last Round
	news     bool        // found by the last Round; belongs to the loop
	buf      [64]Event

	taken    atomic.Uint64 // events read so far
	updates  atomic.Uint64 // done so far
	silenced atomic.Bool   // another program has grabbed the device; see silence
}

// NewInput returns the state of node's axes and buttons as they are now. After a loss its
// Update waits for the new state, as long as a force is being uploaded; see Share.
func NewInput(node *Node, axes []Axis) (*Input, error) {
	in := &Input{node: node}
	for _, a := range axes {
		in.has |= 1 << a.Code
		_ = node.sharpen(a.Code) // one that cannot be is used as it is
	}
	s := &in.state
	if in.read(s); s.err != nil {
		return nil, s.err
	}
	in.abs, in.first, in.keys = s.abs, s.abs, s.keys
	return in, nil
}

// maxReads bounds the work of one Update: a device that floods its node must
// not hold the caller.
const maxReads = 4

// Update takes in all waiting events. It allocates nothing, and if the Input is shared it
// never waits. Its error is ErrGone after an unplug, and if the Input is shared ErrGrabbed
// once another program takes its events.
func (in *Input) Update() error {
	defer in.updates.Add(1)
	if in.silenced.Load() {
		return ErrGrabbed
	}
	if err := in.heed(); err != nil {
		return err
	}
	if in.silent() {
		return nil
	}
	for range maxReads {
		n, err := in.node.Read(in.buf[:])
		if err != nil {
			return err
		}
		in.taken.Add(uint64(n))
		for i := range n {
			if err := in.apply(&in.buf[i]); err != nil {
				return err
			}
		}
		if n < len(in.buf) {
			return nil
		}
	}
	return nil
}

func (in *Input) apply(ev *Event) error {
	switch {
	case ev.Type == EvSyn && ev.Code == SynDropped:
		in.lost = true
	case ev.Type == EvSyn && ev.Code == SynReport && in.lost:
		in.lost = false
		in.resyncs++
		return in.resync()
	case in.lost, ev.micros() < in.asOf:
	case ev.Type == EvAbs && ev.Code < absCodes:
		in.set(ev.Code, ev.Value)
		in.toldAbs[ev.Code] = ev.micros()
		in.recent.put(ev)
	case ev.Type == EvKey:
		in.keys.set(ev.Code, ev.Value != 0)
		if ev.Code < keyCodes {
			in.toldKeys[ev.Code] = ev.micros()
		}
		in.recent.put(ev)
	}
	return nil
}

// set takes a reported value.
func (in *Input) set(code uint16, value int32) {
	if !in.Moved(code) && in.first[code] == 0 {
		in.first[code] = value
	}
	in.abs[code] = value
	in.moved |= 1 << code
}

// Abs returns an axis' last value in the device's counts.
func (in *Input) Abs(code uint16) int32 { return in.abs[code%absCodes] }

// Moved tells whether the axis has reported since the node was opened. One
// that has not may hold the kernel's initial 0 instead of its real position.
func (in *Input) Moved(code uint16) bool { return in.moved>>(code%absCodes)&1 == 1 }

// First returns the first value that is known of an axis: what it held when
// the node was opened, or if that was the kernel's initial 0, what it reported
// first.
func (in *Input) First(code uint16) int32 { return in.first[code%absCodes] }

// Reported tells whether the device has ever reported, as far as can be seen:
// an axis moved since the node was opened, or was not 0 then.
func (in *Input) Reported() bool {
	if in.moved != 0 {
		return true
	}
	for _, v := range in.abs {
		if v != 0 {
			return true
		}
	}
	return false
}

// Down tells whether a button is pressed.
func (in *Input) Down(code uint16) bool { return in.keys.Down(code) }

// Resyncs counts how often the kernel lost events. After each the state is asked for anew.
func (in *Input) Resyncs() uint64 { return in.resyncs }
