package wheel

import (
	"errors"
	"fmt"
	"log/slog"
	"math"
	"strings"
	"testing"
	"time"

	"rig.example/rig/calib"
	"rig.example/rig/internal/kit/evdev"
)

// strongVibration is one of a wheel of 4 N·m at full force, with a room of 1 N·m.
func strongVibration() vibration { return vibration{full: 4, maxPeak: 1} }

func TestPeakOfAVibration(t *testing.T) {
	for _, c := range []struct {
		name string
		v    vibration
		nm   float64
		want int16
	}{
		{"half of the room", strongVibration(), 0.5, 4095},
		{"the whole room", strongVibration(), 1, 8191},
		{"more than the room", strongVibration(), 9, 8191},
		{"infinite", strongVibration(), math.Inf(1), 8191},
		{"negative", strongVibration(), -1, 0},
		{"NaN", strongVibration(), math.NaN(), 0},
		{"a wheel without a sine", vibration{full: 4}, 1, 0},
		{"a wheel without force", vibration{}, 1, 0},
	} {
		if got := c.v.level(c.nm); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// Force and vibration together never ask for more than the wheel may give.
func TestForceAndVibrationStayWithinTheLimit(t *testing.T) {
	for _, c := range []struct{ share, rated, force, peak float64 }{
		{1, 4, 3, 1}, {0.5, 4, 3.5, 0.5}, {0, 4, 4, 0}, {2, 4, 3, 1}, {1, 0, 0, 0},
	} {
		s := &session{limits: limits{full: 8, rated: c.rated, slew: 1e6, sign: 1}}
		s.reserveTorque(0, min(c.share, 1)*vibrationShare)
		l, v := s.limits, s.vibration
		if l.rated != c.force || v.maxPeak != c.peak {
			t.Errorf("%+v: %g N·m for the force and %g for the vibration", c, l.rated, v.maxPeak)
		}
		p := newPacer(driverTraits{ms, 1, false, false, 0, false}, l, 0, 0)
		sum := float64(p.decide(0, 1, 100).level) + float64(v.level(100))
		if most := math.Ceil(c.rated / 8 * fullLevel); sum > most {
			t.Errorf("%+v: levels of %g in sum, at most %g", c, sum, most)
		}
	}
}

func TestPeriodsOfAVibration(t *testing.T) {
	for _, c := range []struct {
		hz   float64
		want time.Duration
	}{{20, 50 * ms}, {30, 33 * ms}, {100, 10 * ms}, {1e9, 10 * ms}, {5, 200 * ms}, {1e-9, 200 * ms}, {math.Inf(1), 10 * ms}} {
		if got := periodOf(c.hz); got != c.want {
			t.Errorf("%g Hz: %v, want %v", c.hz, got, c.want)
		}
	}
}

// It is started after whole periods alone, at most 20 times a second, and uploaded only
// when it changes.
func TestVibrationKeepsItsPace(t *testing.T) {
	for _, c := range []struct {
		name           string
		hz             float64
		change         bool
		starts, upload int // in a second
	}{
		{"steady, 20 Hz", 20, false, 20, 1},
		{"steady, 100 Hz", 100, false, 20, 1},
		{"steady, 30 Hz", 30, false, 16, 1}, // every 66 ms
		{"steady, 5 Hz", 5, false, 5, 1},
		{"ever stronger", 25, true, 13, 13}, // every 80 ms
	} {
		v, starts, uploads, last := strongVibration(), 0, 0, time.Duration(-1)
		for at := time.Duration(0); at < time.Second; at += ms {
			nm := 0.5
			if c.change {
				nm += 0.4 * at.Seconds()
			}
			o := v.decide(at, nm, c.hz)
			if o.upload {
				uploads++
			}
			if !o.play {
				continue
			}
			starts++
			if last >= 0 && ((at-last)%v.period != 0 || at-last < vibrationInterval) {
				t.Errorf("%s: started after %v at a period of %v", c.name, at-last, v.period)
			}
			if v.length <= v.nextChange-at || v.length > 260*ms {
				t.Errorf("%s: it lasts %v and is due in %v", c.name, v.length, v.nextChange-at)
			}
			last = at
		}
		if starts != c.starts || uploads != c.upload {
			t.Errorf("%s: %d starts and %d uploads, want %d and %d", c.name, starts, uploads, c.starts, c.upload)
		}
	}
}

func TestVibrationEnds(t *testing.T) {
	v := strongVibration()
	if o := v.decide(0, 0, 20); o != (waveOrder{}) {
		t.Errorf("nothing asked for: %+v", o)
	}
	v.decide(0, 0.5, 20)
	if o := v.decide(10*ms, 0, 20); o != (waveOrder{stop: true}) {
		t.Errorf("ended: %+v, want a stop at once", o)
	}
	if o := v.decide(11*ms, 0, 20); o != (waveOrder{}) {
		t.Errorf("still ended: %+v", o)
	}
	if o := v.decide(20*ms, 0.5, 20); o != (waveOrder{}) {
		t.Errorf("again after 20 ms: %+v, want a rest", o)
	}
	if o := v.decide(50*ms, 0.5, 20); o != (waveOrder{play: true}) {
		t.Errorf("again after 50 ms: %+v, want a start of what is there", o)
	}
	if o := v.decide(60*ms, 0.5, math.NaN()); o != (waveOrder{stop: true}) {
		t.Errorf("no frequency: %+v", o)
	}
}

// Three reports of the sine must leave the force time enough to be renewed.
func TestVibrationNeedsAQuickEndpoint(t *testing.T) {
	sine := evdev.Info{FFEffects: []string{"FF_CONSTANT", "FF_PERIODIC", "FF_SINE"}}
	for _, c := range []struct {
		report time.Duration
		want   string
	}{
		{0, ""}, // not known
		{ms, ""},
		{4 * ms, ""},
		{8 * ms, "it takes one report in 8ms, and the force needs them all"},
		{20 * ms, "it takes one report in 20ms, and the force needs them all"},
	} {
		if got := (&session{info: sine, reportPeriod: c.report}).vibrationRefusal(); got != c.want {
			t.Errorf("a report each %v: %q, want %q", c.report, got, c.want)
		}
	}
}

func TestARefusedSineDoesNotCostTheForce(t *testing.T) {
	s := &session{vibration: strongVibration(), log: slog.New(slog.DiscardHandler)}
	s.vibration.decide(0, 1, 20)
	if err := s.giveUpVibration(fmt.Errorf("upload: %w", evdev.ErrDisconnected)); !errors.Is(err, evdev.ErrDisconnected) || s.vibration.full == 0 {
		t.Errorf("an unplugged wheel: %v", err)
	}
	if err := s.giveUpVibration(errors.New("invalid argument")); err != nil {
		t.Errorf("refused: %v", err)
	}
	if o := s.vibration.decide(ms, 1, 20); o != (waveOrder{stop: true}) {
		t.Errorf("after that: %+v, want a stop", o)
	}
	if o := s.vibration.decide(time.Second, 1, 20); o != (waveOrder{}) {
		t.Errorf("later: %+v, want nothing", o)
	}
}

// What the sine's reports take is waited for, and no longer.
func TestForceMakesWayForTheSine(t *testing.T) {
	p := newPacer(driverTraits{2 * ms, 1, false, false, 0, false}, limits{full: 2, rated: 2, slew: 1e6, sign: 1}, 0, 0)
	p.reportPeriod = 2 * ms
	p.decide(0, 1, 1) // an upload and a play: 4 ms
	p.addReports(0, 0)
	if o := p.decide(3*ms, 2, 1.5); !o.hold || o.wait != ms {
		t.Errorf("nothing was sent: %+v", o)
	}
	p.addReports(3*ms, 3)
	if o := p.decide(9*ms, 3, 1.6); !o.hold || o.wait != ms {
		t.Errorf("3 reports of 2 ms from 4 ms on: %+v", o)
	}
	if o := p.decide(10*ms, 4, 1.7); !o.upload {
		t.Errorf("after them: %+v", o)
	}
}

func TestAVibrationIsHandedOver(t *testing.T) {
	w := New(DefaultConfig(), calib.Store{}, slog.New(slog.DiscardHandler))
	defer w.Close()
	for _, c := range [][2]float64{{0, 0}, {0.5, 20}, {-1, 100}} {
		w.Vibrate(c[0], c[1])
		if got := vibrationOf(w); got != (vibrationRequest{c[0], c[1]}) {
			t.Errorf("%v arrives as %v", c, got)
		}
	}
	w.fault.Store(true)
	w.Vibrate(1, 20)
	if got := vibrationOf(w); got.peak != 0 {
		t.Errorf("%g N·m in a fault", got.peak)
	}
	w.fault.Store(false)
	w.Vibrate(1, 20)
	w.Push(math.NaN())
	if got := vibrationOf(w); got.peak != 0 {
		t.Errorf("%g N·m after a push of NaN", got.peak)
	}
	if w.MaxVibration() != 0 {
		t.Errorf("a wheel that is not there has a room of %g N·m", w.MaxVibration())
	}
}

// vibrationOf returns the newest vibration that the writer gets.
func vibrationOf(w *Wheel) (request vibrationRequest) {
	w.vibration.Get(&request)
	return request
}

func TestVibrationAllocatesNothing(t *testing.T) {
	w, v, at := &Wheel{}, strongVibration(), time.Duration(0)
	if n := testing.AllocsPerRun(1000, func() {
		at += ms
		w.Vibrate(0.5, 20)
		request := vibrationOf(w)
		v.decide(at, request.peak, request.frequency)
	}); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func TestWhatADeviceOffers(t *testing.T) {
	sine := []string{"FF_CONSTANT", "FF_PERIODIC", "FF_SINE"}
	for _, c := range []struct {
		name string
		info evdev.Info
		want string
	}{
		{"all", evdev.Info{Driver: "fanatec", FFEffects: append(sine, "FF_SPRING", "FF_DAMPER", "FF_FRICTION")}, "spring damper friction vibration"},
		{"a sine", evdev.Info{FFEffects: sine}, "vibration"},
		{"other waves", evdev.Info{FFEffects: []string{"FF_CONSTANT", "FF_PERIODIC", "FF_SQUARE"}}, ""},
		{"conditions of the wrong sign", evdev.Info{Vendor: moza, Product: 0x0004, Driver: "hid-generic", FFEffects: append(sine, "FF_SPRING")}, "vibration"},
		{"nothing", evdev.Info{}, ""},
	} {
		if got := strings.Join(DeviceEffects(c.info), " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
