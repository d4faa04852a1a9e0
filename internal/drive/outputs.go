package drive

import (
	"rig.example/rig/cueing"
	"rig.example/rig/internal/frame"
	"rig.example/rig/internal/guard"
)

// Outputs is everything that a tick does to the outside world, a plain value.
type Outputs struct {
	Torque    float64   // for the rim [N·m], positive left
	Own       float64   // what the wheel's own effects may add up to [N·m]
	Vibration Vibration // of the wheel's own
	Hands     Hands     // of the demo's driver
	Power     bool      // the enable relay holds the power
	Platform  Command
	Pose      cueing.Pose // of the platform, after workspace and guard; all 0 is neutral
	Scale     float64     // share of the pose asked for that its actuators reach, 0..1

	State     guard.State
	Waits     guard.Cause // why no drive goes on until the operator confirms
	Changed   bool        // the state changed in this tick
	Change    guard.Transition
	StopCause uint8   // code of the emergency stop or its relay, in this tick
	Flaw      Flaw    // NaN or Inf that was met in this tick
	Ignored   Ignored // why a confirmation of this tick had no effect

	Releasing bool // the drive is about to end
	GaveUp    bool // because it waited for too long; in the tick in which that is decided
	Done      bool // this was the last tick

	Frame frame.Frame // where Inputs.Watched
}

// Vibration is one that the wheel makes by itself.
type Vibration struct {
	Peak float64 // [N·m]
	Hz   float64
}

// Hands are those of the demo's driver, at the rim of a simulated wheel.
type Hands struct {
	Angle     float64 // that they want [rad], positive left
	Stiffness float64 // of the arms [N·m/rad]; 0 lets go
}

// Command is what the platform is told.
type Command struct {
	Push     bool        // go to Legs; a platform that is pushed nothing parks by itself
	Halt     bool        // stop at once
	BeltOpen bool        // a belt or a door is open
	Legs     cueing.Legs // share of the stroke, 0.5 = centre
}

// Withhold takes the torque off what a tick found out that was held up in its middle: that is old
// by now. Inputs.Withheld tells the next tick.
func (o *Outputs) Withhold(in *Inputs) {
	o.Torque, o.Own, o.Vibration.Peak = 0, 0, 0
	f := &o.Frame
	f.RimTorque, f.Force.Own, f.Force.Total = 0, in.Wheel.Own, in.Wheel.Own
}
