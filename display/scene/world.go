// Package scene makes geometry of what the driver sees: the road and the land around it, the car
// with its cockpit, where the camera stands, and what of all that is in the picture. In go a
// frame.Scene once and a frame.Frame for each picture, out come meshes in the card's form, matrices
// and runs of indices. It needs no window, talks to no card and reads no clock.
package scene

import (
	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/internal/frame"
)

// How far things are drawn [m]. Beyond roadReach the haze hides the road.
const (
	fineReach = 160
	treeReach = 420
	roadReach = 1800
)

// Meshes is all of a scene that is drawn.
type Meshes struct {
	Paints []uint8 // of the road: frame.Paints texels a row, each red, green, blue and lush

	Road                           RoadMesh
	Verges, Terrain                GroundMesh // verges of one material, and all beyond them
	Scenery, Fixtures, Guide       *Mesh      // trees and posts; cones and walls; the line to drive
	Body, Cabin, TailLamps, Inside *Mesh      // of the car, in body axes
	LeftWheel, RightWheel          *Mesh      // about the hub
	SteeringWheel                  *Mesh      // about its centre
}

// World finds what of a scene is in a picture.
type World struct {
	Lap    float64 // length of the road's line [m]
	Lowest float64 // of land and road [m], 0 where nothing is known

	seat    seat
	chunks  []chunk
	land    *land
	patches []patch
	apron   Span
	dashes  []dashes

	road  []Detail // of the last SeenRoad
	spans []Span   // of the last of the others
}

// Build returns what s shows, and all its geometry, of no more use once the card has it.
func Build(s *frame.Scene) (*World, *Meshes) {
	r := newRibbon(s)
	t := newTerrain(s, r)
	scenery := addScenery(r, t.land)
	guide, runs := buildGuide(s.Guides)
	wheel := buildWheel(s.WheelRadius)
	w := &World{Lap: 1, Lowest: t.land.lowest, seat: newSeat(s), chunks: r.chunks, land: t.land, patches: t.patches, apron: t.apron, dashes: runs}
	if n := len(r.rows); n > 0 {
		w.Lap = r.rows[n-1].station
	}
	return w, &Meshes{
		Paints: paintTable(s), Road: r.RoadMesh, Verges: r.verges, Terrain: t.GroundMesh,
		Scenery: scenery, Fixtures: buildFixtures(s), Guide: guide,
		Body: buildBody(s), Cabin: buildCabin(s), TailLamps: buildTailLamps(s), Inside: buildCockpit(s),
		LeftWheel: wheel, RightWheel: wheel.mirrored(), SteeringWheel: buildSteeringWheel(),
	}
}

// Horizon returns level ground at height 0 from the origin to where nothing is drawn any more.
func Horizon() GroundMesh {
	const e = farthest
	fan := []GroundVertex{{}, {pos: mgl32.Vec3{-e, -e}}, {pos: mgl32.Vec3{e, -e}}, {pos: mgl32.Vec3{e, e}}, {pos: mgl32.Vec3{-e, e}}}
	for i := range fan {
		fan[i].tint, fan[i].light = meadow, 1
	}
	return GroundMesh{fan, []uint32{0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 1}}
}

// CockpitEye returns the driver's view of a car at p.
func (w *World) CockpitEye(p Pose) Eye { return cockpitEye(p, w.seat) }

// SteeringWheel returns where the steering wheel stands when turned by angle [rad], positive to
// the left, in body axes.
func (w *World) SteeringWheel(angle float64) mgl64.Mat4 { return w.seat.steeringWheelAt(angle) }

// AboveGround returns e, raised where it is less than a little above the land.
func (w *World) AboveGround(e Eye) Eye { return e.above(w.land) }

// SeenRoad lists what of the road can be seen, as detailed as it is to be drawn. The list holds
// until the next call.
func (w *World) SeenRoad(e Eye, seen Frustum) []Detail {
	w.road = w.road[:0]
	for i := range w.chunks {
		c := &w.chunks[i]
		switch away := c.distance(e.Pos); {
		case away > roadReach || !seen.sees(c.middle(), float64(c.radius)):
		case away < fineReach:
			w.road = append(w.road, c.fine)
		default:
			w.road = append(w.road, c.coarse)
		}
	}
	return w.road
}

// SeenScenery lists what of the scenery can be seen. The list holds until the next call of this,
// SeenTerrain or SeenGuide.
func (w *World) SeenScenery(e Eye, seen Frustum) []Span {
	w.spans = w.spans[:0]
	for _, c := range w.chunks {
		if c.distance(e.Pos) < treeReach && seen.sees(c.middle(), float64(c.radius)) {
			w.spans = append(w.spans, c.trees)
		}
	}
	return w.spans
}

// SeenTerrain lists what of the terrain can be seen, near parts finer, and what goes on to the
// horizon. The list holds as that of SeenScenery.
func (w *World) SeenTerrain(e Eye, seen Frustum) []Span {
	w.spans = w.spans[:0]
	for _, p := range w.patches {
		if away := p.distance(e.Pos); away < roadReach && seen.sees(wide(p.centre), float64(p.radius)) {
			w.spans = append(w.spans, p.levels[level(away)])
		}
	}
	w.spans = append(w.spans, w.apron)
	return w.spans
}

// SeenGuide lists what of the line to drive can be seen. The list holds as that of SeenScenery.
func (w *World) SeenGuide(e Eye, seen Frustum) []Span {
	w.spans = w.spans[:0]
	for _, d := range w.dashes {
		if d.centre.Sub(e.Pos).Len()-d.radius < guideReach && seen.sees(d.centre, d.radius) {
			w.spans = append(w.spans, d.Span)
		}
	}
	return w.spans
}
