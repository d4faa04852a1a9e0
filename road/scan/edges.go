package scan

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"
)

// edge is a side of a face.
type edge struct {
	low, high int32 // its vertices, low < high
	face      int32
	backward  bool // the face lists its vertices in the order high, low
}

// findEdges lists the sides of all faces, those of the same edge together. It finds border edges, which have
// one face, and reports edges with more than two faces.
func (c *checker) findEdges() {
	c.edges = c.sides()
	c.parts = newDisjointSets(len(c.faces))
	c.eachEdge(func(same []edge) {
		switch len(same) {
		case 1:
			c.border = append(c.border, same[0])
		case 2:
			c.parts.union(same[0].face, same[1].face, same[0].backward == same[1].backward)
		default:
			at := r3.Scale(0.5, r3.Add(c.vertices[same[0].low], c.vertices[same[0].high]))
			c.tally.add(NonManifold, c.place(int(same[0].face), at, float64(len(same))))
		}
	})
}

// sides returns the sides of all faces, sorted by their vertices.
func (c *checker) sides() []edge {
	begin, list := listsByVertex(len(c.vertices), func(add func(v int32, e edge)) {
		for i, f := range c.faces {
			if !c.isCounted(i) {
				continue
			}
			for k := range f {
				a, b := f[k], f[(k+1)%3]
				add(min(a, b), edge{min(a, b), max(a, b), int32(i), a > b})
			}
		}
	})
	for v := range c.vertices {
		slices.SortFunc(list[begin[v]:begin[v+1]], func(p, q edge) int {
			return cmp.Or(cmp.Compare(p.high, q.high), cmp.Compare(p.face, q.face))
		})
	}
	return list
}

// eachEdge calls do with the sides of each edge.
func (c *checker) eachEdge(do func(same []edge)) {
	for i := 0; i < len(c.edges); {
		j := i + 1
		for j < len(c.edges) && c.edges[j].low == c.edges[i].low && c.edges[j].high == c.edges[i].high {
			j++
		}
		do(c.edges[i:j])
		i = j
	}
}

// disjointSets are groups of connected items (Tarjan's disjoint sets). Each item is flipped or not relative to
// its parent.
type disjointSets struct {
	parent  []int32
	flipped []bool // whether each item is flipped relative to its parent
}

// newDisjointSets returns n groups of one item each.
func newDisjointSets(n int) disjointSets {
	j := disjointSets{make([]int32, n), make([]bool, n)}
	for i := range j.parent {
		j.parent[i] = int32(i)
	}
	return j
}

// find returns the root of an item's group, and whether the item is flipped relative to the root. It shortens
// the path to the root for later calls.
func (j *disjointSets) find(i int32) (root int32, flipped bool) {
	for j.parent[i] != i {
		parent := j.parent[i]
		j.flipped[i] = j.flipped[i] != j.flipped[parent] // a root is never flipped
		j.parent[i] = j.parent[parent]
		flipped = flipped != j.flipped[i]
		i = j.parent[i]
	}
	return i, flipped
}

// union joins the groups of two items. flipped is whether the items are flipped relative to each other. It
// is ignored if they already are in the same group.
func (j *disjointSets) union(a, b int32, flipped bool) {
	rootA, flippedA := j.find(a)
	rootB, flippedB := j.find(b)
	if rootA == rootB {
		return
	}
	if rootB < rootA {
		rootA, rootB = rootB, rootA
	}
	j.parent[rootB] = rootA
	j.flipped[rootB] = flipped != (flippedA != flippedB)
}

// checkFacing reports faces that are flipped relative to their part of the mesh, and faces that face down. Of
// the two orientations of a part, the right one is that in which the part faces up on average. For a part that
// faces neither up nor down, it is that of most faces.
func (c *checker) checkFacing() {
	type sum struct {
		up     float64 // area seen from above, positive for faces up, in the orientation of the root [m²]
		ahead  int     // number of faces oriented as the root, minus the number of the others
		spread float64 // area seen from above of all faces [m²]
	}
	sums := make([]sum, len(c.faces))
	for i := range c.faces {
		if !c.isCounted(i) {
			continue
		}
		root, flipped := c.parts.find(int32(i))
		up, count := c.vectorArea(c.faces[i]).Z, 1
		sums[root].spread += max(up, -up)
		if flipped {
			up, count = -up, -1
		}
		sums[root].up += up
		sums[root].ahead += count
	}
	const level = 0.01 // minimum ratio of up to spread for a part that faces up or down
	const down = -0.05 // faces whose normal has a smaller z face down
	for i := range c.faces {
		if !c.isCounted(i) {
			continue
		}
		root, flipped := c.parts.find(int32(i))
		s := sums[root]
		isInverted := s.ahead < 0
		if max(s.up, -s.up) > level*s.spread {
			isInverted = s.up < 0
		}
		if c.flipped[i] = flipped != isInverted; c.flipped[i] {
			c.tally.add(Flipped, c.place(i, c.middle(i), 0))
		} else if c.normals[i].Z < down {
			c.tally.add(Down, c.place(i, c.middle(i), 0))
		}
	}
}
