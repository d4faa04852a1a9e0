package wheel

import (
	"math"
	"strings"
	"testing"
	"time"

	"rig.example/rig/calib"
	"rig.example/rig/internal/kit/evdev"
)

// steered is a wheel that is polled each millisecond, and its device.
type steered struct {
	w    *Wheel
	s    *session
	in   *fakeInput
	at   time.Duration
	last Sample
}

func newSteered(t *testing.T) *steered {
	d := &steered{w: New(DefaultConfig(), calib.Store{Dir: t.TempDir()}, quiet())}
	t.Cleanup(func() { d.w.Close() })
	d.in = &fakeInput{reported: true, abs: map[uint16]int32{evdev.AbsX: 32768}}
	d.s = &session{driver: driverTable["hid-pidff"], input: d.in, axis: evdev.AbsX, profile: calib.WheelProfile{Left: 0, Right: 65535, Center: 32768, RangeDeg: 900}}
	d.w.now = func() time.Duration { return d.at }
	d.w.current.Store(d.s)
	d.poll(1, 0)
	return d
}

// poll polls so often with a torque, and returns the largest change of the angle in one of them.
func (d *steered) poll(n int, torque float64) (most float64) {
	for range n {
		before := d.last.Angle
		d.at += ms
		d.w.Poll(&d.last)
		d.w.Push(torque)
		most = max(most, math.Abs(d.last.Angle-before))
	}
	return most
}

// Steering that jumps by 90 degrees or from lock to lock in one report reaches neither the
// force nor the car in one step: it is held, reported, and a fault if it stays there.
func TestSteeringThatJumpsIsHeldAndReported(t *testing.T) {
	for _, to := range []int32{32768 + 6554, 32768 - 6554, 0, 65535} {
		d := newSteered(t)
		d.poll(100, 1)
		d.in.report(evdev.AbsX, to)
		if most := d.poll(190, 1); most != 0 || !d.last.Present || d.last.Fault || !strings.Contains(d.w.Status().Sensor, "jumped") {
			t.Errorf("to %d: moved by %g rad, %+v, %q", to, most, d.last, d.w.Status().Sensor)
		}
		if most := d.poll(400, 1); most > 0.05+1e-9 || !d.last.Fault || !strings.Contains(d.w.Status().Sensor, "steering sensor is faulty") {
			t.Errorf("to %d: moved by %g rad in a millisecond, %+v, %q", to, most, d.last, d.w.Status().Sensor)
		}
		if want := d.s.profile.Angle(to); math.Abs(d.last.Angle-want) > 1e-9 {
			t.Errorf("to %d: at %g rad in the end, want %g", to, d.last.Angle, want)
		}
		if d.poll(5100, 1); d.last.Fault || d.w.Status().Sensor == "" {
			t.Errorf("to %d: %+v, %q after 5 s of rest", to, d.last, d.w.Status().Sensor)
		}
		if d.poll(10_000, 1); d.w.Status().Sensor != "" {
			t.Errorf("to %d: %q after 15 s of rest", to, d.w.Status().Sensor)
		}
	}
}

// After a plug, lost events or a gap of the loop the angle may be anywhere: no fault, and no
// faster than a rim turns.
func TestAJumpAfterAGapIsAResync(t *testing.T) {
	turn := func(d *steered) { // half a turn, as reports tell it
		for i := range int32(50) {
			d.in.report(evdev.AbsX, 32768+i*260)
		}
	}
	for _, c := range []struct {
		name string
		gap  func(d *steered)
		most float64 // change of the angle in the first step [rad]
	}{
		{"events were lost", func(d *steered) { d.in.lost, d.in.abs[evdev.AbsX] = true, 60000 }, 0.05},
		{"the loop stood still for 20 ms", func(d *steered) { turn(d); d.at += 19 * ms }, 1},
		{"the loop stood still for 3 s", func(d *steered) { turn(d); d.at += 3 * time.Second }, 16},
		{"the loop stood still and nobody reported", func(d *steered) { d.in.report(evdev.AbsX, 0); d.at += 300 * ms }, 16},
	} {
		d := newSteered(t)
		d.poll(100, 1)
		c.gap(d)
		if most := d.poll(1, 1); most > c.most+1e-9 {
			t.Errorf("%s: moved by %g rad, want at most %g", c.name, most, c.most)
		}
		if most := d.poll(500, 1); most > 0.05+1e-9 || d.last.Fault || d.w.Status().Sensor != "" {
			t.Errorf("%s: moved by %g rad in a millisecond, %+v, %q", c.name, most, d.last, d.w.Status().Sensor)
		}
		if want := d.s.angle(); d.last.Angle != want {
			t.Errorf("%s: at %g rad, want %g", c.name, d.last.Angle, want)
		}
	}
	d := newSteered(t)
	d.w.current.Store(nil)
	d.poll(10, 0)
	again := *d.in
	again.abs = map[uint16]int32{evdev.AbsX: 0}
	d.w.current.Store(&session{driver: driverTable["hid-pidff"], input: &again, axis: evdev.AbsX, profile: d.s.profile})
	if d.poll(300, 0); d.last.Fault || d.w.Status().Sensor != "" || math.Abs(d.last.Angle-d.s.profile.Angle(0)) > 1e-9 {
		t.Errorf("after a replug: %+v, %q", d.last, d.w.Status().Sensor)
	}
}

// A rim that does not give way to its torque is reported, and no more: a driver may hold it.
func TestASteeringThatStandsStillUnderATorqueIsReported(t *testing.T) {
	d := newSteered(t)
	for i := range 1500 {
		d.poll(1, 2+math.Sin(float64(i)/100))
	}
	if got := d.w.Status().Sensor; d.last.Fault || !strings.Contains(got, "stands still") {
		t.Errorf("%+v, %q", d.last, got)
	}
	d.in.report(evdev.AbsX, 32769)
	if d.poll(5, 2); d.w.Status().Sensor != "" {
		t.Errorf("%q though it moves", d.w.Status().Sensor)
	}
}

func TestJudgingTheSteeringAllocatesNothing(t *testing.T) {
	d := newSteered(t)
	d.in.report(evdev.AbsX, 40000)
	if n := testing.AllocsPerRun(100, func() { d.poll(1, 1) }); n != 0 {
		t.Errorf("%v allocations a tick", n)
	}
}
