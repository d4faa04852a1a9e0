package steering

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// Kingpin is the axis about which a front wheel is steered. It moves up and down with
// the suspension and keeps its direction in the body.
//
// The turn of a vector v is Rodrigues' along + cos·across + sin·axis×across, where
// along and across are its parts with the axis and square to it. What an
// inclined axis does to camber and to the car's height follows from that alone.
type Kingpin struct {
	Axis   r3.Vec // unit, points up [body]
	Foot   r3.Vec // on the ground under it to the hub straight ahead [m, body]
	across r3.Vec // part of Foot square to the axis [m, body]
	swing  r3.Vec // Axis×Foot, where the hub goes for a turn to the left [m/rad, body]
}

// newKingpin returns the axis of the left (side 1) or right (-1) front wheel,
// whose hub is height above the ground [m]: its top leans back by the caster and
// inward by the inclination, and it meets the ground ahead of the contact by the
// trail and inside it by the scrub radius.
func newKingpin(s Params, side, height float64) Kingpin {
	back, inward := math.Tan(s.CasterAngle*degree), math.Tan(s.Inclination*degree)
	axis := r3.Unit(r3.Vec{X: -back, Y: -side * inward, Z: 1})
	foot := r3.Vec{X: -s.Caster, Y: side * s.Scrub, Z: height}
	return Kingpin{
		Axis:   axis,
		Foot:   foot,
		across: r3.Sub(foot, r3.Scale(r3.Dot(axis, foot), axis)),
		swing:  r3.Cross(axis, foot),
	}
}

// Hub returns how far the hub moves from where it is straight ahead [m, body],
// by the sine and cosine of the wheel's angle about the axis.
func (k *Kingpin) Hub(sin, cos float64) r3.Vec {
	back := cos - 1
	return r3.Vec{
		X: back*k.across.X + sin*k.swing.X,
		Y: back*k.across.Y + sin*k.swing.Y,
		Z: back*k.across.Z + sin*k.swing.Z,
	}
}

// Turn returns where a wheel's axle points [unit, body] that straight ahead
// points along axle.
func (k *Kingpin) Turn(axle r3.Vec, sin, cos float64) r3.Vec {
	a := &k.Axis
	rest := (a.X*axle.X + a.Y*axle.Y + a.Z*axle.Z) * (1 - cos)
	return r3.Vec{
		X: cos*axle.X + sin*(a.Y*axle.Z-a.Z*axle.Y) + rest*a.X,
		Y: cos*axle.Y + sin*(a.Z*axle.X-a.X*axle.Z) + rest*a.Y,
		Z: cos*axle.Z + sin*(a.X*axle.Y-a.Y*axle.X) + rest*a.Z,
	}
}
