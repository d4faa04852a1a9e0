package sim

import (
	"rig.example/rig/sim/chassis"
)

// Energy returns what motion and height above the world's zero hold [J]: of the
// body and of the wheels, which move in it. Spin, springs and tires are left out.
func (c *Car) Energy(s *State) float64 {
	up := chassis.AxesOf(s.Att).Z.Z
	e := c.moving(s) + c.p.Mass*c.p.Gravity*s.Pos.Z
	for i := range s.Wheels {
		e += c.p.axle(i).Unsprung * c.p.Gravity * (s.Wheels[i].Travel - c.suspension.Corners[i].RestTravel) * up
	}
	return e
}

// DrivelineEnergy returns what turns and twists between engine and wheels holds [J].
func (c *Car) DrivelineEnergy(s *State) float64 { return c.driveline.Energy(&s.Driveline) }

// moving returns the energy of motion of body and wheels, their spin left out [J].
func (c *Car) moving(s *State) float64 {
	ws := s.sliding()
	return c.body.Kinetic(&s.State, &ws)
}
