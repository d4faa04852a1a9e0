package road

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/tire"
)

// Wall is an upright wall that bodies bounce off and wheels know nothing of. It
// stands on the right of the way from one end of its face to the other, and
// reaches down without end.
type Wall struct {
	From, To  r3.Vec  // ends of its face at the foot [m, world]
	Height    float64 // of its top above the higher of them [m]
	Thickness float64 // behind its face [m]
}

// Validate reports every value that makes no wall.
func (w Wall) Validate() error {
	var errs []error
	for _, v := range [...]struct {
		name      string
		v         float64
		low, high float64
	}{
		{"length", w.length(), 0.1, 10e3},
		{"height", w.Height, 0.1, 100},
		{"thickness", w.Thickness, 2, 100}, // a blow dents a body by less than half of it
	} {
		if !(v.v >= v.low && v.v <= v.high) { // also true for NaN
			errs = append(errs, fmt.Errorf("%s of %g m: allowed is %g to %g", v.name, v.v, v.low, v.high))
		}
	}
	return errors.Join(errs...)
}

func (w Wall) length() float64 { return math.Hypot(w.To.X-w.From.X, w.To.Y-w.From.Y) }

// Block is a wall as bodies meet it.
type Block struct {
	from, to         r3.Vec  // ends of its face
	along, out       r3.Vec  // unit: from end to end, and out of the face
	length, deep, up float64 // of the face, behind it, and height of its top [m]
}

func newBlock(w Wall) Block {
	length := w.length()
	x, y := (w.To.X-w.From.X)/length, (w.To.Y-w.From.Y)/length
	return Block{
		from: w.From, to: w.To,
		along: r3.Vec{X: x, Y: y}, out: r3.Vec{X: -y, Y: x},
		length: length, deep: w.Thickness, up: max(w.From.Z, w.To.Z) + w.Height,
	}
}

// Hit returns the contact of a point in the wall with the nearest of its sides;
// false if the point is not in it.
func (k *Block) Hit(p r3.Vec) (Contact, bool) {
	fore, aft := r3.Sub(p, k.from), r3.Sub(p, k.to)
	front := -r3.Dot(fore, k.out)
	sides := [5]float64{front, k.deep - front, r3.Dot(fore, k.along), -r3.Dot(aft, k.along), k.up - p.Z}
	nearest := 0
	for i, depth := range sides {
		if !(depth > 0) {
			return Contact{}, false
		}
		if depth < sides[nearest] {
			nearest = i
		}
	}
	normal := [5]r3.Vec{k.out, r3.Scale(-1, k.out), r3.Scale(-1, k.along), k.along, {Z: 1}}[nearest]
	depth := sides[nearest]
	return Contact{Point: r3.Add(p, r3.Scale(depth, normal)), Normal: normal, Depth: depth, Surface: tire.Dry()}, true
}

// Edges returns the feet of the wall's upright edges and the height of their tops [m].
func (k *Block) Edges() (feet [4]r3.Vec, top float64) {
	back := r3.Scale(-k.deep, k.out)
	return [4]r3.Vec{k.from, k.to, r3.Add(k.from, back), r3.Add(k.to, back)}, k.up
}

// Axes returns the wall's unit vectors, along its face and out of it.
func (k *Block) Axes() (along, out r3.Vec) { return k.along, k.out }

// Out returns the shortest level way out of the wall [m] for a box that reaches so
// far from its middle along the face and across it; false if it is clear already.
func (k *Block) Out(middle r3.Vec, along, across float64) (r3.Vec, bool) {
	fore, aft := r3.Sub(middle, k.from), r3.Sub(middle, k.to)
	front := -r3.Dot(fore, k.out)
	ways := [4]float64{front + across, k.deep - front + across, r3.Dot(fore, k.along) + along, along - r3.Dot(aft, k.along)}
	least := 0
	for i, far := range ways {
		if !(far > 0) {
			return r3.Vec{}, false
		}
		if far < ways[least] {
			least = i
		}
	}
	side := [4]r3.Vec{k.out, r3.Scale(-1, k.out), r3.Scale(-1, k.along), k.along}[least]
	return r3.Scale(ways[least], side), true
}

// Reach is how far from its centre of mass a body may touch what Near returns [m].
const Reach = 16.0

// Fenced is a ground with walls. Wheels see the ground alone.
type Fenced struct {
	Ground
	blocks []Block
	cells  [][]Block // row by row, those within reach of each
	origin r3.Vec    // the corner of the first cell
	size   float64   // of a cell [m]
	nx, ny int
}

// Fence puts walls on a ground.
func Fence(g Ground, walls []Wall) (*Fenced, error) {
	f := &Fenced{Ground: g}
	for i, w := range walls {
		if err := w.Validate(); err != nil {
			return nil, fmt.Errorf("road: wall %d: %w", i, err)
		}
		f.blocks = append(f.blocks, newBlock(w))
	}
	f.sort()
	return f, nil
}

// sort lays a grid over all walls and lists what is near each cell.
func (f *Fenced) sort() {
	if len(f.blocks) == 0 {
		return
	}
	low, high := f.bounds()
	const finest, most = 8.0, 256 // [m], cells a side
	wide := max(high.X-low.X, high.Y-low.Y)
	f.origin, f.size = low, max(finest, wide/most)
	f.nx = 1 + int((high.X-low.X)/f.size)
	f.ny = 1 + int((high.Y-low.Y)/f.size)
	f.cells = make([][]Block, f.nx*f.ny)
	for i := range f.cells {
		middle := r3.Vec{X: low.X + (float64(i%f.nx)+0.5)*f.size, Y: low.Y + (float64(i/f.nx)+0.5)*f.size}
		reach := Reach + f.size*math.Sqrt2/2
		for k := range f.blocks {
			if _, in := f.blocks[k].Out(middle, reach, reach); in {
				f.cells[i] = append(f.cells[i], f.blocks[k])
			}
		}
	}
}

// bounds returns the corners of the level rectangle within reach of any wall.
func (f *Fenced) bounds() (low, high r3.Vec) {
	inf := math.Inf(1)
	low, high = r3.Vec{X: inf, Y: inf}, r3.Vec{X: -inf, Y: -inf}
	for i := range f.blocks {
		k := &f.blocks[i]
		for _, end := range [2]r3.Vec{k.from, k.to} {
			for _, at := range [2]r3.Vec{end, r3.Sub(end, r3.Scale(k.deep, k.out))} {
				low.X, low.Y = min(low.X, at.X-Reach), min(low.Y, at.Y-Reach)
				high.X, high.Y = max(high.X, at.X+Reach), max(high.Y, at.Y+Reach)
			}
		}
	}
	return low, high
}

// Near returns the walls that a body around p may touch. It allocates nothing;
// a ground without walls may be nil.
func (f *Fenced) Near(p r3.Vec) []Block {
	if f == nil || f.size == 0 {
		return nil
	}
	x, y := (p.X-f.origin.X)/f.size, (p.Y-f.origin.Y)/f.size
	if !(x >= 0 && y >= 0 && x < float64(f.nx) && y < float64(f.ny)) { // also true for NaN
		return nil
	}
	return f.cells[int(y)*f.nx+int(x)]
}

// Blocks lists the walls.
func (f *Fenced) Blocks() []Block { return f.blocks }

// Leveled is a ground that may be one plane, by what it is made of.
type Leveled interface {
	Ground
	// Level reports whether it is.
	Level() bool
}

// Level tells whether a ground is one plane, which touching it anywhere finds.
func Level(g Ground) bool {
	switch g := g.(type) {
	case Flat, Plane:
		return true
	case Leveled:
		return g.Level()
	case *Circuit:
		return Level(g.Ground)
	case *Fenced:
		return Level(g.Ground)
	case *Pavement:
		return g.even && Level(g.ground)
	}
	return false
}

// Surfaces lists what the ground is made of.
func (f *Fenced) Surfaces() []Surface { return SurfacesOf(f.Ground) }
