package scene

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/display/screens"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/kit/valid"
)

// spring follows a target as a critically damped spring: smoothly and without overshoot.
type spring struct {
	frequency float64 // natural frequency [rad/s]
	value     float64 // present value, in the unit of the target
	rate      float64 // rate of change of value [unit/s]
	target    float64 // target at the last step
}

// reset puts the spring at rest at target.
func (s *spring) reset(target float64) { s.value, s.rate, s.target = target, 0, target }

// advance moves the spring on by dt [s], while its target moves in a straight line from its last value
// to target, and returns the spring's value.
//
// It solves x″ = w²(target - x) - 2w x' exactly over the step, so that the result does not depend on
// the picture rate.
func (s *spring) advance(target, dt float64) float64 {
	if dt <= 0 {
		return s.value
	}
	w := s.frequency
	slope := (target - s.target) / dt
	lag := -2 * slope / w // steady-state distance behind a target that moves at slope
	d := s.value - s.target - lag
	v := s.rate - slope
	k := v + w*d
	fade := math.Exp(-w * dt)
	s.value = target + lag + (d+k*dt)*fade
	s.rate = slope + (k-w*(d+k*dt))*fade
	s.target = target
	return s.value
}

// ChaseCamera follows the car from behind on springs: it lags behind the car's heading, falls back
// under acceleration and filters bumps.
type ChaseCamera struct {
	yaw     spring // direction in which the camera looks [rad, 0 along x, positive to the left]
	back    spring // distance behind the car [m]
	height  spring // z of the car that the camera follows [m]
	running bool   // false until the springs have been reset to the first car
}

// NewChaseCamera returns a camera that starts at rest behind the first car it is given.
func NewChaseCamera() *ChaseCamera {
	return &ChaseCamera{
		yaw:    spring{frequency: 7},
		back:   spring{frequency: 4},
		height: spring{frequency: 9},
	}
}

// Eye is the position and direction of a camera.
type Eye struct {
	Pos, Target, Up mgl64.Vec3 // [m, world]
	FOV             float64    // vertical field of view [rad]
	Near            float64    // distance of the near plane [m]
}

// Follow moves the camera on by dt [s] and returns its eye, for a car at p whose frame is f. A jump of the
// car's height by more than 5 m, as after a reset, resets the springs.
func (c *ChaseCamera) Follow(p Pose, f *frame.Frame, dt float64) Eye {
	heading := p.att.Rotate(mgl64.Vec3{1, 0, 0})
	yaw := math.Atan2(heading[1], heading[0])
	back := 6.0 + 0.012*math.Abs(f.Speed) + 0.06*valid.Clamp(f.Acc[0], -12, 12)
	if !c.running || math.Abs(p.pos[2]-c.height.target) > 5 {
		c.running = true
		c.yaw.reset(yaw)
		c.back.reset(back)
		c.height.reset(p.pos[2])
	}
	yaw = c.yaw.advance(c.yaw.target+wrapAngle(yaw-c.yaw.target), dt)
	back = c.back.advance(back, dt)
	z := c.height.advance(p.pos[2], dt)
	ahead := mgl64.Vec3{math.Cos(yaw), math.Sin(yaw), 0}
	ground := mgl64.Vec3{p.pos[0], p.pos[1], z}
	return Eye{
		Pos:    ground.Sub(ahead.Mul(back)).Add(mgl64.Vec3{0, 0, 1.5}),
		Target: ground.Add(ahead.Mul(4)).Add(mgl64.Vec3{0, 0, -0.4}),
		Up:     mgl64.Vec3{0, 0, 1},
		FOV:    (48 + 0.12*valid.Clamp(math.Abs(f.Speed), 0, 80)) * math.Pi / 180,
		Near:   0.5,
	}
}

// raisedAbove returns e, raised to at least 0.6 m above the terrain below it.
func (e Eye) raisedAbove(l *heightField) Eye {
	const clearance = 0.6 // [m]
	if z, ok := l.height(e.Pos[0], e.Pos[1]); ok {
		e.Pos[2] = max(e.Pos[2], z+clearance)
	}
	return e
}

// cockpitEye returns the driver's view from a car at p, straight along the car. moved is how far the eye was moved from the seat's
// place: ahead, left, up [m].
func cockpitEye(p Pose, s seat, moved mgl64.Vec3, fov float64) Eye {
	return eyeOnCar(p, vec64(s.eye).Add(moved), fov)
}

// eyeOnCar returns the view straight along a car at p from a point of body axes.
func eyeOnCar(p Pose, at mgl64.Vec3, fov float64) Eye {
	return Eye{
		Pos:    p.world(at),
		Target: p.world(at.Add(mgl64.Vec3{10, 0, 0})),
		Up:     p.att.Rotate(mgl64.Vec3{0, 0, 1}),
		FOV:    fov,
		Near:   0.1,
	}
}

// LookAngle returns the angle by which the driver looks to the left [rad], by the bits of frame.Flags:
// 60° from the car, 90° behind it, and 180° (backward) if both directions are pressed.
func LookAngle(flags uint64, inside bool) float64 {
	angle := math.Pi / 2
	if inside {
		angle = math.Pi / 3
	}
	switch left, right := flags&frame.LookLeft != 0, flags&frame.LookRight != 0; {
	case left && right:
		return math.Pi
	case left:
		return angle
	case right:
		return -angle
	}
	return 0
}

// Rotated returns e rotated to the left by angle [rad] about the vertical axis of a car at p. An eye
// outside the car circles around the car; one inside turns in place.
func (e Eye) Rotated(angle float64, p Pose) Eye {
	turn := mgl64.QuatRotate(angle, p.att.Rotate(mgl64.Vec3{0, 0, 1}))
	const insideRadius = 3 // half the length of a car, and some [m]
	if e.Pos.Sub(p.pos).Len() > insideRadius {
		e.Pos = p.pos.Add(turn.Rotate(e.Pos.Sub(p.pos)))
		e.Target = p.pos.Add(turn.Rotate(e.Target.Sub(p.pos)))
		return e
	}
	e.Target = e.Pos.Add(turn.Rotate(e.Target.Sub(e.Pos)))
	return e
}

// EmptyEye returns a view over level ground, for the time before the first frame.
func EmptyEye() Eye {
	return Eye{
		Pos: mgl64.Vec3{0, 0, 2}, Target: mgl64.Vec3{10, 0, 1.8}, Up: mgl64.Vec3{0, 0, 1},
		FOV: 50 * math.Pi / 180, Near: 0.5,
	}
}

// farPlane is the distance beyond which nothing is drawn [m].
const farPlane = 4000

// axes returns the unit directions ahead, left and up of the eye [world].
func (e Eye) axes() [3]mgl64.Vec3 {
	ahead := e.Target.Sub(e.Pos).Normalize()
	left := e.Up.Cross(ahead).Normalize()
	return [3]mgl64.Vec3{ahead, left, ahead.Cross(left)}
}

// toWorld returns the direction of the world that a direction of the eye's axes is.
func toWorld(axes *[3]mgl64.Vec3, v [3]float64) mgl64.Vec3 {
	return axes[0].Mul(v[0]).Add(axes[1].Mul(v[1])).Add(axes[2].Mul(v[2]))
}

// Through returns the view-projection matrix of the world through a lens.
func (e Eye) Through(l *screens.Lens) mgl64.Mat4 {
	axes := e.axes()
	right, up, back := toWorld(&axes, l.Right), toWorld(&axes, l.Up), toWorld(&axes, l.Back)
	view := mgl64.Mat4FromRows(right.Vec4(-right.Dot(e.Pos)), up.Vec4(-up.Dot(e.Pos)), back.Vec4(-back.Dot(e.Pos)), mgl64.Vec4{0, 0, 0, 1})
	n := e.Near
	return mgl64.Frustum(l.West*n, l.East*n, l.South*n, l.North*n, n, farPlane).Mul4(view)
}

// wrapAngle returns a [rad] wrapped to -π..π.
func wrapAngle(a float64) float64 { return math.Remainder(a, 2*math.Pi) }
