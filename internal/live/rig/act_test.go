package rig

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"rig.example/rig/cueing"
	"rig.example/rig/devices/estop"
	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/devices/wheel"
	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/test/level"
)

// notes is every device of a rig in one, which notes what it is told and asked.
type notes struct{ list []string }

func (d *notes) note(format string, v ...any) { d.list = append(d.list, fmt.Sprintf(format, v...)) }

func (d *notes) asked(what string) float64 { d.note("? %s", what); return 0 }

type (
	notedWheel    struct{ *notes }
	notedRim      struct{ *notes }
	notedStop     struct{ *notes }
	notedPlatform struct{ *notes }
	notedButtons  struct{ *notes }
)

func (d notedWheel) Poll(*wheel.Sample)       { d.asked("wheel") }
func (d notedWheel) Rated() float64           { return d.asked("rated") }
func (d notedWheel) UpdateRate() float64      { return d.asked("rate") }
func (d notedWheel) Delay() float64           { return d.asked("delay") }
func (d notedWheel) EffectReserve() float64   { return d.asked("room") }
func (d notedWheel) MaxVibration() float64    { return d.asked("headroom") }
func (d notedWheel) EffectTorque() float64    { return d.asked("own") }
func (d notedWheel) Push(torque float64)      { d.note("push %g", torque) }
func (d notedWheel) EnableEffects(on bool)    { d.note("live %v", on) }
func (d notedWheel) LimitEffects(nm float64)  { d.note("allow %g", nm) }
func (d notedWheel) Vibrate(peak, hz float64) { d.note("shake %g at %g", peak, hz) }

func (d notedRim) Hands(angle, stiffness float64) { d.note("hands %g by %g", angle, stiffness) }
func (d notedRim) Step()                          { d.note("step") }

func (d notedStop) State() (bool, estop.Cause) { d.asked("stop"); return false, estop.None }
func (d notedStop) Relay() (bool, estop.Cause) { d.asked("relay"); return true, estop.None }
func (d notedStop) Enable(on bool)             { d.note("power %v", on) }

func (d notedPlatform) Push(l wire.Legs)             { d.note("legs %g", l[0]) }
func (d notedPlatform) Halt()                        { d.note("halt") }
func (d notedPlatform) Interlock(open bool)          { d.note("belt %v", open) }
func (d notedPlatform) OrderHome() bool              { d.note("home"); return true }
func (d notedPlatform) Tick()                        { d.note("tick") }
func (d notedPlatform) Latency() motion.LatencyStats { return motion.LatencyStats{} }
func (d notedPlatform) Status() motion.Status {
	d.asked("platform")
	return motion.Status{State: motion.Active}
}

func (d notedButtons) Poll() wheel.Edges { d.asked("buttons"); return wheel.Edges{} }

func (d notedButtons) Readable() wheel.Actions { return 0 }

// noted is a rig all of whose devices note what they are told and asked.
func noted(t *testing.T) (*Rig, *notes) {
	r, d := withPage(t, demo(t)), &notes{}
	r.wheel, r.ownEffects, r.rim, r.estop, r.platform, r.controls = notedWheel{d}, notedWheel{d}, notedRim{d}, notedStop{d}, notedPlatform{d}, notedButtons{d}
	return r, d
}

// sameNotes fails unless these notes were made, whatever their order.
func sameNotes(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	left := map[string]int{}
	for _, s := range got {
		left[s]++
	}
	for _, s := range want {
		left[s]--
	}
	for s, n := range left {
		if n != 0 {
			t.Errorf("%s: %q %+d times", what, s, n)
		}
	}
}

// Every output reaches its device, and nothing else does.
func TestEveryOutputIsActed(t *testing.T) {
	level.SkipIfQuick(t)
	r, d := noted(t)
	out := drive.Outputs{
		Torque: 1.5, OwnEffects: 0.5, Vibration: drive.Vibration{Peak: 0.25, Hz: 20}, Hands: drive.Hands{Angle: 0.1, Stiffness: 15}, Power: true,
		Platform: drive.Command{Push: true, Home: true, InterlockOpen: true, Legs: cueing.Legs{0.75}}, Pose: cueing.Pose{Roll: -0.2},
		State: guard.Driving, LatchedCause: guard.WindowLost, Changed: true, Transition: guard.Transition{From: guard.Engaging, To: guard.Driving, Cause: guard.FadeInDone},
		StopCause: uint8(estop.Unreadable), OrderedBy: guard.ByPage, Ignored: drive.KeyHeld, BadValue: drive.UnpackBadValue(7), Releasing: true, GaveUp: true, Frame: frame.Frame{Tick: 99},
	}
	in := drive.Inputs{Wheel: drive.Wheel{Present: true, OwnEffectsNow: 0.125}, Platform: drive.Platform{State: uint64(motion.Homing), Faults: uint64(wire.FaultTemperature)}}
	r.drive.State.Car.Speed = 12
	r.services = []*serviceChild{{}, {Service: Service{Show: func(f *frame.Frame) { f.Sound = frame.Sound{Devices: 1, Latency: 0.045, Underruns: 2} }}}}
	r.act(&in, &out)
	sameNotes(t, "driving", d.list, "push 1.5", "live true", "allow 0.5", "shake 0.25 at 20", "hands 0.1 by 15", "step", "power true", "belt true", "home", "legs 0.75", "tick")
	var shown frame.Frame
	if !r.page.Read(&shown) || shown.Tick != 99 || shown.Sound.Underruns != 2 {
		t.Errorf("the page shows tick %d, sound %+v", shown.Tick, shown.Sound)
	}
	if change, ok := r.transitions.take(); !ok || change != out.Change() {
		t.Errorf("the log has %v", change)
	}
	if guard.Cause(r.latchedCause.Load()) != guard.WindowLost || drive.Ignored(r.ignored.Load()) != drive.KeyHeld || drive.UnpackBadValue(r.badValue.Load()) != out.BadValue || !r.orders.IsReleased() {
		t.Errorf("waits %d, ignored %d, flaw %d, released %v", r.latchedCause.Load(), r.ignored.Load(), r.badValue.Load(), r.orders.IsReleased())
	}
	if want := (waitCause{guard.Driving, guard.WindowLost, true, false, motion.Homing, wire.FaultTemperature}); !r.waitLimit.gaveUp.Load() || r.waitLimit.cause != want {
		t.Errorf("gave up %v on %+v", r.waitLimit.gaveUp.Load(), r.waitLimit.cause)
	}
	if want := (extremes{1.5, 1.625, 0.2, wire.FaultTemperature, 12}); r.extremes != want {
		t.Errorf("peaks %+v, want %+v", r.extremes, want)
	}
	d.list = nil
	r.act(&in, &drive.Outputs{State: guard.Stopped, Platform: drive.Command{Halt: true}})
	sameNotes(t, "stopped", d.list, "push 0", "live false", "allow 0", "shake 0 at 0", "hands 0 by 0", "step", "power false", "belt false", "halt", "tick")
	d.list = nil
	r.act(&in, &drive.Outputs{})
	sameNotes(t, "parked", d.list, "push 0", "live false", "allow 0", "shake 0 at 0", "hands 0 by 0", "step", "power false", "belt false", "tick")
}

// A tick asks each device each thing once, before the drive steps.
func TestATickAsksOnce(t *testing.T) {
	r, d := noted(t)
	run(t, r, 1)
	var asked []string
	for _, s := range d.list {
		if strings.HasPrefix(s, "?") {
			asked = append(asked, s)
		}
	}
	all := []string{"? buttons", "? wheel", "? rated", "? rate", "? delay", "? room", "? headroom", "? own", "? stop", "? relay", "? platform"}
	sameNotes(t, "a tick", asked, all...)
	if len(asked) != len(all) || strings.Join(d.list[:len(all)], "") != strings.Join(asked, "") {
		t.Errorf("asked after something was told: %q", d.list)
	}
}

// What a tick found out that was held up is told nobody, and the next tick knows.
func TestAHeldUpTickIsToldToTheNext(t *testing.T) {
	r, d := noted(t)
	r.demo = false
	r.gap.Now, r.gap.Began = func() time.Duration { return time.Second }, 0
	in, out := drive.Inputs{Wheel: drive.Wheel{OwnEffectsNow: 0.125}}, drive.Outputs{Torque: 1, OwnEffects: 1, Vibration: drive.Vibration{Peak: 1, Hz: 9}, Frame: frame.Frame{RimTorque: 1}}
	r.act(&in, &out)
	var f frame.Frame
	if r.page.Read(&f); f.RimTorque != 0 || f.Force.OwnEffects != 0.125 || f.Force.Total != 0.125 {
		t.Errorf("the page shows %g N·m, and %g of %g own ones", f.RimTorque, f.Force.OwnEffects, f.Force.Total)
	}
	sameNotes(t, "held up", d.list, "push 0", "live false", "allow 0", "shake 0 at 9", "hands 0 by 0", "step", "power false", "belt false", "tick")
	if !r.sense().TorqueWithheld {
		t.Error("the next tick does not know")
	}
}

// The log says where NaN was met in the car.
func TestTheLogNamesTheFlaw(t *testing.T) {
	r := demo(t)
	run(t, r, 3000)
	for _, more := r.transitions.take(); more; _, more = r.transitions.take() {
	}
	r.drive.State.Car.Brakes.Wheels[2].Temperature = math.NaN()
	run(t, r, 1)
	change, _ := r.transitions.take()
	if text := r.causeText(change); text != "NaN or Inf in the car's state: Brakes.Wheels[2].Temperature" {
		t.Errorf("the log says %q", text)
	}
}
