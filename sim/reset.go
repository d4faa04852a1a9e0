package sim

import (
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/kit/valid"
)

// Reset puts the car back on its wheels at its position and heading: at standstill, with its springs in
// equilibrium and its engine at idle. A car in a wall is moved out of it. The tick count, the fuel, the
// steering and the tires' temperature and wear stay as they are.
func (c *Car) Reset(s *State) {
	pos, heading := s.Pos, s.Yaw()
	if !valid.Finite(pos.X + pos.Y + pos.Z) { // NaN or Inf: back to the origin
		pos = r3.Vec{}
	}
	if !valid.Finite(heading) {
		heading = 0
	}
	fresh := c.Rest(pos, heading)
	const tries, gap = 16, 0.2 // number of attempts to leave walls, and distance to leave to them [m]
	for range tries {
		push, inWall := c.chassis.PushOut(&fresh.State)
		if !inWall {
			break
		}
		fresh = c.Rest(r3.Add(fresh.Pos, r3.Add(push, r3.Scale(gap, r3.Unit(push)))), heading)
	}
	fresh.Tick = s.Tick
	c.driveline.KeepFuel(&fresh.Driveline, &s.Driveline)
	for i := range s.Wheels {
		if h := s.Wheels[i].Heat; valid.Finite(h.Surface + h.Bulk + h.Gas + h.Wear) {
			fresh.Wheels[i].Heat = h
		}
	}
	if valid.Finite(s.Steering.Position) { // the driver holds the steering wheel
		fresh.Steering.Position = s.Steering.Position
		for i := range s.Wheels {
			fresh.Wheels[i].Steer = s.Wheels[i].Steer
		}
	}
	*s = fresh
}
