package wheel

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"rig/calib"
	"rig/internal/evdev"
)

// sentEffect is an effect as the kernel reads it: struct ff_effect of linux/input.h.
type sentEffect struct {
	kind      uint16
	direction uint16
	length    uint16 // [ms]; 0 is for ever
	level     int16  // of a constant force
	coeff     int16  // of a condition, to the right
	plays     int
}

// fakeForce is a device that holds effects and notes what is done to them.
type fakeForce struct {
	slots   []int16 // free, in the order in which they are given out
	effects map[int16]sentEffect
	calls   []string
	fails   string // the call that fails
	onWait  func()
}

func newFakeForce() *fakeForce {
	return &fakeForce{slots: []int16{0, 1, 2, 3, 4}, effects: map[int16]sentEffect{}}
}

// words returns e as 16-bit words, of which the second is its slot.
func words(e evdev.Effect) *[24]uint16 {
	switch e := e.(type) {
	case *evdev.Constant:
		return (*[24]uint16)(unsafe.Pointer(e))
	case *evdev.Condition:
		return (*[24]uint16)(unsafe.Pointer(e))
	case *evdev.Periodic:
		return (*[24]uint16)(unsafe.Pointer(e))
	}
	panic("an effect of another kind")
}

func (f *fakeForce) note(format string, args ...any) error {
	call := fmt.Sprintf(format, args...)
	f.calls = append(f.calls, call)
	if f.fails != "" && strings.HasPrefix(call, f.fails) {
		return errors.New(call + " refused")
	}
	return nil
}

func (f *fakeForce) Upload(e evdev.Effect) error {
	w := words(e)
	if int16(w[1]) < 0 {
		w[1], f.slots = uint16(f.slots[0]), f.slots[1:]
	}
	slot := int16(w[1])
	f.effects[slot] = sentEffect{kind: w[0], direction: w[2], length: w[5], level: int16(w[8]), coeff: int16(w[10]), plays: f.effects[slot].plays}
	return f.note("upload %d", slot)
}

func (f *fakeForce) Play(e evdev.Effect) error {
	slot := int16(words(e)[1])
	s := f.effects[slot]
	s.plays++
	f.effects[slot] = s
	return f.note("play %d", slot)
}

func (f *fakeForce) Stop(e evdev.Effect) error { return f.note("stop %d", int16(words(e)[1])) }

func (f *fakeForce) Erase(e evdev.Effect) error {
	w := words(e)
	slot := int16(w[1])
	delete(f.effects, slot)
	w[1] = 0xffff
	return f.note("erase %d", slot)
}

func (f *fakeForce) Effects() (int, error)      { return len(f.slots), nil }
func (f *fakeForce) Gain(v float64) error       { return f.note("gain %g", v) }
func (f *fakeForce) Autocenter(v float64) error { return f.note("autocenter %g", v) }

func (f *fakeForce) Wait(*evdev.Bell, time.Duration) error {
	if f.onWait != nil {
		f.onWait()
	}
	return f.note("wait")
}

func (f *fakeForce) KeepAlone(*evdev.Bell) error { return f.note("alone") }
func (f *fakeForce) Close() error                { return f.note("close") }

// allEffects is what a wheel with everything tells the kernel.
var allEffects = []string{"FF_CONSTANT", "FF_SPRING", "FF_DAMPER", "FF_FRICTION", "FF_PERIODIC", "FF_SINE"}

// armed returns a session at a fake device of 20 N·m that may give 4, ready for forces.
func armed(t *testing.T, driverName string, f *fakeForce) *session {
	t.Helper()
	none := func(string) (string, error) { return "", fs.ErrNotExist }
	w := &Wheel{}
	s := &session{
		info: evdev.Info{FFEffects: allEffects, Driver: driverName}, node: f, drv: drivers[driverName],
		attrs: attrs{read: none}, lim: limits{full: 20, rated: 4, slew: 1e6, sign: 1},
		box: &w.box, writes: &w.writes, live: &w.live, tremor: &w.tremor, ended: make(chan struct{}), log: quiet(),
	}
	if err := s.arm(); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestTheForceIsSentWithADeadMan(t *testing.T) {
	f := newFakeForce()
	s := armed(t, "logitech", f)
	if got := f.effects[0]; got != (sentEffect{kind: 0x52, direction: 0x4000, length: 60}) {
		t.Errorf("the force is armed as %+v, want a constant of 60 ms and level 0", got)
	}
	if want := []string{"autocenter 0", "gain 1"}; !slices.Equal(f.calls[:2], want) {
		t.Errorf("%v, want first of all %v", f.calls, want)
	}
	f.calls = nil
	if err := s.send(order{upload: true, play: true, level: -0x1234}); err != nil {
		t.Fatal(err)
	}
	if got := f.effects[0]; got.level != -0x1234 || got.length != 60 || !slices.Equal(f.calls, []string{"upload 0", "play 0"}) {
		t.Errorf("%v leaves %+v", f.calls, got)
	}
	if s.writes.Load() != 1 {
		t.Errorf("%d writes counted", s.writes.Load())
	}
}

// See armGuard: only drivers on ff-memless need it, and only behind the force's slot.
func TestAnEndlessEffectOfNothingGuardsTheForce(t *testing.T) {
	for _, c := range []struct {
		name, driver string
		slots        []int16
		want         []string
		notes        int
	}{
		{"on ff-memless", "logitech", []int16{0, 1}, []string{"upload 0", "upload 1", "play 1"}, 0},
		{"another driver", "hid-pidff", []int16{0, 1}, []string{"upload 0"}, 0},
		{"a slot before the force's", "logitech", []int16{2, 1}, []string{"upload 2", "upload 1", "erase 1"}, 1},
	} {
		f := newFakeForce()
		f.slots = c.slots
		s := armed(t, c.driver, f)
		if got := f.calls[2:]; !slices.Equal(got, c.want) || len(s.lim.notes) != c.notes {
			t.Errorf("%s: %v, notes %q", c.name, got, s.lim.notes)
		}
		if guard, ok := f.effects[1]; ok && (guard.level != 0 || guard.length != 0) {
			t.Errorf("%s: the guard is %+v, want endless and of level 0", c.name, guard)
		}
	}
}

// The wheel's own effects get the share of its strength that the force may have, and end
// when they are not played again.
func TestOwnEffectsAreSentWithTheWheelsShare(t *testing.T) {
	f := newFakeForce()
	s := armed(t, "hid-pidff", f)
	s.addOwn(Config{Spring: 0.5, Damper: 1, Friction: 0.25, Vibration: 1})
	for slot, want := range map[int16]sentEffect{
		1: {kind: evdev.Spring, direction: 0x4000, length: 100, level: 6554, coeff: 3277}, // 0.5 of 4 of 20 N·m
		2: {kind: evdev.Damper, direction: 0x4000, length: 100, level: 13107, coeff: 6553},
		3: {kind: evdev.Friction, direction: 0x4000, length: 100, level: 3277, coeff: 1638},
	} {
		got := f.effects[slot]
		got.level = want.level // of a condition: saturation
		if got != want {
			t.Errorf("slot %d: %+v, want %+v", slot, got, want)
		}
	}
	if s.vibration.most != 1 || s.lim.rated != 3 {
		t.Errorf("%g N·m are kept for the vibration, %g for the force, want 1 of 4", s.vibration.most, s.lim.rated)
	}
}

func TestOwnEffectsPlayWhileTheCarMoves(t *testing.T) {
	f := newFakeForce()
	s := armed(t, "hid-pidff", f)
	s.addOwn(Config{Spring: 1, Damper: 1})
	for _, c := range []struct {
		at   time.Duration
		on   bool
		want string
	}{
		{0, false, ""}, {1, true, "play 1 play 2"}, {40, true, ""}, {41, true, "play 1 play 2"}, {50, false, "stop 1 stop 2"},
		{200, false, ""}, {201, true, "play 1 play 2"},
	} {
		f.calls = nil
		if err := s.tend(c.at*ms, c.on); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(f.calls, " "); got != c.want {
			t.Errorf("at %d ms, on %v: %q, want %q", c.at, c.on, got, c.want)
		}
	}
}

// Whatever ends the writer, the device is left without a force and without effects.
func TestTheWriterTakesItsEffectsAway(t *testing.T) {
	for _, fails := range []string{"", "upload", "play 0", "wait"} {
		f := newFakeForce()
		s := armed(t, "logitech", f)
		s.addOwn(Config{Spring: 1, Vibration: 1})
		s.live.Store(true)
		f.fails, f.calls = fails, nil
		waits := 0
		f.onWait = func() {
			s.box.put(1)
			waits++
			s.stop.Store(waits == 20)
		}
		go s.write()
		<-s.ended
		last := strings.Join(f.calls[max(len(f.calls)-8, 0):], ", ")
		if want := "upload 0, play 0, stop 0, erase 0, erase 1, erase 2, erase 3, close"; len(f.effects) > 0 || last != want {
			t.Errorf("%q fails: %d effects are left, the end was %s, want %s", fails, len(f.effects), last, want)
		}
		if fails != "" && waits > 1 {
			t.Errorf("%q fails: the writer went on for %d waits", fails, waits)
		}
	}
}

// fakeInput is a device's position.
type fakeInput struct {
	inputNode
	reported bool
	abs      map[uint16]int32
	gone     bool
}

func (f *fakeInput) Reported() bool        { return f.reported }
func (f *fakeInput) Abs(code uint16) int32 { return f.abs[code] }

func (f *fakeInput) Update() error {
	if f.gone {
		return evdev.ErrGone
	}
	return nil
}

func TestTheAngleIsOfTheSteeringAxis(t *testing.T) {
	in := &fakeInput{abs: map[uint16]int32{evdev.AbsX: 0, evdev.AbsWheel: 16384, 2: 60000}}
	s := &session{input: in, axis: evdev.AbsWheel, profile: calib.WheelProfile{Left: 0, Right: 65535, Center: 32768, RangeDeg: 900}}
	if got := s.angle(); got != 0 {
		t.Errorf("%g rad before the first report, want straight ahead", got)
	}
	in.reported = true
	if got, want := s.angle(), 225*math.Pi/180; math.Abs(got-want) > 1e-3 {
		t.Errorf("%g rad a quarter of the way from the left lock, want %g, positive to the left", got, want)
	}
}

// A wheel that goes is absent in the same tick, and its torque rating with it.
func TestAWheelThatGoesIsAbsentAtOnce(t *testing.T) {
	w := New(DefaultConfig(), calib.Store{Dir: t.TempDir()}, quiet())
	defer w.Close()
	in := &fakeInput{reported: true, abs: map[uint16]int32{evdev.AbsX: 0}}
	s := &session{input: in, axis: evdev.AbsX, profile: calib.WheelProfile{Left: 0, Right: 65535, Center: 32768, RangeDeg: 900}}
	w.rated.Store(math.Float64bits(4))
	w.current.Store(s)
	var got Sample
	if w.Poll(&got); !got.Present || math.Abs(got.Angle-450*math.Pi/180) > 1e-3 {
		t.Fatalf("%+v at the left lock", got)
	}
	in.gone = true
	angle := got.Angle
	if w.Poll(&got); got.Present || got.Angle != angle || w.Rated() != 0 || !s.stop.Load() {
		t.Errorf("%+v with %g N·m after it went, writer ends: %v", got, w.Rated(), s.stop.Load())
	}
}

// The wheel's own sine ends by itself, and with the car's motion.
func TestTheSineIsSentWithADeadMan(t *testing.T) {
	f := newFakeForce()
	s := armed(t, "hid-pidff", f)
	s.addOwn(Config{Vibration: 1}) // 1 of 4 N·m, of 20 at full force
	if e := f.effects[1]; e.kind != evdev.Waves || e.level != int16(evdev.Sine) {
		t.Fatalf("slot 1 holds %+v, want a sine", e)
	}
	for _, c := range []struct {
		at    time.Duration
		nm    float64
		on    bool
		calls string
	}{
		{0, 0.5, false, ""},
		{10, 0.5, true, "upload 1 play 1"},
		{20, 0.5, true, ""},
		{60, 0.5, true, "play 1"},
		{70, 0.5, false, "stop 1"},
		{80, 0.5, false, ""},
		{200, math.NaN(), true, ""},
	} {
		f.calls = nil
		s.tremor.put(c.nm, 20)
		if _, err := s.vibrate(c.at*ms, c.on); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(f.calls, " "); got != c.calls {
			t.Errorf("at %d ms: %q, want %q", c.at, got, c.calls)
		}
	}
	w := words(&s.sine)
	if length, period, peak := w[5], w[9], w[10]; length != 110 || period != 50 || peak != 819 { // 0.5 of 20 N·m
		t.Errorf("a sine of %d ms, period %d ms, peak %d, want 110, 50, 819", length, period, peak)
	}
}
