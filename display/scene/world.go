// Package scene builds the geometry of the view: the road, the terrain around it, the car with its cockpit,
// and the camera.
// In: a frame.Scene once, and a frame.Frame for each picture.
// Out: meshes in the layout of the vertex shaders, matrices, and the index ranges of the visible parts.
// It never opens a window, calls OpenGL or reads a clock.
package scene

import (
	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/internal/frame"
)

// Distances up to which parts of the scene are drawn [m]. The haze hides what is beyond roadRange.
const (
	fineRange = 160  // road in full detail
	treeRange = 420  // trees and posts
	roadRange = 1800 // road and terrain
)

// Meshes holds all meshes of a scene.
type Meshes struct {
	// texture of the road's materials: a row of frame.MaterialsAcross texels for each point of the road, each
	// red, green, blue and vegetation
	Paints []uint8

	Road                            RoadMesh
	Verges, Terrain                 GroundMesh // verges of a single material; the terrain
	Scenery, Fixtures, Guide        *Mesh      // trees and posts; cones and walls; the racing line
	Body, Cabin, TailLamps, Cockpit *Mesh      // of the car, in body axes
	LeftWheel, RightWheel           *Mesh      // about the hub
	SteeringWheel                   *Mesh      // about its center
}

// World holds what is needed to find the visible parts of a scene.
type World struct {
	Lap    float64 // length of the road's line [m]
	Lowest float64 // lowest height of terrain and road [m]; 0 if neither is known

	seat       seat
	chunks     []roadChunk
	field      *heightField
	patches    []patch
	apron      Span
	dashGroups []dashGroup

	road  []RoadSpans // result of the last VisibleRoad
	spans []Span      // result of the last VisibleScenery, VisibleTerrain or VisibleGuide
}

// Build returns the world of s and its meshes. The meshes may be dropped once they are uploaded.
func Build(s *frame.Scene) (*World, *Meshes) {
	r := newRoadBuilder(s)
	t := newTerrain(s, r)
	scenery := addScenery(r, t.field)
	guide, dashGroups := buildGuide(s.Guides)
	wheel := buildWheel(s.WheelRadius)
	w := &World{
		Lap: 1, Lowest: t.field.lowest,
		seat: newSeat(s), chunks: r.chunks, field: t.field, patches: t.patches, apron: t.apron, dashGroups: dashGroups,
	}
	if n := len(r.rows); n > 0 {
		w.Lap = r.rows[n-1].station
	}
	return w, &Meshes{
		Paints: paintTable(s), Road: r.RoadMesh, Verges: r.verges, Terrain: t.GroundMesh,
		Scenery: scenery, Fixtures: buildFixtures(s), Guide: guide,
		Body: buildBody(s), Cabin: buildCabin(s), TailLamps: buildTailLamps(s), Cockpit: buildCockpit(s),
		LeftWheel: wheel, RightWheel: wheel.mirrored(), SteeringWheel: buildSteeringWheel(),
	}
}

// Horizon returns level ground at height 0, from the origin to the far plane of the camera.
func Horizon() GroundMesh {
	const e = farPlane
	fan := []GroundVertex{{}, {pos: mgl32.Vec3{-e, -e}}, {pos: mgl32.Vec3{e, -e}}, {pos: mgl32.Vec3{e, e}}, {pos: mgl32.Vec3{-e, e}}}
	for i := range fan {
		fan[i].tint, fan[i].light = meadow, 1
	}
	return GroundMesh{fan, []uint32{0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 1}}
}

// CockpitEye returns the driver's view from a car at p, straight along the car, with a vertical field of view [rad] where no screen says
// another. moved is how far the driver has moved the eye: ahead, left, up [m].
func (w *World) CockpitEye(p Pose, moved [3]float64, fov float64) Eye {
	return cockpitEye(p, w.seat, moved, fov)
}

// SteeringWheelMatrix places the mesh of the steering wheel in body axes when it is turned by angle
// [rad], positive to the left.
func (w *World) SteeringWheelMatrix(angle float64) mgl64.Mat4 { return w.seat.steeringWheelAt(angle) }

// AboveGround returns e, raised if it is too close to the terrain or below it.
func (w *World) AboveGround(e Eye) Eye { return e.raisedAbove(w.field) }

// VisibleRoad returns the visible pieces of road, each in the detail for its distance. The result is
// valid until the next call.
func (w *World) VisibleRoad(e Eye, frustum Frustum) []RoadSpans {
	w.road = w.road[:0]
	for i := range w.chunks {
		c := &w.chunks[i]
		switch distance := c.distance(e.Pos); {
		case distance > roadRange || !frustum.intersects(c.middle(), float64(c.radius)):
		case distance < fineRange:
			w.road = append(w.road, c.fine)
		default:
			w.road = append(w.road, c.coarse)
		}
	}
	return w.road
}

// VisibleScenery returns the visible index ranges of Meshes.Scenery. The result is valid until the next
// call of VisibleScenery, VisibleTerrain or VisibleGuide.
func (w *World) VisibleScenery(e Eye, frustum Frustum) []Span {
	w.spans = w.spans[:0]
	for _, c := range w.chunks {
		if c.distance(e.Pos) < treeRange && frustum.intersects(c.middle(), float64(c.radius)) {
			w.spans = append(w.spans, c.trees)
		}
	}
	return w.spans
}

// VisibleTerrain returns the visible index ranges of Meshes.Terrain, each in the detail for its distance,
// and that of the level ground around the terrain. The result is valid as long as that of VisibleScenery.
func (w *World) VisibleTerrain(e Eye, frustum Frustum) []Span {
	w.spans = w.spans[:0]
	for _, p := range w.patches {
		if distance := p.distance(e.Pos); distance < roadRange && frustum.intersects(vec64(p.center), float64(p.radius)) {
			w.spans = append(w.spans, p.levels[levelAt(distance)])
		}
	}
	w.spans = append(w.spans, w.apron)
	return w.spans
}

// VisibleGuide returns the visible index ranges of Meshes.Guide. The result is valid as long as that of
// VisibleScenery.
func (w *World) VisibleGuide(e Eye, frustum Frustum) []Span {
	w.spans = w.spans[:0]
	for _, d := range w.dashGroups {
		if d.center.Sub(e.Pos).Len()-d.radius < guideRange && frustum.intersects(d.center, d.radius) {
			w.spans = append(w.spans, d.Span)
		}
	}
	return w.spans
}
