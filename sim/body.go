package sim

import (
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/suspension"
	"rig.example/rig/sim/tire"
)

// mounts returns what the body must know of the wheels.
func (c *Car) mounts(tires [2]*tire.Tire) (ms [4]chassis.Mount) {
	for i := range ms {
		a, k := c.p.axle(i), &c.suspension.Corners[i]
		ms[i] = chassis.Mount{
			Mass: a.Unsprung, Hub: k.Local(k.RestTravel), Rim: k.Rim(),
			Radius: a.TireSpring(tires[i/2]).Radius, SpringRate: a.SpringRate, Travel: a.Travel,
		}
	}
	return ms
}

// integrate moves the body by one tick, and the wheels along their travel.
func (c *Car) integrate(s *State, b *chassis.Axes, sum *chassis.Wrench, ws *[4]suspension.Wheel, gs *[4]grip, slides *[4]chassis.Wheel, aloft bool) {
	on := chassis.Load{Force: b.Into(sum.Force), Moment: b.Into(sum.Moment), Fall: c.body.Fall(b), Aloft: aloft}
	if c.suspension.Sways() {
		on.Sways = true
		on.Sway = c.suspension.Sway(&s.Joints, ws, &[4]suspension.Grip{gs[0].Grip, gs[1].Grip, gs[2].Grip, gs[3].Grip}, &c.body, slides, b, &on)
	}
	if c.p.Gyroscopes {
		on.Gyro = c.spinning(s, ws)
	}
	c.body.Step(&s.State, b, &on, slides)
	for i := range slides {
		s.Wheels[i].Travel, s.Wheels[i].Bump = slides[i].Travel, slides[i].Bump
	}
}

// spinning returns the angular momentum that the wheels have from turning on their
// axles [N·m·s, world].
func (c *Car) spinning(s *State, ws *[4]suspension.Wheel) r3.Vec {
	own := func(i int) r3.Vec {
		return r3.Scale(c.wheels[i].inertia*s.Wheels[i].Roll.Spin, ws[i].Pose.Axle)
	}
	return r3.Add(r3.Add(own(tire.FL), own(tire.FR)), r3.Add(own(tire.RL), own(tire.RR)))
}

// sliding returns the wheels as masses that slide in the body.
func (s *State) sliding() (ws [4]chassis.Wheel) {
	for i := range ws {
		ws[i].Travel, ws[i].Bump = s.Wheels[i].Travel, s.Wheels[i].Bump
	}
	return ws
}
