package frame

// Most of everything that a scene can hold.
const (
	MaxPoints    = 4096
	MaxCells     = 384 * 384
	MaxMaterials = 256
	MaxCones     = 1024
	MaxWalls     = 512
	MaxGuides    = 4096
)

// Scene is what stands still: the ground, what is on it, and the size of the car.
type Scene struct {
	Points    []Point    // evenly spaced along the road's line; none where there is no line
	Closed    bool       // the line goes on from its last point to the first
	Lap       float64    // length of the line [m]; 0: that of the chords
	Start     float64    // station of the start line [m]
	Sectors   []float64  // stations where a sector ends and the next begins [m]
	Pit       Pit        // beside the line
	Field     Field      // the ground all around
	Materials []Material // what Points and Field are made of
	Cones     []Cone
	Walls     []Wall
	Guides    []Guide  // the line to drive, evenly spaced; may be empty
	Legs      []string // names of the platform's actuators; of each the first 24 bytes count

	Car
}

// Car is the size of the car.
type Car struct {
	Length      float64 // bumper to bumper [m]
	Width       float64 // [m]
	Height      float64 // [m]
	CGHeight    float64 // centre of mass above the ground at rest [m]
	CGToFront   float64 // centre of mass to front axle [m]
	Wheelbase   float64 // [m]
	WheelRadius float64 // [m]
	SteerRatio  float64 // steering wheel angle over road wheel angle
}

// Pit is a lane beside the line.
type Pit struct {
	From, To    float64 // stations of its ends [m]
	Right, Left float64 // its sides beside the line, positive to the left [m]; both 0: there is none
}

// Material is what a part of the ground is made of.
type Material struct {
	Name   string     // the first 24 bytes count
	Colour [3]float64 // red, green, blue, linear, 0..1
}

// Field is the ground on a regular grid with axes along x and y.
type Field struct {
	X, Y      float64   // of the first cell [m, world]
	Step      float64   // from cell to cell [m]
	NX, NY    int       // cells along x and y
	Heights   []float32 // [m, world], along x first; NaN where there is no ground
	Materials []uint8   // the same; they count in Scene.Materials
}

// Cone is a cone's foot.
type Cone struct{ X, Y, Z float64 } // [m, world]

// Wall is an upright wall.
type Wall struct {
	Corners   [4][2]float64 // seen from above, counter-clockwise [m, world]
	Foot, Top float64       // heights [m, world]
}

// Paces of Guide.
const (
	Driving uint64 = iota
	Coasting
	Braking
)

// Guide is a place of the line to drive.
type Guide struct {
	X, Y, Z float64 // [m, world]
	Pace    uint64  // Driving, Coasting or Braking
}

// Across a road a Point knows heights at so many places and materials at others.
const (
	Stops  = 11
	Middle = Stops / 2 // the stop on the line

	VergePaints = 20 // places on either verge
	RoadPaints  = 24 // places from edge to edge
	Paints      = 2*VergePaints + RoadPaints
)

// Point is a road and its verges at one place of its line.
type Point struct {
	X, Y                  float64 // of the line [m, world]
	Left, Right           float64 // from the line to the road's edges [m]
	KerbLeft, KerbRight   float64 // widths of the kerbs beyond them [m], 0 where there is none
	VergeLeft, VergeRight float64 // from the edges to where the verges end [m]

	Heights [Stops]float64 // [m, world], at Offsets
	Paint   [Paints]uint8  // materials, at PaintOffset
}

// Offsets returns how far a point's stops are to the left of its line [m]: the end of
// the left verge, its middle, a kerb's outer side, its back, the road's edge, the line,
// and the same on the right.
func (p *Point) Offsets() [Stops]float64 {
	side := func(edge, kerb, verge float64) [Middle]float64 {
		verge = max(verge, kerb)
		return [Middle]float64{edge + verge, edge + (verge+kerb)/2, edge + kerb, edge + kerb/2, edge}
	}
	var d [Stops]float64
	left, right := side(p.Left, p.KerbLeft, p.VergeLeft), side(p.Right, p.KerbRight, p.VergeRight)
	for k := range Middle {
		d[k], d[Stops-1-k] = left[k], -right[k]
	}
	return d
}

// PaintOffset returns how far place k of a point's Paint is to the left of its line [m].
// The first is at the end of the left verge; places are evenly spaced on each verge
// and on the road.
func (p *Point) PaintOffset(k int) float64 {
	along := func(k, n int, from, to float64) float64 {
		return from + (to-from)*(float64(k)+0.5)/float64(n)
	}
	switch {
	case k < VergePaints:
		return along(k, VergePaints, p.Left+p.VergeLeft, p.Left)
	case k < VergePaints+RoadPaints:
		return along(k-VergePaints, RoadPaints, p.Left, -p.Right)
	default:
		return along(k-VergePaints-RoadPaints, VergePaints, -p.Right, -p.Right-p.VergeRight)
	}
}
