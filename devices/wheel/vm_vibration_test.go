package wheel

import (
	"fmt"
	"math"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"rig.example/rig/test/vm/mono"
	"rig.example/rig/test/vm/pidwheel"
)

// vibrating is a wheel of 2 N·m, 1 of them allowed, with all the vibration that it may
// have: a peak of 0.25 N·m, an eighth of its full force.
func vibrating(t *testing.T, o pidwheel.Options) (*pidwheel.Wheel, *Wheel) {
	t.Helper()
	dev := direct(t, o)
	cfg := twoNm()
	cfg.Vibration = 1
	w := start(t, cfg)
	present(t, w, true)
	w.LimitEffects(1)
	return dev, w
}

// shake pushes and shakes once a millisecond for d.
func shake(w *Wheel, nm, peak, hz float64, d time.Duration) {
	for end := now() + d; now() < end; time.Sleep(time.Millisecond) {
		w.Vibrate(peak, hz)
		w.Push(nm)
	}
}

// strongest is the largest force of the motor within the next 0.2 s if no further order comes.
func strongest(dev *pidwheel.Wheel) (peak float64) {
	at := mono.Now()
	for ahead := time.Duration(0); ahead < 200*time.Millisecond; ahead += 100 * time.Microsecond {
		peak = max(peak, math.Abs(dev.Force(at+ahead, pidwheel.Motion{})))
	}
	return peak
}

// sineReports are the reports for the slot that the sine has.
func sineReports(dev *pidwheel.Wheel, slot *byte) (list []pidwheel.Report) {
	for _, r := range dev.Reports() {
		if r.Kind == pidwheel.SetPeriodic {
			*slot = r.Slot
		}
		if *slot != 0 && r.Slot == *slot {
			list = append(list, r)
		}
	}
	return list
}

// The sine is there while the rig is live, pushes and asks for it, as strong and as fast
// as asked within what is allowed, and outlasts no fault.
func TestVMVibration(t *testing.T) {
	dev, w := vibrating(t, pidwheel.Options{})
	if w.MaxVibration() != 0.25 || w.Rated() != 0.75 {
		t.Errorf("%g N·m for the sine and %g for the force, want 0.25 and 0.75", w.MaxVibration(), w.Rated())
	}
	const ms = time.Millisecond
	var slot byte
	var wave pidwheel.Periodic // as told last
	var timing pidwheel.Timing
	for _, c := range []struct {
		name           string
		live           bool
		push           float64
		nm, hz         float64 // asked for
		peak           float64 // of the full force
		period, length time.Duration
	}{
		{"not live", false, 0, 0.2, 20, 0, 0, 0},
		{"live", true, 0, 0.2, 20, 0.1, 50 * ms, 110 * ms},
		{"more than allowed", true, 0, 9, 30, 0.125, 33 * ms, 126 * ms},
		{"too quick", true, 0, 0.1, 400, 0.05, 10 * ms, 110 * ms},
		{"slow", true, 0, 0.1, 5, 0.05, 200 * ms, 260 * ms},
		{"not live any more", false, 0, 0.2, 20, 0, 0, 0},
		{"live once more", true, 0, 0.2, 20, 0.1, 50 * ms, 110 * ms},
		{"a fault", true, math.NaN(), 0.2, 20, 0, 0, 0},
		{"cleared", true, 0, 0.2, 20, 0.1, 50 * ms, 110 * ms},
		{"not asked for", true, 0, 0, 20, 0, 0, 0},
		{"as before", true, 0, 0.2, 20, 0.1, 50 * ms, 110 * ms},
	} {
		w.ClearFault()
		w.EnableEffects(c.live)
		shake(w, c.push, c.nm, c.hz, 300*ms)
		if got := strongest(dev); math.Abs(got-c.peak) > 0.001 {
			t.Errorf("%s: a peak of %.4f, want %.4f", c.name, got, c.peak)
		}
		for _, r := range sineReports(dev, &slot) {
			switch r.Kind {
			case pidwheel.SetPeriodic:
				wave = r.Periodic
			case pidwheel.SetEffect:
				timing = r.Timing
			}
		}
		if c.peak != 0 && (math.Abs(wave.Magnitude-c.peak) > 0.001 || wave.Period != c.period || timing.Length != c.length) {
			t.Errorf("%s: told a peak of %.4f each %v for %v, want %.4f, %v and %v",
				c.name, wave.Magnitude, wave.Period, timing.Length, c.peak, c.period, c.length)
		}
	}
	time.Sleep(300 * ms) // nobody pushes
	if got := strongest(dev); got != 0 {
		t.Errorf("a peak of %.4f while nobody pushes", got)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(50 * ms)
	if n := dev.Effects(); n != 0 {
		t.Errorf("%d effects left in the wheel", n)
	}
}

// How soon the sine ends, whatever ends it.
func TestVMVibrationEndsAtOnce(t *testing.T) {
	dev, w := vibrating(t, pidwheel.Options{})
	for _, c := range []struct {
		name string
		end  func()
	}{
		{"not live", func() { w.EnableEffects(false) }},
		{"not asked for", func() { w.Vibrate(0, 40) }},
		{"a fault", func() { w.Push(math.NaN()) }},
	} {
		var slot byte
		w.ClearFault()
		w.EnableEffects(true)
		for hz := range 2 { // another frequency, so that its slot is seen
			shake(w, 0.1, 0.2, 20+20*float64(hz), 300*time.Millisecond)
		}
		sineReports(dev, &slot)
		from := now()
		c.end()
		drive(w, 0.1, 100*time.Millisecond)
		ended := time.Duration(0)
		for _, r := range sineReports(dev, &slot) {
			switch {
			case r.Kind == pidwheel.Stop && r.At > from && ended == 0:
				ended = r.At - from
			case r.Kind == pidwheel.Start && ended != 0:
				t.Errorf("%s: started again", c.name)
			}
		}
		t.Logf("figure: %s -> the sine's stop report: %v", c.name, ended)
		if ended == 0 {
			t.Errorf("%s: not stopped within 0.1 s", c.name)
		}
		atMost(t, ended, 10*time.Millisecond)
	}
}

// ages are how old forces were when the wheel took them.
type ages struct {
	taken            int
	mean, worst, gap time.Duration // gap: the longest time without one
}

// forceAges pushes another force each millisecond for 0.6 s, beside a sine that becomes
// ever stronger, so that it is told anew as often as it can be.
func forceAges(dev *pidwheel.Wheel, w *Wheel, hz float64) (a ages) {
	const most, step = 300, 1.0 / 2000 // of the full force of 2 N·m
	shake(w, 0, 0.1, hz, 300*time.Millisecond)
	dev.Reports()
	var pushed [2 * most]time.Duration
	next := now()
	for i := range pushed {
		pushed[i] = now()
		w.Vibrate(0.1+0.0002*float64(i), hz)
		w.Push(float64(i-most) * step * 2)
		next += time.Millisecond
		mono.SleepUntil(next)
	}
	time.Sleep(100 * time.Millisecond)
	last := pushed[0]
	for _, r := range dev.Reports() {
		i := int(math.Round(r.Level/step)) + most
		if r.Kind != pidwheel.SetConstant || i < 0 || i >= len(pushed) || r.At < pushed[i] || r.At > next {
			continue
		}
		age := r.At - pushed[i]
		a = ages{a.taken + 1, a.mean + age, max(a.worst, age), max(a.gap, r.At-last)}
		last = r.At
	}
	a.mean /= time.Duration(max(a.taken, 1))
	return a
}

// The force goes on coming while the sine is told anew, and waits in no queue; a wheel
// that takes too few reports for both has the force alone.
func TestVMForceBesideVibration(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		interval   time.Duration // of its reports
		taken      int           // forces in 0.6 s, at least
		worst, gap time.Duration // at most; in a queue forces would become older and older
		room       float64       // for the sine [N·m]
	}{
		{ms, 240, 8 * ms, 10 * ms, 0.25},
		{4 * ms, 80, 10 * ms, 24 * ms, 0.25},
		{20 * ms, 12, 30 * ms, 50 * ms, 0},
	} {
		t.Run(fmt.Sprint(c.interval), func(t *testing.T) {
			dev, w := vibrating(t, pidwheel.Options{Interval: c.interval})
			w.EnableEffects(true)
			if w.MaxVibration() != c.room {
				t.Errorf("room for a sine of %g N·m, want %g", w.MaxVibration(), c.room)
			}
			for _, hz := range []float64{0, 30} {
				a := forceAges(dev, w, hz)
				t.Logf("figure: a report each %v, sine of %g Hz: %d forces in 0.6 s, age mean %v, worst %v; at most %v without", c.interval, hz, a.taken, a.mean, a.worst, a.gap)
				if a.taken < c.taken {
					t.Errorf("%d forces in 0.6 s, want %d", a.taken, c.taken)
				}
				atMost(t, a.worst, c.worst)
				atMost(t, a.gap, c.gap)
			}
		})
	}
}

// A process that ends, or that only sleeps, lets the sine end too.
func TestVMLimpAfterVibrationOfAKilledProcess(t *testing.T) {
	for _, c := range []struct {
		name   string
		signal unix.Signal
		limit  time.Duration
	}{{"SIGSTOP", unix.SIGSTOP, 300 * time.Millisecond}, {"SIGKILL", unix.SIGKILL, 20 * time.Millisecond}} {
		t.Run(c.name, func(t *testing.T) {
			dev := direct(t, pidwheel.Options{})
			t.Setenv(shakeVariable, "0.2")
			p := spawn(t, 0.1)
			for from := now(); strongest(dev) < 0.099; time.Sleep(10 * time.Millisecond) {
				if now() > from+5*time.Second {
					t.Fatalf("after 5 s force and sine come to %.4f, want at least 0.1", strongest(dev))
				}
			}
			time.Sleep(300 * time.Millisecond)
			from := now()
			if err := p.Signal(c.signal); err != nil {
				t.Fatal(err)
			}
			rest := from
			for at := from; at < from+500*time.Millisecond; at = now() {
				if dev.Force(at, pidwheel.Motion{}) != 0 {
					rest = at
				}
				time.Sleep(time.Millisecond)
			}
			t.Logf("figure: %s -> force and sine of 5 Hz ended: %v; %d effects left", c.name, rest-from, dev.Effects())
			atMost(t, rest-from, c.limit)
			if c.signal == unix.SIGKILL && dev.Effects() != 0 {
				t.Errorf("%d effects left in the wheel", dev.Effects())
			}
		})
	}
}
