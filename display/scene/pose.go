package scene

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/internal/core/frame"
)

// Pose is the position and attitude of a body.
type Pose struct {
	pos mgl64.Vec3 // [m, world]
	att mgl64.Quat // body to world
}

// body returns the point v of world axes in body axes [m].
func (p Pose) body(v mgl64.Vec3) mgl64.Vec3 { return p.att.Inverse().Rotate(v.Sub(p.pos)) }

// Plan returns where the body is, seen from above [m, world].
func (p Pose) Plan() [2]float64 { return [2]float64{p.pos[0], p.pos[1]} }

// world returns the point v of body axes in world axes [m].
func (p Pose) world(v mgl64.Vec3) mgl64.Vec3 { return p.pos.Add(p.att.Rotate(v)) }

// Matrix returns the transformation from body axes to world axes.
func (p Pose) Matrix() mgl64.Mat4 {
	return mgl64.Translate3D(p.pos[0], p.pos[1], p.pos[2]).Mul4(p.att.Mat4())
}

// CarPose returns the car's pose age seconds after f, extrapolated with constant velocity and angular
// velocity. A zero quaternion counts as level.
func CarPose(f *frame.Frame, age float64) Pose {
	return movedPose(f.Pos, f.Att, f.Vel, f.Rate, age)
}

// movedPose returns the pose that a body has age seconds after it was at a position with an attitude, a velocity and an angular velocity.
func movedPose(pos [3]float64, q [4]float64, vel, angular [3]float64, age float64) Pose {
	att := mgl64.Quat{W: q[0], V: mgl64.Vec3{q[1], q[2], q[3]}}
	if !(att.Len() > 1e-6) { // also true for NaN
		att = mgl64.QuatIdent()
	}
	att = att.Normalize()
	rate := mgl64.Vec3(angular)
	if angle := rate.Len() * age; angle > 1e-9 {
		att = att.Mul(mgl64.QuatRotate(angle, rate.Normalize()))
	}
	return Pose{mgl64.Vec3(pos).Add(mgl64.Vec3(vel).Mul(age)), att}
}

// WheelMatrix places the mesh of wheel i on a car at p, age seconds after f. radius is the wheel's
// radius [m].
func WheelMatrix(f *frame.Frame, i int, p Pose, age, radius float64) mgl64.Mat4 {
	w := &f.Wheels[i]
	then := CarPose(f, 0)
	hub := then.att.Inverse().Rotate(mgl64.Vec3(w.Pos).Sub(then.pos)) // body axes
	turn := math.Mod(w.Rotation, 2*math.Pi)
	if radius > 0 {
		turn += f.Speed / radius * age
	}
	return p.Matrix().
		Mul4(mgl64.Translate3D(hub[0], hub[1], hub[2])).
		Mul4(mgl64.HomogRotate3DZ(w.Steer)).
		Mul4(mgl64.HomogRotate3DY(turn))
}

// GroundAxes returns axes on the ground below the middle of a car at p, with x forward and z normal to
// the ground. The inclination of the ground is that of the wheel hubs.
func GroundAxes(f *frame.Frame, p Pose, s *frame.Scene) mgl64.Mat4 {
	var hub [4]mgl64.Vec3
	for i := range hub {
		hub[i] = mgl64.Vec3(f.Wheels[i].Pos).Sub(mgl64.Vec3(f.Pos))
	}
	front, rear := hub[0].Add(hub[1]), hub[2].Add(hub[3])
	ahead, left := front.Sub(rear), hub[0].Sub(hub[1]).Add(hub[2]).Sub(hub[3])
	up := ahead.Cross(left)
	if !(up.Len() > 1e-6) { // also true for NaN
		ahead, up = p.att.Rotate(mgl64.Vec3{1, 0, 0}), p.att.Rotate(mgl64.Vec3{0, 0, 1})
		front, rear = mgl64.Vec3{}, up.Mul(4*(s.WheelRadius-s.CGHeight))
	}
	up, ahead = up.Normalize(), ahead.Normalize()
	middle := p.pos.Add(front.Add(rear).Mul(0.25)).Sub(up.Mul(s.WheelRadius))
	left = up.Cross(ahead)
	return mgl64.Mat4FromCols(ahead.Vec4(0), left.Vec4(0), up.Vec4(0), middle.Vec4(1))
}

// Frustum is the visible volume of a camera as five planes, positive inside. The far plane is left out,
// because the haze hides what is there.
type Frustum [5]mgl64.Vec4

// NewFrustum returns the frustum of a view-projection matrix.
func NewFrustum(m mgl64.Mat4) Frustum {
	x, y, z, w := m.Row(0), m.Row(1), m.Row(2), m.Row(3)
	f := Frustum{w.Add(x), w.Sub(x), w.Add(y), w.Sub(y), w.Add(z)}
	for i, p := range f {
		f[i] = p.Mul(1 / p.Vec3().Len())
	}
	return f
}

// InSight reports whether a car at p may be partly in a frustum.
func (p Pose) InSight(f Frustum) bool {
	const radius = 4 // half the length of a car, and some [m]
	return f.intersects(p.pos, radius)
}

// intersects reports whether a sphere may be partly visible.
func (f Frustum) intersects(center mgl64.Vec3, radius float64) bool {
	for _, p := range f {
		if p.Dot(center.Vec4(1)) < -radius {
			return false
		}
	}
	return true
}
