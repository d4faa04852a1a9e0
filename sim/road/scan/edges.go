package scan

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"
)

// edge is a side of a face.
type edge struct {
	low, high int32 // its vertices
	face      int32
	backward  bool // the face goes round it from high to low
}

// findEdges lists all sides so that those of the same vertices are neighbours,
// and sorts out the edges of one face and of more than two.
func (c *shape) findEdges() {
	c.edges = c.sides()
	c.parts = newJoints(len(c.faces))
	c.eachEdge(func(same []edge) {
		switch len(same) {
		case 1:
			c.border = append(c.border, same[0])
		case 2:
			c.parts.join(same[0].face, same[1].face, same[0].backward == same[1].backward)
		default:
			at := r3.Scale(0.5, r3.Add(c.vertices[same[0].low], c.vertices[same[0].high]))
			c.tally.add(NonManifold, c.place(int(same[0].face), at, float64(len(same))))
		}
	})
}

// sides returns the sides of all faces by their vertices, sorted by counting the
// lower ones and comparing the rest.
func (c *shape) sides() []edge {
	begin := make([]int32, len(c.vertices)+1)
	total := 0
	each := func(do func(e edge)) {
		for i, f := range c.faces {
			if !c.counts(i) {
				continue
			}
			for k := range f {
				a, b := f[k], f[(k+1)%3]
				do(edge{min(a, b), max(a, b), int32(i), a > b})
			}
		}
	}
	each(func(e edge) { begin[e.low+1]++; total++ })
	for i := 1; i < len(begin); i++ {
		begin[i] += begin[i-1]
	}
	list := make([]edge, total)
	fill := slices.Clone(begin)
	each(func(e edge) {
		list[fill[e.low]] = e
		fill[e.low]++
	})
	for v := range c.vertices {
		slices.SortFunc(list[begin[v]:begin[v+1]], func(p, q edge) int {
			return cmp.Or(cmp.Compare(p.high, q.high), cmp.Compare(p.face, q.face))
		})
	}
	return list
}

// eachEdge calls do with the sides of each edge.
func (c *shape) eachEdge(do func(same []edge)) {
	for i := 0; i < len(c.edges); {
		j := i + 1
		for j < len(c.edges) && c.edges[j].low == c.edges[i].low && c.edges[j].high == c.edges[i].high {
			j++
		}
		do(c.edges[i:j])
		i = j
	}
}

// joints tell which of many things hang together, and whether each is turned
// against the first of its group: Tarjan's sets with the turn to the parent.
type joints struct {
	parent []int32
	turn   []bool
}

func newJoints(n int) joints {
	j := joints{make([]int32, n), make([]bool, n)}
	for i := range j.parent {
		j.parent[i] = int32(i)
	}
	return j
}

// find returns the first of a thing's group, and whether the thing is turned
// against it. The path is shortened by half.
func (j *joints) find(i int32) (root int32, turned bool) {
	for j.parent[i] != i {
		up := j.parent[i]
		j.turn[i] = j.turn[i] != j.turn[up] // never of a first one
		j.parent[i] = j.parent[up]
		turned = turned != j.turn[i]
		i = j.parent[i]
	}
	return i, turned
}

// join puts two things into a group; turned says whether they are against each
// other. What contradicts earlier ones is passed over.
func (j *joints) join(a, b int32, turned bool) {
	ra, ta := j.find(a)
	rb, tb := j.find(b)
	if ra == rb {
		return
	}
	if rb < ra {
		ra, rb = rb, ra
	}
	j.parent[rb] = ra
	j.turn[rb] = turned != (ta != tb)
}

// facing finds the faces turned against the part of the mesh that they belong to,
// and those that look down. Of the two ways a part can face the right one looks
// up on the whole; of a part that does neither, the one of most faces.
func (c *shape) facing() {
	type sum struct {
		up     float64 // area as seen from above [m²], of faces as the first minus that of those against it
		ahead  int     // faces as the first, minus those against it
		spread float64 // area as seen from above, looking up or down
	}
	sums := make([]sum, len(c.faces))
	for i := range c.faces {
		if !c.counts(i) {
			continue
		}
		root, turned := c.parts.find(int32(i))
		up, one := c.vectorArea(c.faces[i]).Z, 1
		sums[root].spread += max(up, -up)
		if turned {
			up, one = -up, -1
		}
		sums[root].up += up
		sums[root].ahead += one
	}
	const level, down = 0.01, -0.05
	for i := range c.faces {
		if !c.counts(i) {
			continue
		}
		root, turned := c.parts.find(int32(i))
		s := sums[root]
		wrong := s.ahead < 0
		if max(s.up, -s.up) > level*s.spread {
			wrong = s.up < 0
		}
		if c.turned[i] = turned != wrong; c.turned[i] {
			c.tally.add(Flipped, c.place(i, c.middle(i), 0))
		} else if c.normals[i].Z < down {
			c.tally.add(Down, c.place(i, c.middle(i), 0))
		}
	}
}
