package ffb

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim"
	"rig.example/rig/sim/brakes"
	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/tire"
)

// rough returns how much faster the left front wheel moves up than the right one [m/s].
//
// A wheel that is thrown up is also thrown back, at the lever of its scrub radius, and turns
// the steering to its side.
func rough(s *sim.State) float64 {
	const fastest = 10 // [m/s]
	return bounded(s.Wheels[tire.FL].Bump, fastest) - bounded(s.Wheels[tire.FR].Bump, fastest)
}

// modulation is what the ABS does to the front brakes: -1 while it lets go of both, 1 while it
// builds pressure up in both. Its band, of 4 to 40 Hz, rounds the edges over 10 ms; its phase is
// 0 at 13 Hz, and a change there is late by 7 ms.
func modulation(s *sim.State) float64 {
	return (valve(&s.Brakes.Wheels[tire.FL]) + valve(&s.Brakes.Wheels[tire.FR])) / 2
}

func valve(b *brakes.WheelState) float64 {
	const building, releasing = 2, 4 // as brakes.ABSWheel.Phase counts
	switch b.ABS.Phase {
	case building:
		return 1
	case releasing:
		return -1
	}
	return 0
}

// collision is the knock of a blow to the side of the car's front, away from what is hit:
// a front wheel that strikes a wall is turned away from it.
type collision struct {
	rise, fall float64 // share of its way in a tick
}

// newCollision returns one that is late by 5 ms and then rings off with 80 ms.
func newCollision(dt float64) collision {
	const soon, slow = 0.005, 0.08 // [s]
	return collision{rise: dt / (soon + dt), fall: dt / (slow + dt)}
}

// next moves the level of the knock, -1..1, by a tick and returns it.
func (c *collision) next(level *float64, car *sim.State) float64 {
	const whole = 10e3 // [N]
	blow := 0.0
	if car.Blow != (chassis.Blow{}) {
		blow = min(max(sideways(car)/whole, -1), 1)
	}
	share := c.fall
	if math.Abs(blow) > math.Abs(*level) || blow**level < 0 {
		share = c.rise
	}
	*level = settled(*level + share*(blow-*level))
	return *level
}

// sideways returns the part of a blow that pushes the front axle to the left [N]: that of two
// forces, at the axles, which together do to the body what the blow does.
func sideways(s *sim.State) float64 {
	const most = 1e7 // [N, N·m]
	w := &s.Wheels
	front := r3.Add(w[tire.FL].Hub, w[tire.FR].Hub)
	rear := r3.Add(w[tire.RL].Hub, w[tire.RR].Hub)
	ahead := r3.Scale(0.5, r3.Sub(front, rear))
	base := math.Sqrt(r3.Dot(ahead, ahead))
	back := r3.Dot(ahead, r3.Sub(s.Pos, r3.Scale(0.5, rear))) / base // from the centre of mass to the rear axle [m]
	force := (bounded(s.Blow.Force.Y, most)*back + bounded(s.Blow.Yaw, most)) / base
	return bounded(force, most) // 0 where the hubs lie at one place
}
