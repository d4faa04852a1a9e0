package scene

import (
	"math"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/internal/frame"
)

// Pose is where a body is and how it is turned.
type Pose struct {
	pos mgl64.Vec3 // [m, world]
	att mgl64.Quat // body to world
}

// world returns the place of v, given in body axes.
func (p Pose) world(v mgl64.Vec3) mgl64.Vec3 { return p.pos.Add(p.att.Rotate(v)) }

// Matrix returns what turns body axes into the world's.
func (p Pose) Matrix() mgl64.Mat4 {
	return mgl64.Translate3D(p.pos[0], p.pos[1], p.pos[2]).Mul4(p.att.Mat4())
}

// CarPose returns the car's pose age seconds after f: it flies on with its
// velocity and turns on with its rate. A quaternion of no length counts as level.
func CarPose(f *frame.Frame, age float64) Pose {
	att := mgl64.Quat{W: f.Att[0], V: mgl64.Vec3{f.Att[1], f.Att[2], f.Att[3]}}
	if !(att.Len() > 1e-6) { // also true for NaN
		att = mgl64.QuatIdent()
	}
	att = att.Normalize()
	rate := mgl64.Vec3(f.Rate)
	if angle := rate.Len() * age; angle > 1e-9 {
		att = att.Mul(mgl64.QuatRotate(angle, rate.Normalize()))
	}
	return Pose{mgl64.Vec3(f.Pos).Add(mgl64.Vec3(f.Vel).Mul(age)), att}
}

// WheelMatrix places wheel i of f, age seconds later, on the car at p. Right
// wheels are the left one's mesh, reflected when it was built.
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

// GroundAxes returns axes on the ground below the middle of a car at p: x ahead, z out of
// the ground. The wheels' hubs tell how the ground is inclined.
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

// longestAge is how far a frame is carried on at most: a stopped loop shows a
// stopped car.
const longestAge = 50 * time.Millisecond

// FrameAge tells how old the newest frame is, from when it was first met.
type FrameAge struct {
	tick uint64
	met  time.Duration
}

// At returns the age [s] at time now of the frame with the number tick.
func (a *FrameAge) At(now time.Duration, tick uint64) float64 {
	if tick != a.tick {
		a.tick, a.met = tick, now
	}
	return min(now-a.met, longestAge).Seconds()
}

// Frustum is what a camera sees: five planes, inside where their value is
// positive (the far plane is left out: the haze hides what lies there).
type Frustum [5]mgl64.Vec4

// NewFrustum takes the planes out of a view and projection matrix.
func NewFrustum(m mgl64.Mat4) Frustum {
	x, y, z, w := m.Row(0), m.Row(1), m.Row(2), m.Row(3)
	f := Frustum{w.Add(x), w.Sub(x), w.Add(y), w.Sub(y), w.Add(z)}
	for i, p := range f {
		f[i] = p.Mul(1 / p.Vec3().Len())
	}
	return f
}

// sees reports whether any of a ball can be in the picture.
func (f Frustum) sees(centre mgl64.Vec3, radius float64) bool {
	for _, p := range f {
		if p.Dot(centre.Vec4(1)) < -radius {
			return false
		}
	}
	return true
}
