package sim

import (
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/suspension"
	"rig.example/rig/sim/tire"
)

// mounts returns the wheels' data that the body needs, with the tires of the front and the rear axle.
func (c *Car) mounts(tires [2]*tire.Tire) (ms [4]chassis.Mount) {
	for i := range ms {
		a, k := c.p.axle(i), &c.suspension.Corners[i]
		ms[i] = chassis.Mount{
			Mass: a.UnsprungMass, Hub: k.HubAt(k.RestTravel), RimBottom: k.RimBottom(),
			Radius: a.TireSpring(tires[i/2]).Radius, SpringRate: a.SpringRate, Travel: a.Travel,
		}
	}
	return ms
}

// integrate moves the body and the wheels' travel by one tick, with the total force and moment sum on the
// body. drivelineMomentum is the driveline's angular momentum [N·m·s, body]. airborne must be true if nothing touches
// the ground or a wall.
func (c *Car) integrate(s *State, b *chassis.Axes, sum *chassis.Wrench, ws *[4]suspension.Wheel,
	gs *[4]tireForces, travels *[4]chassis.Wheel, drivelineMomentum r3.Vec, airborne bool) {
	var load chassis.Load
	load.Force, load.Moment = b.ToBody(sum.Force), b.ToBody(sum.Moment)
	load.Gravity, load.Airborne = c.chassis.Gravity(b), airborne
	if c.suspension.HasJoints() {
		load.HasSway = true
		load.Sway = c.suspension.StepJoints(&s.Joints, ws,
			&[4]suspension.TireForces{gs[0].TireForces, gs[1].TireForces, gs[2].TireForces,
				gs[3].TireForces}, &c.chassis, travels, b, &load)
	}
	if c.p.Gyroscopes {
		load.SpinMomentum = r3.Add(c.spinMomentum(s, ws), b.ToWorld(drivelineMomentum))
	}
	c.chassis.Step(&s.State, b, &load, travels)
	for i := range travels {
		s.Wheels[i].Travel, s.Wheels[i].TravelSpeed = travels[i].Travel, travels[i].TravelSpeed
	}
}

// spinMomentum returns the sum of the wheels' angular momenta about their axes [N·m·s, world].
func (c *Car) spinMomentum(s *State, ws *[4]suspension.Wheel) r3.Vec {
	momentum := func(i int) r3.Vec {
		return r3.Scale(c.wheels[i].inertia*s.Wheels[i].Roll.Spin, ws[i].Pose.Axle)
	}
	return r3.Add(r3.Add(momentum(tire.FL), momentum(tire.FR)), r3.Add(momentum(tire.RL), momentum(tire.RR)))
}

// wheelTravels returns the travel and the travel speed of each wheel, for the body's step.
func (s *State) wheelTravels() (ws [4]chassis.Wheel) {
	for i := range ws {
		ws[i].Travel, ws[i].TravelSpeed = s.Wheels[i].Travel, s.Wheels[i].TravelSpeed
	}
	return ws
}
