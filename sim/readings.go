package sim

import (
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/steering"
	"rig.example/rig/sim/suspension"
)

// WheelPose returns the pose of wheel i in a state, without its steering rate.
func (c *Car) WheelPose(s *State, i int) (p suspension.Pose) {
	var steer steering.Angles
	c.steering.WheelAngles(&steer, s.Steer, s.Speed)
	b := chassis.AxesOf(s.Att)
	c.suspension.Corners[i].Place(&p, &s.Wheels[i].State, s.Pos, &b, c.kingpin(i), steer.Angle[i], steer.Sin[i], steer.Cos[i])
	return p
}

// RollingRadius returns the effective rolling radius of wheel i in a state [m].
func (c *Car) RollingRadius(s *State, i int) float64 {
	return c.wheels[i].vertical.EffectiveRadius(s.Wheels[i].Load, s.Wheels[i].Roll.Spin)
}

// TirePressure returns the inflation pressure of tire i in a state [Pa]. It is 0 if the car's file gives none.
func (c *Car) TirePressure(s *State, i int) float64 {
	k := &c.wheels[i]
	if k.thermal == nil {
		return k.pressure
	}
	return k.thermal.Pressure(&s.Wheels[i].Heat, k.pressure)
}

// AirForce returns the aerodynamic force on the car in a state [N, body] and its moment about the center of mass
// [N·m, body]. slipstream is as in Input.
func (c *Car) AirForce(s *State, slipstream float64) (force, moment r3.Vec) {
	var sum chassis.Wrench
	b := chassis.AxesOf(s.Att)
	c.chassis.AddAir(&sum, &s.State, &b, s.Tick, slipstream)
	return b.ToBody(sum.Force), b.ToBody(sum.Moment)
}
