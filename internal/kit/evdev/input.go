package evdev

import (
	"sync"
	"sync/atomic"
)

// Input follows the axes and buttons of one node.
//
// The kernel reports only changes, so the first state is queried. When events were lost (SYN_DROPPED), all
// events up to the next report are invalid, and the state is queried again. Until the answer arrives, axes
// and buttons without a new event keep their values.
type Input struct {
	node       *Node
	axes       uint64 // axes of the device, one bit for each code
	reported   uint64 // axes that have reported since Open, one bit for each code
	abs        [absCodes]int32
	keys       Keys
	absEventAt [absCodes]int64 // time of the last event of each axis [µs]
	keyEventAt [keyCodes]int64 // time of the last event of each button [µs]
	stateTime  int64           // events before this time are older than the state [µs]
	eventsLost bool            // between SYN_DROPPED and the next SYN_REPORT
	resyncs    uint64
	snapshot   snapshot    // used if query is nil
	query      *stateQuery // nil unless the Input is shared
	events     eventRing
	users      int // number of users, see Share
	grabMu     sync.Mutex
	grabbed    bool        // see Grab
	pollSlot   int         // index in sharedPoll, plus 1; 0: not in it
	justShared atomic.Bool // it was shared after the last PollShared
	readable   bool        // the last PollShared found events; belongs to the loop
	buf        [64]Event

	eventsRead       atomic.Uint64 // number of events read so far
	updates          atomic.Uint64 // number of calls of Update so far
	grabbedElsewhere atomic.Bool   // another program has grabbed the device; see grabDetector
}

// NewInput returns an Input with the present state of node's axes and buttons. It is not shared: after a
// loss of events its Update queries the state itself, and waits if a force is being uploaded. Share returns
// an Input that never waits.
func NewInput(node *Node, axes []Axis) (*Input, error) {
	in := &Input{node: node}
	for _, a := range axes {
		in.axes |= 1 << a.Code
		_ = node.clearFuzz(a.Code) // an axis whose fuzz cannot be cleared is used as it is
	}
	s := &in.snapshot
	if in.readState(s); s.err != nil {
		return nil, s.err
	}
	in.abs, in.keys = s.abs, s.keys
	return in, nil
}

// maxReads limits the reads of one Update, so that a device that floods its node cannot hold up the
// caller.
const maxReads = 4

// Update reads all waiting events. It allocates nothing, and if the Input is shared it never waits. It
// returns ErrDisconnected after an unplug and, if the Input is shared, ErrGrabbed after another program has grabbed
// the device.
func (in *Input) Update() error {
	defer in.updates.Add(1)
	if in.grabbedElsewhere.Load() {
		return ErrGrabbed
	}
	if err := in.takeQuery(); err != nil {
		return err
	}
	if in.nothingToRead() {
		return nil
	}
	for range maxReads {
		n, err := in.node.Read(in.buf[:])
		if err != nil {
			return err
		}
		in.eventsRead.Add(uint64(n))
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

// apply updates the state by one event.
func (in *Input) apply(ev *Event) error {
	switch {
	case ev.Type == EvSyn && ev.Code == SynDropped:
		in.eventsLost = true
	case ev.Type == EvSyn && ev.Code == SynReport && in.eventsLost:
		in.eventsLost = false
		in.resyncs++
		return in.resync()
	case in.eventsLost, ev.micros() < in.stateTime:
	case ev.Type == EvAbs && ev.Code < absCodes:
		in.setAbs(ev.Code, ev.Value)
		in.absEventAt[ev.Code] = ev.micros()
		in.events.put(ev)
	case ev.Type == EvKey:
		in.keys.set(ev.Code, ev.Value != 0)
		if ev.Code < keyCodes {
			in.keyEventAt[ev.Code] = ev.micros()
		}
		in.events.put(ev)
	}
	return nil
}

// setAbs sets the value of an axis that has reported.
func (in *Input) setAbs(code uint16, value int32) {
	in.abs[code] = value
	in.reported |= 1 << code
}

// Abs returns an axis' last value in the device's counts.
func (in *Input) Abs(code uint16) int32 { return in.abs[code%absCodes] }

// AxisReported reports whether the axis has reported since the node was opened. An axis that has not
// may hold the kernel's initial 0 instead of its real position.
func (in *Input) AxisReported(code uint16) bool { return in.reported>>(code%absCodes)&1 == 1 }

// Reported reports whether the device has ever reported, as far as that is known: an axis has reported
// since the node was opened, or was not 0 then.
func (in *Input) Reported() bool {
	if in.reported != 0 {
		return true
	}
	for _, v := range in.abs {
		if v != 0 {
			return true
		}
	}
	return false
}

// Down reports whether a button is pressed.
func (in *Input) Down(code uint16) bool { return in.keys.Down(code) }

// Resyncs returns how often the kernel lost events. After each loss the state is queried again.
func (in *Input) Resyncs() uint64 { return in.resyncs }
