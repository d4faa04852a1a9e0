package sim

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// Reset puts the car back on its wheels where it is, heading as it does: it
// stands, its springs are in balance, its engine idles, and no wall is in its
// way. The count of ticks goes on, the wheels stay turned as they are, and tires as
// warm and as worn.
func (c *Car) Reset(s *State) {
	pos, heading := s.Pos, s.Yaw()
	if lost(pos.X + pos.Y + pos.Z) { // there is only the start to go back to
		pos = r3.Vec{}
	}
	if lost(heading) {
		heading = 0
	}
	fresh := c.Rest(pos, heading)
	const tries, gap = 16, 0.2 // [1], [m] that is left to the wall
	for range tries {
		way, in := c.body.WayOut(&fresh.State)
		if !in {
			break
		}
		fresh = c.Rest(r3.Add(fresh.Pos, r3.Add(way, r3.Scale(gap, r3.Unit(way)))), heading)
	}
	fresh.Tick = s.Tick
	c.driveline.KeepFuel(&fresh.Driveline, &s.Driveline)
	for i := range s.Wheels {
		if h := s.Wheels[i].Heat; !lost(h.Surface + h.Bulk + h.Gas + h.Worn) {
			fresh.Wheels[i].Heat = h
		}
	}
	if !lost(s.Steering.Position) { // the driver holds on to it
		fresh.Steering.Position = s.Steering.Position
		for i := range s.Wheels {
			fresh.Wheels[i].Steer = s.Wheels[i].Steer
		}
	}
	*s = fresh
}

// lost tells whether v is no number to stand on.
func lost(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }
