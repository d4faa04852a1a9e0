package opendrive

import (
	"math"
	"strings"

	"gonum.org/v1/gonum/spatial/r3"
	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/road"
)

// Extent returns the corners of the box around both ends of all geometries, and around the elevations if
// any are given [m].
func (m *Map) Extent() (low, high r3.Vec) {
	inf := math.Inf(1)
	low, high = r3.Vec{X: inf, Y: inf}, r3.Vec{X: -inf, Y: -inf}
	for _, r := range m.Roads {
		for i := range r.plan {
			c := &r.plan[i]
			end := c.at(c.s + c.length)
			low.X, low.Y = min(low.X, c.start.x, end.x), min(low.Y, c.start.y, end.y)
			high.X, high.Y = max(high.X, c.start.x, end.x), max(high.Y, c.start.y, end.y)
		}
		for _, e := range r.elevation {
			low.Z, high.Z = min(low.Z, e.a), max(high.Z, e.a)
		}
	}
	return low, high
}

// Shift moves the network so that origin becomes 0, 0, 0.
func (m *Map) Shift(origin r3.Vec) {
	for _, r := range m.Roads {
		for i := range r.plan {
			r.plan[i].start.x -= origin.X
			r.plan[i].start.y -= origin.Y
		}
		if len(r.elevation) == 0 && origin.Z != 0 {
			r.elevation = profile{{}}
		}
		for i := range r.elevation {
			r.elevation[i].a -= origin.Z
		}
	}
}

// readCoordinate reads the coordinate x or y of a position [m].
func (f *reader) readCoordinate(n numberText, key string) float64 {
	v := f.requiredNumber(n, key, -math.MaxFloat64, math.MaxFloat64)
	if math.Abs(v) > road.MaxCoordinate {
		f.fail("%s is %g: must be -%[3]g to %[3]g; reproject to metres, or correct the unit", key, v, float64(road.MaxCoordinate))
	}
	return v
}

// checkMetres fails if the coordinates of a network are degrees: if its header names a geographic coordinate
// system, and all geometries start within two degrees of the first one, and away from zero.
func (f *reader) checkMetres(m *Map) {
	reference := strings.ToLower(m.Header.GeoReference)
	if f.fault != nil || !strings.Contains(reference, "longlat") && !strings.Contains(reference, "latlong") {
		return
	}
	first := m.Roads[0].plan[0].start
	for _, r := range m.Roads {
		for i := range r.plan {
			p := r.plan[i].start
			if math.Abs(p.x-first.x) > 2 || math.Abs(p.y-first.y) > 2 || math.Abs(p.x) > 360 || math.Abs(p.y) > 90 {
				return
			}
		}
	}
	if max(math.Abs(first.x), math.Abs(first.y)) > 2 {
		f.element = "<geoReference>"
		f.fail("%q, and all roads start near %.6g, %.6g: these are degrees; reproject to metres", printable.Excerpt(m.Header.GeoReference), first.x, first.y)
	}
}
