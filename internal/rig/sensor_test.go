package rig

import (
	"strings"
	"testing"

	"rig/internal/frame"
	"rig/internal/guard"
)

// faultyDriver is a driver with a sensor that may fail.
type faultyDriver struct {
	driver
	fault bool
}

func (d *faultyDriver) faulty() bool { return d.fault }

// A sensor that does what nobody can do ends torque and drive at once, until it is quiet and
// the operator confirms.
func TestASensorAtFaultEndsTheDrive(t *testing.T) {
	r := demo(t)
	d := &faultyDriver{driver: r.driver}
	r.driver = d
	r.orders.start.Store(true)
	run(t, r, 5000)
	if r.guard.State() != guard.Driving {
		t.Fatalf("%v before", r.guard.State())
	}
	d.fault = true
	run(t, r, 1)
	if r.guard.State() != guard.Fault || r.guard.Last().Cause != guard.DeviceFault || r.torque != 0 {
		t.Errorf("%v for %v with %g N·m", r.guard.State(), r.guard.Last().Cause, r.torque)
	}
	r.orders.clear.Store(true)
	run(t, r, 100)
	if r.guard.State() != guard.Fault {
		t.Errorf("%v though the sensor still fails", r.guard.State())
	}
	d.fault = false
	run(t, r, 100)
	if r.guard.State() != guard.Fault {
		t.Errorf("%v though nobody confirmed", r.guard.State())
	}
	r.orders.clear.Store(true)
	if run(t, r, 100); r.guard.State() == guard.Fault {
		t.Error("still at fault after the operator's word")
	}
}

func TestTheNoticeOfAFaultSaysHowToGoOn(t *testing.T) {
	d := &deviceSet{}
	if got := d.faultNotice(&frame.Frame{State: uint64(guard.Fault)}); !strings.HasPrefix(got, "FAULT: no torque") || !strings.HasSuffix(got, "pkill -USR1 -x rig") {
		t.Errorf("%q", got)
	}
}
