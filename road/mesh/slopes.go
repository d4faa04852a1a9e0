package mesh

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// slope is the gradient of a surface's height: its derivatives along x and y.
type slope struct{ x, y float64 }

// along returns the rise over a horizontal vector e [m].
func (s slope) along(e r3.Vec) float64 { return s.x*e.X + s.y*e.Y }

// slopeOf returns the slope of a plane with normal n.
func slopeOf(n r3.Vec) slope { return slope{-n.X / n.Z, -n.Y / n.Z} }

// fanTriangle is one of the triangles around a position.
type fanTriangle struct {
	corner                 uint32 // corner at the position, as in cornerLists
	next, previous         r3.Vec // vectors from the position to the next and the previous corner [m]
	nextEnd, previousEnd   uint32 // positions of the next and the previous corner
	kindNext, kindPrevious flags  // kinds of the edges to these corners
	face                   r3.Vec // unit normal
	weightedNormal         r3.Vec // contribution to the mean normal of its group
	group                  int    // number of the group; triangles joined by smooth edges have the same
	slope                  slope  // slope of the surface at the position, by the mean normal of its group
}

// vertexFan is the list of all triangles around a position.
type vertexFan struct {
	triangles [maxFan]fanTriangle
	n         int
}

// setSlopes computes the slope of the surface at a position for every triangle around it. Triangles that smooth
// edges join get the same slope; along other edges the slopes of both sides agree.
func (r *vertexFan) setSlopes(b *builder, fan []uint32) {
	if len(fan) > maxFan {
		for _, c := range fan {
			f := b.face(b.corners[c/3])
			b.slopes[c/3][c%3] = slopeOf(f.normal()).float32s()
		}
		return
	}
	r.collect(b, fan)
	r.groupSmooth()
	r.averageGroups()
	for i := range r.n {
		b.slopes[r.triangles[i].corner/3][r.triangles[i].corner%3] = r.cornerSlope(i).float32s()
	}
}

// float32s returns the slope in float32, without negative zeros.
func (s slope) float32s() [2]float32 { return [2]float32{float32(s.x) + 0, float32(s.y) + 0} }

// collect sets the triangles of the fan. The weights make the mean normals exact on a sphere (Max, "Weights for
// computing vertex normals from facet normals", 1999).
func (r *vertexFan) collect(b *builder, fan []uint32) {
	r.n = len(fan)
	for i, c := range fan {
		t, k := c/3, int(c%3)
		f := b.face(b.corners[t])
		p := &r.triangles[i]
		*p = fanTriangle{corner: c, group: i, face: upward(&f),
			next: r3.Sub(f[(k+1)%3], f[k]), previous: r3.Sub(f[(k+2)%3], f[k]),
			nextEnd: b.corners[t][(k+1)%3], previousEnd: b.corners[t][(k+2)%3],
			kindNext: b.flags[t].edge(k), kindPrevious: b.flags[t].edge((k + 2) % 3)}
		w := r3.Cross(p.next, p.previous)
		weight := 1 / (r3.Dot(p.next, p.next) * r3.Dot(p.previous, p.previous))
		p.weightedNormal = r3.Scale(math.Copysign(weight, w.Z), w)
	}
}

// neighbor returns the index of the triangle that shares the edge to place with triangle i, or i if there is
// none.
func (r *vertexFan) neighbor(i int, place uint32) int {
	for j := range r.n {
		if j != i && (r.triangles[j].nextEnd == place || r.triangles[j].previousEnd == place) {
			return j
		}
	}
	return i
}

// groupSmooth gives triangles that smooth edges join the same group.
func (r *vertexFan) groupSmooth() {
	for i := range r.n {
		p := &r.triangles[i]
		if p.kindNext == edgeSmooth {
			r.mergeGroups(i, r.neighbor(i, p.nextEnd))
		}
		if p.kindPrevious == edgeSmooth {
			r.mergeGroups(i, r.neighbor(i, p.previousEnd))
		}
	}
}

// mergeGroups joins the groups of triangles i and j.
func (r *vertexFan) mergeGroups(i, j int) {
	from, to := r.triangles[i].group, r.triangles[j].group
	if from == to {
		return
	}
	for k := range r.n {
		if r.triangles[k].group == from {
			r.triangles[k].group = to
		}
	}
}

// averageGroups gives each triangle the slope of its group's mean normal.
func (r *vertexFan) averageGroups() {
	var sums [maxFan]r3.Vec
	for i := range r.n {
		p := &r.triangles[i]
		sums[p.group] = r3.Add(sums[p.group], p.weightedNormal)
	}
	for i := range r.n {
		r.triangles[i].slope = slopeOf(sums[r.triangles[i].group])
	}
}

// cornerSlope returns the slope of triangle i at the position, adjusted so that it agrees with the neighbours
// along both edges.
func (r *vertexFan) cornerSlope(i int) slope {
	p := &r.triangles[i]
	if p.kindNext <= edgeSmooth && p.kindPrevious <= edgeSmooth {
		return p.slope
	}
	nextRise, previousRise := r.edgeRise(i, p.next, p.nextEnd, p.kindNext), r.edgeRise(i, p.previous, p.previousEnd, p.kindPrevious)
	det := p.next.X*p.previous.Y - p.next.Y*p.previous.X
	return slope{(nextRise*p.previous.Y - previousRise*p.next.Y) / det, (previousRise*p.next.X - nextRise*p.previous.X) / det}
}

// edgeRise returns the rise of the surface along edge e of triangle i [m], away from the fan's position. place
// is the position at the other end of the edge.
func (r *vertexFan) edgeRise(i int, e r3.Vec, place uint32, kind flags) float64 {
	own := r.triangles[i].slope.along(e)
	switch kind {
	case edgeStraight:
		return e.Z
	case edgeCrease:
		return (own + r.triangles[r.neighbor(i, place)].slope.along(e)) / 2
	}
	return own
}
