//go:build cgo

package display

import (
	"math"

	"github.com/go-gl/gl/v3.3-core/gl"
	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/internal/frame"
)

// world is a scene on the card.
type world struct {
	scene  *frame.Scene
	seat   seat
	chunks []chunk
	ground *terrain
	guides []dashes
	pieces []detail // of road in the last picture
	lap    float64  // length of the road's line [m]

	paints                         uint32 // texture of the road's materials
	road, verges, terrain, scenery *buffer
	fixtures, guide                *buffer
	body, cabin, tail, cockpit     *buffer
	leftWheel, rightWheel          *buffer
	steeringWheel                  *buffer
}

// newWorld builds and uploads all that s shows.
func newWorld(s *frame.Scene) *world {
	r := newRibbon(s)
	t := newTerrain(s, r)
	scenery := addScenery(r, t.land)
	guide, guides := buildGuide(s.Guides)
	wheel := buildWheel(s.WheelRadius)
	w := &world{
		scene: s, seat: newSeat(s), chunks: r.chunks, ground: t, guides: guides, lap: 1,
		paints:        newTable(paintTable(s), frame.Paints),
		road:          newBuffer(r.vertices, r.indices, 3, 4, 4, 4),
		verges:        newBuffer(r.verges.vertices, r.verges.indices, 3, 4, 1),
		terrain:       newBuffer(t.vertices, t.indices, 3, 4, 1),
		scenery:       solidBuffer(scenery),
		fixtures:      solidBuffer(buildFixtures(s)),
		guide:         solidBuffer(guide),
		body:          solidBuffer(buildBody(s)),
		cabin:         solidBuffer(buildCabin(s)),
		tail:          solidBuffer(buildTailLamps(s)),
		cockpit:       solidBuffer(buildCockpit(s)),
		leftWheel:     solidBuffer(wheel),
		rightWheel:    solidBuffer(wheel.mirrored()),
		steeringWheel: solidBuffer(buildSteeringWheel()),
	}
	if n := len(r.rows); n > 0 {
		w.lap = r.rows[n-1].station
	}
	return w
}

func solidBuffer(m *mesh) *buffer { return newBuffer(m.vertices, m.indices, 3, 3, 4) }

func (w *world) free() {
	for _, b := range []*buffer{
		w.road, w.verges, w.terrain, w.scenery, w.fixtures, w.guide, w.body, w.cabin, w.tail, w.cockpit,
		w.leftWheel, w.rightWheel, w.steeringWheel,
	} {
		b.free()
	}
	gl.DeleteTextures(1, &w.paints)
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

// drawCircuit draws what of road and scenery can be seen.
func (r *renderer) drawCircuit(p *picture, view mgl64.Mat4) int {
	w, seen := r.world, newFrustum(view)
	n := 0
	pieces := w.seenRoad(p.eye, seen)
	r.paintRoad(r.road, p.eye, view)
	for _, d := range pieces {
		n += w.road.drawSpan(d.road)
	}
	r.paintRoad(r.marks, p.eye, view)
	for _, d := range pieces {
		n += w.road.drawSpan(d.marks)
	}
	r.paintRoad(r.side, p.eye, view)
	for _, d := range pieces {
		n += w.road.drawSpan(d.side)
	}
	r.solid.use()
	r.solid.matrix("model", mgl64.Ident4())
	for _, c := range w.chunks {
		if c.distance(p.eye.pos) < treeReach && seen.sees(c.middle(), float64(c.radius)) {
			n += w.scenery.drawSpan(c.trees)
		}
	}
	n += w.fixtures.draw()
	if p.guide {
		n += w.drawGuide(p.eye, seen)
	}
	return n
}

// seenRoad lists what of the road can be seen, as detailed as it is to be drawn.
func (w *world) seenRoad(e eye, seen frustum) []detail {
	w.pieces = w.pieces[:0]
	for i := range w.chunks {
		c := &w.chunks[i]
		switch away := c.distance(e.pos); {
		case away > roadReach || !seen.sees(c.middle(), float64(c.radius)):
		case away < fineReach:
			w.pieces = append(w.pieces, c.fine)
		default:
			w.pieces = append(w.pieces, c.coarse)
		}
	}
	return w.pieces
}

// paintRoad uses a shader of the road and tells it what that is made of and what is
// painted on it.
func (r *renderer) paintRoad(p *program, e eye, view mgl64.Mat4) {
	s, none := r.world.scene, float32(math.Inf(1))
	marks := [frame.MaxSectors]float32{none, none, none, none, none, none, none, none}
	for i, at := range s.Sectors {
		marks[i] = float32(at)
	}
	p.use()
	p.matrix("viewProj", view)
	p.vector("eye", e.pos)
	gl.ActiveTexture(gl.TEXTURE1)
	gl.BindTexture(gl.TEXTURE_2D, r.world.paints)
	gl.ActiveTexture(gl.TEXTURE0)
	gl.Uniform1i(p.uniform("paints"), 1)
	gl.Uniform1f(p.uniform("start"), float32(s.Start))
	gl.Uniform1f(p.uniform("lap"), float32(r.world.lap))
	gl.Uniform4f(p.uniform("pit"), float32(s.Pit.From), float32(s.Pit.To), float32(s.Pit.Right), float32(s.Pit.Left))
	gl.Uniform4fv(p.uniform("sectors"), frame.MaxSectors/4, &marks[0])
}

// drawTerrain draws the verges beside the road that seenRoad found, and the patches of
// terrain that can be seen, near ones finer.
func (w *world) drawTerrain(e eye, seen frustum) int {
	n := 0
	for _, d := range w.pieces {
		n += w.verges.drawSpan(d.verges)
	}
	for _, p := range w.ground.patches {
		if away := p.distance(e.pos); away < roadReach && seen.sees(wide(p.centre), float64(p.radius)) {
			n += w.terrain.drawSpan(p.levels[level(away)])
		}
	}
	return n + w.terrain.drawSpan(w.ground.apron)
}

// drawGuide draws the line to drive, in front of the road that it lies on.
func (w *world) drawGuide(e eye, seen frustum) int {
	n := 0
	gl.Enable(gl.POLYGON_OFFSET_FILL)
	gl.PolygonOffset(-2, -4)
	for _, d := range w.guides {
		if d.centre.Sub(e.pos).Len()-d.radius < guideReach && seen.sees(d.centre, d.radius) {
			n += w.guide.drawSpan(d.span)
		}
	}
	gl.Disable(gl.POLYGON_OFFSET_FILL)
	return n
}

// drawShadow darkens the ground below the car, a little away from the sun.
func (r *renderer) drawShadow(p *picture, view mgl64.Mat4) int {
	s := r.world.scene
	car := carPose(p.frame, p.age)
	model := footing(p.frame, car, s).
		Mul4(mgl64.Translate3D(-0.15, -0.13, 0.02)).
		Mul4(mgl64.Scale3D(0.54*s.Length, 0.68*s.Width, 1))
	gl.DepthMask(false)
	gl.Enable(gl.POLYGON_OFFSET_FILL)
	gl.PolygonOffset(-1, -2)
	r.shadow.use()
	r.shadow.matrix("viewProj", view)
	r.shadow.matrix("model", model)
	n := r.corners.draw()
	gl.Disable(gl.POLYGON_OFFSET_FILL)
	gl.DepthMask(true)
	return n
}
