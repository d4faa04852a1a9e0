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

	"rig.example/rig/calib"
	"rig.example/rig/internal/kit/evdev"
)

// sentEffect is an effect as the kernel reads it: struct ff_effect of linux/input.h.
type sentEffect struct {
	kind      uint16
	direction uint16
	length    uint16 // [ms]; 0 is for ever
	level     int16  // of a constant force; a condition's saturation to the right
	left      uint16 // saturation of a condition
	coeff     int16  // of a condition, to the right
	plays     int
}

// fakeForce is a device that holds effects and notes what is done to them.
type fakeForce struct {
	slots   []int16 // free, in the order in which they are given out
	effects map[int16]sentEffect
	calls   []string
	fails   string // the call that fails
	err     error  // with this
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
		return errors.Join(errors.New(call+" refused"), f.err)
	}
	return nil
}

func (f *fakeForce) Upload(e evdev.Effect) error {
	w := words(e)
	slot := int16(w[1])
	if slot < 0 {
		slot = f.slots[0]
	}
	if err := f.note("upload %d", slot); err != nil {
		return err
	}
	if int16(w[1]) < 0 {
		w[1], f.slots = uint16(slot), f.slots[1:]
	}
	f.effects[slot] = sentEffect{kind: w[0], direction: w[2], length: w[5], level: int16(w[8]), left: w[9], coeff: int16(w[10]), plays: f.effects[slot].plays}
	return nil
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

func (f *fakeForce) Wait(*evdev.Waker, time.Duration) error {
	if f.onWait != nil {
		f.onWait()
	}
	return f.note("wait")
}

func (f *fakeForce) OwnByThread(*evdev.Waker) error { return f.note("alone") }
func (f *fakeForce) Close() error                   { return f.note("close") }

// allEffects is what a wheel with everything tells the kernel.
var allEffects = []string{"FF_CONSTANT", "FF_SPRING", "FF_DAMPER", "FF_FRICTION", "FF_PERIODIC", "FF_SINE"}

// armed returns a session at a fake device of 20 N·m that may give 4, ready for forces.
func armed(t *testing.T, driverName string, f *fakeForce) *session {
	t.Helper()
	none := func(string) (string, error) { return "", fs.ErrNotExist }
	w := &Wheel{}
	s := &session{
		info: evdev.Info{FFEffects: allEffects, Driver: driverName}, node: f, driver: driverTable[driverName],
		settings: driverSettings{read: none}, limits: limits{full: 20, rated: 4, slew: 1e6, sign: 1, isKnown: true},
		torque: &w.torque, updatesSent: &w.updatesSent, effectsEnabled: &w.effectsEnabled, effectLimit: &w.effectLimit, effectTorque: &w.effectTorque, requestedVibration: &w.vibration, ended: make(chan struct{}), clock: monotonic, log: quiet(),
	}
	if err := s.armForce(); err != nil {
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
	if err := s.sendForce(sendOrder{upload: true, play: true, level: -0x1234}); err != nil {
		t.Fatal(err)
	}
	if got := f.effects[0]; got.level != -0x1234 || got.length != 60 || !slices.Equal(f.calls, []string{"upload 0", "play 0"}) {
		t.Errorf("%v leaves %+v", f.calls, got)
	}
	if s.updatesSent.Load() != 1 {
		t.Errorf("%d writes counted", s.updatesSent.Load())
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
		if got := f.calls[2:]; !slices.Equal(got, c.want) || len(s.limits.notes) != c.notes {
			t.Errorf("%s: %v, notes %q", c.name, got, s.limits.notes)
		}
		if guard, ok := f.effects[1]; ok && (guard.level != 0 || guard.length != 0) {
			t.Errorf("%s: the guard is %+v, want endless and of level 0", c.name, guard)
		}
	}
}

// The wheel's own effects get at most half of what the force may have, each with a dead-man,
// and nothing is felt of them before they are allowed.
func TestOwnEffectsAreSentWithinTheWheelsShare(t *testing.T) {
	f := newFakeForce()
	s := armed(t, "hid-pidff", f)
	s.addOwnEffects(Config{Spring: 0.5, Damper: 1, Friction: 0.25, Vibration: 1}) // 2 of 4 N·m
	if s.ownEffects.reservedTorque != 1.75 || s.vibration.maxPeak != 0.25 || s.limits.rated != 2 {
		t.Errorf("%g N·m are kept for conditions, %g for the vibration, %g for the force", s.ownEffects.reservedTorque, s.vibration.maxPeak, s.limits.rated)
	}
	for slot, kind := range map[int16]uint16{1: evdev.FFSpring, 2: evdev.FFDamper, 3: evdev.FFFriction} {
		if got := f.effects[slot]; got.kind != kind || got.length != 100 || got.level != 1 || got.coeff != 0 {
			t.Errorf("slot %d is prepared as %+v, want the least saturation, which is not 0", slot, got)
		}
	}
	if _, err := s.setOwnEffects(0, ownSteps); err != nil {
		t.Fatal(err)
	}
	for slot, want := range map[int16]sentEffect{
		1: {level: 1638, left: 819, coeff: 819}, // 0.5 of 20 N·m
		2: {level: 3276, left: 1638, coeff: 1638},
		3: {level: 819, left: 409, coeff: 409},
	} {
		if got := f.effects[slot]; got.level != want.level || got.left != want.left || got.coeff != want.coeff {
			t.Errorf("slot %d: %+v, want %+v", slot, got, want)
		}
	}
}

// What no limit holds for is not offered.
func TestOwnEffectsThatCannotBeBoundedAreRefused(t *testing.T) {
	for _, c := range []struct {
		name, driver string
		edit         func(*session)
		why          string
	}{
		{"a driver that drops the bound", "simagic-ff", func(*session) {}, "does not bound it"},
		{"an unknown driver", "wheel-of-tomorrow", func(*session) {}, "does not bound it"},
		{"an unknown torque", "hid-pidff", func(s *session) { s.limits.isKnown = false }, "torque is not known"},
		{"a slow device", "hid-pidff", func(s *session) { s.reportPeriod = 20 * ms }, "one report in 20ms"},
	} {
		s := armed(t, c.driver, newFakeForce())
		c.edit(s)
		s.addOwnEffects(Config{Spring: 1})
		if len(s.ownEffects.list) != 0 || s.limits.rated != 4 || !strings.Contains(strings.Join(s.limits.notes, "; "), c.why) {
			t.Errorf("%s: %d effects, %g N·m for the force, notes %q", c.name, len(s.ownEffects.list), s.limits.rated, s.limits.notes)
		}
	}
}

func TestOwnEffectsPlayWhileTheyAreAllowed(t *testing.T) {
	f := newFakeForce()
	s := armed(t, "hid-pidff", f)
	s.addOwnEffects(Config{Spring: 0.25, Damper: 0.25}) // 2 N·m together
	s.effectsEnabled.Store(true)
	p := newPacer(s.driver, s.limits, 0, 0)
	for _, c := range []struct {
		at    time.Duration
		alive bool
		nm    float64
		busy  bool
		want  string
	}{
		{0, true, 0, false, ""},
		{1, true, 0.1, false, ""}, // less than a step
		{2, true, 1, true, ""},
		{3, true, 1, false, "upload 1 upload 2 play 1 play 2"},
		{42, true, 1, false, ""},
		{43, true, 1, false, "play 1 play 2"},
		{44, true, 2, false, ""},                   // sooner than a device likes
		{60, true, 2, false, "upload 1 upload 2"},  // not yet to be renewed
		{61, true, 0.7, true, "upload 1 upload 2"}, // weaker at once
		{62, true, 0, true, "stop 1 stop 2"},
		{200, true, 2, false, "upload 1 upload 2 play 1 play 2"},
		{201, false, 2, false, "stop 1 stop 2"},
		{300, true, math.NaN(), false, ""},
		{400, true, math.Inf(1), false, "upload 1 upload 2 play 1 play 2"},
	} {
		f.calls = nil
		p.isFresh = c.alive
		s.effectLimit.Store(c.nm)
		if err := s.updateOwnEffects(time.Second+c.at*ms, &p, c.busy); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(f.calls, " "); got != c.want {
			t.Errorf("at %d ms, %g N·m: %q, want %q", c.at, c.nm, got, c.want)
		}
		if own := s.effectTorque.Load(); own > max(c.nm, 0) {
			t.Errorf("at %d ms they may add up to %g N·m of %g", c.at, own, c.nm)
		}
	}
}

// Whatever ends the writer, the device is left without a force and without effects.
func TestTheWriterTakesItsEffectsAway(t *testing.T) {
	for _, fails := range []string{"", "upload", "play 0", "wait"} {
		f := newFakeForce()
		s := armed(t, "logitech", f)
		s.addOwnEffects(Config{Spring: 1, Vibration: 1})
		s.effectsEnabled.Store(true)
		f.fails, f.calls = fails, nil
		waits := 0
		torque := 1.0
		f.onWait = func() {
			s.torque.Put(&torque)
			waits++
			s.stop.Store(waits == 20)
		}
		go s.runWriter()
		<-s.ended
		calls := strings.Join(f.calls, ", ")
		want := "upload 0, play 0, stop 0, erase 0, erase 1, erase 2, erase 3"
		if _, after, ok := strings.Cut(calls, want); !ok || len(f.effects) > 0 || strings.Trim(strings.ReplaceAll(after, "wait", ""), ", ") != "close" {
			t.Errorf("%q fails: %d effects are left after %s, want %s and nothing but waits before the close", fails, len(f.effects), calls, want)
		}
	}
}

// fakeInput is a device's position.
type fakeInput struct {
	inputNode
	reported bool
	abs      map[uint16]int32
	gone     bool
	released bool
	events   []evdev.Event
	lost     bool // before the next event
}

func (f *fakeInput) EventEnd() uint64 { return uint64(len(f.events)) }

func (f *fakeInput) NextEvent(at *uint64) (*evdev.Event, bool) {
	switch {
	case f.lost:
		f.lost, *at = false, f.EventEnd()
		return nil, true
	case *at == f.EventEnd():
		return nil, false
	}
	*at++
	return &f.events[*at-1], false
}

// report tells of an axis as the kernel does.
func (f *fakeInput) report(code uint16, value int32) {
	f.abs[code] = value
	f.events = append(f.events, evdev.Event{Type: evdev.EvAbs, Code: code, Value: value})
}

func (f *fakeInput) Reported() bool        { return f.reported }
func (f *fakeInput) Abs(code uint16) int32 { return f.abs[code] }

func (f *fakeInput) Update() error {
	if f.gone {
		return evdev.ErrDisconnected
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
	w.rated.Store(4)
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
	s.addOwnEffects(Config{Vibration: 1}) // 1 of 4 N·m, of 20 at full force
	if e := f.effects[1]; e.kind != evdev.FFPeriodic || e.level != int16(evdev.FFSine) {
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
		s.requestedVibration.Put(&vibrationRequest{c.nm, 20})
		most := 0.0
		if c.on {
			most = 1
		}
		if _, err := s.vibrate(c.at*ms, most); err != nil {
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
