//go:build cgo

package display

import (
	"math"

	"github.com/go-gl/gl/v3.3-core/gl"
	"github.com/go-gl/mathgl/mgl64"

	"rig/internal/frame"
)

// world is a scene on the card.
type world struct {
	scene  *frame.Scene
	seat   seat
	lowest float64 // point of the road [m]
	chunks []chunk

	road, scenery              *buffer
	body, cabin, tail, cockpit *buffer
	leftWheel, rightWheel      *buffer
	steeringWheel              *buffer
}

// newWorld builds and uploads all that s shows.
func newWorld(s *frame.Scene) *world {
	r := newRibbon(s.Points)
	scenery := addScenery(r)
	wheel := buildWheel(s.WheelRadius)
	w := &world{
		scene: s, seat: newSeat(s), chunks: r.chunks,
		road:          newBuffer(r.vertices, r.indices, 3, 4, 1),
		scenery:       solidBuffer(scenery),
		body:          solidBuffer(buildBody(s)),
		cabin:         solidBuffer(buildCabin(s)),
		tail:          solidBuffer(buildTailLamps(s)),
		cockpit:       solidBuffer(buildCockpit(s)),
		leftWheel:     solidBuffer(wheel),
		rightWheel:    solidBuffer(wheel.mirrored()),
		steeringWheel: solidBuffer(buildSteeringWheel()),
	}
	if len(s.Points) > 0 {
		w.lowest = math.Inf(1)
	}
	for _, p := range s.Points {
		w.lowest = min(w.lowest, p.Z)
	}
	return w
}

func solidBuffer(m *mesh) *buffer { return newBuffer(m.vertices, m.indices, 3, 3, 4) }

func (w *world) free() {
	for _, b := range []*buffer{
		w.road, w.scenery, w.body, w.cabin, w.tail, w.cockpit,
		w.leftWheel, w.rightWheel, w.steeringWheel,
	} {
		b.free()
	}
}

// drawCar draws the car, or from inside what the driver sees of it.
func (r *renderer) drawCar(p *picture, view mgl64.Mat4) int {
	w, f := r.world, p.frame
	car := carPose(f, p.age)
	model := car.matrix()
	r.solid.use()
	r.solid.matrix("viewProj", view)
	r.solid.vector("eye", p.eye.pos)
	r.solid.matrix("model", model)
	gl.Uniform1f(r.solid.uniform("glow"), 0)
	n := w.body.draw()
	if p.inside {
		n += w.cockpit.draw()
		r.solid.matrix("model", model.Mul4(w.seat.steeringWheelAt(f.Steer)))
		n += w.steeringWheel.draw()
	} else {
		n += w.cabin.draw()
	}
	for i := range f.Wheels {
		r.solid.matrix("model", wheelMatrix(f, i, car, p.age, w.scene.WheelRadius))
		if i%2 == 0 {
			n += w.leftWheel.draw()
		} else {
			n += w.rightWheel.draw()
		}
	}
	r.solid.matrix("model", model)
	if f.Brake > 0.02 {
		gl.Uniform1f(r.solid.uniform("glow"), 1.6)
	}
	n += w.tail.draw()
	gl.Uniform1f(r.solid.uniform("glow"), 0)
	return n
}

// drawCircuit draws the chunks of road and scenery that can be seen.
func (r *renderer) drawCircuit(p *picture, view mgl64.Mat4) int {
	w, seen := r.world, newFrustum(view)
	n := 0
	r.road.use()
	r.road.matrix("viewProj", view)
	r.road.vector("eye", p.eye.pos)
	for _, c := range w.chunks {
		switch away := c.distance(p.eye.pos); {
		case away > roadReach || !seen.sees(c.middle(), float64(c.radius)):
		case away < fineReach:
			n += w.road.drawSpan(span{c.fine.first, c.fine.count + c.kerbs.count})
		default:
			n += w.road.drawSpan(span{c.kerbs.first, c.kerbs.count + c.coarse.count})
		}
	}
	r.solid.use()
	r.solid.matrix("model", mgl64.Ident4())
	for _, c := range w.chunks {
		if c.distance(p.eye.pos) < treeReach && seen.sees(c.middle(), float64(c.radius)) {
			n += w.scenery.drawSpan(c.trees)
		}
	}
	return n
}

// drawShadow darkens the ground below the car, a little away from the sun.
func (r *renderer) drawShadow(p *picture, view mgl64.Mat4) int {
	s := r.world.scene
	car := carPose(p.frame, p.age)
	ahead := car.att.Rotate(mgl64.Vec3{1, 0, 0})
	middle := car.world(mgl64.Vec3{s.CGToFront - s.Wheelbase/2, 0, 0.02 - s.CGHeight})
	model := mgl64.Translate3D(middle[0]-0.15, middle[1]-0.13, middle[2]).
		Mul4(mgl64.HomogRotate3DZ(math.Atan2(ahead[1], ahead[0]))).
		Mul4(mgl64.Scale3D(0.54*s.Length, 0.68*s.Width, 1))
	gl.DepthMask(false)
	r.shadow.use()
	r.shadow.matrix("viewProj", view)
	r.shadow.matrix("model", model)
	n := r.corners.draw()
	gl.DepthMask(true)
	return n
}
