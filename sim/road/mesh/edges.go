package mesh

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// fans list for each place the corners there of triangles that carry.
type fans struct {
	first   []uint32
	corners []uint32 // 3·triangle + corner
}

// mostFan is how many triangles around a place are still smoothed: with more, as
// at the tip of a fine cone, the edges there stay straight.
const mostFan = 64

func (b *builder) fans() fans {
	f := fans{first: make([]uint32, len(b.places)+1)}
	for i, c := range b.corners {
		if b.flags[i]&up != 0 {
			for _, v := range c {
				f.first[v]++
			}
		}
	}
	sum := uint32(0)
	for i, n := range f.first {
		sum += n
		f.first[i] = sum // the end of its list, until that is filled from the end
	}
	f.corners = make([]uint32, sum)
	for i := len(b.corners) - 1; i >= 0; i-- {
		if b.flags[i]&up == 0 {
			continue
		}
		for k, v := range b.corners[i] {
			f.first[v]--
			f.corners[f.first[v]] = uint32(3*i + k)
		}
	}
	return f
}

func (f *fans) at(place uint32) []uint32 { return f.corners[f.first[place]:f.first[place+1]] }

// smoothen finds the kinds of the edges and the slopes at the corners.
func (b *builder) smoothen() {
	if !b.options.Smooth {
		return
	}
	f := b.fans()
	found := make([]flags, len(b.corners))
	b.parallel.spans(len(found), chunk, func(from, to int) {
		for i := from; i < to; i++ {
			if b.flags[i]&up != 0 {
				found[i] = b.kinds(&f, i)
			}
		}
	})
	for i := range found {
		b.flags[i] |= found[i]
	}
	b.slopes = make([][3][2]float32, len(b.corners))
	b.parallel.spans(len(b.places), chunk, func(from, to int) {
		var r rosette
		for at := from; at < to; at++ {
			r.slopes(b, f.at(uint32(at)))
		}
	})
}

func (b *builder) kinds(f *fans, triangle int) flags {
	var found flags
	for k := range 3 {
		found |= b.kind(f, triangle, k) << (2 * k)
	}
	return found
}

// kind looks beyond the edge from corner k.
func (b *builder) kind(f *fans, triangle, k int) flags {
	from, to := b.corners[triangle][k], b.corners[triangle][(k+1)%3]
	one, two := f.at(from), f.at(to)
	if len(one) > mostFan || len(two) > mostFan {
		return straight
	}
	other, n := 0, 0
	for _, c := range one {
		if i := int(c / 3); i != triangle && has(b.corners[i], to) {
			other = i
			n++
		}
	}
	switch n {
	case 0:
		return border
	case 1:
		return b.joint(min(triangle, other), max(triangle, other), from, to)
	}
	return straight
}

func has(c [3]uint32, v uint32) bool { return c[0] == v || c[1] == v || c[2] == v }

// joint returns the kind of an edge between two triangles that carry.
func (b *builder) joint(i, j int, from, to uint32) flags {
	f, g := b.face(b.corners[i]), b.face(b.corners[j])
	n, m := upward(&f), upward(&g)
	p, q := triple(b.places[from]).vec(), triple(b.places[to]).vec()
	left, right := aside(&f, p, q), aside(&g, p, q)
	if left*right >= 0 || sliver(&f) || sliver(&g) {
		return straight
	}
	if n == m {
		return smooth
	}
	if r3.Dot(n, m) < b.blunt {
		return crease
	}
	turned := r3.Cross(n, m)
	wide := max(math.Abs(left), math.Abs(right))
	// A curve between tangents that differ by an angle leaves its chord by a
	// fourth of the half angle times its length.
	if wide*math.Sqrt(r3.Dot(turned, turned)) > 8*b.options.Bulge {
		return crease
	}
	return smooth
}

// upward returns the unit normal of a face that looks up.
func upward(f *face) r3.Vec {
	n := f.normal()
	return r3.Scale(math.Copysign(1/math.Sqrt(r3.Dot(n, n)), n.Z), n)
}

// aside returns how far a face reaches to the left of an edge, seen from above [m].
func aside(f *face, p, q r3.Vec) float64 {
	e := r3.Sub(q, p)
	far := 0.0
	for _, c := range f {
		if a := e.X*(c.Y-p.Y) - e.Y*(c.X-p.X); math.Abs(a) > math.Abs(far) {
			far = a
		}
	}
	return far / math.Sqrt(e.X*e.X+e.Y*e.Y)
}

// sliver tells whether a face is too thin, seen from above, to have a slope of
// its own across.
func sliver(f *face) bool {
	const thin = 2e-3 // of its length
	area := math.Abs(f.normal().Z)
	long := 0.0
	for k := range 3 {
		e := r3.Sub(f[(k+1)%3], f[k])
		long = max(long, e.X*e.X+e.Y*e.Y)
	}
	return area < thin*long
}
