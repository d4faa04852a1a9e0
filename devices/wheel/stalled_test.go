package wheel

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"rig.example/rig/calib"
	"rig.example/rig/internal/kit/evdev"
)

// slowForce is a device whose driver takes its time.
type slowForce struct {
	*fakeForce
	during func()
}

func (f slowForce) Upload(e evdev.Effect) error {
	f.during()
	return f.fakeForce.Upload(e)
}

// An endpoint that takes no reports for 2 s holds up a driver that waits for them. Once a
// force is older than an effect lasts there is no torque, and after that it begins at nothing.
func TestAForceThatIsHeldUpComesBackFromNothing(t *testing.T) {
	f := newFakeForce()
	s := armed(t, "hid-pidff", f)
	var rated []float64
	w := onAWheel(t, s, f, func(w *Wheel, _ *fakeInput, at int) {
		w.Push(min(w.Rated(), 3+float64(at%2)))
		rated = append(rated, w.Rated())
		if at == 500 {
			if got := w.Status(); !strings.Contains(got.NoForce, "a force took 2.00 s") || !strings.Contains(got.NoForce, "fades in") {
				t.Errorf("told as %q", got.NoForce)
			}
		}
		s.stop.Store(at == 4000)
	})
	uploads := 0
	clock := s.clock
	var held time.Duration
	s.clock = func() time.Duration { return clock() + held }
	s.node = slowForce{f, func() {
		if uploads++; uploads != 100 {
			return
		}
		before := w.Rated()
		for i := range 2000 { // the loop goes on meanwhile
			held += ms
			w.Push(min(w.Rated(), 3))
			if got := w.Rated(); got != 0 && i >= 60 || got != before && i < 58 {
				t.Fatalf("%g N·m after %d ms in one call of the driver", got, i+1)
			}
		}
	}}
	go s.runWriter()
	<-s.ended
	stall := 0
	for i := 1; i < len(rated); i++ {
		if rated[i] < rated[i-1] {
			stall = i
		}
		if rise := rated[i] - rated[i-1]; rise > 4.0/1900 {
			t.Fatalf("the torque rises by %g N·m at %d ms, want a fade of 2 s", rise, i)
		}
	}
	if stall < 50 || rated[stall] > 0.01 || rated[len(rated)-1] != 4 || w.Status().NoForce != "" {
		t.Errorf("%g N·m after the stall, at %d ms, %g at the end, %q", rated[stall], stall, rated[len(rated)-1], w.Status().NoForce)
	}
	for slot, e := range f.effects {
		t.Errorf("slot %d is left with %+v", slot, e)
	}
}

// While a force is held up it is said for how long by now, and after several how many there
// were and how long the worst took: a driver that holds up each force has none.
func TestForcesThatAreHeldUpAgainAndAgainAreCounted(t *testing.T) {
	f := newFakeForce()
	s := armed(t, "hid-pidff", f)
	w := onAWheel(t, s, f, func(w *Wheel, _ *fakeInput, at int) {
		w.Push(min(w.Rated(), 3+float64(at%2)))
		s.stop.Store(at == 3000)
	})
	uploads := 0
	clock := s.clock
	var held time.Duration
	s.clock = func() time.Duration { return clock() + held }
	s.node = slowForce{f, func() {
		uploads++
		if uploads < 100 || uploads >= 110 {
			return
		}
		long := 125
		if uploads == 103 {
			long = 1500
		}
		for range long {
			held += ms
			w.Push(3)
		}
		if got := w.Status().NoForce; uploads == 103 && !strings.Contains(got, "has held up a force for 1.5 s") || uploads == 104 && !strings.Contains(got, "for 0.1 s") {
			t.Errorf("%d: told as %q while it lasts", uploads, got)
		}
	}}
	var told []string
	f.onWait = func(step func()) func() {
		return func() {
			step()
			if text := w.Status().NoForce; len(told) == 0 || told[len(told)-1] != text {
				told = append(told, text)
			}
		}
	}(f.onWait)
	go s.runWriter()
	<-s.ended
	if last := told[len(told)-1]; last != "" {
		t.Errorf("at the end it still says %q", last)
	}
	if n := len(told); n < 2 || !strings.Contains(told[n-2], "10 forces were held up within 2.") || !strings.Contains(told[n-2], "1.50 s at worst") {
		t.Errorf("told %q", told)
	}
}

// A driver that never comes back is logged once, though the writer is inside of it.
func TestADriverThatHangsIsLogged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		w := New(DefaultConfig(), calib.Store{Dir: t.TempDir()}, slog.New(slog.NewTextHandler(&log, nil)))
		defer w.Close()
		s := &session{ended: make(chan struct{})}
		s.force.callStart.Store(1)
		for range 70 {
			w.torque.Put(new(float64))
		}
		ctx, cancel := context.WithTimeout(t.Context(), 5500*ms)
		defer cancel()
		if !w.waitForEnd(ctx, s) {
			t.Error("the wheel counts as unplugged")
		}
		if said := log.String(); strings.Count(said, "has held up a force for 0.1 s") != 1 || strings.Count(said, "\n") != 1 {
			t.Errorf("logged %q", said)
		}
	})
}
