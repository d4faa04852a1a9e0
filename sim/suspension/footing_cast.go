package suspension

import (
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/road"
)

// cast is what a footing lowers onto the ground.
type cast uint8

const (
	castNothing cast = iota
	castSphere
	castCylinder
)

// land lowers the wheel from its radius above the hub to its radius below, and
// returns the plane that it then stands on: through the place that it meets first,
// square to the push there. If it meets nothing it stands on nothing nearer than
// below. It fails where the ground casts nothing, and where the wheel would begin
// in the ground, as under a roof or in a wall.
func (f *footing) land(g road.Ground, below *road.Contact, hub, axle r3.Vec, radius float64) (road.Contact, bool) {
	caster := road.CasterOf(g)
	if caster == nil {
		return road.Contact{}, false
	}
	top, way := hub, r3.Vec{Z: -2 * radius}
	top.Z += radius
	var hit road.Hit
	var ok bool
	if f.cast == castSphere {
		hit, ok = caster.SweepSphere(top, radius, way)
	} else {
		hit, ok = caster.SweepCylinder(top, axle, radius, f.width/2, way)
	}
	if !ok {
		return *below, true
	}
	away := r3.Dot(r3.Sub(hub, hit.Point), hit.Normal)
	return road.Contact{
		Point: r3.Sub(hub, r3.Scale(away, hit.Normal)), Normal: hit.Normal, Depth: -away,
		Surface: hit.Surface, Material: hit.Material, Area: hit.Area,
	}, hit.At > 0
}
