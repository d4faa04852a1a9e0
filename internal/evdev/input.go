package evdev

import "sync/atomic"

// Input follows the axes and buttons of one node.
//
// The kernel tells changes only, so the first state is asked for. When events
// were lost (SYN_DROPPED) everything up to the next report is void, and the
// state is asked for again.
type Input struct {
	node    *Node
	has     uint64 // axes the device has, one bit a code
	moved   uint64 // axes that have reported since Open
	abs     [absCodes]int32
	first   [absCodes]int32 // see First
	keys    Keys
	lost    bool // between SYN_DROPPED and the next report
	resyncs uint64
	recent  recent
	users   int         // see Share
	grabbed bool        // see Grab
	slot    int         // see Round, from 1
	fresh   atomic.Bool // joined since the last Round
	news    bool        // found by the last Round; belongs to the loop
	buf     [64]Event
}

// NewInput returns the state of node's axes and buttons as they are now.
func NewInput(node *Node, axes []Axis) (*Input, error) {
	in := &Input{node: node}
	for _, a := range axes {
		in.has |= 1 << a.Code
	}
	if err := in.resync(); err != nil {
		return nil, err
	}
	in.first = in.abs
	return in, nil
}

// maxReads bounds the work of one Update: a device that floods its node must
// not hold the caller.
const maxReads = 4

// Update takes in all waiting events. It never waits and allocates nothing.
// Its error is ErrGone after an unplug.
func (in *Input) Update() error {
	if in.silent() {
		return nil
	}
	for range maxReads {
		n, err := in.node.Read(in.buf[:])
		if err != nil {
			return err
		}
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
		in.recent.gap()
		return in.resync()
	case in.lost:
	case ev.Type == EvAbs && ev.Code < absCodes:
		in.set(ev.Code, ev.Value)
		in.recent.put(ev)
	case ev.Type == EvKey:
		in.keys.set(ev.Code, ev.Value != 0)
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

// resync asks for everything. A changed axis counts as moved: its event may
// be among the lost.
func (in *Input) resync() error {
	for code := range uint16(absCodes) {
		if in.has>>code&1 == 0 {
			continue
		}
		var a AbsInfo
		if err := in.node.Abs(code, &a); err != nil {
			return err
		}
		if in.resyncs > 0 && a.Value != in.abs[code] {
			in.set(code, a.Value)
		}
		in.abs[code] = a.Value
	}
	return in.node.Keys(&in.keys)
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

// Resyncs counts how often the kernel lost events and the state was asked anew.
func (in *Input) Resyncs() uint64 { return in.resyncs }
