package display

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/internal/frame"
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

// chaseCamera rides behind the car on springs: it swings after the car's
// heading, falls back when the car accelerates and smooths its bumps.
type chaseCamera struct {
	yaw, back, height spring
	running           bool
}

func newChaseCamera() *chaseCamera {
	return &chaseCamera{
		yaw:    spring{stiffness: 7},
		back:   spring{stiffness: 4},
		height: spring{stiffness: 9},
	}
}

// eye is a camera's place and direction.
type eye struct {
	pos, target, up mgl64.Vec3 // [m, world]
	fov             float64    // upright angle of view [rad]
	near            float64    // nearest thing drawn [m]
}

// follow moves the camera on by dt [s] behind a car at p, whose frame is f.
func (c *chaseCamera) follow(p pose, f *frame.Frame, dt float64) eye {
	heading := p.att.Rotate(mgl64.Vec3{1, 0, 0})
	yaw := math.Atan2(heading[1], heading[0])
	back := 6.0 + 0.012*math.Abs(f.Speed) + 0.06*clamp(f.Acc[0], -12, 12)
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
	return eye{
		pos:    ground.Sub(ahead.Mul(back)).Add(mgl64.Vec3{0, 0, 1.5}),
		target: ground.Add(ahead.Mul(4)).Add(mgl64.Vec3{0, 0, -0.4}),
		up:     mgl64.Vec3{0, 0, 1},
		fov:    (48 + 0.12*clamp(math.Abs(f.Speed), 0, 80)) * math.Pi / 180,
		near:   0.5,
	}
}

// above raises an eye that is less than a little above the ground there.
func (e eye) above(l *land) eye {
	const clearance = 0.6 // [m]
	if z, ok := l.height(e.pos[0], e.pos[1]); ok {
		e.pos[2] = max(e.pos[2], z+clearance)
	}
	return e
}

// cockpitEye returns the driver's view of a car at p.
func cockpitEye(p pose, s seat) eye {
	at := mgl64.Vec3{float64(s.eye[0]), float64(s.eye[1]), float64(s.eye[2])}
	return eye{
		pos:    p.world(at),
		target: p.world(at.Add(mgl64.Vec3{10, 0, -1.1})),
		up:     p.att.Rotate(mgl64.Vec3{0, 0, 1}),
		fov:    52 * math.Pi / 180,
		near:   0.1,
	}
}

// lookAside is how far the driver wants to look to the left [rad]: through the side
// window from the cockpit, straight aside from behind the car, and back with both.
func lookAside(flags uint64, inside bool) float64 {
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

// turned returns e with its direction turned by angle [rad] to the left about the
// upright of a car at p. An eye outside of the car goes round it.
func (e eye) turned(angle float64, p pose) eye {
	turn := mgl64.QuatRotate(angle, p.att.Rotate(mgl64.Vec3{0, 0, 1}))
	const length = 3 // [m], of half a car
	if e.pos.Sub(p.pos).Len() > length {
		e.pos = p.pos.Add(turn.Rotate(e.pos.Sub(p.pos)))
		e.target = p.pos.Add(turn.Rotate(e.target.Sub(p.pos)))
		return e
	}
	e.target = e.pos.Add(turn.Rotate(e.target.Sub(e.pos)))
	return e
}

// emptyEye looks over the grass while there is no car.
func emptyEye() eye {
	return eye{
		pos: mgl64.Vec3{0, 0, 2}, target: mgl64.Vec3{10, 0, 1.8}, up: mgl64.Vec3{0, 0, 1},
		fov: 50 * math.Pi / 180, near: 0.5,
	}
}

const farthest = 4000 // [m]

// matrix returns the view and projection for a picture of width over height
// aspect.
func (e eye) matrix(aspect float64) mgl64.Mat4 {
	return mgl64.Perspective(e.fov, aspect, e.near, farthest).Mul4(mgl64.LookAtV(e.pos, e.target, e.up))
}

// wrapAngle brings a [rad] into -π..π.
func wrapAngle(a float64) float64 { return math.Remainder(a, 2*math.Pi) }

func clamp(v, low, high float64) float64 { return max(low, min(high, v)) }
