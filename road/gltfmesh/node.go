package gltfmesh

import (
	"fmt"
	"math"

	"github.com/qmuntal/gltf"

	"rig.example/rig/internal/kit/printable"
)

// Transform is a transformation of coordinates: the first three rows of a matrix whose last column is the translation.
type Transform [3][4]float64

// Apply returns the transformed position.
func (m *Transform) Apply(p [3]float64) (q [3]float64) {
	for i, row := range m {
		q[i] = row[0]*p[0] + row[1]*p[1] + row[2]*p[2] + row[3]
	}
	return q
}

// multiply returns the matrix product m·n: the transformation that applies first n, then m.
func (m *Transform) multiply(n *Transform) (r Transform) {
	for i := range r {
		for j := range r[i] {
			r[i][j] = m[i][0]*n[0][j] + m[i][1]*n[1][j] + m[i][2]*n[2][j]
		}
		r[i][3] += m[i][3]
	}
	return r
}

// isMirrored reports whether the transformation contains a reflection, which reverses the order of a triangle's
// corners.
func (m *Transform) isMirrored() bool {
	det := m[0][0]*(m[1][1]*m[2][2]-m[1][2]*m[2][1]) -
		m[0][1]*(m[1][0]*m[2][2]-m[1][2]*m[2][0]) +
		m[0][2]*(m[1][0]*m[2][1]-m[1][1]*m[2][0])
	return det < 0
}

// nodeTransform returns a node's own transformation: its matrix, or translation after rotation after scale.
func nodeTransform(n *gltf.Node) (Transform, error) {
	if n.Matrix != gltf.DefaultMatrix {
		m := n.Matrix
		return Transform{{m[0], m[4], m[8], m[12]}, {m[1], m[5], m[9], m[13]}, {m[2], m[6], m[10], m[14]}}, nil
	}
	q := n.Rotation
	squaredNorm := q[0]*q[0] + q[1]*q[1] + q[2]*q[2] + q[3]*q[3]
	if !(squaredNorm > 0 && squaredNorm < math.Inf(1)) {
		return Transform{}, fmt.Errorf("rotation %v is none; export it again", q)
	}
	k := 2 / squaredNorm
	x, y, z, w := q[0], q[1], q[2], q[3]
	turn := [3][3]float64{
		{1 - k*(y*y+z*z), k * (x*y - z*w), k * (x*z + y*w)},
		{k * (x*y + z*w), 1 - k*(x*x+z*z), k * (y*z - x*w)},
		{k * (x*z - y*w), k * (y*z + x*w), 1 - k*(x*x+y*y)},
	}
	var m Transform
	for i := range m {
		for j := range turn {
			m[i][j] = turn[i][j] * n.Scale[j]
		}
		m[i][3] = n.Translation[i]
	}
	return m, nil
}

// Node is a node of the scene.
type Node struct {
	Name string
	At   Transform // from its axes to those of the scene's placement
	Tag  int       // free for the caller of Walk: 0 at the roots; nodes below begin with that of theirs
	node *gltf.Node
	file *File
}

// nodeVisit is a node that is still to be read, and what it has from the node above.
type nodeVisit struct {
	node   int
	parent Transform
	tag    int
}

// Walk calls read for all nodes of the scene, which is placed by a transformation: each one before those below it.
func (f *File) Walk(placement Transform, read func(n *Node) error) error {
	roots, err := f.roots()
	if err != nil {
		return err
	}
	visited := make([]bool, len(f.doc.Nodes))
	pending := appendReversed(nil, roots, placement, 0)
	for len(pending) > 0 {
		v := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		n, err := item(f.doc.Nodes, v.node, "node")
		if err != nil {
			return err
		}
		if visited[v.node] {
			return fmt.Errorf("node %d%s is below itself or below two nodes: nodes must be a tree; export it again", v.node, parenthesized(n.Name))
		}
		visited[v.node] = true
		own, err := nodeTransform(n)
		node := Node{Name: n.Name, At: v.parent.multiply(&own), Tag: v.tag, node: n, file: f}
		if err == nil {
			err = read(&node)
		}
		if err != nil {
			return fmt.Errorf("node %d%s: %w", v.node, parenthesized(n.Name), err)
		}
		pending = appendReversed(pending, n.Children, node.At, node.Tag)
	}
	return nil
}

// appendReversed appends nodes, the first one last.
func appendReversed(pending []nodeVisit, nodes []int, parent Transform, tag int) []nodeVisit {
	for i := len(nodes) - 1; i >= 0; i-- {
		pending = append(pending, nodeVisit{nodes[i], parent, tag})
	}
	return pending
}

// parenthesized returns a name in parentheses for messages, empty if there is none.
func parenthesized(name string) string {
	if name == "" {
		return ""
	}
	return fmt.Sprintf(" (%s)", printable.Excerpt(name))
}

// roots returns the root nodes of the default scene, or the nodes without a parent if there is no scene.
func (f *File) roots() ([]int, error) {
	if len(f.doc.Scenes) > 0 || f.doc.Scene != nil {
		scene := 0
		if f.doc.Scene != nil {
			scene = *f.doc.Scene
		}
		s, err := item(f.doc.Scenes, scene, "scene")
		if err != nil {
			return nil, err
		}
		return s.Nodes, nil
	}
	child := make([]bool, len(f.doc.Nodes))
	for _, n := range f.doc.Nodes {
		if n == nil {
			continue
		}
		for _, c := range n.Children {
			if c >= 0 && c < len(child) {
				child[c] = true
			}
		}
	}
	var roots []int
	for i := range child {
		if !child[i] {
			roots = append(roots, i)
		}
	}
	return roots, nil
}

// Primitives calls read for each set of triangles of the node's mesh, if it has one.
func (n *Node) Primitives(read func(p *Primitive) error) error {
	f := n.file
	if n.node.Mesh == nil {
		return nil
	}
	index := *n.node.Mesh
	m, err := item(f.doc.Meshes, index, "mesh")
	if err != nil {
		return err
	}
	if n.node.Skin != nil || len(m.Weights) > 0 || len(n.node.Weights) > 0 {
		f.warn("mesh %d%s has a skin or morph targets; they are ignored", index, parenthesized(m.Name))
	}
	for i, p := range m.Primitives {
		if p == nil {
			continue
		}
		one := Primitive{Name: f.nameOf(p, m.Name, n.Name), Node: n, primitive: p}
		if !one.hasTriangles() {
			continue
		}
		if err := read(&one); err != nil {
			return fmt.Errorf("mesh %d%s, primitive %d: %w", index, parenthesized(m.Name), i, err)
		}
	}
	return nil
}
