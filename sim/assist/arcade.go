package assist

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
	"rig.example/rig/internal/valid"
)

// extraYaw returns a moment about the body's z [N·m] towards the yaw rate at which the
// wheels would roll as they point. No car has it: games do, so that the car turns well.
func (e *Electronics) extraYaw(in *Sensors) float64 {
	const soft, slow = 0.3, 5.0 // [rad/s] to the whole torque, [m/s] from which it is whole
	mean, _ := e.steering.Mean(in.Steer)
	lacks := in.Speed*math.Tan(mean)/e.wheelbase - in.YawRate
	fade := min(math.Abs(in.Speed)/slow, 1)
	return valid.Clamp(in.Switches.Yaw, 0, 1) * e.yaw * fade * min(max(lacks/soft, -1), 1)
}

// slideDrag returns how the rear axle's sliding is braked [N·s/m]: whole at walking speed, not
// at all from 3 m/s on. No car has it: games do, against sliding about when parking.
func (e *Electronics) slideDrag(in *Sensors) float64 {
	const whole, none = 1.0, 3.0 // [m/s]
	fade := min(max((none-math.Sqrt(r3.Dot(in.Vel, in.Vel)))/(none-whole), 0), 1)
	return valid.Clamp(in.Switches.LowSpeed, 0, 1) * e.slow * fade
}
