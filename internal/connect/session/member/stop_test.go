package member

import (
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/live/operator"
	"rig.example/rig/test/level"
)

// stops returns how many stops the rig has got.
func (w *world) stops() (n int) {
	for _, m := range w.given() {
		if m.Order == operator.EmergencyStop {
			n++
		}
	}
	return n
}

// However many pauses wait, a stop is given, and before them.
func TestAStopGoesBeforePauses(t *testing.T) {
	o := newOrders(nil, slog.New(slog.DiscardHandler))
	for range 100 {
		o.pausing()
	}
	o.stop()
	o.stop()
	for _, want := range []operator.Order{operator.EmergencyStop, operator.Pause} {
		if got, ok := o.next(t.Context()); !ok || got != want {
			t.Fatalf("order %v, want %v", got, want)
		}
	}
	if len(o.stops)+len(o.pauses) != 0 {
		t.Error("an order waits twice")
	}
}

// A stop that the rig does not take is given until it does; a pause is not.
func TestAStopIsGivenUntilTheRigTakesIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := start(t, newHost())
		rest(2 * time.Second)
		w.change(func(h *host) { h.busy = 1 })
		w.announce(session.HostEventSubject("test"), session.Event{ID: "p", Kind: session.PausedAt})
		rest(5 * time.Second)
		if n := len(w.given()); n != 1 {
			t.Errorf("a pause was given %d times", n)
		}
		w.change(func(h *host) { h.busy = 30 })
		w.announce(session.HostEventSubject("test"), session.Event{ID: "s", Kind: session.Stopped})
		rest(40 * time.Second)
		w.stop()
		if n := w.stops(); n != 31 || len(w.kept) != 1 || w.kept[0].Answers != "s" {
			t.Errorf("a stop was given %d times; kept %+v", n, w.kept)
		}
		if n := strings.Count(w.log.String(), "too many orders wait"); n != 2 {
			t.Errorf("said %d times: %s", n, w.log.String())
		}
	})
}

// A stop whose event was lost is found on the board, and done once. One that was given before the rig was in is not its.
func TestAStopIsFoundOnTheBoard(t *testing.T) {
	level.SkipIfQuick(t)
	for _, refuse := range []string{"", "wait"} {
		synctest.Test(t, func(t *testing.T) {
			h := newHost()
			h.asked, h.refuse = "before", refuse
			w := start(t, h)
			rest(3 * time.Second)
			w.change(func(h *host) { h.refuse = "" })
			rest(time.Minute)
			if w.joinCount() != 1 || w.stops() != 0 {
				t.Fatalf("joined %d times, stopped %d times for a stop before", w.joinCount(), w.stops())
			}
			w.change(func(h *host) { h.dead = true })
			rest(20 * time.Second)
			w.change(func(h *host) { h.dead, h.asked = false, "lost" }) // nothing tells the rig of it but the board
			rest(40 * time.Second)
			w.announce(session.HostEventSubject("test"), session.Event{ID: "lost", Kind: session.Stopped})
			rest(5 * time.Second)
			w.stop()
			if w.joinCount() != 2 || w.stops() != 1 || len(w.kept) != 1 || w.kept[0].Answers != "lost" {
				t.Errorf("joined %d times, stopped %d times; kept %+v", w.joinCount(), w.stops(), w.kept)
			}
		})
	}
}

// The effect of a stop is reported also where no packet passes, and so the session's time is unknown.
func TestAStopIsReportedWithoutSessionTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHost()
		h.noUDP = true
		w := start(t, h)
		rest(10 * time.Second)
		w.announce(session.HostEventSubject("test"), session.Event{ID: "s", Kind: session.Stopped})
		rest(10 * time.Second)
		w.stop()
		if w.member.clock.Synced() || len(w.kept) != 1 || w.kept[0].Kind != session.HasStopped || w.kept[0].Answers != "s" || w.kept[0].At <= 0 {
			t.Errorf("kept %+v", w.kept)
		}
	})
}

// Nothing but the stopped state is the effect of a stop: a parked rig, or one with a fault, has not got it yet.
func TestOnlyAStoppedRigHasStopped(t *testing.T) {
	o := observer{started: true, stopAsked: "s"}
	for state := guard.Parked; state <= guard.Stopped; state++ {
		events := o.see(&frame.Frame{State: uint64(state)})
		if stopped := len(events) == 1 && events[0].Kind == session.HasStopped && events[0].Answers == "s"; stopped != (state == guard.Stopped) || len(events) > 1 {
			t.Errorf("%v: %+v", state, events)
		}
	}
	if events := o.see(&frame.Frame{State: uint64(guard.Stopped)}); len(events) != 0 {
		t.Errorf("reported again: %+v", events)
	}
}

// A host that does not let the rig in again, for instance because the session has ended, still gets its laps, and the rig
// its stop.
func TestARefusedRigStillSendsAndStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := start(t, newHost())
		rest(3 * time.Second)
		w.change(func(h *host) { h.cut = true })
		w.page.set(func(f *frame.Frame) { f.Lap.Count++ })
		rest(10 * time.Second)
		w.change(func(h *host) { h.cut, h.refuse = false, "the session has ended" })
		rest(2 * time.Minute) // the rig asks every 30 s now
		if len(w.kept) != 1 || w.joinCount() != 1 || w.shown().Session.Connected != 0 {
			t.Fatalf("kept %+v, joined %d times", w.kept, w.joinCount())
		}
		buses := w.buses
		w.page.set(func(f *frame.Frame) { f.Lap.Count++ })
		rest(4 * time.Second)
		w.announce(session.HostEventSubject("test"), session.Event{ID: "s", Kind: session.Stopped})
		rest(4 * time.Second)
		if len(w.kept) != 3 || w.kept[1].Kind != session.LapDone || w.kept[2].Kind != session.HasStopped || w.stops() != 1 {
			t.Errorf("kept %+v, stopped %d times", w.kept, w.stops())
		}
		w.change(func(h *host) { h.refuse = "" })
		rest(time.Minute)
		w.stop()
		if w.shown().Session.Connected != 1 || w.buses != buses {
			t.Errorf("connected %d, by %d more connections", w.shown().Session.Connected, w.buses-buses)
		}
	})
}

// Laps of which a process that was held up sees no more than their number are told of.
func TestLapsThatWereMissedAreTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := start(t, newHost())
		rest(5 * time.Second)
		w.page.set(func(f *frame.Frame) { f.Lap.Count++ })
		rest(2 * time.Second)
		w.page.set(func(f *frame.Frame) { f.Lap.Count += 3 })
		rest(2 * time.Second)
		w.stop()
		const want = "2 laps before this one were missed"
		if len(w.kept) != 2 || w.kept[0].Text != "" || !strings.HasPrefix(w.kept[1].Text, want) || strings.Count(w.log.String(), want) != 1 {
			t.Errorf("kept %+v; %s", w.kept, w.log.String())
		}
	})
}
