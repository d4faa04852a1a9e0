package evdev

import (
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// snapshot is the whole state of a node, as queried from the kernel.
type snapshot struct {
	began, ended int64 // start and end of the query on the clock of events [µs]
	abs          [absCodes]int32
	keys         Keys
	err          error
}

// readState queries the whole state into s. While a force of this device is being uploaded, which may take
// tens of milliseconds, the kernel does not answer, because evdev_ioctl has one lock for all requests.
func (in *Input) readState(s *snapshot) {
	s.began = nowMicros()
	defer func() { s.ended = nowMicros() }()
	for code := range uint16(absCodes) {
		if in.axes>>code&1 == 0 {
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

// applySnapshot updates the state by a queried one. An event is newer than the snapshot if its time is not
// before the start of the query, and older otherwise, even if it is read later.
//
// When the kernel returns the buttons, it discards the waiting events of buttons. incomplete reports whether
// a button has an event from the time of the query: another query is needed then, because a later event of
// that button may have been discarded.
func (in *Input) applySnapshot(s *snapshot) (incomplete bool) {
	for code := range uint16(absCodes) {
		if in.axes>>code&1 == 1 && in.absEventAt[code] < s.began && s.abs[code] != in.abs[code] {
			in.setAbs(code, s.abs[code]) // it counts as reported: its event may be among those that were lost
		}
	}
	for code := range uint16(keyCodes) {
		switch at := in.keyEventAt[code]; {
		case at < s.began:
			in.keys.set(code, s.keys.Down(code))
		case at <= s.ended:
			incomplete = true
		}
	}
	in.stateTime = s.began
	in.events.skip()
	return incomplete
}

// resync queries the whole state after events were lost: on the goroutine of the query if there is one, or
// else at once.
func (in *Input) resync() error {
	if in.query != nil {
		in.query.request()
		return nil
	}
	s := &in.snapshot
	if in.readState(s); s.err != nil {
		return s.err
	}
	in.applySnapshot(s)
	return nil
}

// takeQuery updates the state by the answer of a query, if there is one.
func (in *Input) takeQuery() error {
	q := in.query
	if q == nil || q.state.Load() != queryAnswered {
		return nil
	}
	err := q.answer.err
	repeat := err == nil && in.applySnapshot(&q.answer) || q.repeat
	q.repeat = false
	q.state.Store(queryIdle)
	if repeat && err == nil {
		q.request()
	}
	return err
}

// The states of a query, which decide who may use its answer.
const (
	queryIdle     = iota // there is no answer; the loop may use it
	queryPending         // only the goroutine of the query may use the answer
	queryAnswered        // the answer is complete; the loop may use it
)

// stateQuery queries the state of a node on a goroutine, so that the loop never waits for the upload
// of a force.
//
// Only the loop changes state to queryPending, and only the goroutine changes it to queryAnswered.
type stateQuery struct {
	state  atomic.Int32
	answer snapshot
	repeat bool // events were lost since the request; belongs to the loop
	waker  *Waker
	quit   atomic.Bool
	ended  chan struct{}
}

// startQuery starts a goroutine that calls read for each request to query the state. stopQuery ends it.
func (in *Input) startQuery(read func(*snapshot)) error {
	waker, err := NewWaker()
	if err != nil {
		return err
	}
	in.query = &stateQuery{waker: waker, ended: make(chan struct{})}
	go in.query.serve(in, read)
	return nil
}

// stopQuery ends the goroutine of startQuery. Another goroutine may still be in Update.
func (in *Input) stopQuery() {
	q := in.query
	if q == nil {
		return
	}
	q.quit.Store(true)
	q.waker.Wake()
	<-q.ended
	_ = q.waker.Close() // nothing waits on it any more
}

// request requests the state and never waits. If a request is still pending, it is repeated after its answer.
func (q *stateQuery) request() {
	if q.state.Load() != queryIdle {
		q.repeat = true
		return
	}
	q.state.Store(queryPending)
	q.waker.Wake()
}

// serve answers requests, and checks for a grab between them, until stopQuery is called or the device is
// unplugged.
func (q *stateQuery) serve(in *Input, read func(*snapshot)) {
	defer close(q.ended)
	var grab grabDetector
	for in.node.Wait(q.waker, pollInterval) == nil && !q.quit.Load() {
		if q.state.Load() == queryPending {
			read(&q.answer)
			q.state.Store(queryAnswered)
		}
		in.detectGrab(&grab)
	}
}

// nowMicros returns the time on CLOCK_MONOTONIC, the clock of events [µs].
func nowMicros() int64 {
	var ts unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts) // cannot fail for this clock
	return ts.Nano() / int64(time.Microsecond)
}

// micros returns when the kernel received the event [µs].
func (e *Event) micros() int64 { return e.Sec*1e6 + e.Usec }
