package rig

import (
	"math"
	"strings"
	"testing"

	"rig.example/rig/devices/wheel"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/files/tunings"
)

func TestTheDriverTunesTheMotion(t *testing.T) {
	r := withPage(t, demo(t))
	f := &fingers{}
	r.controls = f
	run(t, r, 3000)
	for _, a := range []wheel.Action{wheel.MotionGainUp, wheel.MotionGainUp, wheel.MotionNext, wheel.MotionNext, wheel.MotionNext, wheel.MotionCueDown} {
		f.tap(t, r, a)
	}
	m := &r.out.Frame.Motion
	if m.Tuning[0] != 1.2 || m.TuningIndex != 4 || m.Tuning[4] != 0.9 || tunings.Keys[m.TuningIndex] != "roll" || r.out.Frame.Flags&frame.TuningChanged == 0 {
		t.Errorf("tuning %v, chosen %d", m.Tuning, m.TuningIndex)
	}
	if text := motionGainText(&r.out.Frame); text != "motion 120 %, roll 90 %" {
		t.Errorf("told %q", text)
	}
	want := "[tuning] gain = 1.2 roll = 0.9"
	if got := strings.Join(tunings.Lines(r.drive.State.Tuning(), r.drive.Setup.Tuning), " "); got != want {
		t.Errorf("to keep: %q, want %q", got, want)
	}
	for range 40 {
		f.tap(t, r, wheel.MotionCueDown)
		f.tap(t, r, wheel.MotionGainUp)
	}
	if m.Tuning[0] != 3 || m.Tuning[4] != 0 {
		t.Errorf("tuning %v, want the ends of the range", m.Tuning)
	}
	if run(t, r, 3100); r.out.Frame.Flags&frame.TuningChanged != 0 {
		t.Error("still told after 3 s")
	}
}

// Off the platform stands level within half a second, and comes back.
func TestMotionIsSwitchedOffAndOn(t *testing.T) {
	r := withPage(t, demo(t))
	f := &fingers{}
	r.controls = f
	run(t, r, 6000)
	f.tap(t, r, wheel.MotionOn)
	run(t, r, 3000)
	for i, l := range r.out.Platform.Legs {
		if math.Abs(l-0.5) > 0.01 {
			t.Errorf("leg %d at %g", i, l)
		}
	}
	if r.out.Frame.Flags&frame.MotionOff == 0 || r.drive.State.Guard.State() != guard.Driving || tunings.Lines(r.drive.State.Tuning(), r.drive.Setup.Tuning) != nil {
		t.Errorf("flags %b, %v, to keep %q", r.out.Frame.Flags, r.drive.State.Guard.State(), tunings.Lines(r.drive.State.Tuning(), r.drive.Setup.Tuning))
	}
	f.tap(t, r, wheel.MotionOn)
	if r.out.Frame.Flags&frame.MotionOff != 0 {
		t.Error("still off")
	}
}
