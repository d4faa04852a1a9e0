package wheel

import (
	"math"
	"testing"
	"time"

	"rig.example/rig/test/vm/mono"
	"rig.example/rig/test/vm/pidwheel"
)

// direct plugs in an emulated wheel of the PID class, for the length of the test.
func direct(t *testing.T, o pidwheel.Options) *pidwheel.Wheel {
	t.Helper()
	inGuest(t)
	dev, err := pidwheel.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(dev.Unplug)
	if _, err := dev.Node(); err != nil {
		t.Fatal(err)
	}
	dev.SetInput(pidwheel.Input{Steer: 0x8000})
	return dev
}

// twoNm is a configuration for a wheel of 2 N·m, of which 1 is asked before its sign is
// measured.
func twoNm() Config {
	cfg := DefaultConfig()
	cfg.FullNm = 2
	return cfg
}

// The wheel's own effects are there while the rig is live and pushes, at their share of
// what may be asked for.
func TestVMOwnEffectsGoLimp(t *testing.T) {
	dev := direct(t, pidwheel.Options{})
	cfg := twoNm()
	cfg.Damper, cfg.Spring = 0.5, 0.2
	w := start(t, cfg)
	present(t, w, true)
	turning, right, left := pidwheel.Motion{Speed: 0.5}, pidwheel.Motion{Position: 1}, pidwheel.Motion{Position: -1}
	for _, c := range []struct {
		name           string
		live           bool
		allow          float64 // N·m, of 0.5 that are kept
		push           bool
		damper, spring float64 // of the full force of 2 N·m
	}{
		{"not live", false, 0.5, true, 0, 0},
		{"live", true, 0.5, true, 0.0893, 0.0714},
		{"half allowed", true, 0.25, true, 0.0446, 0.0357},
		{"live again after a pause", true, 0.5, true, 0.0893, 0.0714},
		{"not allowed", true, 0, true, 0, 0},
		{"live once more", true, 9, true, 0.0893, 0.0714},
		{"nobody pushes", true, 9, false, 0, 0},
	} {
		w.EnableEffects(c.live)
		w.LimitEffects(c.allow)
		for range 200 {
			if c.push {
				w.Push(0)
			}
			time.Sleep(time.Millisecond)
		}
		damper, spring, other := dev.Force(mono.Now(), turning), dev.Force(mono.Now(), right), dev.Force(mono.Now(), left)
		if math.Abs(damper-c.damper) > 0.001 || math.Abs(spring-c.spring) > 0.001 || other < -c.spring-0.001 || other > -c.spring/2+0.001 {
			t.Errorf("%s: damper %.4f, spring %.4f, %.4f to the left, want %.4f, %.4f and no more to the left, at least half", c.name, damper, spring, other, c.damper, c.spring)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(50 * time.Millisecond)
	if n := dev.Effects(); n != 0 {
		t.Errorf("%d effects left in the wheel", n)
	}
}

// A wheel that takes a report each 20 ms gets no more, and the newest of all forces.
func TestVMNoQueueOfStaleForces(t *testing.T) {
	dev := direct(t, pidwheel.Options{Interval: 20 * time.Millisecond, AnswerTime: 20 * time.Millisecond})
	w := start(t, twoNm())
	present(t, w, true)
	dev.Reports()
	for i := range 500 {
		w.Push(0.8 * math.Sin(float64(i)/30))
		time.Sleep(time.Millisecond)
	}
	last := mono.Now()
	for range 100 {
		w.Push(-0.6)
		time.Sleep(time.Millisecond)
	}
	var sent int
	var there time.Duration
	for _, r := range dev.Reports() {
		if r.Kind != pidwheel.SetConstant {
			continue
		}
		sent++
		if there == 0 && r.At > last && math.Abs(math.Abs(r.Level)-0.3) < 0.001 {
			there = r.At - last
		}
	}
	t.Logf("figure: wheel of one report in 20 ms: %d forces in 0.6 s, the newest after %v, at most %.0f a second, %.2f ms each",
		sent, there, w.Status().MaxHz, w.Status().UpdateMs)
	if sent > 35 || there == 0 || there > 90*time.Millisecond {
		t.Errorf("%d forces in 0.6 s, the newest after %v; want 35 and 90 ms at most", sent, there)
	}
}

// The kernel would hide movements of up to 255 counts.
func TestVMSmallMovementsAreSeen(t *testing.T) {
	dev := direct(t, pidwheel.Options{})
	w := start(t, twoNm())
	present(t, w, true)
	var s Sample
	for _, counts := range []uint16{0x8000, 0x8000 - 20, 0x8000 - 22} {
		dev.SetInput(pidwheel.Input{Steer: counts})
		time.Sleep(20 * time.Millisecond)
		want := (0x8000 - float64(counts)) / 0xffff * 900 * math.Pi / 180
		if w.Poll(&s); math.Abs(s.Angle-want) > 1.5e-4 {
			t.Errorf("%d counts: %.6f rad, want %.6f", counts, s.Angle, want)
		}
	}
}

// An unknown wheel counts as one once it has its force, which comes after its
// node: its buttons are heard then without another plug.
func TestVMButtonsOfALateWheel(t *testing.T) {
	wait := listen(t, Buttons{Reset: "BTN_TRIGGER"})
	dev := direct(t, pidwheel.Options{AnswerTime: 900 * time.Millisecond}) // and so long without its force
	from, looks := now(), 0
	wait(func(e Edges) bool {
		in := pidwheel.Input{Steer: 0x8000}
		if looks++; looks/20%2 == 1 {
			in.Buttons = 1 // pressed again and again: one that is held at first counts for nothing
		}
		dev.SetInput(in)
		return e.Pressed.Has(Reset)
	})
	t.Logf("figure: an unknown wheel: buttons heard %v after its node", now()-from)
	dev.SetInput(pidwheel.Input{Steer: 0x8000})
	wait(func(e Edges) bool { return e.Down == 0 })
}
