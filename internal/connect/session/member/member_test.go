package member

import (
	"math"
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

func TestARigTakesPart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := start(t, newHost())
		rest(10 * time.Second)
		w.stop()
		if n := len(w.states); n < 59*10-20 || n > 61*10 {
			t.Errorf("%d states in 10 s", n)
		}
		if n := w.puts; n < 1190 {
			t.Errorf("%d pictures", n)
		}
		last := w.states[len(w.states)-1]
		if off := math.Abs(float64(last.At-w.now()) / second); off > 0.04 || last.Slot != 1 || last.Flags != 0 || last.Distance != 40 {
			t.Errorf("state %+v, %.3f s off", last, off)
		}
		o := w.shown()
		s := o.Session
		if o.Clean(); o.Count != 1 || o.Cars[0].Name.String() != "Bob" || o.Cars[0].Opacity != 1 || o.Cars[0].Length != 4.1 || o.Cars[0].Place != 1 {
			t.Fatalf("%d cars: %+v", o.Count, o.Cars[0])
		}
		if want := 30 * (float64(w.now())/second - s.Late); math.Abs(o.Cars[0].Pos[0]-want) > 0.3 {
			t.Errorf("at %.3f m, want %.3f", o.Cars[0].Pos[0], want)
		}
		if gap := o.Cars[0].Gap; math.Abs(gap-61) > 1.5 || o.Cars[0].LapsAhead != 1 {
			t.Errorf("%.1f m and %d laps ahead", gap, o.Cars[0].LapsAhead)
		}
		if s.Connected != 1 || s.Phase != frame.PhaseRacing || s.Flag != frame.FlagYellow || s.Place != 2 || s.Of != 2 || s.Ahead.String() != "Bob" || s.GapAhead != 2.5 ||
			s.Behind.String() != "" || string(s.AppendNotice(nil)) != "take care" || s.Lost > 0.05 || s.Uncertainty > 0.05 {
			t.Errorf("session %+v", s)
		}
		h := w.healths[len(w.healths)-1]
		if len(w.healths) < 8 || h.State != "driving" || !h.Wheel || h.RoundTrip < 0.019 || h.RoundTrip > 0.021 || h.Member != "ada" {
			t.Errorf("%d healths, the last %+v", len(w.healths), h)
		}
	})
}

// The other car is where it was, over a bad network and with clocks that drift apart.
func TestAnotherCarOverABadNetwork(t *testing.T) {
	level.SkipIfQuick(t)
	for _, drift := range []float64{-1e-4, 1e-4} {
		synctest.Test(t, func(t *testing.T) {
			h := newHost()
			h.delay, h.spread, h.loss, h.drift = 50*time.Millisecond, 20*time.Millisecond, 0.02, drift
			w := start(t, h)
			rest(30 * time.Second)
			worst, late := 0.0, 0.0
			for range 1000 {
				rest(97 * time.Millisecond)
				if w.shown().Count != 1 {
					t.Fatal("not shown")
				}
				// What was put is up to a step old.
				since := float64(w.member.now()-w.shown().Due) / second
				want := 30 * (float64(w.now())/second - since - w.shown().Session.Late)
				worst, late = max(worst, math.Abs(w.shown().Cars[0].Pos[0]-want)), max(late, w.shown().Session.Late)
			}
			w.stop()
			t.Logf("error at most %.3f m at 30 m/s, %.0f ms late", worst, 1e3*late)
			if worst > 0.3 || late > 0.15 { // the clock of each rig may be off by some milliseconds
				t.Errorf("error %.3f m, %.3f s late", worst, late)
			}
		})
	}
}

// Laps, pits and marks are kept once and in order, whatever is lost meanwhile.
func TestEventsSurviveAPartition(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := start(t, newHost())
		rest(3 * time.Second)
		lap := func() {
			w.page.set(func(f *frame.Frame) {
				f.Lap.Count++
				f.Lap.Last, f.Lap.Sectors, f.Lap.LastSplits[0] = 60+float64(f.Lap.Count), 2, 20
			})
			rest(time.Second)
		}
		lap()
		w.lock.Lock()
		w.cut = true
		w.lock.Unlock()
		for range 20 {
			lap()
		}
		w.page.set(func(f *frame.Frame) { f.Flags |= frame.InPit })
		rest(time.Second)
		w.page.set(func(f *frame.Frame) { f.Flags &^= frame.InPit; f.Marks++ })
		rest(20 * time.Second)
		if n, _ := w.member.outbox.unsent(); n != 23 {
			t.Errorf("%d events wait", n)
		}
		if w.shown().Session.Connected != 0 || w.shown().Count != 0 {
			t.Errorf("in the partition: connected %d, %d cars", w.shown().Session.Connected, w.shown().Count)
		}
		w.lock.Lock()
		w.cut = false
		w.lock.Unlock()
		rest(90 * time.Second)
		lap()
		w.stop()
		if len(w.kept) != 25 || w.joinCount() < 2 || w.shown().Session.Connected != 1 {
			t.Fatalf("%d events kept, joined %d times; %s", len(w.kept), w.joinCount(), w.log.String())
		}
		for i, e := range w.kept[:21] {
			if e.Kind != session.LapDone || e.Lap.Number != i+1 || e.Lap.Time != 61+float64(i) || len(e.Lap.Sectors) != 2 || !e.Lap.Valid || e.Lap.InPit || e.Member != "ada" ||
				e.At < int64(i+3)*second || e.At > int64(i+8)*second {
				t.Errorf("event %d: %+v %+v", i, e, e.Lap)
			}
		}
		if a, b, c, d := w.kept[21], w.kept[22], w.kept[23], w.kept[24]; a.Kind != session.PitEntry || b.Kind != session.PitExit || c.Kind != session.Marked || d.Lap == nil || !d.Lap.InPit {
			t.Errorf("then %+v %+v %+v %+v", a, b, c, d)
		}
	})
}

// A lap that the process sees late, because it was held up, has the time at which it ended.
func TestALapSeenLateHasItsOwnTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := start(t, newHost())
		rest(5 * time.Second)
		w.page.set(func(f *frame.Frame) { f.Lap.Count++ })
		rest(time.Second)
		w.page.set(func(f *frame.Frame) { f.Lap.Count++; f.Lap.Time = 0.75 })
		rest(time.Second)
		w.stop()
		if len(w.kept) != 2 {
			t.Fatalf("kept %+v", w.kept)
		}
		if apart := float64(w.kept[1].At-w.kept[0].At) / second; math.Abs(apart-0.25) > 0.02 {
			t.Errorf("the laps ended %.3f s apart, want 0.25", apart)
		}
	})
}

// The last events are sent before the process ends.
func TestTheLastLapIsSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := start(t, newHost())
		rest(3 * time.Second)
		w.page.set(func(f *frame.Frame) { f.Lap.Count = 1 })
		rest(time.Second / 60)
		w.page.lock.Lock()
		w.page.ended = true
		w.page.lock.Unlock()
		<-w.done
		w.cancel()
		if len(w.kept) != 1 {
			t.Errorf("kept %+v", w.kept)
		}
	})
}

// Of all that a host can tell, only a stop and a pause reach the rig, once each.
func TestOnlyStopAndPauseReachTheRig(t *testing.T) {
	kinds := []session.Kind{
		session.Created, session.Entered, session.Left, session.Gridded, session.Scheduled, session.Aborted, session.ResumedAt, session.Shown, session.Penalized,
		session.Said, session.Closed, session.Dismissed, session.LapDone, session.PitEntry, session.PitExit, session.Marked, session.HasStopped,
		"resume", "confirm", "start", "tune", "release", "high-torque", "", "stop\nconfirm",
	}
	synctest.Test(t, func(t *testing.T) {
		w := start(t, newHost())
		rest(2 * time.Second)
		subject := session.HostEventSubject("test")
		for _, k := range kinds {
			w.announce(subject, session.Event{ID: string(k), Kind: k, Member: "ada", Text: "stop", Start: 1, Seconds: 5})
		}
		w.announce(subject, "stop")
		rest(time.Second)
		if len(w.given()) != 0 {
			t.Fatalf("orders %+v", w.given())
		}
		for range 3 {
			w.announce(subject, session.Event{ID: "p", Kind: session.PausedAt})
			w.announce(subject, session.Event{ID: "s", Kind: session.Stopped})
			rest(time.Second)
		}
		synctest.Wait()
		w.stop()
		if len(w.given()) != 2 || w.given()[0].Order != operator.Pause || w.given()[1].Order != operator.EmergencyStop || w.given()[0].Factor+w.given()[1].Factor != "" {
			t.Errorf("orders %+v", w.given())
		}
		if h := w.healths[len(w.healths)-1]; h.State != "stopped" || h.Cause != "somebody stopped it" || w.healths[0].Cause != "" {
			t.Errorf("health %+v", h)
		}
		if len(w.kept) != 1 || w.kept[0].Kind != session.HasStopped || w.kept[0].Text != guard.Stopped.String() || w.kept[0].Answers != "s" {
			t.Errorf("kept %+v", w.kept)
		}
	})
}

// A host that dies and comes back, with new keys and another session time, is joined again.
func TestAHostThatRestartsIsJoinedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := start(t, newHost())
		rest(5 * time.Second)
		set := func(dead bool) {
			w.lock.Lock()
			defer w.lock.Unlock()
			w.dead = dead
		}
		for n := range 3 {
			set(true)
			rest(time.Duration(20*(n+1)) * time.Second)
			if w.shown().Session.Connected != 0 {
				t.Error("connected to a dead host")
			}
			w.lock.Lock()
			w.began = w.began.Add(300 * time.Millisecond)
			w.lock.Unlock()
			set(false)
			rest(40 * time.Second)
			if w.shown().Session.Connected != 1 || w.shown().Count != 1 || w.joinCount() != n+2 {
				t.Fatalf("restart %d: connected %d, %d cars, joined %d times", n, w.shown().Session.Connected, w.shown().Count, w.joinCount())
			}
		}
		synctest.Wait()
		w.stop()
		if w.buses <= 3 {
			t.Errorf("%d connections: one to a host that does not answer is kept", w.buses)
		}
		if n := strings.Count(w.log.String(), "level=WARN"); n > 6 {
			t.Errorf("%d warnings: %s", n, w.log.String())
		}
	})
}

// A host whose machine stood still has a session time that has stepped. The rig follows it, and shows the others.
func TestAHostThatStoodStill(t *testing.T) {
	for _, step := range []time.Duration{1500 * time.Millisecond, -1500 * time.Millisecond} {
		synctest.Test(t, func(t *testing.T) {
			w := start(t, newHost())
			rest(10 * time.Second)
			w.change(func(h *host) { h.began = h.began.Add(step) })
			rest(10 * time.Second)
			o := w.shown()
			if off := math.Abs(o.Session.Clock - float64(w.now())/second); off > 0.05 || o.Session.Connected != 1 || o.Count != 1 || o.Cars[0].Opacity != 1 {
				t.Errorf("step %v: %.3f s off, %d cars, connected %d", step, off, o.Count, o.Session.Connected)
			}
			last := w.states[len(w.states)-1]
			w.stop()
			if off := math.Abs(float64(last.At-w.now()) / second); off > 0.05 {
				t.Errorf("step %v: a state %.3f s off", step, off)
			}
		})
	}
}

func TestARevokedRigGoesOnAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := start(t, newHost())
		rest(5 * time.Second)
		w.lock.Lock()
		w.revoked, w.cut = true, true
		w.lock.Unlock()
		close(w.refused)
		rest(5 * time.Minute)
		w.stop()
		if n := strings.Count(w.log.String(), "goes on alone"); n != 1 || w.joinCount() != 1 || w.shown().Count != 0 || w.shown().Session.Connected != 0 {
			t.Errorf("said %d times, joined %d times, %d cars", n, w.joinCount(), w.shown().Count)
		}
	})
}

// A host that refuses the rig, for its circuit or its protocol, is asked again now and then, and that is said once.
func TestARefusedRigTriesAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHost()
		h.refuse = "another circuit"
		w := start(t, h)
		rest(3 * time.Minute)
		if n := strings.Count(w.log.String(), "another circuit"); n != 1 || w.shown().Count != 0 {
			t.Errorf("said %d times: %s", n, w.log.String())
		}
		w.lock.Lock()
		w.refuse = ""
		w.lock.Unlock()
		rest(time.Minute)
		w.stop()
		if w.shown().Session.Connected != 1 {
			t.Error("not in later")
		}
	})
}

func TestAnAnswerThatMakesNoSenseIsRefused(t *testing.T) {
	for udp, want := range map[string]string{":4777": "192.0.2.1:4777", "0.0.0.0:1": "192.0.2.1:1", "[::]:1": "192.0.2.1:1", "198.51.100.7:9": "198.51.100.7:9", "host": "", "": ""} {
		got, err := packetAddress(udp, []string{"tls://192.0.2.1:5"})
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v", udp, got, err)
		}
	}
}
