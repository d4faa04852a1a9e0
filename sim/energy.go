package sim

import (
	"rig.example/rig/sim/chassis"
)

// Energy returns the kinetic and potential energy [J] of the body and of the wheels, which move up and down in
// it. The energy of wheel spin, springs and tires is not included. The potential energy is 0 at z = 0.
func (c *Car) Energy(s *State) float64 {
	up := chassis.AxesOf(s.Att).Z.Z
	e := c.kineticEnergy(s) + c.p.Mass*c.p.Gravity*s.Pos.Z
	for i := range s.Wheels {
		e += c.p.axle(i).UnsprungMass * c.p.Gravity * (s.Wheels[i].Travel - c.suspension.Corners[i].RestTravel) * up
	}
	return e
}

// DrivelineEnergy returns the kinetic energy of everything that turns from the engine to the half shafts, and
// the energy stored in the half shafts' twist [J].
func (c *Car) DrivelineEnergy(s *State) float64 { return c.driveline.Energy(&s.Driveline) }

// kineticEnergy returns the kinetic energy of body and wheels, without wheel spin [J].
func (c *Car) kineticEnergy(s *State) float64 {
	ws := s.wheelTravels()
	return c.chassis.Kinetic(&s.State, &ws)
}
