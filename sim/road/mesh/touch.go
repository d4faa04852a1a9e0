package mesh

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/road"
	"rig.example/rig/sim/tire"
)

// Touch returns the tangent of the ground straight below or above p, of faces
// that look up. Ground at most 0.4 m above p is what p is pressed into, and the
// highest such counts; otherwise it is the nearest in height, where ground above
// counts as four times as far. So a hub under a bridge finds the road below it,
// and the corner of a body in the road that road, not the terrain under it. Where
// there is no ground, it is level and a kilometre below p.
func (m *Mesh) Touch(p r3.Vec) road.Contact {
	q := r3.Sub(p, m.origin)
	best := below{cost: math.Inf(1)}
	if finite(q.Z) {
		m.look(q, &best)
	}
	if best.cost == math.Inf(1) {
		return none(p)
	}
	s := best.slope
	long := 1 / math.Sqrt(1+s.x*s.x+s.y*s.y)
	n := r3.Vec{X: -s.x * long, Y: -s.y * long, Z: long}
	depth := (best.z - q.Z) * long
	material := m.material[best.triangle]
	return road.Contact{Point: r3.Add(p, r3.Scale(depth, n)), Normal: n, Depth: depth,
		Surface: m.surface(material), Material: material}
}

func none(p r3.Vec) road.Contact {
	const far = 1e8 // [m], beyond all roads
	for _, x := range [3]*float64{&p.X, &p.Y, &p.Z} {
		if !(math.Abs(*x) < far) { // also true for NaN
			*x = 0
		}
	}
	p.Z -= road.NoGround
	return road.Contact{Point: p, Normal: r3.Vec{Z: 1}, Depth: -road.NoGround, Surface: tire.Dry()}
}

// below is the ground found so far.
type below struct {
	z        float64 // [m, from the origin]
	slope    slope
	cost     float64
	triangle int
}

// look goes down the nodes that are below or above q.
func (m *Mesh) look(q r3.Vec, best *below) {
	at := m.entries.entry(q.X, q.Y)
	if at == nothing {
		return
	}
	var stack [deepest]uint32
	depth := 0
	for {
		n := &m.nodes[at]
		if n.count > 0 {
			m.leaf(n, q, best)
		} else {
			left, right := m.nodes[n.first].over(q), m.nodes[n.first+1].over(q)
			if left && right {
				stack[depth] = n.first + 1
				depth++
			}
			if left {
				at = n.first
				continue
			}
			if right {
				at = n.first + 1
				continue
			}
		}
		if depth == 0 {
			return
		}
		depth--
		at = stack[depth]
	}
}

// over tells whether a node is seen straight below or above q.
func (n *node) over(q r3.Vec) bool {
	return float64(n.low[0]) <= q.X && q.X <= float64(n.high[0]) && float64(n.low[1]) <= q.Y && q.Y <= float64(n.high[1])
}

func (m *Mesh) leaf(n *node, q r3.Vec, best *below) {
	for i := int(n.first); i < int(n.first+n.count); i++ {
		if m.flags[i]&up == 0 {
			continue
		}
		if w, ok := m.weights(i, q.X, q.Y); ok {
			m.measure(i, w, q.Z, best)
		}
	}
}

// weights returns those of a triangle's corners at a place seen from above, and
// whether that is in the triangle. A place on an edge is in both triangles.
func (m *Mesh) weights(i int, x, y float64) (w [3]float64, in bool) {
	c := &m.corners[i]
	a, b, d := &m.vertices[c[0]].pos, &m.vertices[c[1]].pos, &m.vertices[c[2]].pos
	ax, ay := float64(a[0])-x, float64(a[1])-y
	bx, by := float64(b[0])-x, float64(b[1])-y
	dx, dy := float64(d[0])-x, float64(d[1])-y
	// The products are rounded one by one: an edge seen from its other side gives
	// exactly the opposite, so that no place is outside of both.
	u := float64(bx*dy) - float64(by*dx)
	v := float64(dx*ay) - float64(dy*ax)
	t := float64(ax*by) - float64(ay*bx)
	if (u < 0 || v < 0 || t < 0) && (u > 0 || v > 0 || t > 0) {
		return w, false
	}
	sum := u + v + t
	if sum == 0 {
		return w, false
	}
	return [3]float64{u / sum, v / sum, t / sum}, true
}

// measure keeps the surface over a triangle if it is the better one.
func (m *Mesh) measure(i int, w [3]float64, z float64, best *below) {
	height, s := m.height(i, w)
	if cost := costOf(z - height); cost < best.cost {
		*best = below{height, s, cost, i}
	}
}

// costOf orders what is found by how far it is below a place.
func costOf(down float64) float64 {
	const (
		deep  = 0.4 // that something is pressed in [m]
		above = 4   // times as far
	)
	switch {
	case down >= 0:
		return down
	case down >= -deep:
		return down - deep // before all that is below
	}
	return -above * down
}

// height returns the surface over a triangle that carries.
func (m *Mesh) height(i int, w [3]float64) (float64, slope) {
	p := m.patch(i)
	if !m.smooth {
		return w[0]*p.at[0].Z + w[1]*p.at[1].Z + w[2]*p.at[2].Z, p.plane()
	}
	return p.height(w)
}
