//go:build cgo

package display

import (
	"math"

	"github.com/go-gl/gl/v3.3-core/gl"
	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/display/scene"
	"rig.example/rig/internal/core/frame"
)

// world is a scene in graphics memory.
type world struct {
	*scene.World
	scene       *frame.Scene
	visibleRoad []scene.RoadSpans         // visible pieces of road in the last picture
	sectors     [frame.MaxSectors]float32 // stations of the sectors; Inf where there is none

	paints                          uint32 // texture of the road's materials, a row for each point
	road, verges, terrain, scenery  *buffer
	fixtures, racingLine            *buffer
	body, cabin, tailLamps, cockpit *buffer
	leftWheel, rightWheel           *buffer
	steeringWheel, wiper, tireMarks *buffer
	marks                           *scene.TireMarks
	mirrors                         *buffer // their faces
	mirrorSpans                     [scene.MirrorCount]scene.Span
}

// newWorld builds and uploads the meshes of s, with the user's model of the car. What they draw is added to drawn.
func newWorld(drawn *Drawn, s *frame.Scene, own scene.OwnModel) *world {
	w, m := scene.Build(s)
	m.UseModel(own, s)
	var sectors [frame.MaxSectors]float32
	for i := range sectors {
		sectors[i] = float32(math.Inf(1))
	}
	for i, at := range s.Sectors {
		sectors[i] = float32(at)
	}
	marks := &scene.TireMarks{}
	return &world{
		marks: marks, tireMarks: newBuffer(drawn, marks.Vertices[:], scene.MarkIndices(), 3, 2),
		World: w, scene: s, sectors: sectors,
		paints:        newMaterialTexture(m.Paints, frame.MaterialsAcross),
		road:          newBuffer(drawn, m.Road.Vertices, m.Road.Indices, 3, 4, 4, 4),
		verges:        groundBuffer(drawn, m.Verges),
		terrain:       groundBuffer(drawn, m.Terrain),
		scenery:       solidBuffer(drawn, m.Scenery),
		fixtures:      solidBuffer(drawn, m.Fixtures),
		racingLine:    solidBuffer(drawn, m.Guide),
		body:          solidBuffer(drawn, m.Body),
		cabin:         solidBuffer(drawn, m.Cabin),
		tailLamps:     solidBuffer(drawn, m.TailLamps),
		cockpit:       solidBuffer(drawn, m.Cockpit),
		leftWheel:     solidBuffer(drawn, m.LeftWheel),
		rightWheel:    solidBuffer(drawn, m.RightWheel),
		steeringWheel: solidBuffer(drawn, m.SteeringWheel),
		wiper:         solidBuffer(drawn, m.Wiper),
		mirrors:       newBuffer(drawn, m.Mirrors.Vertices, m.Mirrors.Indices, 3, 2),
		mirrorSpans:   m.Mirrors.Spans,
	}
}

// solidBuffer uploads vertices of position, normal and colour.
func solidBuffer(drawn *Drawn, m *scene.Mesh) *buffer {
	return newBuffer(drawn, m.Vertices, m.Indices, 3, 3, 4)
}

// groundBuffer uploads vertices of position, tint and light.
func groundBuffer(drawn *Drawn, m scene.GroundMesh) *buffer {
	return newBuffer(drawn, m.Vertices, m.Indices, 3, 4, 1)
}

// free deletes all meshes and textures of the world from graphics memory.
func (w *world) free() {
	for _, b := range []*buffer{
		w.road, w.verges, w.terrain, w.scenery, w.fixtures, w.racingLine, w.body, w.cabin, w.tailLamps, w.cockpit,
		w.leftWheel, w.rightWheel, w.steeringWheel, w.wiper, w.mirrors, w.tireMarks,
	} {
		b.free()
	}
	gl.DeleteTextures(1, &w.paints)
}

// drawCar draws the car from outside, or the part of it that is visible from the driver's seat.
func (r *renderer) drawCar(p *picture, view mgl64.Mat4) {
	w, f := r.world, p.frame
	car := scene.CarPose(f, p.age)
	model := car.Matrix()
	r.solid.use()
	r.solid.matrix("viewProj", view)
	r.solid.vector("eye", p.eye.Pos)
	r.solid.matrix("model", model)
	gl.Uniform1f(r.solid.uniform("glow"), 0)
	if r.inside.showsBody() {
		w.body.draw()
	}
	if p.inCockpit {
		w.cockpit.draw()
		r.drawMovingParts(p, model)
	} else {
		w.cabin.draw()
	}
	looksAhead := p.eye.Target.Sub(p.eye.Pos).Dot(model.Col(0).Vec3()) > 0
	if !p.inCockpit || !looksAhead && !r.inside.inMirror { // otherwise body and doors hide them
		r.drawWheels(f, car, p.age)
	}
	r.solid.matrix("model", model)
	r.drawLamps(w.tailLamps, scene.Span{Count: w.tailLamps.count}, f.Brake > braking)
}

// braking is the position of the brake pedal from which the brake lights shine.
const braking = 0.02

// drawLamps draws lamps: bright while they shine, and at dusk always a little. The program solid must be current.
func (r *renderer) drawLamps(b *buffer, lamps scene.Span, shine bool) {
	switch {
	case shine:
		gl.Uniform1f(r.solid.uniform("glow"), 1.6)
	case r.light.Lamps:
		gl.Uniform1f(r.solid.uniform("glow"), 0.7)
	}
	b.drawSpan(lamps)
	gl.Uniform1f(r.solid.uniform("glow"), 0)
}

// drawWheels draws the wheels of a car at a pose, age seconds after f. The program solid must be current.
func (r *renderer) drawWheels(f *frame.Frame, car scene.Pose, age float64) {
	w := r.world
	for i := range f.Wheels {
		r.solid.matrix("model", scene.WheelMatrix(f, i, car, age, w.scene.WheelRadius))
		if i%2 == 0 {
			w.leftWheel.draw()
		} else {
			w.rightWheel.draw()
		}
	}
}

// drawGhost draws the ghost's car over the picture, half-transparent. Its depth is drawn first, so that only its outside
// is visible.
func (r *renderer) drawGhost(p *picture, view mgl64.Mat4) {
	w := r.world
	f := scene.GhostFrame(p.frame, p.ghostDistance, w.scene.WheelRadius)
	model := p.ghost.Matrix()
	r.solid.use()
	r.solid.matrix("viewProj", view)
	r.solid.vector("eye", p.eye.Pos)
	gl.Uniform1f(r.solid.uniform("fade"), float32(1-scene.GhostOpacity(*p.ghost, scene.CarPose(p.frame, p.age), p.eye)))
	gl.Uniform1f(r.solid.uniform("blue"), 1)
	for _, visible := range [2]bool{false, true} {
		gl.ColorMask(visible, visible, visible, visible)
		r.solid.matrix("model", model)
		w.body.draw()
		w.cabin.draw()
		r.drawWheels(f, *p.ghost, 0)
	}
	gl.Uniform1f(r.solid.uniform("fade"), 0)
	gl.Uniform1f(r.solid.uniform("blue"), 0)
}

// drawCircuit draws the visible road, scenery, fixtures and racing line.
func (r *renderer) drawCircuit(p *picture, view mgl64.Mat4) {
	w, frustum := r.world, scene.NewFrustum(view)
	w.visibleRoad = w.VisibleRoad(p.eye, frustum, r.distances())
	for _, part := range [...]struct {
		program *program
		span    func(*scene.RoadSpans) scene.Span
	}{
		{r.road, func(d *scene.RoadSpans) scene.Span { return d.Road }}, {r.wetRoad, func(d *scene.RoadSpans) scene.Span { return d.Wet }},
		{r.marks, func(d *scene.RoadSpans) scene.Span { return d.Marks }}, {r.kerb, func(d *scene.RoadSpans) scene.Span { return d.Kerbs }},
		{r.side, func(d *scene.RoadSpans) scene.Span { return d.Side }},
	} {
		inUse := false
		for i := range w.visibleRoad {
			span := part.span(&w.visibleRoad[i])
			if span.Count > 0 && !inUse {
				r.useRoadProgram(part.program, p.eye, view)
				inUse = true
			}
			w.road.drawSpan(span)
		}
	}
	r.solid.use()
	r.solid.matrix("model", mgl64.Ident4())
	w.scenery.drawSpans(w.VisibleScenery(p.eye, frustum, r.distances()))
	w.fixtures.draw()
	if p.racingLine && !r.inside.inMirror {
		w.drawRacingLine(p.eye, frustum)
	}
}

// useRoadProgram makes p current and sets its uniforms: materials, start line, sectors and pit lane.
func (r *renderer) useRoadProgram(p *program, e scene.Eye, view mgl64.Mat4) {
	s := r.world.scene
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
	gl.Uniform4fv(p.uniform("sectors"), frame.MaxSectors/4, &r.world.sectors[0])
}

// drawTerrain draws the terrain and the verges of the visible road without patterns, or the terrain with patterns (rough);
// drawCircuit must have been called before.
func (w *world) drawTerrain(e scene.Eye, frustum scene.Frustum, d scene.Detail, rough bool) {
	w.terrain.drawSpans(w.VisibleTerrain(e, frustum, d, rough))
	if !rough {
		for _, piece := range w.visibleRoad {
			w.verges.drawSpan(piece.Verges)
		}
	}
}

// drawRacingLine draws the racing line, with a depth offset that keeps it in front of the road.
func (w *world) drawRacingLine(e scene.Eye, frustum scene.Frustum) {
	gl.Enable(gl.POLYGON_OFFSET_FILL)
	gl.PolygonOffset(-2, -4)
	w.racingLine.drawSpans(w.VisibleGuide(e, frustum))
	gl.Disable(gl.POLYGON_OFFSET_FILL)
}
