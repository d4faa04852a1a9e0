package suspension

import (
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
)

// cast is the shape that a footing sweeps down onto the ground.
type cast uint8

const (
	castNothing cast = iota
	castSphere
	castCylinder
)

// sweepDown moves the shape from one radius above the hub to one radius below it. It returns the plane
// through the point of first contact with the normal there, or below if there is no contact. It returns false
// if the ground has no sweeper, or if the shape starts in the ground, for example in a wall.
func (f *footing) sweepDown(g road.Ground, below *road.Contact, hub, axle r3.Vec,
	radius float64) (road.Contact, bool) {
	sweeper := road.SweeperOf(g)
	if sweeper == nil {
		return road.Contact{}, false
	}
	start, motion := hub, r3.Vec{Z: -2 * radius}
	start.Z += radius
	var hit road.Hit
	var ok bool
	if f.cast == castSphere {
		hit, ok = sweeper.SweepSphere(start, radius, motion)
	} else {
		hit, ok = sweeper.SweepCylinder(start, axle, radius, f.width/2, motion)
	}
	if !ok {
		return *below, true
	}
	distance := r3.Dot(r3.Sub(hub, hit.Point), hit.Normal)
	return road.Contact{
		Point: r3.Sub(hub, r3.Scale(distance, hit.Normal)), Normal: hit.Normal, Depth: -distance,
		Surface: hit.Surface, Material: hit.Material, AreaNumber: hit.AreaNumber,
	}, hit.Fraction > 0
}
