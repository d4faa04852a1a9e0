package sim

import (
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/brakes"
)

// brakesVehicle returns the car's data that the brakes need. c.wheels must be built.
func (c *Car) brakesVehicle() *brakes.Vehicle {
	v := brakes.Vehicle{AirTemperature: c.p.Air.Temperature, CGHeight: c.p.CGHeight, Gravity: c.p.Gravity}
	for axle := range v.Axles {
		k := &c.wheels[2*axle]
		track, _, _ := c.p.axleGeometry(2 * axle)
		v.Axles[axle] = brakes.Axle{Radius: k.radius(), Inertia: k.inertia, PeakSlip: k.peakBrakingSlip(),
			Track: track}
	}
	return &v
}

// stepBrakes moves the brakes by one tick.
func (c *Car) stepBrakes(s *State, in *Input, o *assist.Orders) {
	b := brakes.Input{Pedal: in.Brake, Handbrake: in.Handbrake, ABS: in.Assists.ABS, Request: o.BrakeRequest,
		YawRate: s.Rate.Z, AccelX: s.SpecificForce.X, AccelY: s.SpecificForce.Y}
	s.setSpins(&b.Spin)
	c.brakes.Step(&s.Brakes, &b)
}
