package scene

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl32"

	"rig.example/rig/internal/core/frame"
)

var (
	bodyPaint      = paint{mgl32.Vec3{0.80, 0.11, 0.09}, 0.55}
	trimPaint      = paint{mgl32.Vec3{0.07, 0.07, 0.08}, 0.15}
	wheelWellPaint = paint{mgl32.Vec3{0.03, 0.03, 0.03}, 0}
	glassPaint     = paint{mgl32.Vec3{0.06, 0.08, 0.11}, 0.9}
	lampPaint      = paint{mgl32.Vec3{0.95, 0.96, 1.00}, 0.6}
	tailPaint      = paint{mgl32.Vec3{0.45, 0.03, 0.03}, 0.4}
	mirrorPaint    = paint{mgl32.Vec3{0.42, 0.50, 0.58}, 0.6}
	platePaint     = paint{mgl32.Vec3{0.90, 0.90, 0.85}, 0.1}
)

// curve is a function given by (x, y) points, joined by straight lines.
type curve [][2]float64

// at returns the curve's value at x; beyond its ends the curve is constant.
func (c curve) at(x float64) float64 {
	for i := 1; i < len(c); i++ {
		if a, b := c[i-1], c[i]; x <= b[0] {
			t := max(0, (x-a[0])/(b[0]-a[0]))
			return a[1] + t*(b[1]-a[1])
		}
	}
	return c[len(c)-1][1]
}

// The outline of the car along its length, from 0 at the rear bumper to 1 at the front one: half the
// width as a share of half the car's width, heights as shares of the car's height.
var (
	outlineWidth    = curve{{0, 0.84}, {0.03, 0.92}, {0.10, 0.98}, {0.25, 1}, {0.50, 0.97}, {0.75, 1}, {0.90, 0.95}, {0.97, 0.86}, {1, 0.76}}
	outlineShoulder = curve{{0, 0.63}, {0.02, 0.66}, {0.15, 0.67}, {0.30, 0.66}, {0.55, 0.63}, {0.68, 0.61}, {0.85, 0.55}, {0.95, 0.47}, {1, 0.40}}
	outlineSill     = curve{{0, 0.30}, {0.05, 0.22}, {0.12, 0.14}, {0.90, 0.13}, {1, 0.16}}
)

// The boot lid ends and the bonnet starts at these shares of the length. The cabin is open between them,
// because the driver looks out of it.
const (
	bootEnd     = 0.16
	bonnetStart = 0.66
)

// The windscreen stands between these shares of the length.
const (
	screenBase = 0.715
	screenTop  = 0.515
)

// carShape builds the car's meshes in body axes.
type carShape struct {
	frame.Scene
	rear   float64 // x of the rear bumper [m]
	ground float64 // z of the ground at rest [m]
	steps  int     // along the body; more make it finer
}

// newCarShape returns the shape of the car of scene s.
func newCarShape(s *frame.Scene) carShape {
	middle := s.CGToFront - s.Wheelbase/2
	return carShape{Scene: *s, rear: middle - s.Length/2, ground: -s.CGHeight, steps: 24}
}

// at returns the point at share u of the length from the rear, w half widths to the left of the middle
// and h heights above the ground.
func (c carShape) at(u, w, h float64) mgl32.Vec3 {
	return mgl32.Vec3{float32(c.rear + u*c.Length), float32(w * c.Width / 2), float32(c.ground + h*c.Height)}
}

// axles returns the positions of front and rear axle as shares of the length.
func (c carShape) axles() [2]float64 {
	return [2]float64{(c.CGToFront - c.rear) / c.Length, (c.CGToFront - c.Wheelbase - c.rear) / c.Length}
}

// archHeight returns the height of the wheel arch's edge at share u of the length, as a share of the
// car's height; it is 0 beside the arches.
func (c carShape) archHeight(u float64) float64 {
	for _, axle := range c.axles() {
		if d := (u - axle) * c.Length / c.archRadius(); math.Abs(d) <= 1 {
			h := (c.WheelRadius + c.archRadius()*math.Sqrt(1-d*d)) / c.Height
			return min(h, outlineShoulder.at(u)-0.03)
		}
	}
	return 0
}

// archRadius returns the radius of the wheel arches [m], which leaves the tires room to move.
func (c carShape) archRadius() float64 { return 1.16 * c.WheelRadius }

// columns returns the shares of the length at which the body has vertices: evenly spaced, with more
// around the arches.
func (c carShape) columns() []float64 {
	var u []float64
	for i := range c.steps + 1 {
		u = append(u, float64(i)/float64(c.steps))
	}
	u = append(u, bootEnd, bonnetStart)
	for _, axle := range c.axles() {
		r := c.archRadius() / c.Length
		u = append(u, axle-r-1e-4, axle+r+1e-4)
		for i := range c.steps/2 + 1 {
			u = append(u, axle-r*math.Cos(math.Pi*float64(i)/float64(c.steps/2)))
		}
	}
	slices.Sort(u)
	return slices.DeleteFunc(u, func(u float64) bool { return u < 0 || u > 1 })
}

// buildBody returns the lower body with arches, lamps and trim, in body axes.
func buildBody(s *frame.Scene) *Mesh {
	return newCarShape(s).body()
}

// body returns the lower body, in as many steps as c has.
func (c carShape) body() *Mesh {
	left := &Mesh{}
	c.addBodyPanels(left)
	c.addWells(left)
	c.addLamps(left)
	body := &Mesh{}
	body.join(left)
	body.join(left.mirrored())
	c.addCenterParts(body)
	c.addOuterMirrors(body)
	return body
}

// addBodyPanels adds the left half of the outer body: sill, side, shoulder, boot lid and bonnet.
func (c carShape) addBodyPanels(m *Mesh) {
	var sills, flanks, shoulders, boot, bonnet [][]mgl32.Vec3
	for _, u := range c.columns() {
		w, h := outlineWidth.at(u), outlineShoulder.at(u)
		bottom := max(outlineSill.at(u), c.archHeight(u))
		trim := max(bottom+0.001, outlineSill.at(u)+0.07)
		waist := max(trim+0.005, 0.62*h)
		sills = append(sills, []mgl32.Vec3{c.at(u, 0.94*w, bottom), c.at(u, 0.97*w, trim)})
		flanks = append(flanks, []mgl32.Vec3{c.at(u, 0.97*w, trim), c.at(u, w, waist), c.at(u, 0.97*w, max(waist, 0.88*h)), c.at(u, 0.90*w, h)})
		inner := c.at(u, 0.72*w, h+0.022)
		shoulders = append(shoulders, []mgl32.Vec3{c.at(u, 0.90*w, h), inner})
		lid := []mgl32.Vec3{inner, c.at(u, 0.35*w, h+0.032), c.at(u, 0, h+0.035)}
		if u <= bootEnd {
			boot = append(boot, lid)
		}
		if u >= bonnetStart {
			bonnet = append(bonnet, lid)
		}
	}
	m.grid(sills, trimPaint)
	for _, rows := range [][][]mgl32.Vec3{flanks, shoulders, boot, bonnet} {
		m.grid(rows, bodyPaint)
	}
	last := len(sills) - 1
	m.closeEnd(sills[last], trimPaint, true)
	m.closeEnd(slices.Concat(flanks[last], bonnet[len(bonnet)-1]), bodyPaint, true)
	m.closeEnd(sills[0], trimPaint, false)
	m.closeEnd(slices.Concat(flanks[0], boot[0]), bodyPaint, false)
}

// closeEnd closes the body between profile and the car's middle plane with a face that looks forward or
// backward.
func (m *Mesh) closeEnd(profile []mgl32.Vec3, p paint, forward bool) {
	middle := make([]mgl32.Vec3, len(profile))
	for i, v := range profile {
		middle[i] = mgl32.Vec3{v[0], 0, v[2]}
	}
	rows := [][]mgl32.Vec3{profile, middle}
	if !forward {
		rows = [][]mgl32.Vec3{middle, profile}
	}
	m.grid(rows, p)
}

// addWells adds the inner walls of the left wheel arches.
func (c carShape) addWells(m *Mesh) {
	for _, axle := range c.axles() {
		r := c.archRadius() / c.Length
		var rows [][]mgl32.Vec3
		for i := range 13 {
			u := axle - 0.999*r*math.Cos(math.Pi*float64(i)/12)
			h := c.archHeight(u)
			rows = append(rows, []mgl32.Vec3{c.at(u, 0.94*outlineWidth.at(u), h), c.at(u, 0.45, h)})
		}
		slices.Reverse(rows) // seen from the axle
		m.grid(rows, wheelWellPaint)
		low, high := 0.13, (c.WheelRadius+c.archRadius())/c.Height
		m.quad(c.at(axle-r, 0.45, low), c.at(axle-r, 0.45, high), c.at(axle+r, 0.45, high), c.at(axle+r, 0.45, low), wheelWellPaint)
	}
}

// addLamps adds the left head lamp, tail lamp frame and air intake.
func (c carShape) addLamps(m *Mesh) {
	const out = 0.004 // distance from the skin, as a share of the length
	m.quad(c.at(1+out, 0.74, 0.325), c.at(1+out, 0.74, 0.385), c.at(1+out, 0.42, 0.375), c.at(1+out, 0.42, 0.335), lampPaint)
	m.quad(c.at(1+out, 0.70, 0.21), c.at(1+out, 0.70, 0.30), c.at(1+out, 0.42, 0.30), c.at(1+out, 0.42, 0.21), trimPaint)
	m.quad(c.at(-out/2, 0, 0.62), c.at(-out/2, 0.80, 0.61), c.at(-out/2, 0.80, 0.48), c.at(-out/2, 0, 0.47), trimPaint)
}

// addOuterMirrors adds the outer mirrors with their feet. Their faces are gray where nothing is drawn in them.
func (c carShape) addOuterMirrors(m *Mesh) {
	mirrors := newMirrors(c, newSeat(&c.Scene).eye)
	for i, side := range [2]float64{1, -1} {
		r := &mirrors[LeftMirror+i]
		m.addMirror(r, 0.045, bodyPaint)
		r.center = r.center.Sub(r.normal.Mul(0.001))
		m.quad(vec32(r.at(-1, -1)), vec32(r.at(1, -1)), vec32(r.at(1, 1)), vec32(r.at(-1, 1)), mirrorPaint)
		m.beam(c.at(0.64, 0.88*side, 0.63), c.at(0.645, 0.97*side, 0.70), 0.018, trimPaint)
	}
}

// addCenterParts adds the parts that cross the middle: grille, number plate, exhausts and rear spoiler lip.
func (c carShape) addCenterParts(m *Mesh) {
	const out = 0.004
	m.quad(c.at(1+out, -0.36, 0.19), c.at(1+out, 0.36, 0.19), c.at(1+out, 0.36, 0.29), c.at(1+out, -0.36, 0.29), trimPaint)
	m.quad(c.at(-out, 0.22, 0.385), c.at(-out, -0.22, 0.385), c.at(-out, -0.22, 0.46), c.at(-out, 0.22, 0.46), platePaint)
	chrome := paint{mgl32.Vec3{0.62, 0.63, 0.65}, 0.6}
	for _, w := range [2]float64{0.5, -0.5} {
		m.slantedBox(c.at(0.006, w, 0.315), mgl32.Vec3{0.05, 0, 0}, mgl32.Vec3{0, 0.07, 0}, mgl32.Vec3{0, 0, 0.035}, chrome)
	}
	lip := c.at(0.03, 0, 0.725)
	m.slantedBox(lip, mgl32.Vec3{0.10, 0, -0.012}, mgl32.Vec3{0, float32(0.40 * c.Width), 0}, mgl32.Vec3{0.002, 0, 0.016}, bodyPaint)
}

// buildTailLamps returns the tail lamps, which the renderer brightens while the driver brakes.
func buildTailLamps(s *frame.Scene) *Mesh {
	c := newCarShape(s)
	m := &Mesh{}
	const out = 0.004
	left := &Mesh{}
	left.quad(c.at(-out, 0.28, 0.60), c.at(-out, 0.78, 0.595), c.at(-out, 0.78, 0.525), c.at(-out, 0.28, 0.56), tailPaint)
	m.join(left)
	m.join(left.mirrored())
	return m
}

// buildCabin returns the roof, pillars and windows, in body axes.
func buildCabin(s *frame.Scene) *Mesh {
	c := newCarShape(s)
	left := &Mesh{}
	base := [2]mgl32.Vec3{c.at(0.10, 0.74, 0.66), c.at(screenBase, 0.78, 0.60)} // rear, front
	roof := [2]mgl32.Vec3{c.at(0.27, 0.56, 0.955), c.at(screenTop, 0.58, 0.965)}
	toCenterPlane := func(v mgl32.Vec3, up float64) mgl32.Vec3 {
		return mgl32.Vec3{v[0], 0, v[2] + float32(up*c.Height)}
	}
	left.quad(base[0], roof[0], roof[1], base[1], bodyPaint)
	addSideWindows(left, base, roof)
	crown := c.at(0.39, 0.56, 0.985)
	left.grid([][]mgl32.Vec3{{roof[0], toCenterPlane(roof[0], 0.02)}, {crown, toCenterPlane(crown, 0.015)}, {roof[1], toCenterPlane(roof[1], 0.02)}}, bodyPaint)
	m := &Mesh{}
	m.join(left)
	m.join(left.mirrored())
	across := func(v mgl32.Vec3, up float64) []mgl32.Vec3 {
		return []mgl32.Vec3{v, toCenterPlane(v, up), {v[0], -v[1], v[2]}}
	}
	m.grid([][]mgl32.Vec3{across(roof[1], 0.02), across(base[1], 0.05)}, glassPaint)
	m.grid([][]mgl32.Vec3{across(base[0], 0.04), across(roof[0], 0.02)}, glassPaint)
	return m
}

// addSideWindows adds two panes to the side between base and roof, a little outside of it.
func addSideWindows(m *Mesh, base, roof [2]mgl32.Vec3) {
	out := unit(roof[0].Sub(base[0]).Cross(base[1].Sub(base[0]))).Mul(0.02)
	on := func(along, up float32) mgl32.Vec3 {
		low := base[0].Add(base[1].Sub(base[0]).Mul(along))
		high := roof[0].Add(roof[1].Sub(roof[0]).Mul(along))
		return low.Add(high.Sub(low).Mul(up)).Add(out)
	}
	for _, pane := range [2][2]float32{{0.13, 0.44}, {0.49, 0.90}} {
		m.quad(on(pane[0], 0.12), on(pane[0], 0.88), on(pane[1], 0.88), on(pane[1], 0.12), glassPaint)
	}
}
