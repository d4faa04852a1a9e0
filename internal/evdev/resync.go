package evdev

import (
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// snapshot is the whole state of a node, as the kernel tells it when asked.
type snapshot struct {
	from, till int64 // when the asking began and ended [µs], on the clock of events
	abs        [absCodes]int32
	keys       Keys
	err        error
}

// read asks for the whole state. The kernel answers only once no force of this device is
// being uploaded (evdev_ioctl has one lock for all), which may take tens of milliseconds.
func (in *Input) read(s *snapshot) {
	s.from = micros()
	defer func() { s.till = micros() }()
	for code := range uint16(absCodes) {
		if in.has>>code&1 == 0 {
			continue
		}
		var a AbsInfo
		if s.err = in.node.Abs(code, &a); s.err != nil {
			return
		}
		s.abs[code] = a.Value
	}
	s.err = in.node.Keys(&s.keys)
}

// settle takes in a snapshot. An event at or after its beginning is newer, and one before
// is older, also if it is read later.
//
// As it tells the buttons, the kernel throws away those of their events that wait to be
// read: the snapshot stands for them. doubt tells of a button with an event from while the
// kernel was asked: whether one after that was thrown away, only another snapshot can tell.
func (in *Input) settle(s *snapshot) (doubt bool) {
	for code := range uint16(absCodes) {
		if in.has>>code&1 == 1 && in.toldAbs[code] < s.from && s.abs[code] != in.abs[code] {
			in.set(code, s.abs[code]) // it counts as moved: its event may be among the lost
		}
	}
	for code := range uint16(keyCodes) {
		switch at := in.toldKeys[code]; {
		case at < s.from:
			in.keys.set(code, s.keys.Down(code))
		case at <= s.till:
			doubt = true
		}
	}
	in.asOf = s.from
	in.recent.gap()
	return doubt
}

// resync asks for the whole state: by the asker, or without one here and now.
func (in *Input) resync() error {
	if in.asker != nil {
		in.asker.ask()
		return nil
	}
	s := &in.state
	if in.read(s); s.err != nil {
		return s.err
	}
	in.settle(s)
	return nil
}

// heed takes in what the asker has found out, if anything.
func (in *Input) heed() error {
	a := in.asker
	if a == nil || a.turn.Load() != answered {
		return nil
	}
	err := a.answer.err
	again := err == nil && in.settle(&a.answer) || a.again
	a.again = false
	a.turn.Store(idle)
	if again && err == nil {
		a.ask()
	}
	return err
}

// Whose turn it is with an asker's answer.
const (
	idle     = iota // the loop's, and there is none
	asked           // the asker's
	answered        // the loop's
)

// asker asks for a node's state on a goroutine, so that the loop never waits for an upload.
//
// turn hands the answer to and fro: the goroutine touches it only while turn is asked, and
// makes that answered; the loop only while turn is anything else, and makes that asked.
type asker struct {
	turn   atomic.Int32
	answer snapshot
	again  bool // events were lost since it was asked; belongs to the loop
	bell   *Bell
	quit   atomic.Bool
	ended  chan struct{}
}

// hire lets an asker with read ask for in's state from now on. dismiss ends it.
func (in *Input) hire(read func(*snapshot)) error {
	bell, err := NewBell()
	if err != nil {
		return err
	}
	in.asker = &asker{bell: bell, ended: make(chan struct{})}
	go in.asker.run(in, read)
	return nil
}

// dismiss ends what hire began. Another goroutine may still be in Update.
func (in *Input) dismiss() {
	a := in.asker
	if a == nil {
		return
	}
	a.quit.Store(true)
	a.bell.Ring()
	<-a.ended
	_ = a.bell.Close() // nobody waits, and an eventfd has nothing to lose
}

// ask never waits. What is asked for while an answer is under way is asked for after it.
func (a *asker) ask() {
	if a.turn.Load() != idle {
		a.again = true
		return
	}
	a.turn.Store(asked)
	a.bell.Ring()
}

// run answers, and listens between, until dismissed, or until the device goes, of which reads
// of events tell.
func (a *asker) run(in *Input, read func(*snapshot)) {
	defer close(a.ended)
	var q silence
	for in.node.Wait(a.bell, lookEvery) == nil && !a.quit.Load() {
		if a.turn.Load() == asked {
			read(&a.answer)
			a.turn.Store(answered)
		}
		in.listen(&q)
	}
}

// micros is CLOCK_MONOTONIC as events have it [µs].
func micros() int64 {
	var ts unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts) // cannot fail for this clock
	return ts.Nano() / int64(time.Microsecond)
}

// micros is when the kernel got the event [µs].
func (e *Event) micros() int64 { return e.Sec*1e6 + e.Usec }
