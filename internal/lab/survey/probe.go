package survey

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/circuit"
	"rig.example/rig/sim/road/mesh"
)

// Prober tells what the ground is like at places.
type Prober struct {
	site   *circuit.Site
	high   float64 // above all of the ground [m]
	origin r3.Vec  // place of the file that is 0, 0, 0 of the ground [m]
}

// Spot is the ground at a place, in the coordinates of its file.
type Spot struct {
	Height  float64 // of the ground's shape [m]
	Normal  r3.Vec  // of the shape, unit, out of the ground
	Rough   float64 // what roughness and patterns add to the height [m]
	Surface string
	Area    string  // whose grip changes; empty for the rest
	Station float64 // along the line [m]; NaN without one
	Lateral float64 // to the left of the line [m]; the same
}

// NewProber loads a circuit. The warnings are those of circuit.Load.
func NewProber(name string, o circuit.Options) (*Prober, []string, error) {
	s, err := circuit.Open(name, o)
	if err != nil {
		return nil, nil, err
	}
	_, high := s.Extent()
	return &Prober{site: s, high: high.Z + 5, origin: s.Origin}, s.Warnings, nil
}

// At returns the ground below a place of the file's coordinates, and false where there is none.
// from is the height to look down from; with NaN it is above all, and the highest ground counts.
// What is less than 0.4 m above from counts as below it, as it does for a wheel.
func (p *Prober) At(x, y, from float64) (Spot, bool) {
	x, y, from = x-p.origin.X, y-p.origin.Y, from-p.origin.Z
	z, ok := p.below(x, y, from)
	if !ok {
		return Spot{}, false
	}
	s := p.site
	at := r3.Vec{X: x, Y: y, Z: z}
	bare, laid := s.Bare.Touch(at), s.Circuit.Ground.Touch(at)
	spot := Spot{Height: z + p.origin.Z, Normal: bare.Normal, Station: math.NaN(), Lateral: math.NaN()}
	if h, ok := circuit.HeightBelow(s.Circuit.Ground, x, y, z+pressed/2); ok {
		spot.Rough = h - z
	}
	if int(bare.Material) < len(s.Surfaces) {
		spot.Surface = s.Surfaces[bare.Material].Name
	}
	if area := int(laid.Area); area > 0 && area <= len(s.Circuit.Areas) {
		spot.Area = s.Circuit.Areas[area-1]
	}
	if !s.Circuit.Roadless {
		spot.Station, spot.Lateral = s.Circuit.Line.Nearest(at, math.NaN())
	}
	return spot, true
}

// pressed is how far below a ground a place is still in it [m], as of a mesh.
const pressed = 0.4

// below finds the height of the ground, counted from the origin.
func (p *Prober) below(x, y, from float64) (float64, bool) {
	g := p.site.Bare
	if math.IsNaN(from) {
		return circuit.HeightBelow(g, x, y, p.high)
	}
	from += pressed
	if m, ok := g.(*mesh.Mesh); ok {
		hit, ok := m.Ray(r3.Vec{X: x, Y: y, Z: min(from, p.high)}, r3.Vec{Z: -1}, math.Inf(1))
		if !ok {
			return 0, false
		}
		return circuit.HeightBelow(g, x, y, hit.Point.Z+pressed/2)
	}
	z, ok := circuit.HeightBelow(g, x, y, min(from, p.high))
	return z, ok && z <= from
}
