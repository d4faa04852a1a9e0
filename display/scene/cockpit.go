package scene

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/internal/core/frame"
)

// seat holds the driver's eye and what is placed by it, in body axes [m].
type seat struct {
	eye  mgl32.Vec3 // the driver's eye
	hub  mgl32.Vec3 // the center of the steering wheel
	tilt float64    // angle by which the steering wheel's face is tilted upward [rad]
}

// newSeat returns the seat of the car of scene s.
func newSeat(s *frame.Scene) seat {
	c := newCarShape(s)
	eye := c.at(0.41, 0.40, 0.845)
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
		hub:  eye.Add(mgl32.Vec3{0.56, 0, -0.30}),
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

// panel is a flat instrument in body axes [m], turned to the driver's eye.
type panel struct {
	center            mgl64.Vec3
	right, up, normal mgl64.Vec3 // unit directions as the driver sees it; normal points to the driver
	half              [2]float64 // half its width and height
}

// panels returns the instruments: those behind the steering wheel, and those to the right of it in a car of a width [m].
func (s seat) panels(width float64) (cluster, center panel) {
	eye := vec64(s.eye)
	right := min(0.35, max(width/2-0.2+eye[1], 0.2))
	return tiltedPanel(vec64(s.hub).Add(mgl64.Vec3{0.18, 0, 0.026}), [2]float64{0.166, 0.069}, 20),
		tiltedPanel(eye.Add(mgl64.Vec3{0.76, -right, -0.245}), [2]float64{0.128, 0.064}, 4)
}

// tiltedPanel returns a panel across the car that is tilted upward by an angle [°].
func tiltedPanel(center mgl64.Vec3, half [2]float64, tilt float64) panel {
	sin, cos := math.Sincos(tilt * math.Pi / 180)
	return panel{center, mgl64.Vec3{0, -1, 0}, mgl64.Vec3{sin, 0, cos}, mgl64.Vec3{-cos, 0, sin}, half}
}

// matrix places a square in body axes so that it fills the panel: x from 0 to 1 to the right, y from 0 to 1 down.
func (p *panel) matrix() mgl64.Mat4 {
	right, down := p.right.Mul(2*p.half[0]), p.up.Mul(-2*p.half[1])
	corner := p.center.Sub(right.Mul(0.5)).Sub(down.Mul(0.5))
	return mgl64.Mat4FromCols(right.Vec4(0), down.Vec4(0), p.normal.Vec4(0), corner.Vec4(1))
}

var (
	dashPaint   = paint{mgl32.Vec3{0.17, 0.17, 0.185}, 0.03}
	pillarPaint = paint{mgl32.Vec3{0.12, 0.12, 0.13}, 0.02}
	liningPaint = paint{mgl32.Vec3{0.24, 0.24, 0.25}, 0}
	screenPaint = paint{mgl32.Vec3{0.025, 0.027, 0.032}, 0}
)

// addPanel adds the housing of a panel, whose face is 2 mm behind the panel.
func (m *Mesh) addPanel(p *panel) {
	const edge, depth, gap = 0.008, 0.012, 0.002 // [m]
	m.slantedBox(vec32(p.center.Sub(p.normal.Mul(depth+gap+0.001))), vec32(p.normal.Mul(depth)), vec32(p.right.Mul(p.half[0]+edge)),
		vec32(p.up.Mul(p.half[1]+edge)), pillarPaint)
	m.slantedBox(vec32(p.center.Sub(p.normal.Mul(depth+gap))), vec32(p.normal.Mul(depth)), vec32(p.right.Mul(p.half[0])),
		vec32(p.up.Mul(p.half[1])), screenPaint)
}

// buildCockpit returns the visible interior in body axes: dash, doors, instruments without what they show, pillars, roof edges, seats
// and the inner mirror.
func buildCockpit(s *frame.Scene) *Mesh {
	c := newCarShape(s)
	seat := newSeat(s)
	m := &Mesh{}
	c.addDash(m)
	c.addFittings(m, seat)
	for _, side := range [2]float64{1, -1} {
		m.beam(c.at(screenBase-0.01, 0.80*side, 0.60), c.at(screenTop, 0.60*side, 0.975), 0.020, pillarPaint)
	}
	m.quad(c.at(0.27, 0.62, 0.99), c.at(screenTop, 0.62, 1.0), c.at(screenTop, -0.62, 1.0), c.at(0.27, -0.62, 0.99), liningPaint)
	m.beam(c.at(screenTop, 0.62, 0.995), c.at(screenTop, -0.62, 0.995), 0.012, pillarPaint)
	c.addRear(m)
	return m
}

// addFittings adds the housings of the instruments and of the inner mirror, and the steering column.
func (c carShape) addFittings(m *Mesh, seat seat) {
	cluster, center := seat.panels(c.Width)
	m.addPanel(&cluster)
	m.addPanel(&center)
	m.beam(seat.hub, seat.hub.Add(mgl32.Vec3{0.25, 0, -0.10}), 0.03, pillarPaint)
	mirrors := newMirrors(c, seat.eye)
	inner := &mirrors[InnerMirror]
	m.addMirror(inner, 0.012, pillarPaint)
	foot := inner.center.Sub(inner.normal.Mul(0.02))
	m.beam(vec32(foot), vec32(foot.Add(mgl64.Vec3{0.04, 0, 0.07})), 0.008, pillarPaint)
}

// addRear adds what the driver sees in looking back: seats, parcel shelf, rear pillars and the roof's rear edge.
func (c carShape) addRear(m *Mesh) {
	shelf := [4]mgl32.Vec3{c.at(0.10, -0.74, 0.655), c.at(0.24, -0.74, 0.655), c.at(0.24, 0.74, 0.655), c.at(0.10, 0.74, 0.655)}
	m.quad(shelf[0], shelf[1], shelf[2], shelf[3], dashPaint)
	m.quad(c.at(0.24, -0.74, 0.2), c.at(0.24, 0.74, 0.2), shelf[2], shelf[1], pillarPaint)
	for _, side := range [2]float64{1, -1} {
		m.beam(c.at(0.10, 0.74*side, 0.66), c.at(0.27, 0.57*side, 0.955), 0.04, pillarPaint)
		m.beam(c.at(0.27, 0.57*side, 0.965), c.at(screenTop, 0.60*side, 0.975), 0.03, pillarPaint)
		m.box(c.at(0.335, 0.40*side, 0.60), mgl32.Vec3{0.05, 0.22, 0.20}, pillarPaint)
		m.box(c.at(0.33, 0.40*side, 0.82), mgl32.Vec3{0.04, 0.12, 0.07}, pillarPaint)
	}
	m.beam(c.at(0.27, 0.58, 0.98), c.at(0.27, -0.58, 0.98), 0.012, pillarPaint)
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
