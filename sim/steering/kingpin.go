package steering

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// Kingpin is the axis about which a front wheel steers. It moves up and down with the suspension, and its
// direction in the body is constant.
//
// Vectors rotate by Rodrigues' formula: parallel + cos·perpendicular + sin·axis×perpendicular, where parallel
// and perpendicular are the parts of the vector with respect to the axis. The effects of an inclined axis on
// camber and ride height follow from that.
type Kingpin struct {
	Axis        r3.Vec // direction of the axis, unit vector up [body]
	GroundToHub r3.Vec // vector from the axis' point on the ground to the hub, straight ahead [m, body]
	radial      r3.Vec // part of GroundToHub perpendicular to the axis [m, body]
	// Axis×GroundToHub: motion of the hub for each radian to the left, straight ahead [m/rad, body]
	dHub r3.Vec
}

// newKingpin returns the kingpin of the left (side 1) or the right (side -1) front wheel. height is the
// height of the hub above the ground [m]. The top of the axis leans back by the caster angle and inward by
// the inclination. The axis meets the ground ahead of the contact by the caster trail, and inside of it by
// the scrub radius.
func newKingpin(s Params, side, height float64) Kingpin {
	tanCaster, tanInclination := math.Tan(s.CasterAngle*degree), math.Tan(s.KingpinInclination*degree)
	axis := r3.Unit(r3.Vec{X: -tanCaster, Y: -side * tanInclination, Z: 1})
	groundToHub := r3.Vec{X: -s.CasterTrail, Y: side * s.ScrubRadius, Z: height}
	return Kingpin{
		Axis:        axis,
		GroundToHub: groundToHub,
		radial:      r3.Sub(groundToHub, r3.Scale(r3.Dot(axis, groundToHub), axis)),
		dHub:        r3.Cross(axis, groundToHub),
	}
}

// HubShift returns the displacement of the hub from its position straight ahead [m, body]. sin and cos are
// the sine and cosine of the wheel's angle about the axis.
func (k *Kingpin) HubShift(sin, cos float64) r3.Vec {
	back := cos - 1
	return r3.Vec{
		X: back*k.radial.X + sin*k.dHub.X,
		Y: back*k.radial.Y + sin*k.dHub.Y,
		Z: back*k.radial.Z + sin*k.dHub.Z,
	}
}

// Rotate returns axle, the wheel axis straight ahead (unit vector, body), rotated about the kingpin. sin and
// cos are the sine and cosine of the wheel's angle about the kingpin.
func (k *Kingpin) Rotate(axle r3.Vec, sin, cos float64) r3.Vec {
	a := &k.Axis
	rest := (a.X*axle.X + a.Y*axle.Y + a.Z*axle.Z) * (1 - cos)
	return r3.Vec{
		X: cos*axle.X + sin*(a.Y*axle.Z-a.Z*axle.Y) + rest*a.X,
		Y: cos*axle.Y + sin*(a.Z*axle.X-a.X*axle.Z) + rest*a.Y,
		Z: cos*axle.Z + sin*(a.X*axle.Y-a.Y*axle.X) + rest*a.Z,
	}
}
