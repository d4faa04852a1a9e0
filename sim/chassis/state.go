package chassis

import (
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// State is what a body hands from one tick to the next, and what the last tick found.
type State struct {
	Pos      r3.Vec      // centre of mass [m, world]
	Att      quat.Number // body to world, unit
	Vel      r3.Vec      // of the centre of mass [m/s, world]
	Rate     r3.Vec      // angular velocity [rad/s, body]
	LastRate r3.Vec      // Rate a tick ago [rad/s, body], by which fuel that is gone weighs

	// Found by the last tick.
	Acc           r3.Vec  // acceleration of the centre of mass [m/s², body]; 0 at rest
	SpecificForce r3.Vec  // what an accelerometer there shows [m/s², body]; 9.81 upwards at rest
	Speed         float64 // along the body's x [m/s]
	Blow          Blow    // of ground and walls on the body's outside; follows from the rest
}

// Blow is what the body's outside, and wheels at full bump, get from ground and walls; all 0
// where they touch nothing.
type Blow struct {
	Force r3.Vec  // [N, body]
	Yaw   float64 // moment about the body's z through the centre of mass [N·m], positive left
}

// Roll returns the roll angle [rad], positive when the right side is down.
func (s *State) Roll() float64 {
	b := AxesOf(s.Att)
	return math.Atan2(b.Y.Z, b.Z.Z)
}

// Pitch returns the pitch angle [rad], positive when the nose is down.
func (s *State) Pitch() float64 {
	return math.Asin(min(max(-AxesOf(s.Att).X.Z, -1), 1))
}

// Yaw returns the heading [rad], 0 along the world's x, positive to the left.
func (s *State) Yaw() float64 {
	b := AxesOf(s.Att)
	return math.Atan2(b.X.Y, b.X.X)
}
