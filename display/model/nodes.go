package model

import (
	"fmt"
	"strings"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/qmuntal/gltf"

	"rig.example/rig/internal/kit/printable"
)

// nodeVisit is a node that is still to be read.
type nodeVisit struct {
	node   int
	parent mgl64.Mat4 // transformation of its parent
	cabin  bool       // it is below a node of the cabin
}

// walk reads all nodes of the scene, which is placed in the car by a transformation.
func (r *reader) walk(placement mgl64.Mat4) error {
	roots, err := r.roots()
	if err != nil {
		return err
	}
	var pending []nodeVisit
	for _, root := range roots {
		pending = append(pending, nodeVisit{root, placement, false})
	}
	for len(pending) > 0 {
		v := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		n, err := item(r.doc.Nodes, v.node, "node")
		if err != nil {
			return err
		}
		if r.visited[v.node] {
			return fmt.Errorf("node %d%s is below itself or below two nodes: nodes must be a tree; export it again", v.node, parenthesized(n.Name))
		}
		r.visited[v.node] = true
		name := strings.ToLower(n.Name)
		if strings.HasPrefix(name, "wheel") {
			continue // the physics moves the built-in ones
		}
		at, cabin := v.parent.Mul4(nodeMatrix(n)), v.cabin || strings.HasPrefix(name, "cabin")
		if err := r.mesh(n, at, cabin); err != nil {
			return fmt.Errorf("node %d%s: %w", v.node, parenthesized(n.Name), err)
		}
		for _, child := range n.Children {
			pending = append(pending, nodeVisit{child, at, cabin})
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

// roots returns the root nodes of the default scene, or the nodes without a parent if there is no scene.
func (r *reader) roots() ([]int, error) {
	if len(r.doc.Scenes) > 0 || r.doc.Scene != nil {
		scene := 0
		if r.doc.Scene != nil {
			scene = *r.doc.Scene
		}
		s, err := item(r.doc.Scenes, scene, "scene")
		if err != nil {
			return nil, err
		}
		return s.Nodes, nil
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

// nodeMatrix returns a node's own transformation: its matrix, or translation after rotation after scale.
func nodeMatrix(n *gltf.Node) mgl64.Mat4 {
	if n.Matrix != gltf.DefaultMatrix {
		return mgl64.Mat4(n.Matrix)
	}
	q, s, t := n.Rotation, n.Scale, n.Translation
	turn := mgl64.Quat{W: q[3], V: mgl64.Vec3{q[0], q[1], q[2]}}.Normalize()
	return mgl64.Translate3D(t[0], t[1], t[2]).Mul4(turn.Mat4()).Mul4(mgl64.Scale3D(s[0], s[1], s[2]))
}

// mesh reads the mesh of a node, if it has one.
func (r *reader) mesh(n *gltf.Node, at mgl64.Mat4, cabin bool) error {
	if n.Mesh == nil {
		return nil
	}
	m, err := item(r.doc.Meshes, *n.Mesh, "mesh")
	if err != nil {
		return err
	}
	for i, p := range m.Primitives {
		if p == nil {
			continue
		}
		if err := r.primitive(p, at, cabin); err != nil {
			return fmt.Errorf("mesh %d%s, primitive %d: %w", *n.Mesh, parenthesized(m.Name), i, err)
		}
	}
	return nil
}
