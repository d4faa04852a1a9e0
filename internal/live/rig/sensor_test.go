package rig

import (
	"strings"
	"testing"

	"rig.example/rig/devices/wheel"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/live/operator"
)

// faultyRim is a wheel with a sensor that may fail.
type faultyRim struct {
	steeringWheel
	fault bool
}

func (w *faultyRim) Poll(out *wheel.Sample) {
	w.steeringWheel.Poll(out)
	out.Fault = w.fault
}

// A sensor that does what nobody can do ends torque and drive at once, until it is quiet and
// the operator confirms.
func TestASensorAtFaultEndsTheDrive(t *testing.T) {
	r := demo(t)
	d := &faultyRim{steeringWheel: r.wheel}
	r.wheel = d
	r.orders.Start()
	run(t, r, 5000)
	if r.drive.State.Guard.State() != guard.Driving {
		t.Fatalf("%v before", r.drive.State.Guard.State())
	}
	d.fault = true
	run(t, r, 1)
	if r.drive.State.Guard.State() != guard.Fault || r.drive.State.Guard.LastTransition().Cause != guard.DeviceFault || r.out.Torque != 0 {
		t.Errorf("%v for %v with %g N·m", r.drive.State.Guard.State(), r.drive.State.Guard.LastTransition().Cause, r.out.Torque)
	}
	r.orders.Give(operator.ClearFault, guard.ByCommand)
	run(t, r, 100)
	if r.drive.State.Guard.State() != guard.Fault {
		t.Errorf("%v though the sensor still fails", r.drive.State.Guard.State())
	}
	d.fault = false
	run(t, r, 100)
	if r.drive.State.Guard.State() != guard.Fault {
		t.Errorf("%v though nobody confirmed", r.drive.State.Guard.State())
	}
	r.orders.Give(operator.ClearFault, guard.ByCommand)
	if run(t, r, 100); r.drive.State.Guard.State() == guard.Fault {
		t.Error("still at fault after the operator's word")
	}
}

func TestTheNoticeOfAFaultSaysHowToGoOn(t *testing.T) {
	d := &deviceSet{}
	if got := d.faultNotice(&frame.Frame{State: uint64(guard.Fault)}); !strings.HasPrefix(got, "FAULT: no torque") || !strings.HasSuffix(got, "rig confirm") {
		t.Errorf("%q", got)
	}
}
