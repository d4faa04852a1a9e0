package chassis

import (
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// Axes are the body's unit vectors in the world.
type Axes struct{ X, Y, Z r3.Vec }

// AxesOf returns the columns of the rotation matrix of a unit quaternion.
func AxesOf(q quat.Number) Axes {
	w, x, y, z := q.Real, q.Imag, q.Jmag, q.Kmag
	return Axes{
		X: r3.Vec{X: 1 - 2*(y*y+z*z), Y: 2 * (x*y + w*z), Z: 2 * (x*z - w*y)},
		Y: r3.Vec{X: 2 * (x*y - w*z), Y: 1 - 2*(x*x+z*z), Z: 2 * (y*z + w*x)},
		Z: r3.Vec{X: 2 * (x*z + w*y), Y: 2 * (y*z - w*x), Z: 1 - 2*(x*x+y*y)},
	}
}

// Out turns a body vector into the world.
func (b *Axes) Out(v r3.Vec) r3.Vec {
	return r3.Vec{
		X: b.X.X*v.X + b.Y.X*v.Y + b.Z.X*v.Z,
		Y: b.X.Y*v.X + b.Y.Y*v.Y + b.Z.Y*v.Z,
		Z: b.X.Z*v.X + b.Y.Z*v.Y + b.Z.Z*v.Z,
	}
}

// Into turns a world vector into the body.
func (b *Axes) Into(v r3.Vec) r3.Vec {
	return r3.Vec{X: r3.Dot(b.X, v), Y: r3.Dot(b.Y, v), Z: r3.Dot(b.Z, v)}
}

// Facing returns the attitude that stands on a ground and heads one way [rad].
func Facing(normal r3.Vec, heading float64) quat.Number {
	sin, cos := math.Sincos(heading / 2)
	yaw := quat.Number{Real: cos, Kmag: sin}
	tilt := quat.Number{Real: 1 + normal.Z, Imag: -normal.Y, Jmag: normal.X} // shortest turn from z to normal
	return Unit(quat.Mul(tilt, yaw))
}

// Unit returns q at length 1.
func Unit(q quat.Number) quat.Number {
	size := q.Real*q.Real + q.Jmag*q.Jmag + (q.Imag*q.Imag + q.Kmag*q.Kmag)
	return quat.Scale(1/math.Sqrt(size), q)
}

// Wrench is what acts on the body: a force and a moment about its centre of mass.
type Wrench struct {
	Force  r3.Vec // [N, world]
	Moment r3.Vec // [N·m, world]
}

// Plus returns the sum of two.
func (w Wrench) Plus(o Wrench) Wrench {
	return Wrench{r3.Add(w.Force, o.Force), r3.Add(w.Moment, o.Moment)}
}

// Turned returns q after a turn of twice the small vector half [rad, body].
func Turned(q quat.Number, half r3.Vec) quat.Number {
	step := quat.Number{Real: 1, Imag: half.X, Jmag: half.Y, Kmag: half.Z}
	return Unit(quat.Mul(q, step))
}
