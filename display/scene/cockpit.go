package scene

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/internal/frame"
)

// seat holds the driver's eye and the steering wheel's position, in body axes [m].
type seat struct {
	eye  mgl32.Vec3 // the driver's eye
	hub  mgl32.Vec3 // the center of the steering wheel
	tilt float64    // angle by which the steering wheel's face is tilted upward [rad]
}

// newSeat returns the seat of the car of scene s.
func newSeat(s *frame.Scene) seat {
	c := newCarShape(s)
	eye := c.at(0.45, 0.40, 0.845)
	for i, v := range s.Car.Eye {
		if v != 0 && i == 2 {
			v -= s.CGHeight
		}
		if v != 0 {
			eye[i] = float32(v)
		}
	}
	return seat{
		eye:  eye,
		hub:  eye.Add(mgl32.Vec3{0.56, 0, -0.31}),
		tilt: 22 * math.Pi / 180,
	}
}

// steeringWheelAt places the mesh of the steering wheel in body axes when it is turned by angle [rad],
// positive to the left.
func (s seat) steeringWheelAt(angle float64) mgl64.Mat4 {
	return mgl64.Translate3D(float64(s.hub[0]), float64(s.hub[1]), float64(s.hub[2])).
		Mul4(mgl64.HomogRotate3DY(s.tilt)).
		Mul4(mgl64.HomogRotate3DX(-angle))
}

var (
	dashPaint   = paint{mgl32.Vec3{0.17, 0.17, 0.185}, 0.03}
	pillarPaint = paint{mgl32.Vec3{0.12, 0.12, 0.13}, 0.02}
)

// buildCockpit returns the visible interior in body axes: dash, doors, instrument hood, pillars, roof edge
// and mirror.
func buildCockpit(s *frame.Scene) *Mesh {
	c := newCarShape(s)
	seat := newSeat(s)
	m := &Mesh{}
	c.addDash(m)
	m.slantedBox(seat.hub.Add(mgl32.Vec3{0.17, 0, 0.06}), mgl32.Vec3{0.10, 0, 0.01}, mgl32.Vec3{0, 0.17, 0}, mgl32.Vec3{0, 0, 0.03}, pillarPaint)
	m.beam(seat.hub, seat.hub.Add(mgl32.Vec3{0.25, 0, -0.10}), 0.03, pillarPaint)
	for _, side := range [2]float64{1, -1} {
		m.beam(c.at(0.69, 0.80*side, 0.60), c.at(0.50, 0.60*side, 0.975), 0.022, pillarPaint)
	}
	m.beam(c.at(0.50, 0.62, 0.985), c.at(0.50, -0.62, 0.985), 0.03, pillarPaint)
	mirror := c.at(0.535, 0, 0.93)
	m.slantedBox(mirror, mgl32.Vec3{0.012, -0.004, 0}, mgl32.Vec3{0.04, 0.12, 0}, mgl32.Vec3{0, 0, 0.032}, pillarPaint)
	m.slantedBox(mirror.Add(mgl32.Vec3{-0.014, 0.004, 0}), mgl32.Vec3{0.001, 0, 0}, mgl32.Vec3{0.037, 0.112, 0}, mgl32.Vec3{0, 0, 0.027}, mirrorPaint)
	return m
}

// addDash adds the dash from door to door and the doors below the windows.
func (c carShape) addDash(m *Mesh) {
	profile := []mgl32.Vec3{
		c.at(0.60, 0.86, 0.30), c.at(0.585, 0.86, 0.60), c.at(0.60, 0.86, 0.648),
		c.at(0.66, 0.84, 0.655), c.at(0.70, 0.80, 0.64),
	}
	var left, right []mgl32.Vec3
	for _, v := range profile {
		left = append(left, v)
		right = append(right, mgl32.Vec3{v[0], -v[1], v[2]})
	}
	m.grid([][]mgl32.Vec3{right, left}, dashPaint)
	doors := &Mesh{}
	low, high := 0.15, 0.70
	doors.quad(c.at(0.15, 0.70, low), c.at(0.66, 0.70, low), c.at(0.66, 0.70, high), c.at(0.15, 0.70, high), pillarPaint)
	doors.quad(c.at(0.15, 0.70, high), c.at(0.66, 0.70, high), c.at(0.66, 0.92, high), c.at(0.15, 0.92, high), dashPaint)
	m.join(doors)
	m.join(doors.mirrored())
}
