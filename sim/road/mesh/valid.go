package mesh

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// valid reports what a query could trip over.
func (m *Mesh) valid(parallel Parallel) error {
	for _, x := range [3]float64{m.origin.X, m.origin.Y, m.origin.Z} {
		if !(math.Abs(x) <= mostFar) {
			return fmt.Errorf("an origin at %g m", x)
		}
	}
	g := &m.entries
	if !(math.Abs(g.x) <= mostExtent && math.Abs(g.y) <= mostExtent && g.per > 0 && g.per <= 1e7) {
		return errors.New("a grid out of range")
	}
	if err := m.validNodes(); err != nil {
		return err
	}
	return errors.Join(
		m.none(parallel, "vertex", len(m.vertices), func(i int) bool { return m.vertices[i].valid() }),
		m.none(parallel, "triangle", len(m.corners), m.validTriangle),
		m.none(parallel, "cell", len(g.cells), func(i int) bool {
			return g.cells[i] == nothing || int(g.cells[i]) < len(m.nodes)
		}),
	)
}

// none reports the first element that is not valid.
func (m *Mesh) none(parallel Parallel, what string, n int, valid func(i int) bool) error {
	bad := make([]int, n/chunk+1)
	parallel.spans(n, chunk, func(from, to int) {
		for i := from; i < to; i++ {
			if !valid(i) {
				bad[from/chunk] = i + 1
				return
			}
		}
	})
	for _, i := range bad {
		if i > 0 {
			return fmt.Errorf("%s %d is not valid", what, i-1)
		}
	}
	return nil
}

func (v *vertex) valid() bool {
	const steepest = 1e6
	return within(v.pos[:], mostExtent) && within(v.slope[:], steepest)
}

func within(list []float32, most float64) bool {
	for _, x := range list {
		if !(math.Abs(float64(x)) <= most) { // also true for NaN
			return false
		}
	}
	return true
}

// validTriangle asks for an area, and for a slope of what carries.
func (m *Mesh) validTriangle(i int) bool {
	for _, v := range m.corners[i] {
		if int(v) >= len(m.vertices) {
			return false
		}
	}
	f := m.face(i)
	n := f.normal()
	const steepest = 1e3
	if m.flags[i]&up == 0 {
		return n != r3.Vec{}
	}
	return math.Abs(n.X)+math.Abs(n.Y) < steepest*math.Abs(n.Z)
}

// validNodes asks for a tree: the nodes below one are behind it in the list, and
// below no other.
func (m *Mesh) validNodes() error {
	level := make([]uint8, len(m.nodes)) // one more than it is
	level[0] = 1
	for i := range m.nodes {
		n := &m.nodes[i]
		first := int(n.first)
		switch {
		case !within(n.low[:], mostExtent) || !within(n.high[:], mostExtent):
			return fmt.Errorf("node %d is not valid", i)
		case n.count > mostLeaf || n.count > 0 && first+int(n.count) > len(m.corners):
			return fmt.Errorf("node %d has triangles that do not exist", i)
		case n.count > 0:
			continue
		case first <= i || first+1 >= len(m.nodes) || level[i] >= deepest || level[first] > 0 || level[first+1] > 0:
			return fmt.Errorf("node %d has parts that make no tree", i)
		}
		level[first], level[first+1] = level[i]+1, level[i]+1
	}
	return nil
}
