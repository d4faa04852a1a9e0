// Package scene builds the geometry of the view: the road, the terrain around it, the car with its cockpit,
// and the camera.
// In: a frame.Scene once, and a frame.Frame for each picture.
// Out: meshes in the layout of the vertex shaders, matrices, and the index ranges of the visible parts.
// It never opens a window, calls OpenGL or reads a clock.
package scene

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/internal/core/frame"
)

// roadRange is the distance up to which road and terrain are drawn [m]. The haze hides what is beyond.
const roadRange = 1800

// Detail says how finely the scene is drawn, by distances from the eye [m].
type Detail struct {
	Road    float64 // up to here the road is drawn in full detail
	Trees   float64 // up to here trees and posts are drawn
	Terrain float64 // up to here the terrain is drawn with all cells, then with less and less
	Range   float64 // up to here road and terrain are drawn; 0: as far as they can be seen through the haze
}

// end returns the distance up to which road and terrain are drawn [m].
func (d *Detail) end() float64 {
	if d.Range > 0 {
		return d.Range
	}
	return roadRange
}

// FullDetail is what a graphics card draws.
var FullDetail = Detail{Road: 160, Trees: 420, Terrain: 40}

// Meshes holds all meshes of a scene.
type Meshes struct {
	// texture of the road's materials: a row of frame.MaterialsAcross texels for each point of the road, each
	// red, green, blue and code
	Paints []uint8

	Road                            RoadMesh
	Verges, Terrain                 GroundMesh // verges of a single material; the terrain
	Scenery, Fixtures, Guide        *Mesh      // trees and posts; cones and walls; the racing line
	Body, Cabin, TailLamps, Cockpit *Mesh      // of the car, in body axes
	LeftWheel, RightWheel           *Mesh      // about the hub
	SteeringWheel, Wiper            *Mesh      // about its center; about its foot
	Mirrors                         *MirrorMesh
}

// World holds what is needed to find the visible parts of a scene.
type World struct {
	Lap         float64 // length of the road's line [m]
	HasPatterns bool    // part of the terrain has patterns: VisibleTerrain may find rough parts
	Lowest      float64 // lowest height of terrain and road [m]; 0 if neither is known

	seat       seat
	bonnet     mgl64.Vec3 // a camera on it, in body axes [m]
	chunks     []roadChunk
	field      *heightField
	patches    []patch
	apron      Span
	roughApron bool
	dashGroups []dashGroup
	mirrors    [MirrorCount]mirror
	windscreen windscreen
	trackside  []mgl64.Vec3  // places of cameras
	panels     [2]mgl64.Mat4 // of the instruments behind the steering wheel and beside it

	road  []RoadSpans // result of the last VisibleRoad
	spans []Span      // result of the last VisibleScenery, VisibleTerrain or VisibleGuide
}

// Build returns the world of s and its meshes. The meshes may be dropped once they are uploaded.
func Build(s *frame.Scene) (*World, *Meshes) {
	r := newRoadBuilder(s)
	t := newTerrain(s, r)
	scenery := addScenery(s, r, t.field)
	guide, dashGroups := buildGuide(s.Guides)
	wheel := buildWheel(s.WheelRadius)
	w := &World{
		HasPatterns: t.hasPatterns(), Lap: 1, Lowest: t.field.lowest,
		seat: newSeat(s), chunks: r.chunks, field: t.field, patches: t.patches, apron: t.apron, roughApron: t.roughApron, dashGroups: dashGroups,
	}
	w.addCockpit(s)
	if n := len(r.rows); n > 0 {
		w.Lap = r.rows[n-1].station
	}
	return w, &Meshes{
		Paints: paintTable(s), Road: r.RoadMesh, Verges: r.verges, Terrain: t.GroundMesh,
		Scenery: scenery, Fixtures: buildFixtures(s), Guide: guide,
		Body: buildBody(s), Cabin: buildCabin(s), TailLamps: buildTailLamps(s), Cockpit: buildCockpit(s),
		LeftWheel: wheel, RightWheel: wheel.mirrored(), SteeringWheel: buildSteeringWheel(),
		Wiper: buildWiper(s), Mirrors: buildMirrorFaces(&w.mirrors),
	}
}

// addCockpit places what the driver sees of the car, and the cameras beside the road.
func (w *World) addCockpit(s *frame.Scene) {
	c := newCarShape(s)
	w.mirrors, w.windscreen, w.trackside = newMirrors(c, w.seat.eye), newWindscreen(c), tracksidePlaces(s.Points)
	cluster, center := w.seat.panels(s.Width)
	w.bonnet = vec64(c.at(screenBase, 0, 0.80))
	w.panels = [2]mgl64.Mat4{cluster.matrix(), center.matrix()}
}

// Horizon returns level ground at height 0, from the origin to the far plane of the camera, in rings around the origin.
func Horizon() GroundMesh {
	const sides = 16
	m := GroundMesh{Vertices: []GroundVertex{{tint: meadow, light: 1}}}
	for ring, radius := range [...]float64{100, 300, 600, 1000, 1700, farPlane} {
		for i := range uint32(sides) {
			s, c := math.Sincos(2 * math.Pi * float64(i) / sides)
			m.Vertices = append(m.Vertices, GroundVertex{mgl32.Vec3{float32(radius * c), float32(radius * s)}, meadow, 1})
			a, b := 1+uint32(ring)*sides+i, 1+uint32(ring)*sides+(i+1)%sides
			if ring == 0 {
				m.Indices = append(m.Indices, 0, a, b)
				continue
			}
			m.Indices = append(m.Indices, a-sides, a, b, a-sides, b, b-sides)
		}
	}
	return m
}

// CockpitEye returns the driver's view from a car at p, straight along the car, with a vertical field of view [rad] where no screen says
// another. moved is how far the driver has moved the eye: ahead, left, up [m].
func (w *World) CockpitEye(p Pose, moved [3]float64, fov float64) Eye {
	return cockpitEye(p, w.seat, moved, fov)
}

// SteeringWheelMatrix places the mesh of the steering wheel in body axes when it is turned by angle
// [rad], positive to the left.
func (w *World) SteeringWheelMatrix(angle float64) mgl64.Mat4 { return w.seat.steeringWheelAt(angle) }

// PanelMatrix places a square in body axes so that it fills the instruments behind the steering wheel (0) or those beside it (1): x from 0 to
// 1 to the right, y from 0 to 1 down.
func (w *World) PanelMatrix(i int) mgl64.Mat4 { return w.panels[i] }

// DashboardInSight reports whether all instruments behind the steering wheel of a car at p are in the picture of a view.
func (w *World) DashboardInSight(p Pose, view mgl64.Mat4) bool {
	const edge = 1.03 // the panel has a border
	m := view.Mul4(p.Matrix()).Mul4(w.panels[0])
	for _, corner := range [4][2]float64{{0, 0}, {1, 0}, {1, 1}, {0, 1}} {
		at := m.Mul4x1(mgl64.Vec4{corner[0], corner[1], 0, 1})
		if !(at[3] > 0 && math.Abs(at[0]) <= edge*at[3] && math.Abs(at[1]) <= edge*at[3]) {
			return false
		}
	}
	return true
}

// BonnetEye returns the view of a camera on the bonnet of a car at p, with a vertical field of view [rad].
func (w *World) BonnetEye(p Pose, fov float64) Eye { return eyeOnCar(p, w.bonnet, fov) }

// AboveGround returns e, raised if it is too close to the terrain or below it.
func (w *World) AboveGround(e Eye) Eye { return e.raisedAbove(w.field) }

// VisibleRoad returns the visible pieces of road, each in the detail for its distance. The result is
// valid until the next call.
func (w *World) VisibleRoad(e Eye, frustum Frustum, d Detail) []RoadSpans {
	w.road = w.road[:0]
	for i := range w.chunks {
		c := &w.chunks[i]
		switch {
		case !c.isVisible(e, &frustum, d.end()):
		case c.distance(e.Pos) < d.Road:
			w.road = append(w.road, c.fine)
		default:
			w.road = append(w.road, c.coarse)
		}
	}
	return w.road
}

// VisibleScenery returns the visible index ranges of Meshes.Scenery. The result is valid until the next
// call of VisibleScenery, VisibleTerrain or VisibleGuide.
func (w *World) VisibleScenery(e Eye, frustum Frustum, d Detail) []Span {
	w.spans = w.spans[:0]
	for i := range w.chunks {
		if t := &w.chunks[i].trees; t.isVisible(e, &frustum, d.Trees) {
			w.spans = appendMerged(w.spans, t.Span)
		}
	}
	return w.spans
}

// VisibleTerrain returns the visible index ranges of Meshes.Terrain, each in the detail for its distance, and that of the
// level ground around the terrain: without patterns, or those with patterns (rough). The result is valid as long as that of
// VisibleScenery.
func (w *World) VisibleTerrain(e Eye, frustum Frustum, d Detail, rough bool) []Span {
	w.spans = w.spans[:0]
	for i := range w.patches {
		p := &w.patches[i]
		if !p.isVisible(e, &frustum, d.end()) {
			continue
		}
		level := levelAt(p.distance(e.Pos) / d.Terrain)
		if rough {
			w.spans = appendMerged(w.spans, p.rough[level])
		} else {
			w.spans = appendMerged(w.spans, p.levels[level])
		}
	}
	if w.roughApron == rough {
		w.spans = appendMerged(w.spans, w.apron)
	}
	return w.spans
}

// VisibleGuide returns the visible index ranges of Meshes.Guide. The result is valid as long as that of
// VisibleScenery.
func (w *World) VisibleGuide(e Eye, frustum Frustum) []Span {
	w.spans = w.spans[:0]
	for i := range w.dashGroups {
		if d := &w.dashGroups[i]; d.isVisible(e, &frustum, guideRange) {
			w.spans = appendMerged(w.spans, d.Span)
		}
	}
	return w.spans
}
