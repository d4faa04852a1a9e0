package sim

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
	"rig.example/rig/internal/valid"
	"rig.example/rig/sim/chassis"
)

// extraYaw returns a moment about the body's z [N·m] towards the yaw rate at which the
// wheels would roll as they point. No car has it: games do, so that the car turns well.
func (c *Car) extraYaw(s *State, in *Input) float64 {
	const soft, slow = 0.3, 5.0 // [rad/s] to the whole torque, [m/s] from which it is whole
	mean, _ := c.steering.Mean(in.Steer)
	lacks := s.Speed*math.Tan(mean)/c.p.Wheelbase - s.Rate.Z
	fade := min(math.Abs(s.Speed)/slow, 1)
	return valid.Clamp(in.Assists.Yaw, 0, 1) * c.electronics.yaw * fade * min(max(lacks/soft, -1), 1)
}

// slideDrag returns how the rear axle's sliding is braked [N·s/m]: whole at walking speed, not
// at all from 3 m/s on. No car has it: games do, against sliding about when parking.
func (c *Car) slideDrag(s *State, in *Input) float64 {
	const whole, none = 1.0, 3.0 // [m/s]
	fade := min(max((none-math.Sqrt(r3.Dot(s.Vel, s.Vel)))/(none-whole), 0), 1)
	return valid.Clamp(in.Assists.LowSpeed, 0, 1) * c.electronics.slow * fade
}

// helped adds the moment and the drag of helpers that no car has, while a wheel stands on
// the ground. The drag acts at the rear axle against its sideways speed, so that it only
// ever takes energy, and nothing from a car that stands or rolls.
func (c *Car) helped(sum *chassis.Wrench, s *State, b *chassis.Axes, o *orders) {
	if o.yaw == 0 && o.slow == 0 || sum.Force == (r3.Vec{}) {
		return
	}
	arm := c.p.CGToFront - c.p.Wheelbase
	side := -o.slow * (r3.Dot(s.Vel, b.Y) + s.Rate.Z*arm)
	sum.Force = r3.Add(sum.Force, r3.Scale(side, b.Y))
	sum.Moment = r3.Add(sum.Moment, r3.Scale(o.yaw+side*arm, b.Z))
}
