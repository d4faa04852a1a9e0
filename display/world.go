//go:build cgo

package display

import (
	"math"

	"github.com/go-gl/gl/v3.3-core/gl"
	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/display/scene"
	"rig.example/rig/internal/frame"
)

// world is a scene in graphics memory.
type world struct {
	*scene.World
	scene       *frame.Scene
	visibleRoad []scene.RoadSpans // visible pieces of road in the last picture

	paints                          uint32 // texture of the road's materials, a row for each point
	road, verges, terrain, scenery  *buffer
	fixtures, racingLine            *buffer
	body, cabin, tailLamps, cockpit *buffer
	leftWheel, rightWheel           *buffer
	steeringWheel                   *buffer
}

// newWorld builds and uploads the meshes of s.
func newWorld(s *frame.Scene) *world {
	w, m := scene.Build(s)
	return &world{
		World: w, scene: s,
		paints:        newMaterialTexture(m.Paints, frame.MaterialsAcross),
		road:          newBuffer(m.Road.Vertices, m.Road.Indices, 3, 4, 4, 4),
		verges:        groundBuffer(m.Verges),
		terrain:       groundBuffer(m.Terrain),
		scenery:       solidBuffer(m.Scenery),
		fixtures:      solidBuffer(m.Fixtures),
		racingLine:    solidBuffer(m.Guide),
		body:          solidBuffer(m.Body),
		cabin:         solidBuffer(m.Cabin),
		tailLamps:     solidBuffer(m.TailLamps),
		cockpit:       solidBuffer(m.Cockpit),
		leftWheel:     solidBuffer(m.LeftWheel),
		rightWheel:    solidBuffer(m.RightWheel),
		steeringWheel: solidBuffer(m.SteeringWheel),
	}
}

// solidBuffer uploads vertices of position, normal and colour.
func solidBuffer(m *scene.Mesh) *buffer { return newBuffer(m.Vertices, m.Indices, 3, 3, 4) }

// groundBuffer uploads vertices of position, tint and light.
func groundBuffer(m scene.GroundMesh) *buffer { return newBuffer(m.Vertices, m.Indices, 3, 4, 1) }

// free deletes all meshes and textures of the world from graphics memory.
func (w *world) free() {
	for _, b := range []*buffer{
		w.road, w.verges, w.terrain, w.scenery, w.fixtures, w.racingLine, w.body, w.cabin, w.tailLamps, w.cockpit,
		w.leftWheel, w.rightWheel, w.steeringWheel,
	} {
		b.free()
	}
	gl.DeleteTextures(1, &w.paints)
}

// drawCar draws the car from outside, or the part of it that is visible from the driver's seat.
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
	if p.inCockpit {
		n += w.cockpit.draw()
		r.solid.matrix("model", model.Mul4(w.SteeringWheelMatrix(f.Steer)))
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
	n += w.tailLamps.draw()
	gl.Uniform1f(r.solid.uniform("glow"), 0)
	return n
}

// drawGhost draws the ghost's car over the picture, half-transparent. Its depth is drawn first, so that only its outside
// is visible.
func (r *renderer) drawGhost(p *picture, view mgl64.Mat4) (n int) {
	w := r.world
	f := scene.GhostFrame(p.frame, p.ghostDistance, w.scene.WheelRadius)
	model := p.ghost.Matrix()
	r.solid.use()
	r.solid.matrix("viewProj", view)
	r.solid.vector("eye", p.eye.Pos)
	gl.Uniform1f(r.solid.uniform("fade"), float32(1-scene.GhostOpacity(*p.ghost, scene.CarPose(p.frame, p.age), p.eye)))
	for _, visible := range [2]bool{false, true} {
		gl.ColorMask(visible, visible, visible, visible)
		r.solid.matrix("model", model)
		n += w.body.draw() + w.cabin.draw()
		for i := range f.Wheels {
			r.solid.matrix("model", scene.WheelMatrix(f, i, *p.ghost, 0, w.scene.WheelRadius))
			if i%2 == 0 {
				n += w.leftWheel.draw()
			} else {
				n += w.rightWheel.draw()
			}
		}
	}
	gl.Uniform1f(r.solid.uniform("fade"), 0)
	return n
}

// drawCircuit draws the visible road, scenery, fixtures and racing line.
func (r *renderer) drawCircuit(p *picture, view mgl64.Mat4) int {
	w, frustum := r.world, scene.NewFrustum(view)
	n := 0
	w.visibleRoad = w.VisibleRoad(p.eye, frustum)
	r.useRoadProgram(r.road, p.eye, view)
	for _, d := range w.visibleRoad {
		n += w.road.drawSpan(d.Road)
	}
	r.useRoadProgram(r.marks, p.eye, view)
	for _, d := range w.visibleRoad {
		n += w.road.drawSpan(d.Marks)
	}
	r.useRoadProgram(r.side, p.eye, view)
	for _, d := range w.visibleRoad {
		n += w.road.drawSpan(d.Side)
	}
	r.solid.use()
	r.solid.matrix("model", mgl64.Ident4())
	for _, s := range w.VisibleScenery(p.eye, frustum) {
		n += w.scenery.drawSpan(s)
	}
	n += w.fixtures.draw()
	if p.racingLine {
		n += w.drawRacingLine(p.eye, frustum)
	}
	return n
}

// useRoadProgram makes p current and sets its uniforms: materials, start line, sectors and pit lane.
func (r *renderer) useRoadProgram(p *program, e scene.Eye, view mgl64.Mat4) {
	s, absent := r.world.scene, float32(math.Inf(1))
	sectors := [frame.MaxSectors]float32{absent, absent, absent, absent, absent, absent, absent, absent}
	for i, at := range s.Sectors {
		sectors[i] = float32(at)
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
	gl.Uniform4fv(p.uniform("sectors"), frame.MaxSectors/4, &sectors[0])
}

// drawTerrain draws the terrain and the verges of the visible road; drawCircuit must have been called before.
func (w *world) drawTerrain(e scene.Eye, frustum scene.Frustum) int {
	n := 0
	for _, d := range w.visibleRoad {
		n += w.verges.drawSpan(d.Verges)
	}
	for _, s := range w.VisibleTerrain(e, frustum) {
		n += w.terrain.drawSpan(s)
	}
	return n
}

// drawRacingLine draws the racing line, with a depth offset that keeps it in front of the road.
func (w *world) drawRacingLine(e scene.Eye, frustum scene.Frustum) int {
	n := 0
	gl.Enable(gl.POLYGON_OFFSET_FILL)
	gl.PolygonOffset(-2, -4)
	for _, s := range w.VisibleGuide(e, frustum) {
		n += w.racingLine.drawSpan(s)
	}
	gl.Disable(gl.POLYGON_OFFSET_FILL)
	return n
}

// drawShadow draws a soft shadow on the ground below the car, shifted a little away from the sun.
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
	n := r.fullScreen.draw()
	gl.Disable(gl.POLYGON_OFFSET_FILL)
	gl.DepthMask(true)
	return n
}
