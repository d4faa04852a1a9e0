package sim

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/valid"
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/brakes"
	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/driveline"
	"rig.example/rig/sim/road"
	"rig.example/rig/sim/steering"
	"rig.example/rig/sim/suspension"
	"rig.example/rig/sim/tire"
)

// Input is what the driver does, for one tick. What is out of range is
// clamped, and what is not a number counts as 0.
type Input struct {
	Steer     float64         // steering wheel angle [rad], positive to the left
	Throttle  float64         // 0..1
	Brake     float64         // 0..1
	Clutch    float64         // 0..1, 1 is pedal down, which opens it
	Handbrake float64         // 0..1
	Gear      int8            // -1 reverse, 0 neutral, 1 and up forward
	Start     bool            // the starter turns the engine
	Off       bool            // the ignition is off
	Assists   assist.Switches // electronics that help
	Push      float64         // along the car, on the ground below its centre of mass [N]: the ideal drive of a test
	Shelter   float64         // 0..1, share of the air's forces that a car ahead keeps off; 0 in the open

	Slick road.Slick // what the ground's areas have lost of their grip
}

// sane brings every value of in into its range, and the gear to one that the car has.
func (c *Car) sane(in *Input) {
	in.Steer = valid.Clamp(in.Steer, -100, 100)
	in.Throttle = valid.Clamp(in.Throttle, 0, 1)
	in.Brake = valid.Clamp(in.Brake, 0, 1)
	in.Clutch = valid.Clamp(in.Clutch, 0, 1)
	in.Handbrake = valid.Clamp(in.Handbrake, 0, 1)
	in.Shelter = valid.Clamp(in.Shelter, 0, 1)
	in.Push = valid.Clamp(in.Push, -1e6, 1e6)
	for i := range in.Slick {
		in.Slick[i] = valid.Clamp(in.Slick[i], 0, 1)
	}
	in.Gear = c.driveline.NearestGear(in.Gear)
}

// State is all that one tick hands to the next, and what the last tick found
// out for those who feel and show it. Copying it is a snapshot. It begins with
// Car.Rest.
type State struct {
	Tick uint64 // done since the start

	chassis.State
	Wheels [4]Wheel
	Joints [2]suspension.JointState // in front and behind; all 0 where axles do not sway

	Driveline driveline.State
	Brakes    brakes.State
	Help      assist.State // electronics beside the ABS
	Steering  steering.State

	// Found by the last tick.
	Steer        float64 // steering wheel angle [rad], positive left
	ColumnTorque float64 // at the steering wheel: of the front tires and the rack, less the assist's part [N·m], positive left

	// Found by the last tick, and left out of Hash: it follows from the rest.
	Bars [2]suspension.BarState // springs and bars, in front and behind
}

// Wheel is one wheel with its tire and its suspension.
type Wheel struct {
	suspension.State
	Roll     tire.Rolling
	Heat     tire.Heat // temperature and wear; all 0 where they do not count
	Rotation float64   // rolled angle [rad], positive forward
	SlowX    float64   // Fx as the tire's spring follows it [N]
	SlowY    float64   // Fy the same [N]

	// Found by the last tick.
	Hub   r3.Vec  // [m, world]
	Steer float64 // about the body's z [rad], positive left
	Kappa float64 // longitudinal slip, positive driving; below 1 m/s its divisor stays at 1 m/s
	Alpha float64 // slip angle [rad], positive when the hub moves to the left of its heading; divisor as in Kappa
	Fx    float64 // force on the tire along the wheel's heading [N]
	Fy    float64 // to its left [N]
	Mz    float64 // aligning moment [N·m], positive turns it to the left

	Material uint8 // of the ground's surfaces, the one below the wheel; 0 where the ground does not tell
}

// RPM returns the engine's speed [1/min].
func (s *State) RPM() float64 { return s.Driveline.Engine * 30 / math.Pi }
