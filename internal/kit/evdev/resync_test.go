package evdev

import (
	"errors"
	"testing"
	"time"
)

const trigger = 0x124

// fakeState simulates a device. A query of its state waits until the test answers it.
type fakeState struct {
	asking chan int64    // when the asking began [µs]
	answer chan snapshot // the state then
}

func (f *fakeState) read(s *snapshot) {
	from := nowMicros()
	f.asking <- from
	*s = <-f.answer
	s.began, s.ended = from, nowMicros()
}

// at is an event at a time [µs].
func at(us int64, typ, code uint16, value int32) Event {
	return Event{Sec: us / 1e6, Usec: us % 1e6, Type: typ, Code: code, Value: value}
}

// lossy is an Input of an axis and a button with an asker, and where to send it events.
func lossy(t *testing.T, read func(*snapshot)) (in *Input, fd int) {
	t.Helper()
	n, w := pipeNode(t)
	in = &Input{node: n, axes: 1 << AbsX, users: 1}
	if err := in.startQuery(read); err != nil {
		t.Fatal(err)
	}
	return in, w
}

// lose makes in believe that events were lost.
func lose(t *testing.T, in *Input, fd int) {
	t.Helper()
	send(t, fd, Event{Type: EvSyn, Code: SynDropped}, Event{Type: EvAbs, Code: AbsX, Value: 99}, Event{Type: EvSyn, Code: SynReport})
	update(t, in)
}

func update(t *testing.T, in *Input) {
	t.Helper()
	if err := in.Update(); err != nil {
		t.Fatal(err)
	}
}

// until updates in until the asker's turn has come to an end.
func until(t *testing.T, in *Input, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		update(t, in)
		if done() {
			return
		}
	}
	t.Fatalf("a minute without %s", what)
}

func keysDown(codes ...uint16) (k Keys) {
	for _, c := range codes {
		k.set(c, true)
	}
	return k
}

func TestLostEventsAreRecoveredWithoutWaiting(t *testing.T) {
	f := fakeState{make(chan int64), make(chan snapshot)}
	in, w := lossy(t, f.read)
	defer in.Release()
	send(t, w, at(1, EvAbs, AbsX, 5), at(1, EvKey, trigger, 1), at(1, EvSyn, SynReport, 0))
	lose(t, in, w)
	<-f.asking
	for range 20 { // while the kernel does not answer
		update(t, in)
	}
	if in.Abs(AbsX) != 5 || !in.Down(trigger) || in.Resyncs() != 1 {
		t.Errorf("while it is asked for: %d, %v after %d losses; want all as it was after 1", in.Abs(AbsX), in.Down(trigger), in.Resyncs())
	}
	seen := in.EventEnd()
	f.answer <- snapshot{abs: [absCodes]int32{AbsX: 7}, keys: keysDown(trigger + 1)}
	until(t, in, "the state", func() bool { return in.Abs(AbsX) == 7 })
	if in.Down(trigger) || !in.Down(trigger+1) {
		t.Error("want only the second button down")
	}
	if _, lost := in.NextEvent(&seen); !lost {
		t.Error("the reader of the events did not learn that some are lost")
	}
}

// Of an event and a queried state the newer one counts, in whatever order they are read.
func TestTheNewerOfEventAndQueriedStateCounts(t *testing.T) {
	for _, c := range []struct {
		name  string
		event int64 // from when the asking began [µs]
		after bool  // it is read after the state
		want  int32 // of the axis
		down  bool
	}{
		{"older event, read before", -1, false, 7, false},
		{"older event, read after", -1, true, 7, false},
		{"newer event, read before", 0, false, 5, true},
		{"newer event, read after", 1e6, true, 5, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := fakeState{make(chan int64), make(chan snapshot)}
			in, w := lossy(t, f.read)
			defer in.Release()
			lose(t, in, w)
			when := <-f.asking + c.event
			tell := func() {
				send(t, w, at(when, EvAbs, AbsX, 5), at(when, EvKey, trigger, 1), at(when, EvSyn, SynReport, 0))
				update(t, in)
			}
			if !c.after {
				tell()
			}
			f.answer <- snapshot{abs: [absCodes]int32{AbsX: 7}}
			until(t, in, "the state", func() bool { return in.stateTime > 0 })
			if c.after {
				tell()
			}
			if c.event == 0 { // in doubt: asked for once more, and from now on
				<-f.asking
				f.answer <- snapshot{abs: [absCodes]int32{AbsX: 5}, keys: keysDown(trigger)}
			}
			until(t, in, "an end", func() bool { return in.query.state.Load() == queryIdle })
			if in.Abs(AbsX) != c.want || in.Down(trigger) != c.down {
				t.Errorf("axis %d, button %v; want %d, %v", in.Abs(AbsX), in.Down(trigger), c.want, c.down)
			}
		})
	}
}

// The kernel discards a release that is queued while it answers the query for buttons, if the press before it was
// read already. Only the next query shows that no button is held.
func TestAButtonPressedDuringAQuery(t *testing.T) {
	f := fakeState{make(chan int64), make(chan snapshot)}
	in, w := lossy(t, f.read)
	defer in.Release()
	lose(t, in, w)
	when := <-f.asking
	send(t, w, at(when, EvKey, trigger, 1), at(when, EvSyn, SynReport, 0))
	update(t, in)
	f.answer <- snapshot{}
	until(t, in, "the state", func() bool { return in.stateTime > 0 })
	if !in.Down(trigger) {
		t.Error("the press does not count")
	}
	<-f.asking
	f.answer <- snapshot{}
	until(t, in, "the release", func() bool { return !in.Down(trigger) })
}

func TestALossDuringAQueryIsQueriedAgain(t *testing.T) {
	f := fakeState{make(chan int64), make(chan snapshot)}
	in, w := lossy(t, f.read)
	defer in.Release()
	lose(t, in, w)
	<-f.asking
	lose(t, in, w)
	lose(t, in, w)
	f.answer <- snapshot{abs: [absCodes]int32{AbsX: 7}}
	until(t, in, "the first state", func() bool { return in.Abs(AbsX) == 7 })
	<-f.asking
	f.answer <- snapshot{abs: [absCodes]int32{AbsX: 8}}
	until(t, in, "the second state", func() bool { return in.Abs(AbsX) == 8 })
	if in.Resyncs() != 3 || in.query.state.Load() != queryIdle {
		t.Errorf("%d losses, turn %d; want 3, and nothing more asked", in.Resyncs(), in.query.state.Load())
	}
}

func TestADeviceUnpluggedDuringAQuery(t *testing.T) {
	in, w := lossy(t, func(s *snapshot) { s.err = ErrDisconnected })
	defer in.Release()
	lose(t, in, w)
	for { // or it hangs
		if err := in.Update(); err != nil {
			if !errors.Is(err, ErrDisconnected) {
				t.Errorf("got %v", err)
			}
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// Release ends the goroutine that queries the state, also while the loop still updates and loses events.
func TestReleaseEndsTheQuery(t *testing.T) {
	for range 50 {
		in, _ := lossy(t, func(s *snapshot) { s.began, s.ended = nowMicros(), nowMicros() })
		ready, ended := make(chan struct{}), make(chan error)
		go func() {
			for i := 0; ; i++ {
				if in.query.state.Load() == queryIdle {
					in.eventsLost = true // as a SYN_DROPPED leaves it
					_ = in.apply(&Event{Type: EvSyn, Code: SynReport})
				}
				if err := in.Update(); err != nil {
					ended <- err
					return
				}
				if i == 20 {
					close(ready)
				}
			}
		}()
		<-ready
		if err := in.Release(); err != nil {
			t.Fatal(err)
		}
		select {
		case <-in.query.ended:
		default:
			t.Fatal("the asker outlives Release")
		}
		if err := <-ended; !errors.Is(err, ErrDisconnected) {
			t.Fatalf("update of a released node: %v", err)
		}
	}
}

func TestALossAllocatesNothing(t *testing.T) {
	n, w := pipeNode(t)
	waker, err := NewWaker()
	if err != nil {
		t.Fatal(err)
	}
	defer waker.Close()
	in := &Input{node: n, query: &stateQuery{waker: waker}} // which the test is
	lost := []Event{{Type: EvSyn, Code: SynDropped}, {Type: EvSyn, Code: SynReport}}
	if n := testing.AllocsPerRun(100, func() {
		send(t, w, lost...)
		update(t, in)
		in.query.answer.began++
		in.query.state.Store(queryAnswered)
		update(t, in)
	}); n != 0 {
		t.Errorf("%v allocations a loss, want 0", n)
	}
	if in.Resyncs() != 101 || in.stateTime != 101 {
		t.Errorf("%d losses, %d states taken in; want 101", in.Resyncs(), in.stateTime)
	}
}
