package drive

import (
	"rig.example/rig/cueing"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
)

// Outputs holds everything that a tick sends to devices, screens and logs. It is a plain value.
type Outputs struct {
	Torque     float64     // torque at the rim [N·m], positive left
	OwnEffects float64     // highest sum that the wheel's own effects may reach [N·m]
	Vibration  Vibration   // vibration that the wheel plays by itself
	Hands      Hands       // hands of the simulated driver in a demo
	Power      bool        // the enable relay must be closed
	Platform   Command     // order to the platform
	Pose       cueing.Pose // pose of the platform, after workspace and guard; all 0 is neutral
	Scale      float64     // factor that reduced the pose to the actuators' workspace, 0..1

	State        guard.State      // safety state after this tick
	LatchedCause guard.Cause      // what blocks the drive until the operator confirms, or guard.None
	Changed      bool             // the state changed in this tick
	Transition   guard.Transition // latest change of state
	OrderedBy    guard.Origin     // whose order led to the stop or the pause that is in effect
	StopCause    uint8            // code of what the emergency stop or its relay reports in this tick
	RimStuck     bool             // a real rim has not followed the driver model; this is a fault
	BadValue     BadValue         // place of NaN or Inf found in this tick
	Ignored      Ignored          // why a confirmation of this tick had no effect

	Releasing bool // the end of the drive was ordered
	GaveUp    bool // the drive gave up in this tick, because it waited too long
	Done      bool // this was the last tick

	Frame frame.Frame // only filled in if Inputs.FrameWanted
}

// Change is a change of the safety state, and what it came from.
type Change struct {
	guard.Transition
	StopCause uint8        // code of what the emergency stop or its relay reported in that tick
	OrderedBy guard.Origin // whose order it was, of a stop or a pause
}

// Change returns the latest change of state.
func (o *Outputs) Change() Change { return Change{o.Transition, o.StopCause, o.OrderedBy} }

// Vibration is a vibration that the wheel plays by itself.
type Vibration struct {
	Peak float64 // amplitude [N·m]
	Hz   float64 // frequency [Hz]
}

// Hands are the simulated driver's hands at the rim of a simulated wheel.
type Hands struct {
	Angle     float64 // rim angle that they steer to [rad], positive left
	Stiffness float64 // stiffness of the arms [N·m/rad]; 0 releases the rim
}

// Command is an order to the platform.
type Command struct {
	Push          bool        // follow Legs; without targets the platform parks by itself
	Home          bool        // end fault, halt and parking, and move to the center first; once for each order of the operator
	Halt          bool        // stop moving at once
	InterlockOpen bool        // a belt or a door is open
	Legs          cueing.Legs // target positions, 0..1 of the stroke, 0.5 is the center
}

// WithholdTorque sets all torque to 0, because the tick took so long that its result is outdated.
// Inputs.TorqueWithheld reports this to the next tick.
func (o *Outputs) WithholdTorque(in *Inputs) {
	o.Torque, o.OwnEffects, o.Vibration.Peak = 0, 0, 0
	f := &o.Frame
	f.RimTorque, f.Force.OwnEffects, f.Force.Total = 0, in.Wheel.OwnEffectsNow, in.Wheel.OwnEffectsNow
}
