package sim

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/road"
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/brakes"
	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/driveline"
	"rig.example/rig/sim/steering"
	"rig.example/rig/sim/suspension"
	"rig.example/rig/sim/tire"
)

// Input is the driver's commands for one tick. Values out of range are clamped; NaN counts as 0.
type Input struct {
	Steer       float64         // steering wheel angle [rad], positive to the left
	Throttle    float64         // 0..1
	Brake       float64         // 0..1
	Clutch      float64         // 0..1; 1 is the pedal fully down, the clutch open
	Handbrake   float64         // 0..1
	Gear        int8            // -1 reverse, 0 neutral, 1 and up forward
	Starter     bool            // the starter turns the engine
	IgnitionOff bool            // the ignition is off
	Assists     assist.Switches // which electronics are on
	// force along the car at ground level below its center of mass [N]; tests use it as an ideal drive
	PushForce float64
	// share of the aerodynamic forces that the slipstream of a car ahead removes, 0..1
	Slipstream float64

	Slick road.GripLoss // share of grip that each area of the ground has lost, 0..1
}

// clampInput clamps every value of in to its range, and the gear to the nearest one that the car has.
func (c *Car) clampInput(in *Input) {
	in.Steer = valid.Clamp(in.Steer, -100, 100)
	in.Throttle = valid.Clamp(in.Throttle, 0, 1)
	in.Brake = valid.Clamp(in.Brake, 0, 1)
	in.Clutch = valid.Clamp(in.Clutch, 0, 1)
	in.Handbrake = valid.Clamp(in.Handbrake, 0, 1)
	in.Slipstream = valid.Clamp(in.Slipstream, 0, 1)
	in.PushForce = valid.Clamp(in.PushForce, -1e6, 1e6)
	if in.Slick != (road.GripLoss{}) {
		for i := range in.Slick {
			in.Slick[i] = valid.Clamp(in.Slick[i], 0, 1)
		}
	}
	in.Gear = c.driveline.NearestGear(in.Gear)
}

// State is everything that one tick passes on to the next, with results of the last tick. A copy is a
// snapshot. A run begins with the state that Car.Rest returns.
type State struct {
	Tick uint64 // number of ticks since the start

	chassis.State
	Wheels [4]WheelState
	// sideways motion of a solid front and rear axle on its lateral spring (suspension.Joint); 0 for an axle
	// without one
	Joints [2]suspension.JointState

	Driveline driveline.State
	Brakes    brakes.State
	Assist    assist.State // state of the electronics, except the ABS
	Steering  steering.State

	// Results of the last tick.
	Steer float64 // steering wheel angle [rad], positive left
	// torque at the steering wheel by front tires and rack, after the power assist [N·m], positive left
	ColumnTorque float64

	// Result of the last tick. Hash leaves it out because it follows from the other values.
	Bars [2]suspension.BarState // springs and bars of the front and the rear axle
}

// WheelState is the state of one wheel with its tire and suspension.
type WheelState struct {
	suspension.State
	Roll       tire.WheelState
	Heat       tire.Heat // temperature and wear; all 0 if they are switched off
	Rotation   float64   // rotation angle [rad], positive forward
	FilteredFx float64   // Fx after a low-pass filter [N]; it reduces the tire's vertical stiffness
	FilteredFy float64   // Fy after the same filter [N]

	// Results of the last tick.
	Hub   r3.Vec  // position of the hub [m, world]
	Steer float64 // steer angle about the kingpin [rad], positive left
	Kappa float64 // longitudinal slip, positive when driving: slip speed over the larger of speed and 1 m/s
	// slip angle [rad], positive if the contact moves to the left of the wheel's heading; at low speed as
	// Kappa
	Alpha float64
	Fx    float64 // force on the tire along the wheel's heading [N]
	Fy    float64 // force on the tire to the left of the wheel's heading [N]
	Mz    float64 // aligning moment [N·m], positive if it turns the wheel to the left

	Material uint8 // index of the surface below the wheel among the ground's; 0 if the ground has none
}

// RPM returns the engine's speed [1/min].
func (s *State) RPM() float64 { return s.Driveline.EngineSpeed * 30 / math.Pi }
