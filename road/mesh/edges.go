package mesh

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// cornerLists lists for each position the corners there of triangles that carry a wheel.
type cornerLists struct {
	first   []uint32 // for each position, the index in corners at which its list starts
	corners []uint32 // 3·triangle + number of the corner, 0..2
}

// maxFan is the maximum number of triangles around a position that are smoothed. With more, as at the tip of a
// fine cone, the edges there stay straight.
const maxFan = 64

// cornerLists returns the lists for all positions.
func (b *builder) cornerLists() cornerLists {
	f := cornerLists{first: make([]uint32, len(b.positions)+1)}
	for i, c := range b.corners {
		if b.flags[i]&carries != 0 {
			for _, v := range c {
				f.first[v]++
			}
		}
	}
	sum := uint32(0)
	for i, n := range f.first {
		sum += n
		f.first[i] = sum // the end of the list, which is filled from its end
	}
	f.corners = make([]uint32, sum)
	for i := len(b.corners) - 1; i >= 0; i-- {
		if b.flags[i]&carries == 0 {
			continue
		}
		for k, v := range b.corners[i] {
			f.first[v]--
			f.corners[f.first[v]] = uint32(3*i + k)
		}
	}
	return f
}

// at returns the corners at a position.
func (f *cornerLists) at(place uint32) []uint32 { return f.corners[f.first[place]:f.first[place+1]] }

// smooth computes the kinds of all edges, and the slopes of the surface at all corners.
func (b *builder) smooth() {
	if !b.options.Smooth {
		return
	}
	f := b.cornerLists()
	kinds := make([]flags, len(b.corners))
	b.parallel.spans(len(kinds), chunk, func(from, to int) {
		for i := from; i < to; i++ {
			if b.flags[i]&carries != 0 {
				kinds[i] = b.edgeKinds(&f, i)
			}
		}
	})
	for i := range kinds {
		b.flags[i] |= kinds[i]
	}
	b.slopes = make([][3][2]float32, len(b.corners))
	b.parallel.spans(len(b.positions), chunk, func(from, to int) {
		var r vertexFan
		for at := from; at < to; at++ {
			r.setSlopes(b, f.at(uint32(at)))
		}
	})
}

// edgeKinds returns the kinds of a triangle's three edges.
func (b *builder) edgeKinds(f *cornerLists, triangle int) flags {
	var kinds flags
	for k := range 3 {
		kinds |= b.edgeKind(f, triangle, k) << (2 * k)
	}
	return kinds
}

// edgeKind returns the kind of a triangle's edge from corner k to the next.
func (b *builder) edgeKind(f *cornerLists, triangle, k int) flags {
	from, to := b.corners[triangle][k], b.corners[triangle][(k+1)%3]
	atFrom, atTo := f.at(from), f.at(to)
	if len(atFrom) > maxFan || len(atTo) > maxFan {
		return edgeStraight
	}
	neighbor, neighbors := -1, 0
	for _, c := range atFrom {
		if i := int(c / 3); i != triangle && hasVertex(b.corners[i], to) {
			neighbor = i
			neighbors++
		}
	}
	switch neighbors {
	case 0:
		return edgeBorder
	case 1:
		return b.sharedEdgeKind(min(triangle, neighbor), max(triangle, neighbor), from, to)
	}
	return edgeStraight
}

// hasVertex reports whether v is one of the corners c.
func hasVertex(c [3]uint32, v uint32) bool { return c[0] == v || c[1] == v || c[2] == v }

// sharedEdgeKind returns the kind of the edge between the triangles i and j, which both carry a wheel. from and
// to are the positions of its ends.
func (b *builder) sharedEdgeKind(i, j int, from, to uint32) flags {
	f, g := b.face(b.corners[i]), b.face(b.corners[j])
	n, m := upward(&f), upward(&g)
	p, q := vec32(b.positions[from]).vec(), vec32(b.positions[to]).vec()
	left, right := widthLeft(&f, p, q), widthLeft(&g, p, q)
	if left*right >= 0 || isSliver(&f) || isSliver(&g) {
		return edgeStraight
	}
	if n == m {
		return edgeSmooth
	}
	if r3.Dot(n, m) < b.cosCrease {
		return edgeCrease
	}
	turn := r3.Cross(n, m)
	width := max(math.Abs(left), math.Abs(right))
	// A curve whose tangents at its ends differ by an angle deviates from its chord by an eighth of this angle
	// times its length.
	if width*math.Sqrt(r3.Dot(turn, turn)) > 8*b.options.Bulge {
		return edgeCrease
	}
	return edgeSmooth
}

// upward returns the unit normal of a face that points up.
func upward(f *face) r3.Vec {
	n := f.normal()
	return r3.Scale(math.Copysign(1/math.Sqrt(r3.Dot(n, n)), n.Z), n)
}

// widthLeft returns how far a face extends to the left of its edge from p to q, seen from above [m]. It is
// negative if the face is to the right.
func widthLeft(f *face, p, q r3.Vec) float64 {
	e := r3.Sub(q, p)
	width := 0.0
	for _, c := range f {
		if a := e.X*(c.Y-p.Y) - e.Y*(c.X-p.X); math.Abs(a) > math.Abs(width) {
			width = a
		}
	}
	return width / math.Sqrt(e.X*e.X+e.Y*e.Y)
}

// isSliver reports whether a face is so thin, seen from above, that its slope across is not accurate.
func isSliver(f *face) bool {
	const minRatio = 2e-3 // minimum ratio of its width to its length
	area := math.Abs(f.normal().Z)
	length := 0.0
	for k := range 3 {
		e := r3.Sub(f[(k+1)%3], f[k])
		length = max(length, e.X*e.X+e.Y*e.Y)
	}
	return area < minRatio*length
}
