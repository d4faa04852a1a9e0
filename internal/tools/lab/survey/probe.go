package survey

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/files/circuit"
	"rig.example/rig/road/mesh"
)

// Prober measures the ground of a circuit at given points.
type Prober struct {
	site   *circuit.Site
	top    float64 // height above all of the ground [m]
	origin r3.Vec  // point of the file's coordinates that is 0, 0, 0 of the ground [m]
}

// GroundPoint is the ground at one point, in the coordinates of its file.
type GroundPoint struct {
	Height          float64 // without roughness [m]
	Normal          r3.Vec  // unit normal of the ground, upward, without roughness
	RoughnessHeight float64 // height that roughness and profiles add [m], negative in a dip
	Surface         string
	Area            string  // area for changes of grip; empty if it belongs to none
	Station         float64 // distance along the line [m]; NaN for a circuit without a line
	Lateral         float64 // distance to the left of the line [m]; NaN for a circuit without a line
}

// NewProber loads a circuit. The warnings are those of circuit.Load.
func NewProber(name string, o circuit.Options) (*Prober, []string, error) {
	s, err := circuit.Open(name, o)
	if err != nil {
		return nil, nil, err
	}
	_, highest := s.Extent()
	return &Prober{site: s, top: highest.Z + 5, origin: s.Origin}, s.Warnings, nil
}

// At returns the ground at x and y in the file's coordinates [m], and false if there is none. It is the
// highest ground below startHeight [m]; NaN searches from above the highest ground. Ground up to 0.4 m
// above startHeight counts as below it, as it does for a wheel.
func (p *Prober) At(x, y, startHeight float64) (GroundPoint, bool) {
	x, y, startHeight = x-p.origin.X, y-p.origin.Y, startHeight-p.origin.Z
	z, ok := p.below(x, y, startHeight)
	if !ok {
		return GroundPoint{}, false
	}
	s := p.site
	at := r3.Vec{X: x, Y: y, Z: z}
	smooth, circuitGround := s.Bare.Touch(at), s.Circuit.Ground.Touch(at)
	result := GroundPoint{Height: z + p.origin.Z, Normal: smooth.Normal, Station: math.NaN(), Lateral: math.NaN()}
	if h, ok := circuit.HeightBelow(s.Circuit.Ground, x, y, z+penetration/2); ok {
		result.RoughnessHeight = h - z
	}
	if int(smooth.Material) < len(s.Surfaces) {
		result.Surface = s.Surfaces[smooth.Material].Name
	}
	if area := int(circuitGround.AreaNumber); area > 0 && area <= len(s.Circuit.Areas) {
		result.Area = s.Circuit.Areas[area-1]
	}
	if !s.Circuit.Roadless {
		result.Station, result.Lateral = s.Circuit.Line.Nearest(at, math.NaN())
	}
	return result, true
}

// penetration is how far below the ground a point may be and still touch it [m], as for a mesh.
const penetration = 0.4

// below returns the height [m] of the highest ground below the point x, y, startHeight [m], and false if there
// is none. The point is relative to the origin; a startHeight of NaN searches from above the highest ground.
func (p *Prober) below(x, y, startHeight float64) (float64, bool) {
	g := p.site.Bare
	if math.IsNaN(startHeight) {
		return circuit.HeightBelow(g, x, y, p.top)
	}
	startHeight += penetration
	if m, ok := g.(*mesh.Mesh); ok {
		hit, ok := m.Ray(r3.Vec{X: x, Y: y, Z: min(startHeight, p.top)}, r3.Vec{Z: -1}, math.Inf(1))
		if !ok {
			return 0, false
		}
		return circuit.HeightBelow(g, x, y, hit.Point.Z+penetration/2)
	}
	z, ok := circuit.HeightBelow(g, x, y, min(startHeight, p.top))
	return z, ok && z <= startHeight
}
