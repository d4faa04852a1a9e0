package rig

import (
	"math"

	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/live/operator"
)

// act sends the outputs of a tick to devices, supervisor and page. Nothing else in the tick sends anything.
func (r *Rig) act(in *drive.Inputs, out *drive.Outputs) {
	r.notifySupervisor(in, out)
	if r.estop != nil {
		r.estop.Enable(out.Power)
	}
	if r.gap.CheckHeldUp(r.demo); r.gap.HeldUp {
		out.WithholdTorque(in)
	}
	r.wheel.Push(out.Torque)
	if r.ownEffects != nil {
		r.ownEffects.EnableEffects(out.State.Moves())
		r.ownEffects.LimitEffects(out.OwnEffects)
		r.ownEffects.Vibrate(out.Vibration.Peak, out.Vibration.Hz)
	}
	if r.rim != nil {
		r.rim.Hands(out.Hands.Angle, out.Hands.Stiffness)
		r.rim.Step()
	}
	r.commandPlatform(&out.Platform)
	for _, s := range r.services {
		if s.Show != nil {
			s.Show(&out.Frame)
		}
	}
	r.updateExtremes(in, out)
	if r.recorder != nil {
		out.Frame.Recorder = r.recorder.Status()
	}
	if r.page != nil {
		r.countMarks(in)
		out.Frame.Due, out.Frame.Display, out.Frame.Marks = int64(r.stats.Due), r.page.Display(), r.marks
		r.page.Publish(&out.Frame)
	}
}

// countMarks counts how often the driver sets a mark.
func (r *Rig) countMarks(in *drive.Inputs) {
	down := (in.Window.Keys|in.Buttons.Down|in.Buttons.Pressed)&frame.KeyMark != 0
	if down && !r.markDown {
		r.marks++
	}
	r.markDown = down
}

// notifySupervisor passes this tick's events to the supervisor. The transition comes last, because what
// the supervisor does with it depends on the release and the latched cause.
func (r *Rig) notifySupervisor(in *drive.Inputs, out *drive.Outputs) {
	if out.GaveUp {
		r.waitLimit.cause = waitCause{out.State, out.LatchedCause, in.Wheel.Present, r.source != nil, motion.State(in.Platform.State), wire.Faults(in.Platform.Faults)}
		r.waitLimit.gaveUp.Store(true)
	}
	if out.Releasing {
		r.orders.Give(operator.FadeOutAndPark, guard.ByDriver)
	}
	r.latchedCause.Store(uint32(out.LatchedCause))
	if out.Ignored != drive.NotIgnored {
		r.ignored.Store(uint32(out.Ignored))
	}
	if out.BadValue != (drive.BadValue{}) {
		r.badValue.Store(out.BadValue.Pack())
	}
	if out.Changed {
		if out.State == guard.Fault {
			r.rimStuck.Store(out.RimStuck)
		}
		r.transitions.put(out.Change())
	}
}

// commandPlatform sends the command to the platform.
func (r *Rig) commandPlatform(c *drive.Command) {
	if r.platform == nil {
		return
	}
	r.platform.Interlock(c.InterlockOpen)
	if c.Home {
		r.platform.OrderHome()
	}
	switch {
	case c.Halt:
		r.platform.Halt()
	case c.Push:
		r.platform.Push(wire.Legs(c.Legs))
	}
	r.platform.Tick()
}

// extremes are the largest values of the drive, for the summary.
type extremes struct {
	torque      float64     // magnitude of the torque at the rim [N·m]
	totalTorque float64     // torque at the rim plus the highest that the wheel's own effects could add [N·m]
	roll        float64     // magnitude of the platform's roll angle [rad]
	faults      wire.Faults // all faults of the platform that counted

	speed float64 // of the car [m/s]
}

// updateExtremes updates the extremes by this tick.
func (r *Rig) updateExtremes(in *drive.Inputs, out *drive.Outputs) {
	torque := math.Abs(out.Torque)
	r.extremes.speed = math.Max(r.extremes.speed, r.drive.State.Car.Speed)
	r.extremes.torque = math.Max(r.extremes.torque, torque)
	r.extremes.totalTorque = math.Max(r.extremes.totalTorque, torque+in.Wheel.OwnEffectsNow)
	r.extremes.roll = math.Max(r.extremes.roll, math.Abs(out.Pose.Roll))
	r.extremes.faults |= countedFaults(wire.Faults(in.Platform.Faults), out.State)
}

// countedFaults returns the faults that the summary reports. Outside of state Driving only latching
// faults count, because a controller that is still starting is not a fault.
func countedFaults(f wire.Faults, s guard.State) wire.Faults {
	if s != guard.Driving {
		return f & wire.Latching
	}
	return f
}
