//go:build cgo

package display

import (
	"math"

	"github.com/go-gl/gl/v3.3-core/gl"
	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/display/scene"
	"rig.example/rig/internal/frame"
)

// world is a scene on the card.
type world struct {
	*scene.World
	scene *frame.Scene
	seen  []scene.Detail // of road in the last picture

	paints                         uint32 // texture of the road's materials
	road, verges, terrain, scenery *buffer
	fixtures, guide                *buffer
	body, cabin, tail, cockpit     *buffer
	leftWheel, rightWheel          *buffer
	steeringWheel                  *buffer
}

// newWorld builds and uploads all that s shows.
func newWorld(s *frame.Scene) *world {
	w, m := scene.Build(s)
	return &world{
		World: w, scene: s,
		paints:        newTable(m.Paints, frame.Paints),
		road:          newBuffer(m.Road.Vertices, m.Road.Indices, 3, 4, 4, 4),
		verges:        groundBuffer(m.Verges),
		terrain:       groundBuffer(m.Terrain),
		scenery:       solidBuffer(m.Scenery),
		fixtures:      solidBuffer(m.Fixtures),
		guide:         solidBuffer(m.Guide),
		body:          solidBuffer(m.Body),
		cabin:         solidBuffer(m.Cabin),
		tail:          solidBuffer(m.TailLamps),
		cockpit:       solidBuffer(m.Inside),
		leftWheel:     solidBuffer(m.LeftWheel),
		rightWheel:    solidBuffer(m.RightWheel),
		steeringWheel: solidBuffer(m.SteeringWheel),
	}
}

func solidBuffer(m *scene.Mesh) *buffer { return newBuffer(m.Vertices, m.Indices, 3, 3, 4) }

func groundBuffer(m scene.GroundMesh) *buffer { return newBuffer(m.Vertices, m.Indices, 3, 4, 1) }

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
	car := scene.CarPose(f, p.age)
	model := car.Matrix()
	r.solid.use()
	r.solid.matrix("viewProj", view)
	r.solid.vector("eye", p.eye.Pos)
	r.solid.matrix("model", model)
	gl.Uniform1f(r.solid.uniform("glow"), 0)
	n := w.body.draw()
	if p.inside {
		n += w.cockpit.draw()
		r.solid.matrix("model", model.Mul4(w.SteeringWheel(f.Steer)))
		n += w.steeringWheel.draw()
	} else {
		n += w.cabin.draw()
	}
	for i := range f.Wheels {
		r.solid.matrix("model", scene.WheelMatrix(f, i, car, p.age, w.scene.WheelRadius))
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
	w, seen := r.world, scene.NewFrustum(view)
	n := 0
	w.seen = w.SeenRoad(p.eye, seen)
	r.paintRoad(r.road, p.eye, view)
	for _, d := range w.seen {
		n += w.road.drawSpan(d.Road)
	}
	r.paintRoad(r.marks, p.eye, view)
	for _, d := range w.seen {
		n += w.road.drawSpan(d.Marks)
	}
	r.paintRoad(r.side, p.eye, view)
	for _, d := range w.seen {
		n += w.road.drawSpan(d.Side)
	}
	r.solid.use()
	r.solid.matrix("model", mgl64.Ident4())
	for _, s := range w.SeenScenery(p.eye, seen) {
		n += w.scenery.drawSpan(s)
	}
	n += w.fixtures.draw()
	if p.guide {
		n += w.drawGuide(p.eye, seen)
	}
	return n
}

// paintRoad uses a shader of the road and tells it what that is made of and what is
// painted on it.
func (r *renderer) paintRoad(p *program, e scene.Eye, view mgl64.Mat4) {
	s, none := r.world.scene, float32(math.Inf(1))
	marks := [frame.MaxSectors]float32{none, none, none, none, none, none, none, none}
	for i, at := range s.Sectors {
		marks[i] = float32(at)
	}
	p.use()
	p.matrix("viewProj", view)
	p.vector("eye", e.Pos)
	gl.ActiveTexture(gl.TEXTURE1)
	gl.BindTexture(gl.TEXTURE_2D, r.world.paints)
	gl.ActiveTexture(gl.TEXTURE0)
	gl.Uniform1i(p.uniform("paints"), 1)
	gl.Uniform1f(p.uniform("start"), float32(s.Start))
	gl.Uniform1f(p.uniform("lap"), float32(r.world.Lap))
	gl.Uniform4f(p.uniform("pit"), float32(s.Pit.From), float32(s.Pit.To), float32(s.Pit.Right), float32(s.Pit.Left))
	gl.Uniform4fv(p.uniform("sectors"), frame.MaxSectors/4, &marks[0])
}

// drawTerrain draws the verges beside the road that drawCircuit found, and the terrain.
func (w *world) drawTerrain(e scene.Eye, seen scene.Frustum) int {
	n := 0
	for _, d := range w.seen {
		n += w.verges.drawSpan(d.Verges)
	}
	for _, s := range w.SeenTerrain(e, seen) {
		n += w.terrain.drawSpan(s)
	}
	return n
}

// drawGuide draws the line to drive, in front of the road that it lies on.
func (w *world) drawGuide(e scene.Eye, seen scene.Frustum) int {
	n := 0
	gl.Enable(gl.POLYGON_OFFSET_FILL)
	gl.PolygonOffset(-2, -4)
	for _, s := range w.SeenGuide(e, seen) {
		n += w.guide.drawSpan(s)
	}
	gl.Disable(gl.POLYGON_OFFSET_FILL)
	return n
}

// drawShadow darkens the ground below the car, a little away from the sun.
func (r *renderer) drawShadow(p *picture, view mgl64.Mat4) int {
	s := r.world.scene
	car := scene.CarPose(p.frame, p.age)
	model := scene.GroundAxes(p.frame, car, s).
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
