package scan

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"
)

// chord is the longest upright cut through a steep face.
type chord struct {
	x, y      float64
	low, high float64
}

// steps finds steep faces that are lower than a wall. Steep faces above and below
// count with them, so that a wall of many small faces is still one.
func (c *shape) steps() {
	beside := c.steepNeighbours()
	var stack []int32
	for i := range c.faces {
		if !c.steep(int32(i)) {
			continue
		}
		at := c.chord(int32(i))
		at, stack = c.stacked(int32(i), at, beside, stack[:0])
		if h := at.high - at.low; h > mm(c.limits.Step) && h <= mm(c.limits.StepTop) {
			c.tally.add(Step, c.place(i, c.middle(i), h))
		}
	}
}

func (c *shape) steep(face int32) bool {
	return c.counts(int(face)) && math.Abs(c.normals[face].Z) < groundZ
}

// steepNeighbours lists for each steep face those beside it, -1 for none.
func (c *shape) steepNeighbours() [][3]int32 {
	list := make([][3]int32, len(c.faces))
	for i := range list {
		list[i] = [3]int32{-1, -1, -1}
	}
	add := func(face, other int32) {
		if k := slices.Index(list[face][:], -1); k >= 0 {
			list[face][k] = other
		}
	}
	c.eachEdge(func(same []edge) {
		if len(same) == 2 && c.steep(same[0].face) && c.steep(same[1].face) {
			add(same[0].face, same[1].face)
			add(same[1].face, same[0].face)
		}
	})
	return list
}

// chord cuts a steep face where the middle one of its corners is, as seen along it.
func (c *shape) chord(face int32) chord {
	n := c.normals[face]
	along := r3.Unit(r3.Vec{X: -n.Y, Y: n.X})
	f := c.faces[face]
	p := [3]r3.Vec{c.vertices[f[0]], c.vertices[f[1]], c.vertices[f[2]]}
	slices.SortFunc(p[:], func(a, b r3.Vec) int {
		if r3.Dot(a, along) < r3.Dot(b, along) {
			return -1
		}
		return 1
	})
	share := 0.0
	if long := r3.Dot(r3.Sub(p[2], p[0]), along); long > 0 {
		share = r3.Dot(r3.Sub(p[1], p[0]), along) / long
	}
	q := r3.Add(p[0], r3.Scale(share, r3.Sub(p[2], p[0])))
	return chord{x: p[1].X, y: p[1].Y, low: min(p[1].Z, q.Z), high: max(p[1].Z, q.Z)}
}

// stacked makes a chord longer by those of the faces that hang together with a
// face and are near it as seen from above, until it is a wall's. It uses stack.
func (c *shape) stacked(face int32, at chord, beside [][3]int32, stack []int32) (chord, []int32) {
	const near, most = 0.25, 100 // [m], faces
	stack = append(stack, face)
	for next := 0; next < len(stack) && len(stack) < most && at.high-at.low <= mm(c.limits.StepTop); next++ {
		for _, other := range beside[stack[next]] {
			if other < 0 || slices.Contains(stack, other) {
				continue
			}
			if o := c.chord(other); math.Hypot(o.x-at.x, o.y-at.y) < near {
				at.low, at.high = min(at.low, o.low), max(at.high, o.high)
				stack = append(stack, other)
			}
		}
	}
	return at, stack
}
