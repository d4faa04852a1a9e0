package mesh

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"
	"rig.example/rig/road"
)

// validate returns an error if the mesh, as read from a file, has contents with which a query could fail.
func (m *Mesh) validate(parallel Parallel) error {
	for _, x := range [3]float64{m.origin.X, m.origin.Y, m.origin.Z} {
		if !(math.Abs(x) <= road.MaxCoordinate) {
			return fmt.Errorf("an origin at %g m", x)
		}
	}
	g := &m.entryGrid
	if !(math.Abs(g.x) <= maxExtent && math.Abs(g.y) <= maxExtent && g.cellsPerMetre > 0 && g.cellsPerMetre <= 1e7) {
		return errors.New("a grid out of range")
	}
	if err := m.validateNodes(); err != nil {
		return err
	}
	return errors.Join(
		m.checkAll(parallel, "vertex", len(m.vertices), func(i int) bool { return m.vertices[i].isValid() }),
		m.checkAll(parallel, "triangle", len(m.corners), m.isValidTriangle),
		m.checkAll(parallel, "cell", len(g.cells), func(i int) bool {
			return g.cells[i] == noNode || int(g.cells[i]) < len(m.nodes)
		}),
	)
}

// checkAll returns an error that names the first of n elements that is not valid. what names their kind.
func (m *Mesh) checkAll(parallel Parallel, what string, n int, valid func(i int) bool) error {
	invalid := make([]int, n/chunk+1)
	parallel.spans(n, chunk, func(from, to int) {
		for i := from; i < to; i++ {
			if !valid(i) {
				invalid[from/chunk] = i + 1
				return
			}
		}
	})
	for _, i := range invalid {
		if i > 0 {
			return fmt.Errorf("%s %d is not valid", what, i-1)
		}
	}
	return nil
}

// isValid reports whether position and slope are finite and within range.
func (v *vertex) isValid() bool {
	const steepest = 1e6 // maximum slope along an axis
	return allWithin(v.pos[:], maxExtent) && allWithin(v.slope[:], steepest)
}

// allWithin reports whether all numbers are from -limit to limit.
func allWithin(list []float32, limit float64) bool {
	for _, x := range list {
		if !(math.Abs(float64(x)) <= limit) { // also true for NaN
			return false
		}
	}
	return true
}

// isValidTriangle reports whether triangle i has an area and, if it carries, a slope in range.
func (m *Mesh) isValidTriangle(i int) bool {
	for _, v := range m.corners[i] {
		if int(v) >= len(m.vertices) {
			return false
		}
	}
	f := m.face(i)
	n := f.normal()
	const steepest = 1e3 // maximum slope of a triangle that carries a wheel
	if m.flags[i]&carries == 0 {
		return n != r3.Vec{}
	}
	return math.Abs(n.X)+math.Abs(n.Y) < steepest*math.Abs(n.Z)
}

// validateNodes returns an error unless the nodes are a tree: the children of a node must come after it in the
// list and have no other parent.
func (m *Mesh) validateNodes() error {
	level := make([]uint8, len(m.nodes)) // level of each node plus one; 0 if it has no parent yet
	level[0] = 1
	for i := range m.nodes {
		n := &m.nodes[i]
		first := int(n.first)
		switch {
		case !allWithin(n.low[:], maxExtent) || !allWithin(n.high[:], maxExtent):
			return fmt.Errorf("node %d is not valid", i)
		case n.count > maxLeaf || n.count > 0 && first+int(n.count) > len(m.corners):
			return fmt.Errorf("node %d has triangles that do not exist", i)
		case n.count > 0:
			continue
		case first <= i || first+1 >= len(m.nodes) || level[i] >= maxDepth || level[first] > 0 || level[first+1] > 0:
			return fmt.Errorf("node %d has parts that make no tree", i)
		}
		level[first], level[first+1] = level[i]+1, level[i]+1
	}
	return nil
}
