package scan

import (
	"fmt"
	"math"

	"github.com/qmuntal/gltf"
)

// placing takes places of a node into the scene: three rows of a matrix whose
// last column is the shift.
type placing [3][4]float64

func (m *placing) apply(p [3]float64) (q [3]float64) {
	for i, row := range m {
		q[i] = row[0]*p[0] + row[1]*p[1] + row[2]*p[2] + row[3]
	}
	return q
}

// after returns what first applies n and then m.
func (m *placing) after(n *placing) (r placing) {
	for i := range r {
		for j := range r[i] {
			r[i][j] = m[i][0]*n[0][j] + m[i][1]*n[1][j] + m[i][2]*n[2][j]
		}
		r[i][3] += m[i][3]
	}
	return r
}

// mirrors tells whether it turns left into right, and with it every triangle over.
func (m *placing) mirrors() bool {
	det := m[0][0]*(m[1][1]*m[2][2]-m[1][2]*m[2][1]) -
		m[0][1]*(m[1][0]*m[2][2]-m[1][2]*m[2][0]) +
		m[0][2]*(m[1][0]*m[2][1]-m[1][1]*m[2][0])
	return det < 0
}

// placingOf returns a node's own transform: its matrix, or shift after rotation
// after scale.
func placingOf(n *gltf.Node) (placing, error) {
	if n.Matrix != gltf.DefaultMatrix {
		m := n.Matrix
		return placing{{m[0], m[4], m[8], m[12]}, {m[1], m[5], m[9], m[13]}, {m[2], m[6], m[10], m[14]}}, nil
	}
	q := n.Rotation
	size := q[0]*q[0] + q[1]*q[1] + q[2]*q[2] + q[3]*q[3]
	if !(size > 0 && size < math.Inf(1)) {
		return placing{}, fmt.Errorf("rotation %v is none; export it again", q)
	}
	k := 2 / size
	x, y, z, w := q[0], q[1], q[2], q[3]
	turn := [3][3]float64{
		{1 - k*(y*y+z*z), k * (x*y - z*w), k * (x*z + y*w)},
		{k * (x*y + z*w), 1 - k*(x*x+z*z), k * (y*z - x*w)},
		{k * (x*z - y*w), k * (y*z + x*w), 1 - k*(x*x+y*y)},
	}
	var m placing
	for i := range m {
		for j := range turn {
			m[i][j] = turn[i][j] * n.Scale[j]
		}
		m[i][3] = n.Translation[i]
	}
	return m, nil
}

// visit is a node that is still to be read, within its parent.
type visit struct {
	node   int
	parent placing
}

// walk reads all nodes of the scene.
func (r *gltfReader) walk() error {
	roots, err := r.roots()
	if err != nil {
		return err
	}
	level := placing{{0: 1}, {1: 1}, {2: 1}}
	var open []visit
	for i := len(roots) - 1; i >= 0; i-- {
		open = append(open, visit{roots[i], level})
	}
	for len(open) > 0 {
		v := open[len(open)-1]
		open = open[:len(open)-1]
		if v.node < 0 || v.node >= len(r.doc.Nodes) || r.doc.Nodes[v.node] == nil {
			return fmt.Errorf("node %d is not there: the file has %d; export it again", v.node, len(r.doc.Nodes))
		}
		n := r.doc.Nodes[v.node]
		if r.seen[v.node] {
			return fmt.Errorf("node %d%s is below itself or below two nodes: nodes must be a tree; export it again", v.node, called(n.Name))
		}
		r.seen[v.node] = true
		own, err := placingOf(n)
		if err != nil {
			return fmt.Errorf("node %d%s: %w", v.node, called(n.Name), err)
		}
		at := v.parent.after(&own)
		if err := r.node(n, &at); err != nil {
			return fmt.Errorf("node %d%s: %w", v.node, called(n.Name), err)
		}
		for i := len(n.Children) - 1; i >= 0; i-- {
			open = append(open, visit{n.Children[i], at})
		}
	}
	return nil
}

// called puts a name into an error, if there is one.
func called(name string) string {
	if name == "" {
		return ""
	}
	return fmt.Sprintf(" (%s)", clip(name))
}

// roots returns the nodes of the scene that is shown, or those without a parent.
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

// node reads what hangs on a node.
func (r *gltfReader) node(n *gltf.Node, at *placing) error {
	if n.Mesh == nil {
		return nil
	}
	if i := *n.Mesh; i < 0 || i >= len(r.doc.Meshes) || r.doc.Meshes[i] == nil {
		return fmt.Errorf("mesh %d is not there: the file has %d; export it again", i, len(r.doc.Meshes))
	}
	m := r.doc.Meshes[*n.Mesh]
	if n.Skin != nil || len(m.Weights) > 0 || len(n.Weights) > 0 {
		r.warn("mesh %d%s is bent by a skin or morph; it is read as it is without", *n.Mesh, called(m.Name))
	}
	first := map[int]int{} // where an accessor's positions begin among the vertices
	for i, p := range m.Primitives {
		if p == nil {
			continue
		}
		name, before := r.nameOf(p, m.Name, n.Name), r.scene
		err := r.primitive(p, name, at, first)
		if r.forgive(name, err) {
			r.cut(&before)
			delete(first, p.Attributes[gltf.POSITION])
			continue
		}
		if err != nil {
			return fmt.Errorf("mesh %d%s, primitive %d: %w", *n.Mesh, called(m.Name), i, err)
		}
	}
	return nil
}

// nameOf returns what a primitive is called: by material, mesh or node.
func (r *gltfReader) nameOf(p *gltf.Primitive, mesh, node string) string {
	material := ""
	if p.Material != nil && *p.Material >= 0 && *p.Material < len(r.doc.Materials) && r.doc.Materials[*p.Material] != nil {
		material = r.doc.Materials[*p.Material].Name
	}
	for _, name := range [...]string{material, mesh, node} {
		if name != "" {
			return name
		}
	}
	return unnamed
}
