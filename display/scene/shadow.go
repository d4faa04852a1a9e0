package scene

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/internal/core/frame"
)

// ShadowView returns the matrix by which the sun sees a car at p: the car fills -1 to 1 along all axes.
func (l *Light) ShadowView(p Pose, s *frame.Scene) mgl64.Mat4 {
	const away = 10 // [m]
	half := math.Hypot(s.Length, s.Width)/2 + 0.2
	view := mgl64.LookAtV(p.pos.Add(l.ToSun.Mul(away)), p.pos, mgl64.Vec3{0, 0, 1})
	return mgl64.Ortho(-half, half, -half, half, away-half, away+2*half).Mul4(view)
}

// ShadowGround returns the matrix that places a square from -1 to 1 on the ground below a car at p so that it contains the
// shadow of the sun.
func (l *Light) ShadowGround(f *frame.Frame, p Pose, s *frame.Scene) mgl64.Mat4 {
	const margin, lift = 0.3, 0.03 // [m]
	axes := GroundAxes(f, p, s)
	sun := axes.Mat3().Transpose().Mul3x1(l.ToSun)
	reach := s.Height / max(sun[2], 0.15)
	var middle, half [2]float64
	for i, size := range [2]float64{s.Length, s.Width} {
		away := -sun[i] * reach
		middle[i], half[i] = away/2, size/2+math.Abs(away)/2+margin
	}
	return axes.Mul4(mgl64.Translate3D(middle[0], middle[1], lift)).Mul4(mgl64.Scale3D(half[0], half[1], 1))
}
