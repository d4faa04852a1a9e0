package scan

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"
)

// findCracks reports border vertices that lie on a border edge of another face: edges that were not merged, and
// vertices that split the edge on one side only.
func (c *checker) findCracks() {
	reach := mm(c.limits.Crack)
	var items, faces []int32
	isOnBorder := make([]bool, len(c.vertices))
	var vertices []int32
	for i, e := range c.border {
		items = append(items, int32(i))
		for _, v := range [...]int32{e.low, e.high} {
			if !isOnBorder[v] {
				isOnBorder[v] = true
				vertices, faces = append(vertices, v), append(faces, e.face)
			}
		}
	}
	tree := newBoxTree(items, func(i int32) box {
		return boxOf(0, c.vertices[c.border[i].low], c.vertices[c.border[i].high])
	})
	for i, v := range vertices {
		p := c.vertices[v]
		b := boxOf(reach, p)
		tree.visit(&b, func(item int32) bool {
			e := c.border[item]
			if slices.Contains(c.faces[e.face][:], v) {
				return true
			}
			gap := distanceToSegment(p, c.vertices[e.low], c.vertices[e.high])
			if gap > reach {
				return true
			}
			c.tally.add(Crack, c.place(int(faces[i]), p, gap))
			return false
		})
	}
	c.tally.of(Crack).Capped = tree.isExhausted()
}

// distanceToSegment returns the distance of p from the segment between a and b [m].
func distanceToSegment(p, a, b r3.Vec) float64 {
	segment := r3.Sub(b, a)
	fraction := 0.0
	if length := r3.Norm2(segment); length > 0 {
		fraction = min(max(r3.Dot(r3.Sub(p, a), segment)/length, 0), 1)
	}
	return r3.Norm(r3.Sub(p, r3.Add(a, r3.Scale(fraction, segment))))
}

// findLayers reports thin parts: faces with another face close behind them that faces the opposite way. It also
// reports overlapping ground: faces up with another face up close above or below. It examines the centroid of
// each face.
func (c *checker) findLayers() {
	var items []int32
	for i := range c.faces {
		if c.isCounted(i) {
			items = append(items, int32(i))
		}
	}
	tree := newBoxTree(items, func(i int32) box {
		f := c.faces[i]
		return boxOf(0, c.vertices[f[0]], c.vertices[f[1]], c.vertices[f[2]])
	})
	c.measureGaps(tree, Thin, c.gapBehind)
	tree.budget = max(tree.budget, 1_000_000+200*len(items))
	c.measureGaps(tree, Overlap, c.gapAbove)
}

// measureGaps reports the faces for which gapOf returns a finite gap [m]. It calls gapOf in the order of the
// tree, for fast memory access, and reports in the order of the scene.
func (c *checker) measureGaps(tree *boxTree, kind Kind, gapOf func(tree *boxTree, face int) float64) {
	gaps := make([]float64, len(c.faces))
	for _, i := range tree.items {
		gaps[i] = gapOf(tree, int(i))
	}
	for i, gap := range gaps {
		if c.isCounted(i) && gap < math.Inf(1) {
			c.tally.add(kind, c.place(i, c.middle(i), gap))
		}
	}
	c.tally.of(kind).Capped = tree.isExhausted()
}

const (
	maxOppositeCos = -0.7 // maximum cosine of the angle between the normals of faces that are back to back
	minGroundZ     = 0.5  // minimum z of the unit normal of a face that is ground
)

// gapBehind returns the distance from a face to the nearest face behind it [m], Inf if there is none.
func (c *checker) gapBehind(tree *boxTree, face int) float64 {
	n := c.orientedNormal(face)
	from := c.middle(face)
	dir := r3.Scale(-mm(c.limits.Thin), n)
	b := boxOf(1e-6, from, r3.Add(from, dir))
	near := math.Inf(1)
	tree.visit(&b, func(other int32) bool {
		if int(other) != face && r3.Dot(n, c.orientedNormal(int(other))) < maxOppositeCos {
			if t, hit := c.intersect(int(other), from, dir); hit && t < near {
				near = t
			}
		}
		return true
	})
	return max(near, 0) * mm(c.limits.Thin)
}

// gapAbove returns the distance from a ground face to another ground face above or below it [m], Inf if there is
// none. If there are several, it returns the distance to the first that it finds.
func (c *checker) gapAbove(tree *boxTree, face int) float64 {
	gap := math.Inf(1)
	if c.orientedNormal(face).Z < minGroundZ {
		return gap
	}
	reach := mm(c.limits.Overlap)
	middle := c.middle(face)
	from, dir := r3.Vec{X: middle.X, Y: middle.Y, Z: middle.Z - reach}, r3.Vec{Z: 2 * reach}
	b := boxOf(1e-6, from, r3.Add(from, dir))
	tree.visit(&b, func(other int32) bool {
		if int(other) == face || c.orientedNormal(int(other)).Z < minGroundZ || c.shareVertex(face, int(other)) {
			return true
		}
		t, hit := c.intersect(int(other), from, dir)
		if hit {
			gap = math.Abs(2*t-1) * reach
		}
		return !hit
	})
	return gap
}

// shareVertex reports whether two faces have a common vertex.
func (c *checker) shareVertex(a, b int) bool {
	f := c.faces[b]
	return slices.ContainsFunc(c.faces[a][:], func(v int32) bool { return v == f[0] || v == f[1] || v == f[2] })
}

// intersect returns the fraction of the vector dir at which a point that moves along it from from passes through
// a face, and whether it does (Möller and Trumbore, 1997).
func (c *checker) intersect(face int, from, dir r3.Vec) (fraction float64, hit bool) {
	const slack = 1e-6 // rounding
	f := c.faces[face]
	a := c.vertices[f[0]]
	ab, ac := r3.Sub(c.vertices[f[1]], a), r3.Sub(c.vertices[f[2]], a)
	h := r3.Cross(dir, ac)
	det := r3.Dot(ab, h)
	if det == 0 {
		return 0, false
	}
	s := r3.Sub(from, a)
	u := r3.Dot(s, h) / det
	q := r3.Cross(s, ab)
	v := r3.Dot(dir, q) / det
	fraction = r3.Dot(ac, q) / det
	inside := u >= -slack && v >= -slack && u+v <= 1+slack
	return fraction, inside && fraction >= -slack && fraction <= 1+slack
}
