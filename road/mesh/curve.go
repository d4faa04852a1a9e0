package mesh

import (
	"gonum.org/v1/gonum/spatial/r3"
)

// smoothTriangle is a triangle with a curved surface over it, defined by the heights and slopes at its corners.
// The surface is that of Clough and Tocher, "Finite element stiffness matrices for analysis of plates in
// bending" (1965), with slopes across each edge that change linearly along it. Neighbours with the same slopes
// at their corners join without a kink, and quadratic heights are exact.
type smoothTriangle struct {
	corners [3]r3.Vec // relative to the mesh's origin [m]
	slopes  [3]slope  // slope of the surface at each corner
}

// smoothTriangle returns triangle i with its curved surface.
func (m *Mesh) smoothTriangle(i int) smoothTriangle {
	var p smoothTriangle
	for k, c := range m.corners[i] {
		v := &m.vertices[c]
		p.corners[k] = vec32(v.pos).vec()
		p.slopes[k] = slope{float64(v.slope[0]), float64(v.slope[1])}
	}
	return p
}

// plane returns the slope of the flat triangle through the corners.
func (p *smoothTriangle) plane() slope {
	f := face(p.corners)
	return slopeOf(f.normal())
}

// edgeOrdinates returns the Bézier ordinates on the edges, relative to the flat triangle [m]: next[k] is that
// at a third of the edge from corner k to the next corner, previous[k] at a third of the edge from corner k to
// the previous corner.
func (p *smoothTriangle) edgeOrdinates() (next, previous [3]float64) {
	for k := range 3 {
		l := (k + 1) % 3
		e := r3.Sub(p.corners[l], p.corners[k])
		next[k] = (p.slopes[k].along(e) - e.Z) / 3
		previous[l] = (e.Z - p.slopes[l].along(e)) / 3
	}
	return next, previous
}

// heightAt returns the height [m] and the slope of the surface at the barycentric weights w of the corners,
// whose sum is 1.
func (p *smoothTriangle) heightAt(w [3]float64) (float64, slope) {
	flat := p.plane()
	z := w[0]*p.corners[0].Z + w[1]*p.corners[1].Z + w[2]*p.corners[2].Z
	next, previous := p.edgeOrdinates()
	if next == ([3]float64{}) && previous == ([3]float64{}) {
		return z, flat
	}
	// The center divides the triangle into three subtriangles. i is the corner opposite to the one that contains
	// the position.
	i := 0
	if w[1] < w[i] {
		i = 1
	}
	if w[2] < w[i] {
		i = 2
	}
	j, k := (i+1)%3, (i+2)%3
	var inner, middle [3]float64
	for c := range 3 {
		inner[c] = (next[c] + previous[c]) / 3
	}
	for c := range 3 {
		middle[c] = p.middleOrdinate(c, next[c], previous[(c+1)%3], inner[c]+inner[(c+1)%3])
	}
	core := [3]float64{}
	for c := range 3 {
		core[c] = (inner[c] + middle[c] + middle[(c+2)%3]) / 3
	}
	bezier := bezierTriangle{
		edge: [2]float64{next[j], previous[k]}, inner: [2]float64{inner[j], inner[k]}, middle: middle[j],
		core: [2]float64{core[j], core[k]}, top: (core[0] + core[1] + core[2]) / 3,
	}
	lift, dj, dk, ds := bezier.evaluate(w[j]-w[i], w[k]-w[i], 3*w[i])
	return z + lift, p.addSlope(flat, i, j, k, dj-ds, dk-ds)
}

// middleOrdinate returns the ordinate in the middle of the subtriangle at edge k [m], with which the slope
// across the edge is linear. next and previous are the ordinates on the edge, inner is the sum of those a third
// of the way from its ends to the center.
func (p *smoothTriangle) middleOrdinate(k int, next, previous, inner float64) float64 {
	l, o := (k+1)%3, (k+2)%3
	e, f := r3.Sub(p.corners[l], p.corners[k]), r3.Sub(p.corners[o], p.corners[k])
	along := ((e.X+f.X)*e.X + (e.Y+f.Y)*e.Y) / (3 * (e.X*e.X + e.Y*e.Y)) // projection of the center on the edge
	return inner/2 + next*(1-1.5*along) + previous*(1.5*along-0.5)
}

// addSlope returns flat plus the slope of a plane whose height changes by dj and dk [m] from the center to the
// corners j and k.
func (p *smoothTriangle) addSlope(flat slope, i, j, k int, dj, dk float64) slope {
	a, b, c := p.corners[j], p.corners[k], p.corners[i]
	cx, cy := (a.X+b.X+c.X)/3, (a.Y+b.Y+c.Y)/3
	ax, ay, bx, by := a.X-cx, a.Y-cy, b.X-cx, b.Y-cy
	det := ax*by - ay*bx
	return slope{flat.x + (dj*by-dk*ay)/det, flat.y + (dk*ax-dj*bx)/det}
}

// bezierTriangle is a cubic Bézier triangle over an edge and the center. Its ordinates at the ends of the
// edge are 0.
type bezierTriangle struct {
	edge   [2]float64 // ordinates on the edge, a third of it from each end [m]
	inner  [2]float64 // ordinates a third of the way from each end to the center [m]
	middle float64    // ordinate in the middle of the subtriangle [m]
	core   [2]float64 // ordinates two thirds of the way from each end to the center [m]
	top    float64    // ordinate at the center [m]
}

// evaluate returns the height at the weights u and v of the ends and t of the center, and its derivatives by
// the weights.
func (c *bezierTriangle) evaluate(u, v, t float64) (h, du, dv, dt float64) {
	uu, vv, tt := u*u, v*v, t*t
	uv, ut, vt := 2*u*v, 2*u*t, 2*v*t
	du = uv*c.edge[0] + vv*c.edge[1] + ut*c.inner[0] + vt*c.middle + tt*c.core[0]
	dv = uu*c.edge[0] + uv*c.edge[1] + ut*c.middle + vt*c.inner[1] + tt*c.core[1]
	dt = uu*c.inner[0] + vv*c.inner[1] + uv*c.middle + ut*c.core[0] + vt*c.core[1] + tt*c.top
	return u*du + v*dv + t*dt, 3 * du, 3 * dv, 3 * dt
}
