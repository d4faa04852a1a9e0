package ffb

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim"
	"rig.example/rig/sim/brakes"
	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/tire"
)

// bumpDifference returns how much faster the left front wheel moves up than the right one [m/s].
//
// A bump pushes a wheel up and back. The force back, with the scrub radius as its lever arm, turns the
// steering to the side of that wheel.
func bumpDifference(s *sim.State) float64 {
	const maxBump = 10 // [m/s]
	return bounded(s.Wheels[tire.FL].TravelSpeed, maxBump) - bounded(s.Wheels[tire.FR].TravelSpeed, maxBump)
}

// absCycle returns the phase of the ABS at the front brakes: -1 while it releases both, 1 while it
// builds up pressure in both. The band-pass of 4 to 40 Hz rounds the edges over 10 ms; its phase is
// 0 at 13 Hz, with a group delay of 7 ms there.
func absCycle(s *sim.State) float64 {
	return (valvePhase(&s.Brakes.Wheels[tire.FL]) + valvePhase(&s.Brakes.Wheels[tire.FR])) / 2
}

func valvePhase(b *brakes.WheelState) float64 {
	const building, releasing = 2, 4 // values of brakes.ABSWheel.Phase
	switch b.ABS.Phase {
	case building:
		return 1
	case releasing:
		return -1
	}
	return 0
}

// collision is the knock at the rim when the front of the car is hit from the side. It turns the rim
// away from the obstacle.
type collision struct {
	rise, fall float64 // fraction of the difference per tick
}

// newCollision returns a collision that rises with 5 ms and decays with 80 ms.
func newCollision(dt float64) collision {
	const rise, fall = 0.005, 0.08 // [s]
	return collision{rise: dt / (rise + dt), fall: dt / (fall + dt)}
}

// next steps the level of the knock, -1..1, and returns it.
func (c *collision) next(level *float64, car *sim.State) float64 {
	const fullForce = 10e3 // [N]
	force := 0.0
	if car.Impact != (chassis.Impact{}) {
		force = min(max(frontAxleForce(car)/fullForce, -1), 1)
	}
	weight := c.fall
	if math.Abs(force) > math.Abs(*level) || force**level < 0 {
		weight = c.rise
	}
	*level = zeroIfTiny(*level + weight*(force-*level))
	return *level
}

// frontAxleForce returns the lateral force of a collision at the front axle [N], positive left. Two
// lateral forces at the axles have the same resultant and yaw moment as the collision; this is the
// one at the front.
func frontAxleForce(s *sim.State) float64 {
	const limit = 1e7 // [N, N·m]
	w := &s.Wheels
	front := r3.Add(w[tire.FL].Hub, w[tire.FR].Hub)
	rear := r3.Add(w[tire.RL].Hub, w[tire.RR].Hub)
	ahead := r3.Scale(0.5, r3.Sub(front, rear))
	base := math.Sqrt(r3.Dot(ahead, ahead))
	back := r3.Dot(ahead, r3.Sub(s.Pos, r3.Scale(0.5, rear))) / base // distance from the center of mass to the rear axle [m]
	force := (bounded(s.Impact.Force.Y, limit)*back + bounded(s.Impact.YawMoment, limit)) / base
	return bounded(force, limit) // 0 for NaN, if all hubs are at one place
}
