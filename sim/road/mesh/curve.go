package mesh

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// patch is a triangle seen from above with the slopes of the surface at its
// corners. Its surface is that of Clough and Tocher, with slopes across each edge
// that change evenly along it ("Finite element stiffness matrices for analysis of
// plates in bending", 1965): neighbours with the same slopes at their corners go
// over into each other without a kink, and quadratic heights are exact.
type patch struct {
	at     [3]r3.Vec
	slopes [3]slope
}

func (m *Mesh) patch(i int) patch {
	var p patch
	for k, c := range m.corners[i] {
		v := &m.vertices[c]
		p.at[k] = triple(v.pos).vec()
		p.slopes[k] = slope{float64(v.slope[0]), float64(v.slope[1])}
	}
	return p
}

// plane returns the slope of the flat triangle.
func (p *patch) plane() slope {
	f := face(p.at)
	return slopeOf(f.normal())
}

// rises are how the surface leaves the edges of the flat triangle, at corner k
// towards the next and towards the last one, a third of the way [m].
func (p *patch) rises() (next, last [3]float64) {
	for k := range 3 {
		l := (k + 1) % 3
		e := r3.Sub(p.at[l], p.at[k])
		next[k] = (p.slopes[k].along(e) - e.Z) / 3
		last[l] = (e.Z - p.slopes[l].along(e)) / 3
	}
	return next, last
}

// height returns the height and slope of the surface where the weights of the
// corners are w; they add up to 1.
func (p *patch) height(w [3]float64) (float64, slope) {
	flat := p.plane()
	z := w[0]*p.at[0].Z + w[1]*p.at[1].Z + w[2]*p.at[2].Z
	next, last := p.rises()
	if next == ([3]float64{}) && last == ([3]float64{}) {
		return z, flat
	}
	i := 0 // the corner opposite to the third that the place is in
	if w[1] < w[i] {
		i = 1
	}
	if w[2] < w[i] {
		i = 2
	}
	j, k := (i+1)%3, (i+2)%3
	var inner, middle [3]float64
	for c := range 3 {
		inner[c] = (next[c] + last[c]) / 3
	}
	for c := range 3 {
		middle[c] = p.middle(c, next[c], last[(c+1)%3], inner[c]+inner[(c+1)%3])
	}
	core := [3]float64{}
	for c := range 3 {
		core[c] = (inner[c] + middle[c] + middle[(c+2)%3]) / 3
	}
	third := cubic{
		edge: [2]float64{next[j], last[k]}, inner: [2]float64{inner[j], inner[k]}, middle: middle[j],
		core: [2]float64{core[j], core[k]}, top: (core[0] + core[1] + core[2]) / 3,
	}
	lift, dj, dk, ds := third.at(w[j]-w[i], w[k]-w[i], 3*w[i])
	return z + lift, p.tilt(flat, i, j, k, dj-ds, dk-ds)
}

// middle returns the ordinate over the middle of the third at edge k that makes
// the slope across the edge even.
func (p *patch) middle(k int, next, last, inner float64) float64 {
	l, o := (k+1)%3, (k+2)%3
	e, f := r3.Sub(p.at[l], p.at[k]), r3.Sub(p.at[o], p.at[k])
	along := ((e.X+f.X)*e.X + (e.Y+f.Y)*e.Y) / (3 * (e.X*e.X + e.Y*e.Y)) // where the centre is
	return inner/2 + next*(1-1.5*along) + last*(1.5*along-0.5)
}

// tilt adds to a slope that of a height with these changes from the centre to
// the corners j and k.
func (p *patch) tilt(flat slope, i, j, k int, dj, dk float64) slope {
	a, b, c := p.at[j], p.at[k], p.at[i]
	cx, cy := (a.X+b.X+c.X)/3, (a.Y+b.Y+c.Y)/3
	ax, ay, bx, by := a.X-cx, a.Y-cy, b.X-cx, b.Y-cy
	det := ax*by - ay*bx
	return slope{flat.x + (dj*by-dk*ay)/det, flat.y + (dk*ax-dj*bx)/det}
}

// cubic is a Bézier triangle over an edge and the centre; its corners on the edge
// are 0.
type cubic struct {
	edge   [2]float64 // a third of the way along the edge from each end
	inner  [2]float64 // a third of the way from each end to the centre
	middle float64
	core   [2]float64 // two thirds of the way
	top    float64    // at the centre
}

// at returns the height where the weights of the ends and the centre are u, v and
// t, and its derivatives by them.
func (c *cubic) at(u, v, t float64) (h, du, dv, dt float64) {
	uu, vv, tt := u*u, v*v, t*t
	uv, ut, vt := 2*u*v, 2*u*t, 2*v*t
	du = uv*c.edge[0] + vv*c.edge[1] + ut*c.inner[0] + vt*c.middle + tt*c.core[0]
	dv = uu*c.edge[0] + uv*c.edge[1] + ut*c.middle + vt*c.inner[1] + tt*c.core[1]
	dt = uu*c.inner[0] + vv*c.inner[1] + uv*c.middle + ut*c.core[0] + vt*c.core[1] + tt*c.top
	return u*du + v*dv + t*dt, 3 * du, 3 * dv, 3 * dt
}

// finite tells whether a number is one.
func finite(x float64) bool { return math.Abs(x) < math.Inf(1) }
