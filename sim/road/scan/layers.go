package scan

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"
)

// cracks finds vertices of the border on a border's edge that is not their own:
// edges that were not merged, and vertices that split the edge of one side alone.
func (c *shape) cracks() {
	reach := mm(c.limits.Crack)
	var items, faces []int32
	on := make([]bool, len(c.vertices))
	var vertices []int32
	for i, e := range c.border {
		items = append(items, int32(i))
		for _, v := range [...]int32{e.low, e.high} {
			if !on[v] {
				on[v] = true
				vertices, faces = append(vertices, v), append(faces, e.face)
			}
		}
	}
	tree := newBoxes(items, func(i int32) box {
		return boxOf(0, c.vertices[c.border[i].low], c.vertices[c.border[i].high])
	})
	for i, v := range vertices {
		p := c.vertices[v]
		b := boxOf(reach, p)
		tree.meeting(&b, func(item int32) bool {
			e := c.border[item]
			if slices.Contains(c.faces[e.face][:], v) {
				return true
			}
			gap := beside(p, c.vertices[e.low], c.vertices[e.high])
			if gap > reach {
				return true
			}
			c.tally.add(Crack, c.place(int(faces[i]), p, gap))
			return false
		})
	}
	c.tally.of(Crack).Capped = tree.exhausted()
}

// beside returns how far p is from the line between a and b [m].
func beside(p, a, b r3.Vec) float64 {
	way := r3.Sub(b, a)
	share := 0.0
	if long := r3.Norm2(way); long > 0 {
		share = min(max(r3.Dot(r3.Sub(p, a), way)/long, 0), 1)
	}
	return r3.Norm(r3.Sub(p, r3.Add(a, r3.Scale(share, way))))
}

// layers finds faces with another close behind that looks the other way, and
// faces with another close above or below that looks up as they do. It looks from
// the middle of each face.
func (c *shape) layers() {
	var items []int32
	for i := range c.faces {
		if c.counts(i) {
			items = append(items, int32(i))
		}
	}
	tree := newBoxes(items, func(i int32) box {
		f := c.faces[i]
		return boxOf(0, c.vertices[f[0]], c.vertices[f[1]], c.vertices[f[2]])
	})
	c.look(tree, Thin, c.thin)
	tree.effort = max(tree.effort, 1_000_000+200*len(items))
	c.look(tree, Overlap, c.overlap)
}

// look asks at for each face how far another one is, in the order of the tree,
// where neighbours are near in memory too, and counts what was found in ours.
func (c *shape) look(tree *boxes, kind Kind, at func(tree *boxes, face int) float64) {
	gaps := make([]float64, len(c.faces))
	for _, i := range tree.items {
		gaps[i] = at(tree, int(i))
	}
	for i, gap := range gaps {
		if c.counts(i) && gap < math.Inf(1) {
			c.tally.add(kind, c.place(i, c.middle(i), gap))
		}
	}
	c.tally.of(kind).Capped = tree.exhausted()
}

const (
	opposite = -0.7 // cosine of the angle between faces that are back to back, or less
	groundZ  = 0.5  // a face whose normal rises more is ground
)

// thin returns how far the nearest face behind another is [m], infinity if there
// is none.
func (c *shape) thin(tree *boxes, face int) float64 {
	n := c.normal(face)
	from := c.middle(face)
	way := r3.Scale(-mm(c.limits.Thin), n)
	b := boxOf(1e-6, from, r3.Add(from, way))
	near := math.Inf(1)
	tree.meeting(&b, func(other int32) bool {
		if int(other) != face && r3.Dot(n, c.normal(int(other))) < opposite {
			if t, hit := c.pierce(int(other), from, way); hit && t < near {
				near = t
			}
		}
		return true
	})
	return max(near, 0) * mm(c.limits.Thin)
}

// overlap returns how far another ground above or below a face that is ground is
// [m], infinity if there is none. Of several it takes the first it meets.
func (c *shape) overlap(tree *boxes, face int) float64 {
	gap := math.Inf(1)
	if c.normal(face).Z < groundZ {
		return gap
	}
	reach := mm(c.limits.Overlap)
	middle := c.middle(face)
	from, way := r3.Vec{X: middle.X, Y: middle.Y, Z: middle.Z - reach}, r3.Vec{Z: 2 * reach}
	b := boxOf(1e-6, from, r3.Add(from, way))
	tree.meeting(&b, func(other int32) bool {
		if int(other) == face || c.normal(int(other)).Z < groundZ || c.touch(face, int(other)) {
			return true
		}
		t, hit := c.pierce(int(other), from, way)
		if hit {
			gap = math.Abs(2*t-1) * reach
		}
		return !hit
	})
	return gap
}

// touch tells whether two faces have a vertex in common.
func (c *shape) touch(a, b int) bool {
	f := c.faces[b]
	return slices.ContainsFunc(c.faces[a][:], func(v int32) bool { return v == f[0] || v == f[1] || v == f[2] })
}

// pierce returns the share of a way at which it goes through a face, after
// Möller and Trumbore (1997).
func (c *shape) pierce(face int, from, way r3.Vec) (share float64, hit bool) {
	const slack = 1e-6 // rounding
	f := c.faces[face]
	a := c.vertices[f[0]]
	ab, ac := r3.Sub(c.vertices[f[1]], a), r3.Sub(c.vertices[f[2]], a)
	h := r3.Cross(way, ac)
	det := r3.Dot(ab, h)
	if det == 0 {
		return 0, false
	}
	s := r3.Sub(from, a)
	u := r3.Dot(s, h) / det
	q := r3.Cross(s, ab)
	v := r3.Dot(way, q) / det
	share = r3.Dot(ac, q) / det
	inside := u >= -slack && v >= -slack && u+v <= 1+slack
	return share, inside && share >= -slack && share <= 1+slack
}
