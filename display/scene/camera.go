package scene

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/internal/frame"
	"rig.example/rig/internal/valid"
)

// spring follows a target without overshoot: a critically damped spring.
type spring struct {
	stiffness float64 // natural frequency [rad/s]
	value     float64
	rate      float64 // of value [1/s]
	target    float64 // at the last step
}

// hold puts the spring at rest on target.
func (s *spring) hold(target float64) { s.value, s.rate, s.target = target, 0, target }

// follow moves the spring on by dt [s] while its target goes straight from
// where it was to target.
//
// It solves x” = w²(target - x) - 2w x' exactly over the step, so that the
// same motion looks the same at any number of pictures a second.
func (s *spring) follow(target, dt float64) float64 {
	if dt <= 0 {
		return s.value
	}
	w := s.stiffness
	slope := (target - s.target) / dt
	lag := -2 * slope / w // where the spring settles behind a steady target
	d := s.value - s.target - lag
	v := s.rate - slope
	k := v + w*d
	fade := math.Exp(-w * dt)
	s.value = target + lag + (d+k*dt)*fade
	s.rate = slope + (k-w*(d+k*dt))*fade
	s.target = target
	return s.value
}

// ChaseCamera rides behind the car on springs: it swings after the car's
// heading, falls back when the car accelerates and smooths its bumps.
type ChaseCamera struct {
	yaw, back, height spring
	running           bool
}

// NewChaseCamera returns a camera that has not met a car yet.
func NewChaseCamera() *ChaseCamera {
	return &ChaseCamera{
		yaw:    spring{stiffness: 7},
		back:   spring{stiffness: 4},
		height: spring{stiffness: 9},
	}
}

// Eye is a camera's place and direction.
type Eye struct {
	Pos, Target, Up mgl64.Vec3 // [m, world]
	FOV             float64    // upright angle of view [rad]
	Near            float64    // nearest thing drawn [m]
}

// Follow moves the camera on by dt [s] behind a car at p, whose frame is f.
func (c *ChaseCamera) Follow(p Pose, f *frame.Frame, dt float64) Eye {
	heading := p.att.Rotate(mgl64.Vec3{1, 0, 0})
	yaw := math.Atan2(heading[1], heading[0])
	back := 6.0 + 0.012*math.Abs(f.Speed) + 0.06*valid.Clamp(f.Acc[0], -12, 12)
	if !c.running || math.Abs(p.pos[2]-c.height.target) > 5 {
		c.running = true
		c.yaw.hold(yaw)
		c.back.hold(back)
		c.height.hold(p.pos[2])
	}
	yaw = c.yaw.follow(c.yaw.target+wrapAngle(yaw-c.yaw.target), dt)
	back = c.back.follow(back, dt)
	z := c.height.follow(p.pos[2], dt)
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

// above raises an eye that is less than a little above the ground there.
func (e Eye) above(l *land) Eye {
	const clearance = 0.6 // [m]
	if z, ok := l.height(e.Pos[0], e.Pos[1]); ok {
		e.Pos[2] = max(e.Pos[2], z+clearance)
	}
	return e
}

// cockpitEye returns the driver's view of a car at p.
func cockpitEye(p Pose, s seat) Eye {
	at := mgl64.Vec3{float64(s.eye[0]), float64(s.eye[1]), float64(s.eye[2])}
	return Eye{
		Pos:    p.world(at),
		Target: p.world(at.Add(mgl64.Vec3{10, 0, -1.1})),
		Up:     p.att.Rotate(mgl64.Vec3{0, 0, 1}),
		FOV:    52 * math.Pi / 180,
		Near:   0.1,
	}
}

// LookAside returns how far the driver wants to look to the left [rad]: through the side
// window from the cockpit, straight aside from behind the car, and back with both.
func LookAside(flags uint64, inside bool) float64 {
	aside := math.Pi / 2
	if inside {
		aside = math.Pi / 3
	}
	switch left, right := flags&frame.LooksLeft != 0, flags&frame.LooksRight != 0; {
	case left && right:
		return math.Pi
	case left:
		return aside
	case right:
		return -aside
	}
	return 0
}

// Turned returns e with its direction turned by angle [rad] to the left about the
// upright of a car at p. An eye outside of the car goes round it.
func (e Eye) Turned(angle float64, p Pose) Eye {
	turn := mgl64.QuatRotate(angle, p.att.Rotate(mgl64.Vec3{0, 0, 1}))
	const length = 3 // [m], of half a car
	if e.Pos.Sub(p.pos).Len() > length {
		e.Pos = p.pos.Add(turn.Rotate(e.Pos.Sub(p.pos)))
		e.Target = p.pos.Add(turn.Rotate(e.Target.Sub(p.pos)))
		return e
	}
	e.Target = e.Pos.Add(turn.Rotate(e.Target.Sub(e.Pos)))
	return e
}

// EmptyEye returns a view over the grass, for while there is no car.
func EmptyEye() Eye {
	return Eye{
		Pos: mgl64.Vec3{0, 0, 2}, Target: mgl64.Vec3{10, 0, 1.8}, Up: mgl64.Vec3{0, 0, 1},
		FOV: 50 * math.Pi / 180, Near: 0.5,
	}
}

const farthest = 4000 // [m]

// Matrix returns the view and projection for a picture of width over height
// aspect.
func (e Eye) Matrix(aspect float64) mgl64.Mat4 {
	return mgl64.Perspective(e.FOV, aspect, e.Near, farthest).Mul4(mgl64.LookAtV(e.Pos, e.Target, e.Up))
}

// wrapAngle brings a [rad] into -π..π.
func wrapAngle(a float64) float64 { return math.Remainder(a, 2*math.Pi) }
