package sim

import (
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// axes are the body's unit vectors in the world.
type axes struct{ x, y, z r3.Vec }

// axesOf returns the columns of the rotation matrix of a unit quaternion.
func axesOf(q quat.Number) axes {
	w, x, y, z := q.Real, q.Imag, q.Jmag, q.Kmag
	return axes{
		x: r3.Vec{X: 1 - 2*(y*y+z*z), Y: 2 * (x*y + w*z), Z: 2 * (x*z - w*y)},
		y: r3.Vec{X: 2 * (x*y - w*z), Y: 1 - 2*(x*x+z*z), Z: 2 * (y*z + w*x)},
		z: r3.Vec{X: 2 * (x*z + w*y), Y: 2 * (y*z - w*x), Z: 1 - 2*(x*x+y*y)},
	}
}

// out turns a body vector into the world.
func (b axes) out(v r3.Vec) r3.Vec {
	return r3.Vec{
		X: b.x.X*v.X + b.y.X*v.Y + b.z.X*v.Z,
		Y: b.x.Y*v.X + b.y.Y*v.Y + b.z.Y*v.Z,
		Z: b.x.Z*v.X + b.y.Z*v.Y + b.z.Z*v.Z,
	}
}

// into turns a world vector into the body.
func (b axes) into(v r3.Vec) r3.Vec {
	return r3.Vec{X: r3.Dot(b.x, v), Y: r3.Dot(b.y, v), Z: r3.Dot(b.z, v)}
}

// facing returns the attitude that stands on a ground and heads one way [rad].
func facing(normal r3.Vec, heading float64) quat.Number {
	sin, cos := math.Sincos(heading / 2)
	yaw := quat.Number{Real: cos, Kmag: sin}
	tilt := quat.Number{Real: 1 + normal.Z, Imag: -normal.Y, Jmag: normal.X} // shortest turn from z to normal
	return unit(quat.Mul(tilt, yaw))
}

func unit(q quat.Number) quat.Number {
	size := q.Real*q.Real + q.Jmag*q.Jmag + (q.Imag*q.Imag + q.Kmag*q.Kmag)
	return quat.Scale(1/math.Sqrt(size), q)
}

// tensor is the inertia of a body and its inverse. Products count as integrals
// over the mass: off its diagonal the matrix has their negatives.
type tensor struct {
	xx, yy, zz, xz     float64 // [kg·m²]
	ixx, iyy, izz, ixz float64 // [1/(kg·m²)]
	xy, yz, ixy, iyz   float64 // 0 for a body that is the same on its left and right
	skew               bool    // it is not
}

func newTensor(p Params) tensor {
	if p.InertiaXY != 0 || p.InertiaYZ != 0 {
		return newSkewTensor(p)
	}
	det := p.InertiaXX*p.InertiaZZ - p.InertiaXZ*p.InertiaXZ
	return tensor{
		xx: p.InertiaXX, yy: p.InertiaYY, zz: p.InertiaZZ, xz: p.InertiaXZ,
		ixx: p.InertiaZZ / det, iyy: 1 / p.InertiaYY, izz: p.InertiaXX / det, ixz: p.InertiaXZ / det,
	}
}

// newSkewTensor inverts the whole matrix, by its cofactors.
func newSkewTensor(p Params) tensor {
	t := tensor{
		xx: p.InertiaXX, yy: p.InertiaYY, zz: p.InertiaZZ,
		xy: p.InertiaXY, yz: p.InertiaYZ, xz: p.InertiaXZ, skew: true,
	}
	t.ixx = t.yy*t.zz - t.yz*t.yz
	t.iyy = t.xx*t.zz - t.xz*t.xz
	t.izz = t.xx*t.yy - t.xy*t.xy
	t.ixy = t.xy*t.zz + t.yz*t.xz
	t.iyz = t.yz*t.xx + t.xy*t.xz
	t.ixz = t.xz*t.yy + t.xy*t.yz
	det := t.xx*t.ixx - t.xy*t.ixy - t.xz*t.ixz
	for _, v := range []*float64{&t.ixx, &t.iyy, &t.izz, &t.ixy, &t.iyz, &t.ixz} {
		*v /= det
	}
	return t
}

// momentum returns the angular momentum of a rate, both in the body.
func (t *tensor) momentum(w r3.Vec) r3.Vec {
	if t.skew {
		return r3.Vec{
			X: t.xx*w.X - t.xy*w.Y - t.xz*w.Z,
			Y: t.yy*w.Y - t.xy*w.X - t.yz*w.Z,
			Z: t.zz*w.Z - t.xz*w.X - t.yz*w.Y,
		}
	}
	return r3.Vec{X: t.xx*w.X - t.xz*w.Z, Y: t.yy * w.Y, Z: t.zz*w.Z - t.xz*w.X}
}

// accel returns the angular acceleration of a moment, both in the body.
func (t *tensor) accel(m r3.Vec) r3.Vec {
	if t.skew {
		return r3.Vec{
			X: t.ixx*m.X + t.ixy*m.Y + t.ixz*m.Z,
			Y: t.ixy*m.X + t.iyy*m.Y + t.iyz*m.Z,
			Z: t.ixz*m.X + t.iyz*m.Y + t.izz*m.Z,
		}
	}
	return r3.Vec{X: t.ixx*m.X + t.ixz*m.Z, Y: t.iyy * m.Y, Z: t.izz*m.Z + t.ixz*m.X}
}

// wrench is what acts on the body: a force and a moment about its centre of mass.
type wrench struct {
	force  r3.Vec // [N, world]
	moment r3.Vec // [N·m, world]
}

func (w wrench) plus(o wrench) wrench {
	return wrench{r3.Add(w.force, o.force), r3.Add(w.moment, o.moment)}
}

// integrate moves the body by one tick: velocities first, then places by the
// new velocities, which keeps springs from gaining energy.
func (c *Car) integrate(s *State, b axes, sum wrench) {
	felt := r3.Scale(1/c.p.Mass, sum.force)
	acc := r3.Add(felt, r3.Vec{Z: -c.p.Gravity})
	s.SpecificForce = b.into(felt)
	s.Acc = b.into(acc)

	s.Vel = r3.Add(s.Vel, r3.Scale(c.dt, acc))
	s.Pos = r3.Add(s.Pos, r3.Scale(c.dt, s.Vel))

	gyro := r3.Cross(s.Rate, c.inertia.momentum(s.Rate))
	spin := c.inertia.accel(r3.Sub(b.into(sum.moment), gyro))
	s.Rate = r3.Add(s.Rate, r3.Scale(c.dt, spin))
	s.Att = turned(s.Att, r3.Scale(c.dt/2, s.Rate))
}

// turned returns q after a turn of twice the small vector half [rad, body].
func turned(q quat.Number, half r3.Vec) quat.Number {
	step := quat.Number{Real: 1, Imag: half.X, Jmag: half.Y, Kmag: half.Z}
	return unit(quat.Mul(q, step))
}
