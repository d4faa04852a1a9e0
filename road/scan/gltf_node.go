package scan

import (
	"fmt"
	"math"

	"github.com/qmuntal/gltf"
	"rig.example/rig/internal/kit/printable"
)

// transform is a transformation of coordinates: the first three rows of a matrix whose last column is the
// translation.
type transform [3][4]float64

// apply returns the transformed position.
func (m *transform) apply(p [3]float64) (q [3]float64) {
	for i, row := range m {
		q[i] = row[0]*p[0] + row[1]*p[1] + row[2]*p[2] + row[3]
	}
	return q
}

// multiply returns the matrix product m·n: the transformation that applies first n, then m.
func (m *transform) multiply(n *transform) (r transform) {
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
func (m *transform) isMirrored() bool {
	det := m[0][0]*(m[1][1]*m[2][2]-m[1][2]*m[2][1]) -
		m[0][1]*(m[1][0]*m[2][2]-m[1][2]*m[2][0]) +
		m[0][2]*(m[1][0]*m[2][1]-m[1][1]*m[2][0])
	return det < 0
}

// nodeTransform returns a node's own transformation: its matrix, or translation after rotation after
// scale.
func nodeTransform(n *gltf.Node) (transform, error) {
	if n.Matrix != gltf.DefaultMatrix {
		m := n.Matrix
		return transform{{m[0], m[4], m[8], m[12]}, {m[1], m[5], m[9], m[13]}, {m[2], m[6], m[10], m[14]}}, nil
	}
	q := n.Rotation
	squaredNorm := q[0]*q[0] + q[1]*q[1] + q[2]*q[2] + q[3]*q[3]
	if !(squaredNorm > 0 && squaredNorm < math.Inf(1)) {
		return transform{}, fmt.Errorf("rotation %v is none; export it again", q)
	}
	k := 2 / squaredNorm
	x, y, z, w := q[0], q[1], q[2], q[3]
	turn := [3][3]float64{
		{1 - k*(y*y+z*z), k * (x*y - z*w), k * (x*z + y*w)},
		{k * (x*y + z*w), 1 - k*(x*x+z*z), k * (y*z - x*w)},
		{k * (x*z - y*w), k * (y*z + x*w), 1 - k*(x*x+y*y)},
	}
	var m transform
	for i := range m {
		for j := range turn {
			m[i][j] = turn[i][j] * n.Scale[j]
		}
		m[i][3] = n.Translation[i]
	}
	return m, nil
}

// nodeVisit is a node that is still to be read, and the transformation of its parent.
type nodeVisit struct {
	node   int
	parent transform
}

// walk reads all nodes of the scene.
func (r *gltfReader) walk() error {
	roots, err := r.roots()
	if err != nil {
		return err
	}
	identity := transform{{0: 1}, {1: 1}, {2: 1}}
	var pending []nodeVisit
	for i := len(roots) - 1; i >= 0; i-- {
		pending = append(pending, nodeVisit{roots[i], identity})
	}
	for len(pending) > 0 {
		v := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		if v.node < 0 || v.node >= len(r.doc.Nodes) || r.doc.Nodes[v.node] == nil {
			return fmt.Errorf("node %d is not there: the file has %d; export it again", v.node, len(r.doc.Nodes))
		}
		n := r.doc.Nodes[v.node]
		if r.visited[v.node] {
			return fmt.Errorf("node %d%s is below itself or below two nodes: nodes must be a tree; export it again", v.node, parenthesized(n.Name))
		}
		r.visited[v.node] = true
		own, err := nodeTransform(n)
		if err != nil {
			return fmt.Errorf("node %d%s: %w", v.node, parenthesized(n.Name), err)
		}
		at := v.parent.multiply(&own)
		if err := r.node(n, &at); err != nil {
			return fmt.Errorf("node %d%s: %w", v.node, parenthesized(n.Name), err)
		}
		for i := len(n.Children) - 1; i >= 0; i-- {
			pending = append(pending, nodeVisit{n.Children[i], at})
		}
	}
	return nil
}

// parenthesized returns a name in parentheses for messages, empty if there is none.
func parenthesized(name string) string {
	if name == "" {
		return ""
	}
	return fmt.Sprintf(" (%s)", printable.Excerpt(name))
}

// roots returns the root nodes of the default scene, or the nodes without a parent.
func (r *gltfReader) roots() ([]int, error) {
	scene := 0
	if r.doc.Scene != nil {
		scene = *r.doc.Scene
	}
	if len(r.doc.Scenes) > 0 || r.doc.Scene != nil {
		if scene < 0 || scene >= len(r.doc.Scenes) || r.doc.Scenes[scene] == nil {
			return nil, fmt.Errorf("scene %d is not there: the file has %d; export it again", scene, len(r.doc.Scenes))
		}
		return r.doc.Scenes[scene].Nodes, nil
	}
	child := make([]bool, len(r.doc.Nodes))
	for _, n := range r.doc.Nodes {
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

// node reads the mesh of a node.
func (r *gltfReader) node(n *gltf.Node, at *transform) error {
	if n.Mesh == nil {
		return nil
	}
	if i := *n.Mesh; i < 0 || i >= len(r.doc.Meshes) || r.doc.Meshes[i] == nil {
		return fmt.Errorf("mesh %d is not there: the file has %d; export it again", i, len(r.doc.Meshes))
	}
	m := r.doc.Meshes[*n.Mesh]
	if n.Skin != nil || len(m.Weights) > 0 || len(n.Weights) > 0 {
		r.warn("mesh %d%s has a skin or morph targets; they are ignored", *n.Mesh, parenthesized(m.Name))
	}
	first := map[int]int{} // by accessor of positions, the index of its first vertex in the scene
	for i, p := range m.Primitives {
		if p == nil {
			continue
		}
		name, before := r.nameOf(p, m.Name, n.Name), r.scene
		err := r.primitive(p, name, at, first)
		if r.skipBroken(name, err) {
			r.restore(&before)
			delete(first, p.Attributes[gltf.POSITION])
			continue
		}
		if err != nil {
			return fmt.Errorf("mesh %d%s, primitive %d: %w", *n.Mesh, parenthesized(m.Name), i, err)
		}
	}
	return nil
}

// nameOf returns the name of a primitive: that of its material, else of its mesh, else of its node.
func (r *gltfReader) nameOf(p *gltf.Primitive, mesh, node string) string {
	material := ""
	if i := p.Material; i != nil && *i >= 0 && *i < len(r.doc.Materials) && r.doc.Materials[*i] != nil {
		material = r.doc.Materials[*i].Name
	}
	for _, name := range [...]string{material, mesh, node} {
		if name != "" {
			return name
		}
	}
	return unnamed
}
