package scan

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"
)

// verticalCut is the longest vertical line in a steep face.
type verticalCut struct {
	x, y      float64 // position seen from above [m]
	low, high float64 // heights of its ends [m]
}

// findSteps reports steps: steep faces that are lower than a wall. The height includes that of steep faces
// directly above and below, so that a wall of many small faces is not reported.
func (c *checker) findSteps() {
	neighbours := c.steepNeighbours()
	var stack []int32
	for i := range c.faces {
		if !c.isSteep(int32(i)) {
			continue
		}
		cut := c.cutSteepFace(int32(i))
		cut, stack = c.extendCut(int32(i), cut, neighbours, stack[:0])
		if h := cut.high - cut.low; h > mm(c.limits.Step) && h <= mm(c.limits.StepTop) {
			c.tally.add(Step, c.place(i, c.middle(i), h))
		}
	}
}

// isSteep reports whether a face is too steep to be ground.
func (c *checker) isSteep(face int32) bool {
	return c.isCounted(int(face)) && math.Abs(c.normals[face].Z) < minGroundZ
}

// steepNeighbours returns for each face the indices of the steep faces beside it, if it is steep; -1 means none.
func (c *checker) steepNeighbours() [][3]int32 {
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
		if len(same) == 2 && c.isSteep(same[0].face) && c.isSteep(same[1].face) {
			add(same[0].face, same[1].face)
			add(same[1].face, same[0].face)
		}
	})
	return list
}

// cutSteepFace returns the vertical line in a steep face through the middle one of its corners, in the order
// along the face.
func (c *checker) cutSteepFace(face int32) verticalCut {
	n := c.normals[face]
	along := r3.Unit(r3.Vec{X: -n.Y, Y: n.X})
	f := c.faces[face]
	p := [3]r3.Vec{c.vertices[f[0]], c.vertices[f[1]], c.vertices[f[2]]}
	slices.SortFunc(p[:], func(a, b r3.Vec) int { return cmp.Compare(r3.Dot(a, along), r3.Dot(b, along)) })
	fraction := 0.0
	if length := r3.Dot(r3.Sub(p[2], p[0]), along); length > 0 {
		fraction = r3.Dot(r3.Sub(p[1], p[0]), along) / length
	}
	q := r3.Add(p[0], r3.Scale(fraction, r3.Sub(p[2], p[0])))
	return verticalCut{x: p[1].X, y: p[1].Y, low: min(p[1].Z, q.Z), high: max(p[1].Z, q.Z)}
}

// extendCut extends a cut by the cuts of connected steep faces that are close to it, seen from above, until it
// has the height of a wall. It returns the cut, and stack, whose memory it reuses.
func (c *checker) extendCut(face int32, cut verticalCut, neighbours [][3]int32, stack []int32) (verticalCut, []int32) {
	const maxDistance = 0.25 // between cuts, seen from above [m]
	const limit = 100        // maximum number of faces examined
	stack = append(stack, face)
	for next := 0; next < len(stack) && len(stack) < limit && cut.high-cut.low <= mm(c.limits.StepTop); next++ {
		for _, other := range neighbours[stack[next]] {
			if other < 0 || slices.Contains(stack, other) {
				continue
			}
			if o := c.cutSteepFace(other); math.Hypot(o.x-cut.x, o.y-cut.y) < maxDistance {
				cut.low, cut.high = min(cut.low, o.low), max(cut.high, o.high)
				stack = append(stack, other)
			}
		}
	}
	return cut, stack
}
