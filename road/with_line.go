package road

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// GroundWithLine is a ground that knows its road: it locates points along it and assigns areas to
// materials.
type GroundWithLine struct {
	Ground
	line  *Line      // nil if there is none
	areas [256]uint8 // area of each material; 0 means that of the ground below
}

// WithLine adds a line and areas to a ground. l may be nil. areas is indexed by material; materials
// without an entry are in the area of the ground below.
func WithLine(g Ground, l *Line, areas []uint8) *GroundWithLine {
	r := &GroundWithLine{Ground: g, line: l}
	copy(r.areas[:], areas)
	return r
}

// Touch returns the contact of the ground, with its area.
func (r *GroundWithLine) Touch(p r3.Vec) Contact {
	c := r.Ground.Touch(p)
	c.AreaNumber = r.areaOf(c.Material, c.AreaNumber)
	return c
}

// areaOf returns the area of a material, or groundArea if the material has none.
func (r *GroundWithLine) areaOf(material, groundArea uint8) uint8 {
	if area := r.areas[material]; area != 0 {
		return area
	}
	return groundArea
}

// Locate returns the station of p and its distance to the left of the line [m], or p's x and y if there is
// no line.
func (r *GroundWithLine) Locate(p r3.Vec) (along, across float64) {
	if r.line == nil {
		return p.X, p.Y
	}
	s, lateral := r.line.Nearest(p, math.NaN())
	return s, lateral
}

// Surfaces lists the surfaces of the ground.
func (r *GroundWithLine) Surfaces() []Surface { return SurfacesOf(r.Ground) }
