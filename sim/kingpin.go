package sim

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// kingpin is the axis about which a wheel is steered. It moves up and down with
// the suspension and keeps its direction in the body.
//
// The turn of a vector v is Rodrigues' along + cos·across + sin·axis×across, where
// along and across are its parts with the axis and square to it. What an
// inclined axis does to camber and to the car's height follows from that alone.
type kingpin struct {
	axis   r3.Vec // unit, points up [body]
	foot   r3.Vec // on the ground under it to the hub straight ahead [m, body]
	across r3.Vec // part of foot square to the axis [m, body]
	swing  r3.Vec // axis×foot, where the hub goes for a turn to the left [m/rad, body]
}

// newKingpin returns the axis of the left (side 1) or right (-1) front wheel,
// whose hub is height above the ground [m]: its top leans back by the caster and
// inward by the inclination, and it meets the ground ahead of the contact by the
// trail and inside it by the scrub radius.
func newKingpin(s Steering, side, height float64) kingpin {
	back, inward := math.Tan(s.CasterAngle*degree), math.Tan(s.Inclination*degree)
	axis := r3.Unit(r3.Vec{X: -back, Y: -side * inward, Z: 1})
	foot := r3.Vec{X: -s.Caster, Y: side * s.Scrub, Z: height}
	return kingpin{
		axis:   axis,
		foot:   foot,
		across: r3.Sub(foot, r3.Scale(r3.Dot(axis, foot), axis)),
		swing:  r3.Cross(axis, foot),
	}
}

// hub returns how far the hub moves from where it is straight ahead [m, body],
// by the sine and cosine of the wheel's angle about the axis.
func (k *kingpin) hub(sin, cos float64) r3.Vec {
	back := cos - 1
	return r3.Vec{
		X: back*k.across.X + sin*k.swing.X,
		Y: back*k.across.Y + sin*k.swing.Y,
		Z: back*k.across.Z + sin*k.swing.Z,
	}
}

// turn returns where a wheel's axle points [unit, body] that straight ahead
// points along axle.
func (k *kingpin) turn(axle r3.Vec, sin, cos float64) r3.Vec {
	a := &k.axis
	rest := (a.X*axle.X + a.Y*axle.Y + a.Z*axle.Z) * (1 - cos)
	return r3.Vec{
		X: cos*axle.X + sin*(a.Y*axle.Z-a.Z*axle.Y) + rest*a.X,
		Y: cos*axle.Y + sin*(a.Z*axle.X-a.X*axle.Z) + rest*a.Y,
		Z: cos*axle.Z + sin*(a.X*axle.Y-a.Y*axle.X) + rest*a.Z,
	}
}

// steering returns what turns the wheel about its kingpin [N·m], positive to the
// left: pin · (lever × force + the tire's moments).
//
// The tire's force acts at the contact, and so does that of a brake, which holds
// the wheel to its carrier. A drive shaft holds it to the car: its torque, less what
// only speeds the wheel up, turns the carrier by as much as axle and kingpin
// point the same way, which moves the drive's force up to the hub.
func (p *patch) steering() float64 {
	turning := r3.Add(r3.Cross(p.lever, p.force), p.moment)
	return r3.Dot(p.pin, r3.Add(turning, r3.Scale(p.shaft, p.axle)))
}
