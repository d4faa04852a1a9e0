package chassis

import "gonum.org/v1/gonum/spatial/r3"

// tensor is the inertia tensor of a body and its inverse. Products of inertia are integrals of
// x·y, y·z and x·z over the mass; the matrix has their negatives off its diagonal.
type tensor struct {
	xx, yy, zz, xz     float64 // elements of the inertia tensor [kg·m²]
	ixx, iyy, izz, ixz float64 // elements of the inverse [1/(kg·m²)]
	xy, yz, ixy, iyz   float64 // the other elements of both; 0 for a body that is symmetric left and right
	asymmetric         bool    // xy or yz is not 0
}

// newTensor returns the inertia tensor of p. Without xy and yz, it inverts only the x-z block.
func newTensor(p Params) tensor {
	if p.InertiaXY != 0 || p.InertiaYZ != 0 {
		return newFullTensor(p)
	}
	det := p.InertiaXX*p.InertiaZZ - p.InertiaXZ*p.InertiaXZ
	return tensor{
		xx: p.InertiaXX, yy: p.InertiaYY, zz: p.InertiaZZ, xz: p.InertiaXZ,
		ixx: p.InertiaZZ / det, iyy: 1 / p.InertiaYY, izz: p.InertiaXX / det, ixz: p.InertiaXZ / det,
	}
}

// newFullTensor returns the tensor of an asymmetric body, inverted by cofactors.
func newFullTensor(p Params) tensor {
	t := tensor{
		xx: p.InertiaXX, yy: p.InertiaYY, zz: p.InertiaZZ,
		xy: p.InertiaXY, yz: p.InertiaYZ, xz: p.InertiaXZ, asymmetric: true,
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

// momentum returns the angular momentum [N·m·s] at an angular velocity w [rad/s], both in the body.
func (t *tensor) momentum(w r3.Vec) r3.Vec {
	if t.asymmetric {
		return r3.Vec{
			X: t.xx*w.X - t.xy*w.Y - t.xz*w.Z,
			Y: t.yy*w.Y - t.xy*w.X - t.yz*w.Z,
			Z: t.zz*w.Z - t.xz*w.X - t.yz*w.Y,
		}
	}
	return r3.Vec{X: t.xx*w.X - t.xz*w.Z, Y: t.yy * w.Y, Z: t.zz*w.Z - t.xz*w.X}
}

// accel returns the angular acceleration [rad/s²] by a moment m [N·m], both in the body.
func (t *tensor) accel(m r3.Vec) r3.Vec {
	if t.asymmetric {
		return r3.Vec{
			X: t.ixx*m.X + t.ixy*m.Y + t.ixz*m.Z,
			Y: t.ixy*m.X + t.iyy*m.Y + t.iyz*m.Z,
			Z: t.ixz*m.X + t.iyz*m.Y + t.izz*m.Z,
		}
	}
	return r3.Vec{X: t.ixx*m.X + t.ixz*m.Z, Y: t.iyy * m.Y, Z: t.izz*m.Z + t.ixz*m.X}
}
