package chassis

import (
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// State is the motion of a body, and results of the last tick.
type State struct {
	Pos      r3.Vec      // center of mass [m, world]
	Att      quat.Number // attitude: unit quaternion that rotates vectors from the body to the world
	Vel      r3.Vec      // velocity of the center of mass [m/s, world]
	Rate     r3.Vec      // angular velocity [rad/s, body]
	LastRate r3.Vec      // Rate a tick ago [rad/s, body]; AddBurnedFuel needs it
	Cling    Cling       // how the hull holds on to ground and walls

	// Results of the last tick.
	Acc r3.Vec // acceleration of the center of mass [m/s², body]; 0 at rest
	// reading of an accelerometer at the center of mass [m/s², body]; 9.81 upwards at rest
	SpecificForce r3.Vec
	Speed         float64 // speed along the body's x [m/s]
	Impact        Impact  // contact force on the body's outside; not part of the hash

	// Clearance spares looks at the ground below the body. It changes no force, and is not part of the hash.
	Clearance Clearance
}

// Impact is the force of ground and walls on the body's outside and on wheels at full bump; 0
// without contact.
type Impact struct {
	Force     r3.Vec  // [N, body]
	YawMoment float64 // moment about the body's z through the center of mass [N·m], positive left
}

// Roll returns the roll angle [rad], positive when the right side is down.
func (s *State) Roll() float64 {
	axes := AxesOf(s.Att)
	return math.Atan2(axes.Y.Z, axes.Z.Z)
}

// Pitch returns the pitch angle [rad], positive when the nose is down.
func (s *State) Pitch() float64 {
	return math.Asin(min(max(-AxesOf(s.Att).X.Z, -1), 1))
}

// Yaw returns the heading [rad], 0 along the world's x, positive to the left.
func (s *State) Yaw() float64 {
	axes := AxesOf(s.Att)
	return math.Atan2(axes.X.Y, axes.X.X)
}
