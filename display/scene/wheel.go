package scene

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
)

var (
	rubberPaint = paint{mgl32.Vec3{0.09, 0.09, 0.10}, 0.05}
	alloyPaint  = paint{mgl32.Vec3{0.74, 0.75, 0.78}, 0.5}
	rotorPaint  = paint{mgl32.Vec3{0.30, 0.30, 0.32}, 0.3}
)

const (
	wheelSides  = 24 // sides of the polygon that is drawn for a circle
	wheelSpokes = 5
)

// lathe adds a surface of revolution about the y axis. The profile is a list of (radius, y). Where it
// runs toward +y, the outside faces away from the axis; where it runs toward the axis, the outside
// faces +y.
func (m *Mesh) lathe(profile [][2]float64, sides int, p paint) {
	rows := make([][]mgl32.Vec3, sides+1)
	for i := range rows {
		s, c := math.Sincos(2 * math.Pi * float64(i) / float64(sides))
		for _, q := range profile {
			rows[i] = append(rows[i], mgl32.Vec3{float32(-q[0] * s), float32(q[1]), float32(q[0] * c)})
		}
	}
	m.grid(rows, p)
}

// buildWheel returns a left wheel around its hub: the axle is along y, the visible face is at +y. A
// positive angle about y rolls it forward.
func buildWheel(radius float64) *Mesh {
	r, w := radius, 0.66*radius // tire width
	m := &Mesh{}
	m.lathe([][2]float64{{0.60 * r, -w / 2}, {0.94 * r, -w / 2}, {r, -0.36 * w}}, wheelSides, rubberPaint)
	m.lathe([][2]float64{{r, -0.36 * w}, {r, 0.36 * w}}, wheelSides, rubberPaint)
	m.lathe([][2]float64{{r, 0.36 * w}, {0.95 * r, w / 2}, {0.72 * r, w / 2}}, wheelSides, rubberPaint)
	m.lathe([][2]float64{{0.72 * r, w / 2}, {0.66 * r, 0.46 * w}, {0.64 * r, 0.10 * w}}, wheelSides, alloyPaint)
	m.lathe([][2]float64{{0.64 * r, 0.10 * w}, {0, 0.10 * w}}, wheelSides, rotorPaint)
	m.lathe([][2]float64{{0.16 * r, 0.20 * w}, {0.14 * r, 0.40 * w}, {0, 0.42 * w}}, wheelSides/2, alloyPaint)
	for i := range wheelSpokes {
		s, c := math.Sincos(2 * math.Pi * float64(i) / wheelSpokes)
		out := mgl32.Vec3{float32(s), 0, float32(c)}
		across := mgl32.Vec3{float32(c), 0, float32(-s)}
		m.slantedBox(out.Mul(float32(0.38*r)).Add(mgl32.Vec3{0, float32(0.32 * w), 0}),
			across.Mul(float32(0.075*r)), mgl32.Vec3{0, float32(0.07 * w), 0}, out.Mul(float32(0.28*r)), alloyPaint)
	}
	return m
}

// buildSteeringWheel returns a steering wheel around its center. Its face looks at the driver along -x. A
// positive angle (to the left) turns it about -x.
func buildSteeringWheel() *Mesh {
	const radius, thick = 0.18, 0.015 // radius to the middle of the rim's section, and half the section's thickness [m]
	leather := paint{mgl32.Vec3{0.10, 0.10, 0.11}, 0.15}
	spoke := paint{mgl32.Vec3{0.20, 0.20, 0.21}, 0.3}
	mark := paint{mgl32.Vec3{0.95, 0.75, 0.10}, 0.1}
	m := &Mesh{}
	addRing(m, radius, thick, 0, 2*math.Pi, 36, leather)
	addRing(m, radius, thick+0.001, -0.07, 0.07, 3, mark)
	m.box(mgl32.Vec3{0.02, 0, 0}, mgl32.Vec3{0.02, 0.040, 0.032}, leather)
	for _, angle := range [3]float64{math.Pi / 2, math.Pi, -math.Pi / 2} {
		s, c := math.Sincos(angle)
		end := mgl32.Vec3{0.005, float32(radius * s), float32(radius * c)}
		m.beam(mgl32.Vec3{0.02, 0, 0}, end, 0.011, spoke)
	}
	return m
}

// addRing adds the part of a ring about the x axis between two angles [rad], which count from the top
// toward the left.
func addRing(m *Mesh, radius, thick, from, to float64, sides int, p paint) {
	const around = 8
	rows := make([][]mgl32.Vec3, sides+1)
	for i := range rows {
		s, c := math.Sincos(from + (to-from)*float64(i)/float64(sides))
		for k := range around + 1 {
			ks, kc := math.Sincos(2 * math.Pi * float64(k) / around)
			r := radius + thick*kc
			rows[i] = append(rows[i], mgl32.Vec3{float32(thick * ks), float32(r * s), float32(r * c)})
		}
	}
	m.grid(rows, p)
}
