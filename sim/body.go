package sim

import (
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/tire"
)

// mount returns what the body must know of a wheel.
func (k *corner) mount(t *tire.Tire) chassis.Mount {
	return chassis.Mount{
		Mass: k.axle.Unsprung, Hub: k.local(k.restTravel), Rim: k.rim(),
		Radius: k.axle.spring(t).Radius, SpringRate: k.axle.SpringRate, Travel: k.axle.Travel,
	}
}

// integrate moves the body by one tick, and the wheels along their travel.
func (c *Car) integrate(s *State, b *chassis.Axes, sum *chassis.Wrench, ps *[4]patch, ws *[4]chassis.Wheel, aloft bool) {
	on := chassis.Load{
		Force: b.Into(sum.Force), Moment: b.Into(sum.Moment), Fall: c.body.Fall(b), Aloft: aloft, Sways: c.joints.on,
	}
	if on.Sways {
		on.Force, on.Moment = c.sway(s, b, ps, ws, on.Force, on.Moment, on.Fall.Z)
		on.Sway = c.joints.moving(s)
	}
	if c.p.Gyroscopes {
		on.Gyro = c.spinning(s, ps)
	}
	c.body.Step(&s.State, b, &on, ws)
	for i := range ws {
		s.Wheels[i].Travel, s.Wheels[i].Bump = ws[i].Travel, ws[i].Bump
	}
}

// spinning returns the angular momentum that the wheels have from turning on their
// axles [N·m·s, world].
func (c *Car) spinning(s *State, ps *[4]patch) r3.Vec {
	own := func(i int) r3.Vec {
		return r3.Scale(c.corners[i].axle.Wheel.Inertia*s.Wheels[i].Roll.Spin, ps[i].axle)
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
