package cueing

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// mechanism is what carries the platform. It never changes.
type mechanism interface {
	// legs returns the legs of a pose, and its load: 0 at neutral, 1 where the
	// first leg is at its end. Beyond that legs may be outside 0..1, never NaN.
	legs(p Pose) (Legs, float64)
	// pose returns the pose of legs; the zero pose and false where it finds none. A search
	// begins near a pose.
	pose(l Legs, near Pose) (Pose, bool)
	// box is the most of each degree of freedom that legs takes, 0 where it has none.
	box() Pose
	// firmness tells in a pose how well the legs hold the platform: 0 not at all,
	// and with the other sign after it has turned over.
	firmness(p Pose) float64
	names() []string
}

// rotation is the matrix that turns a platform's vector into the base's, row by row.
type rotation struct {
	xx, xy, xz float64
	yx, yy, yz float64
	zx, zy, zz float64
}

// turned returns the rotation by yaw, then pitch, then roll about the axes as
// turned so far (ISO 8855, Rz·Ry·Rx).
func turned(p Pose) rotation {
	sr, cr := math.Sincos(p.Roll)
	sp, cp := math.Sincos(p.Pitch)
	sy, cy := math.Sincos(p.Yaw)
	return rotation{
		cy * cp, cy*sp*sr - sy*cr, cy*sp*cr + sy*sr,
		sy * cp, sy*sp*sr + cy*cr, sy*sp*cr - cy*sr,
		-sp, cp * sr, cp * cr,
	}
}

func (r *rotation) of(v r3.Vec) r3.Vec {
	return r3.Vec{
		X: r.xx*v.X + r.xy*v.Y + r.xz*v.Z,
		Y: r.yx*v.X + r.yy*v.Y + r.yz*v.Z,
		Z: r.zx*v.X + r.zy*v.Y + r.zz*v.Z,
	}
}

// times draws a pose towards neutral.
func (p Pose) times(share float64) Pose {
	p.Surge *= share
	p.Sway *= share
	p.Heave *= share
	p.Roll *= share
	p.Pitch *= share
	p.Yaw *= share
	return p
}

// finite tells whether all of a pose is: of 0 times a number only that of one
// that is not finite is not 0.
func (p Pose) finite() bool {
	return 0*p.Surge+0*p.Sway+0*p.Heave+0*p.Roll+0*p.Pitch+0*p.Yaw+0*p.Slide+0*p.Belt == 0
}
