package road

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// Roadside is a ground that knows the road on it: where along that a place is, and
// which area a material belongs to.
type Roadside struct {
	Ground
	line  *Line      // nil if there is none
	areas [256]uint8 // by material
}

// Beside returns g with a line, which may be nil, and the areas of its materials; those
// that are not listed are in none.
func Beside(g Ground, l *Line, areas []uint8) *Roadside {
	r := &Roadside{Ground: g, line: l}
	copy(r.areas[:], areas)
	return r
}

// Touch returns the ground's contact in its area.
func (r *Roadside) Touch(p r3.Vec) Contact {
	c := r.Ground.Touch(p)
	c.Area = r.area(c.Material, c.Area)
	return c
}

// area returns the area of a material; that of the ground below where it is in none.
func (r *Roadside) area(material, below uint8) uint8 {
	if area := r.areas[material]; area != 0 {
		return area
	}
	return below
}

// Locate returns the station of a place and how far it is to the left of the line [m];
// x and y where there is none.
func (r *Roadside) Locate(p r3.Vec) (along, across float64) {
	if r.line == nil {
		return p.X, p.Y
	}
	s, lateral := r.line.Nearest(p, math.NaN())
	return s, lateral
}

// Surfaces lists what the ground is made of.
func (r *Roadside) Surfaces() []Surface { return SurfacesOf(r.Ground) }
