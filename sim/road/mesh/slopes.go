package mesh

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// slope is the gradient of a height.
type slope struct{ x, y float64 }

// along returns the rise along a way seen from above.
func (s slope) along(e r3.Vec) float64 { return s.x*e.X + s.y*e.Y }

func slopeOf(n r3.Vec) slope { return slope{-n.X / n.Z, -n.Y / n.Z} }

// petal is a triangle around a place.
type petal struct {
	corner     uint32
	next, last r3.Vec // edges away from the place
	to, from   uint32 // places at their ends
	kind, back flags  // of the edges
	face       r3.Vec // unit normal
	weighed    r3.Vec
	sector     int
	slope      slope
}

// rosette is all triangles around a place.
type rosette struct {
	petals [mostFan]petal
	n      int
}

// slopes finds the slope of the surface for every triangle around a place: the
// same for those that smooth edges join, and one that agrees along all others.
func (r *rosette) slopes(b *builder, fan []uint32) {
	if len(fan) > mostFan {
		for _, c := range fan {
			f := b.face(b.corners[c/3])
			b.slopes[c/3][c%3] = slopeOf(f.normal()).packed()
		}
		return
	}
	r.gather(b, fan)
	r.join()
	r.average()
	for i := range r.n {
		b.slopes[r.petals[i].corner/3][r.petals[i].corner%3] = r.agreed(i).packed()
	}
}

func (s slope) packed() [2]float32 { return [2]float32{float32(s.x) + 0, float32(s.y) + 0} }

// gather weighs normals so that they are exact on a sphere (Max, "Weights for
// computing vertex normals from facet normals", 1999).
func (r *rosette) gather(b *builder, fan []uint32) {
	r.n = len(fan)
	for i, c := range fan {
		t, k := c/3, int(c%3)
		f := b.face(b.corners[t])
		p := &r.petals[i]
		*p = petal{corner: c, sector: i, face: upward(&f),
			next: r3.Sub(f[(k+1)%3], f[k]), last: r3.Sub(f[(k+2)%3], f[k]),
			to: b.corners[t][(k+1)%3], from: b.corners[t][(k+2)%3],
			kind: b.flags[t].edge(k), back: b.flags[t].edge((k + 2) % 3)}
		w := r3.Cross(p.next, p.last)
		weight := 1 / (r3.Dot(p.next, p.next) * r3.Dot(p.last, p.last))
		p.weighed = r3.Scale(math.Copysign(weight, w.Z), w)
	}
}

// beyond returns the petal that shares an edge with petal i, and its kind.
func (r *rosette) beyond(i int, place uint32) int {
	for j := range r.n {
		if j != i && (r.petals[j].to == place || r.petals[j].from == place) {
			return j
		}
	}
	return i
}

// join gives petals between which the surface is smooth the same sector.
func (r *rosette) join() {
	for i := range r.n {
		p := &r.petals[i]
		if p.kind == smooth {
			r.merge(i, r.beyond(i, p.to))
		}
		if p.back == smooth {
			r.merge(i, r.beyond(i, p.from))
		}
	}
}

func (r *rosette) merge(i, j int) {
	from, to := r.petals[i].sector, r.petals[j].sector
	if from == to {
		return
	}
	for k := range r.n {
		if r.petals[k].sector == from {
			r.petals[k].sector = to
		}
	}
}

// average gives each sector its mean normal's slope.
func (r *rosette) average() {
	var sums [mostFan]r3.Vec
	for i := range r.n {
		p := &r.petals[i]
		sums[p.sector] = r3.Add(sums[p.sector], p.weighed)
	}
	for i := range r.n {
		r.petals[i].slope = slopeOf(sums[r.petals[i].sector])
	}
}

// agreed returns the slope of petal i that rises along its edges as its
// neighbours do.
func (r *rosette) agreed(i int) slope {
	p := &r.petals[i]
	if p.kind <= smooth && p.back <= smooth {
		return p.slope
	}
	next, last := r.rise(i, p.next, p.to, p.kind), r.rise(i, p.last, p.from, p.back)
	det := p.next.X*p.last.Y - p.next.Y*p.last.X
	return slope{(next*p.last.Y - last*p.next.Y) / det, (last*p.next.X - next*p.last.X) / det}
}

// rise returns how the surface rises from the place along an edge of petal i.
func (r *rosette) rise(i int, e r3.Vec, place uint32, kind flags) float64 {
	own := r.petals[i].slope.along(e)
	switch kind {
	case straight:
		return e.Z
	case crease:
		return (own + r.petals[r.beyond(i, place)].slope.along(e)) / 2
	}
	return own
}
