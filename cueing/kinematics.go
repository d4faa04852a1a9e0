package cueing

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// mechanism is the kinematics of a platform. It never changes.
type mechanism interface {
	// legs returns the legs of a pose, and its load: 0 at neutral, 1 where the first leg is at its
	// end. Beyond that legs may be outside of 0..1, never NaN.
	legs(p Pose) (Legs, float64)
	// pose returns the pose of legs, or the zero pose and false where none is found. An iterative
	// search begins at near.
	pose(l Legs, near Pose) (Pose, bool)
	// bounds returns the largest value of each degree of freedom that legs accepts, 0 where the
	// platform cannot move.
	bounds() Pose
	// stability returns how well the legs hold the platform in a pose: 0 not at all, and with the
	// opposite sign once the platform has turned over.
	stability(p Pose) float64
	// names returns the names of the legs, in their order.
	names() []string
}

// rotationMatrix is the matrix that transforms a vector from platform axes to base axes, row by row.
type rotationMatrix struct {
	xx, xy, xz float64
	yx, yy, yz float64
	zx, zy, zz float64
}

// rotationOf returns the rotation by yaw, then pitch, then roll about the axes as
// turned so far (ISO 8855, Rz·Ry·Rx).
func rotationOf(p Pose) rotationMatrix {
	sr, cr := math.Sincos(p.Roll)
	sp, cp := math.Sincos(p.Pitch)
	sy, cy := math.Sincos(p.Yaw)
	return rotationMatrix{
		cy * cp, cy*sp*sr - sy*cr, cy*sp*cr + sy*sr,
		sy * cp, sy*sp*sr + cy*cr, sy*sp*cr - cy*sr,
		-sp, cp * sr, cp * cr,
	}
}

// apply returns v transformed from platform axes to base axes.
func (r *rotationMatrix) apply(v r3.Vec) r3.Vec {
	return r3.Vec{
		X: r.xx*v.X + r.xy*v.Y + r.xz*v.Z,
		Y: r.yx*v.X + r.yy*v.Y + r.yz*v.Z,
		Z: r.zx*v.X + r.zy*v.Y + r.zz*v.Z,
	}
}

// scaled returns the pose with every component but slide and belt multiplied by factor.
func (p Pose) scaled(factor float64) Pose {
	p.Surge *= factor
	p.Sway *= factor
	p.Heave *= factor
	p.Roll *= factor
	p.Pitch *= factor
	p.Yaw *= factor
	return p
}

// isFinite reports whether no component is NaN or Inf: 0 times any other number is 0.
func (p Pose) isFinite() bool {
	return 0*p.Surge+0*p.Sway+0*p.Heave+0*p.Roll+0*p.Pitch+0*p.Yaw+0*p.Slide+0*p.Belt == 0
}
