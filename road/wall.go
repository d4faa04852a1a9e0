package road

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/tire"
)

// Wall is an upright wall that bodies bounce off and wheels ignore. It is on the right of the direction
// from From to To and reaches down without limit.
type Wall struct {
	From, To  r3.Vec  // ends of the lower edge of its face [m, world]
	Height    float64 // height of its top above the higher end [m]
	Thickness float64 // extent behind the face [m]
}

// Validate reports every value that is out of range.
func (w Wall) Validate() error {
	var errs []error
	for _, v := range [...]struct {
		name      string
		v         float64
		low, high float64
	}{
		{"length", w.length(), 0.1, 10e3},
		{"height", w.Height, 0.1, 100},
		{"thickness", w.Thickness, 2, 100}, // more than twice the depth to which a collision dents a body
	} {
		if !(v.v >= v.low && v.v <= v.high) { // also true for NaN
			errs = append(errs, fmt.Errorf("%s of %g m: must be %g to %g", v.name, v.v, v.low, v.high))
		}
	}
	return errors.Join(errs...)
}

// length returns the length of the face [m].
func (w Wall) length() float64 { return math.Hypot(w.To.X-w.From.X, w.To.Y-w.From.Y) }

// WallBox is a wall prepared for contacts.
type WallBox struct {
	from, to   r3.Vec  // ends of the lower edge of its face [m, world]
	along, out r3.Vec  // unit vectors: from one end to the other, and out of the face
	length     float64 // of the face [m]
	thickness  float64 // extent behind the face [m]
	top        float64 // height of its top [m, world]
}

// newWallBox prepares a valid wall.
func newWallBox(w Wall) WallBox {
	length := w.length()
	x, y := (w.To.X-w.From.X)/length, (w.To.Y-w.From.Y)/length
	return WallBox{
		from: w.From, to: w.To,
		along: r3.Vec{X: x, Y: y}, out: r3.Vec{X: -y, Y: x},
		length: length, thickness: w.Thickness, top: max(w.From.Z, w.To.Z) + w.Height,
	}
}

// Contact returns the contact of a point in the wall with its nearest side, and false if the point is not
// in the wall.
func (k *WallBox) Contact(p r3.Vec) (Contact, bool) {
	depth, normal, in := k.nearestSide(p, 0, 0)
	switch top := k.top - p.Z; {
	case !in || !(top > 0):
		return Contact{}, false
	case top < depth:
		depth, normal = top, r3.Vec{Z: 1}
	}
	return Contact{Point: r3.Add(p, r3.Scale(depth, normal)), Normal: normal, Depth: depth, Surface: tire.Dry()}, true
}

// nearestSide returns how deep a box is behind the upright side that is nearest to it [m] and the normal of that side, and
// false if it does not touch the wall, seen from above. middle is the center of the box; along and across are its half extents
// along the face and normal to it [m].
func (k *WallBox) nearestSide(middle r3.Vec, along, across float64) (depth float64, normal r3.Vec, in bool) {
	fromStart, fromEnd := r3.Sub(middle, k.from), r3.Sub(middle, k.to)
	behindFace := -r3.Dot(fromStart, k.out)
	depths := [4]float64{
		behindFace + across, k.thickness - behindFace + across,
		r3.Dot(fromStart, k.along) + along, along - r3.Dot(fromEnd, k.along),
	}
	nearest := 0
	for i, depth := range depths {
		if !(depth > 0) {
			return 0, r3.Vec{}, false
		}
		if depth < depths[nearest] {
			nearest = i
		}
	}
	return depths[nearest], [4]r3.Vec{k.out, r3.Scale(-1, k.out), r3.Scale(-1, k.along), k.along}[nearest], true
}

// Edges returns the lower ends of the wall's upright edges, first the two of the face, and the height of
// the wall's top [m, world].
func (k *WallBox) Edges() (feet [4]r3.Vec, top float64) {
	back := r3.Scale(-k.thickness, k.out)
	return [4]r3.Vec{k.from, k.to, r3.Add(k.from, back), r3.Add(k.to, back)}, k.top
}

// Axes returns the wall's unit vectors along its face and out of it.
func (k *WallBox) Axes() (along, out r3.Vec) { return k.along, k.out }

// PushOut returns the shortest horizontal displacement [m] that moves a box out of the wall, and false if
// the box does not touch it. middle is the center of the box; along and across are its half extents along
// the face and normal to it [m].
func (k *WallBox) PushOut(middle r3.Vec, along, across float64) (r3.Vec, bool) {
	depth, normal, in := k.nearestSide(middle, along, across)
	return r3.Scale(depth, normal), in
}

// BodyReach is the maximum extent of a body from its center of mass [m]: Near returns all walls within this
// distance.
const BodyReach = 16.0

// GroundWithWalls is a ground with walls. Touch ignores the walls: wheels meet the ground alone.
type GroundWithWalls struct {
	Ground
	boxes  []WallBox
	cells  [][]WallBox // walls within reach of each cell, row by row
	origin r3.Vec      // corner of the first cell
	size   float64     // side length of a cell [m]
	nx, ny int         // number of cells along x and along y
}

// WithWalls adds walls to a ground.
func WithWalls(g Ground, walls []Wall) (*GroundWithWalls, error) {
	f := &GroundWithWalls{Ground: g}
	for i, w := range walls {
		if err := w.Validate(); err != nil {
			return nil, fmt.Errorf("road: wall %d: %w", i, err)
		}
		f.boxes = append(f.boxes, newWallBox(w))
	}
	f.buildCells()
	return f, nil
}

// buildCells lays a grid over all walls and lists the walls near each cell.
func (f *GroundWithWalls) buildCells() {
	if len(f.boxes) == 0 {
		return
	}
	low, high := f.bounds()
	const minCellSize = 8.0 // [m]
	const maxCells = 256    // maximum number of cells along a side
	width := max(high.X-low.X, high.Y-low.Y)
	f.origin, f.size = low, max(minCellSize, width/maxCells)
	f.nx = 1 + int((high.X-low.X)/f.size)
	f.ny = 1 + int((high.Y-low.Y)/f.size)
	f.cells = make([][]WallBox, f.nx*f.ny)
	for i := range f.cells {
		middle := r3.Vec{X: low.X + (float64(i%f.nx)+0.5)*f.size, Y: low.Y + (float64(i/f.nx)+0.5)*f.size}
		reach := BodyReach + f.size*math.Sqrt2/2
		for k := range f.boxes {
			if _, in := f.boxes[k].PushOut(middle, reach, reach); in {
				f.cells[i] = append(f.cells[i], f.boxes[k])
			}
		}
	}
}

// bounds returns the corners of the horizontal rectangle within BodyReach of any wall.
func (f *GroundWithWalls) bounds() (low, high r3.Vec) {
	inf := math.Inf(1)
	low, high = r3.Vec{X: inf, Y: inf}, r3.Vec{X: -inf, Y: -inf}
	for i := range f.boxes {
		k := &f.boxes[i]
		for _, end := range [2]r3.Vec{k.from, k.to} {
			for _, at := range [2]r3.Vec{end, r3.Sub(end, r3.Scale(k.thickness, k.out))} {
				low.X, low.Y = min(low.X, at.X-BodyReach), min(low.Y, at.Y-BodyReach)
				high.X, high.Y = max(high.X, at.X+BodyReach), max(high.Y, at.Y+BodyReach)
			}
		}
	}
	return low, high
}

// Near returns the walls that a body around p may touch. It does not allocate. f may be nil: there are no
// walls.
func (f *GroundWithWalls) Near(p r3.Vec) []WallBox {
	if f == nil || f.size == 0 {
		return nil
	}
	x, y := (p.X-f.origin.X)/f.size, (p.Y-f.origin.Y)/f.size
	if !(x >= 0 && y >= 0 && x < float64(f.nx) && y < float64(f.ny)) { // also true for NaN
		return nil
	}
	return f.cells[int(y)*f.nx+int(x)]
}

// Boxes lists the walls.
func (f *GroundWithWalls) Boxes() []WallBox { return f.boxes }

// Planar is a ground that reports whether it is one plane.
type Planar interface {
	Ground
	// IsPlane reports whether all of it is one plane.
	IsPlane() bool
}

// IsPlane reports whether a ground is known to be one plane, so that one contact describes all of it.
func IsPlane(g Ground) bool {
	switch g := g.(type) {
	case Flat:
		return true
	case Planar:
		return g.IsPlane()
	case *Circuit:
		return IsPlane(g.Ground)
	case *GroundWithWalls:
		return IsPlane(g.Ground)
	case *Pavement:
		return g.smooth && IsPlane(g.ground)
	}
	return false
}

// Surfaces lists the surfaces of the ground.
func (f *GroundWithWalls) Surfaces() []Surface { return SurfacesOf(f.Ground) }

// WallsOf returns the walls of a ground, or nil if it has none.
func WallsOf(g Ground) *GroundWithWalls {
	switch g := g.(type) {
	case *GroundWithWalls:
		return g
	case *Circuit:
		return WallsOf(g.Ground)
	}
	return nil
}
