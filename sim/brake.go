package sim

import (
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/brakes"
)

// braked returns what the brakes must know of the car, whose corners are built.
func (c *Car) braked() *brakes.Vehicle {
	v := brakes.Vehicle{Air: c.p.Air.Temperature, CGHeight: c.p.CGHeight, Gravity: c.p.Gravity}
	for axle := range v.Axles {
		k := &c.wheels[2*axle]
		track, _, _ := c.p.station(2 * axle)
		v.Axles[axle] = brakes.Axle{Radius: k.radius(), Inertia: k.inertia, BestSlip: k.bestSlip(), Track: track}
	}
	return &v
}

// brake works the brakes for one tick.
func (c *Car) brake(s *State, in *Input, o *assist.Orders) {
	b := brakes.Input{Pedal: in.Brake, Handbrake: in.Handbrake, ABS: in.Assists.ABS, Ask: o.Ask, Spin: s.spins(), YawRate: s.Rate.Z, AccelX: s.SpecificForce.X, AccelY: s.SpecificForce.Y}
	c.brakes.Step(&s.Brakes, &b)
}
