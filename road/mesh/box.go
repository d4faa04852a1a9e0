package mesh

import "gonum.org/v1/gonum/spatial/r3"

// vec32 is a stored position [m, relative to the mesh's origin].
type vec32 [3]float32

// vec returns the position in float64.
func (t vec32) vec() r3.Vec { return r3.Vec{X: float64(t[0]), Y: float64(t[1]), Z: float64(t[2])} }

// box is a cuboid parallel to the axes.
type box struct{ low, high vec32 }

// join extends b so that it contains o.
func (b *box) join(o *box) {
	for k := range 3 {
		if o.low[k] < b.low[k] {
			b.low[k] = o.low[k]
		}
		if o.high[k] > b.high[k] {
			b.high[k] = o.high[k]
		}
	}
}

// boxOf returns the box around three positions.
func boxOf(a, b, c [3]float32) box {
	var x box
	for k := range 3 {
		x.low[k] = min(a[k], b[k], c[k])
		x.high[k] = max(a[k], b[k], c[k])
	}
	return x
}

// halfArea returns half the surface area of a box [m²].
func (b *box) halfArea() float32 {
	x, y, z := b.high[0]-b.low[0], b.high[1]-b.low[1], b.high[2]-b.low[2]
	return x*y + y*z + z*x
}

// node is a node of the hierarchy: a leaf with count triangles from first on, or two nodes at first and
// first+1 if count is 0.
type node struct {
	box
	first, count uint32
}

// maxDepth is the maximum number of levels of a hierarchy.
const maxDepth = 80
