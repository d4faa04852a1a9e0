package chassis

import (
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// Axes are the body's unit vectors in the world.
type Axes struct{ X, Y, Z r3.Vec }

// AxesOf returns the columns of the rotation matrix of a unit quaternion.
func AxesOf(q quat.Number) (axes Axes) {
	axes.Set(q)
	return axes
}

// Set sets axes to AxesOf(q), without a copy.
func (axes *Axes) Set(q quat.Number) {
	w, x, y, z := q.Real, q.Imag, q.Jmag, q.Kmag
	axes.X = r3.Vec{X: 1 - 2*(y*y+z*z), Y: 2 * (x*y + w*z), Z: 2 * (x*z - w*y)}
	axes.Y = r3.Vec{X: 2 * (x*y - w*z), Y: 1 - 2*(x*x+z*z), Z: 2 * (y*z + w*x)}
	axes.Z = r3.Vec{X: 2 * (x*z + w*y), Y: 2 * (y*z - w*x), Z: 1 - 2*(x*x+y*y)}
}

// ToWorld returns a body vector in world axes.
func (axes *Axes) ToWorld(v r3.Vec) r3.Vec {
	return r3.Vec{
		X: axes.X.X*v.X + axes.Y.X*v.Y + axes.Z.X*v.Z,
		Y: axes.X.Y*v.X + axes.Y.Y*v.Y + axes.Z.Y*v.Z,
		Z: axes.X.Z*v.X + axes.Y.Z*v.Y + axes.Z.Z*v.Z,
	}
}

// ToBody returns a world vector in body axes.
func (axes *Axes) ToBody(v r3.Vec) r3.Vec {
	return r3.Vec{X: r3.Dot(axes.X, v), Y: r3.Dot(axes.Y, v), Z: r3.Dot(axes.Z, v)}
}

// UprightAttitude returns the attitude of a body that stands on ground with this normal. heading is its yaw
// angle [rad].
func UprightAttitude(normal r3.Vec, heading float64) quat.Number {
	sin, cos := math.Sincos(heading / 2)
	yaw := quat.Number{Real: cos, Kmag: sin}
	tilt := quat.Number{Real: 1 + normal.Z, Imag: -normal.Y, Jmag: normal.X} // shortest rotation from z to normal
	return Unit(quat.Mul(tilt, yaw))
}

// Unit returns q scaled to length 1.
func Unit(q quat.Number) quat.Number {
	size := q.Real*q.Real + q.Jmag*q.Jmag + (q.Imag*q.Imag + q.Kmag*q.Kmag)
	return quat.Scale(1/math.Sqrt(size), q)
}

// Wrench is a force on the body and a moment about its center of mass.
type Wrench struct {
	Force  r3.Vec // [N, world]
	Moment r3.Vec // [N·m, world]
}

// Plus returns the sum of w and o.
func (w Wrench) Plus(o Wrench) Wrench {
	return Wrench{r3.Add(w.Force, o.Force), r3.Add(w.Moment, o.Moment)}
}

// Rotated returns the attitude q after a small rotation. half is half the rotation vector [rad, body].
func Rotated(q quat.Number, half r3.Vec) quat.Number {
	step := quat.Number{Real: 1, Imag: half.X, Jmag: half.Y, Kmag: half.Z}
	return Unit(quat.Mul(q, step))
}
