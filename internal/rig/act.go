package rig

import (
	"math"

	"rig.example/rig/devices/estop"
	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/internal/drive"
	"rig.example/rig/internal/guard"
	"rig.example/rig/internal/watch"
)

// act hands out what a tick came to. Nothing else of the tick writes to the outside world.
func (r *Rig) act(in *drive.Inputs, out *drive.Outputs) {
	r.report(in, out)
	if r.estop != nil {
		r.estop.Enable(out.Power)
	}
	if r.gap.look(r.demo); r.gap.stale {
		out.Withhold(in)
	}
	r.wheel.Push(out.Torque)
	if r.own != nil {
		r.own.Live(out.State.Moves())
		r.own.Allow(out.Own)
		r.own.Shake(out.Vibration.Peak, out.Vibration.Hz)
	}
	if r.rim != nil {
		r.rim.Hands(out.Hands.Angle, out.Hands.Stiffness)
		r.rim.Step()
	}
	r.move(&out.Platform)
	r.remember(in, out)
	if r.page != nil {
		r.page.Publish(&out.Frame)
	}
}

// report leaves word of this tick for the supervisor. What the log brings about depends on what
// comes before it: where the drive waits, nobody is homed, and where it ends, the platform parks.
func (r *Rig) report(in *drive.Inputs, out *drive.Outputs) {
	if out.GaveUp {
		r.patience.on = waiting{out.State, out.Waits, in.Wheel.Present, motion.State(in.Platform.State), wire.Faults(in.Platform.Faults)}
		r.patience.gaveUp.Store(true)
	}
	if out.Releasing {
		r.orders.release.Store(true)
	}
	r.waits.Store(uint32(out.Waits))
	if out.Ignored != drive.Heeded {
		r.ignored.Store(uint32(out.Ignored))
	}
	if out.Flaw != (drive.Flaw{}) {
		r.flaw.Store(out.Flaw.Pack())
	}
	if out.Changed {
		r.log.put(out.Change, estop.Cause(out.StopCause))
	}
}

// move tells the platform where to go.
func (r *Rig) move(c *drive.Command) {
	if r.platform == nil {
		return
	}
	r.platform.Interlock(c.BeltOpen)
	switch {
	case c.Halt:
		r.platform.Halt()
	case c.Push:
		r.platform.Push(wire.Legs(c.Legs))
	}
}

// peaks are the extremes that the summary tells.
type peaks struct {
	torque float64 // [N·m]
	total  float64 // with all that the wheel's own effects might have added [N·m]
	roll   float64 // of the platform [rad]
	faults wire.Faults
}

// remember keeps what the summary tells of this tick.
func (r *Rig) remember(in *drive.Inputs, out *drive.Outputs) {
	torque := math.Abs(out.Torque)
	r.peaks.torque = math.Max(r.peaks.torque, torque)
	r.peaks.total = math.Max(r.peaks.total, torque+in.Wheel.Own)
	r.peaks.roll = math.Max(r.peaks.roll, math.Abs(out.Pose.Roll))
	r.peaks.faults |= telling(wire.Faults(in.Platform.Faults), out.State)
}

// telling are the faults that count in a state of the guard: a controller that gets ready
// while the drive begins is none.
func telling(f wire.Faults, s guard.State) wire.Faults {
	if s != guard.Driving {
		return f & watch.Stopping
	}
	return f
}
