package scene

import (
	"github.com/go-gl/mathgl/mgl32"

	"rig.example/rig/internal/core/frame"
)

// OtherLook is all that the mesh of another car depends on.
type OtherLook struct {
	Slot                                                               uint64
	Length, Width, Height, CGHeight, CGToFront, Wheelbase, WheelRadius float64
}

// Look returns what the car's mesh depends on.
func (c *OtherCar) Look() OtherLook {
	return OtherLook{c.Slot, c.Length, c.Width, c.Height, c.CGHeight, c.CGToFront, c.Wheelbase, c.WheelRadius}
}

// OtherMesh is a mesh with the parts of another car, in body axes, and wheels about their hubs.
type OtherMesh struct {
	Mesh
	Body, Far             Span // without wheels for the near, with them for the far
	TailLamps, HeadLamps  Span
	LeftWheel, RightWheel Span
}

// BuildOther returns the mesh of a car: the built-in body in its size and the color of its slot.
func BuildOther(l OtherLook) *OtherMesh {
	s := &frame.Scene{Car: frame.Car{
		Length: l.Length, Width: l.Width, Height: l.Height, CGHeight: l.CGHeight, CGToFront: l.CGToFront, Wheelbase: l.Wheelbase, WheelRadius: l.WheelRadius,
	}}
	wheel, cabin := buildWheel(l.WheelRadius), buildCabin(s)
	body := buildBody(s)
	body.join(cabin)
	far := newCarShape(s)
	far.steps = 8
	coarse := far.body()
	coarse.join(cabin)
	far.addFarWheels(coarse)
	m := &OtherMesh{}
	for _, part := range [...]struct {
		to   *Span
		mesh *Mesh
	}{{&m.Body, body}, {&m.Far, coarse}, {&m.TailLamps, buildTailLamps(s)}, {&m.HeadLamps, far.headLamps()}, {&m.LeftWheel, wheel}, {&m.RightWheel, wheel.mirrored()}} {
		part.to.First = len(m.Indices)
		m.join(part.mesh)
		part.to.Count = len(m.Indices) - part.to.First
	}
	color := frame.OtherColor(l.Slot)
	for i := range m.Vertices {
		if v := &m.Vertices[i]; v.paint == bodyPaint {
			v.color = mgl32.Vec3{float32(color[0]), float32(color[1]), float32(color[2])}
		}
	}
	return m
}

// addFarWheels adds wheels that stand still, of few triangles.
func (c carShape) addFarWheels(m *Mesh) {
	const sides = 10
	r := c.WheelRadius
	wheel := &Mesh{}
	wheel.lathe([][2]float64{{r, -0.33 * r}, {r, 0.33 * r}}, sides, rubberPaint)
	wheel.lathe([][2]float64{{r, 0.33 * r}, {0.68 * r, 0.33 * r}}, sides, rubberPaint)
	wheel.lathe([][2]float64{{0.68 * r, 0.31 * r}, {0, 0.31 * r}}, sides, alloyPaint)
	for i, wheel := range [4]*Mesh{wheel, wheel.mirrored(), wheel, wheel.mirrored()} {
		hub := mgl32.Vec3{float32(c.CGToFront), float32(c.Width/2 - 0.4*r), float32(c.ground + r)}
		if i >= 2 {
			hub[0] -= float32(c.Wheelbase)
		}
		if i%2 == 1 {
			hub[1] = -hub[1]
		}
		placed := &Mesh{Indices: wheel.Indices}
		for _, v := range wheel.Vertices {
			placed.add(v.pos.Add(hub), v.normal, v.paint)
		}
		m.join(placed)
	}
}

// headLamps returns the head lamps, which are drawn over those of the body while they shine.
func (c carShape) headLamps() *Mesh {
	const out = 0.006 // distance from the skin, as a share of the length
	left, m := &Mesh{}, &Mesh{}
	left.quad(c.at(1+out, 0.76, 0.315), c.at(1+out, 0.76, 0.395), c.at(1+out, 0.40, 0.385), c.at(1+out, 0.40, 0.325), lampPaint)
	m.join(left)
	m.join(left.mirrored())
	return m
}
