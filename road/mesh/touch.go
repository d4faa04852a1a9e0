package mesh

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/road"
	"rig.example/rig/sim/tire"
)

// Touch returns the tangent plane of the ground straight below or above p, among the triangles that carry a
// wheel. If there is ground up to 0.4 m above p, p is pressed into it, and Touch returns the highest such
// ground. Otherwise it returns the ground nearest in height, where the distance of ground above counts four
// times. So a wheel hub under a bridge finds the road below the bridge, and a body's corner pressed into a road
// finds that road, not the terrain below it. Where there is no ground the contact is horizontal, NoGroundDepth
// below p.
func (m *Mesh) Touch(p r3.Vec) road.Contact {
	q := r3.Sub(p, m.origin)
	best := groundHit{cost: math.Inf(1)}
	if valid.Finite(q.Z) {
		m.search(q, &best)
	}
	if best.cost == math.Inf(1) {
		return road.NoGround(p, tire.Dry())
	}
	s := best.slope
	length := 1 / math.Sqrt(1+s.x*s.x+s.y*s.y)
	n := r3.Vec{X: -s.x * length, Y: -s.y * length, Z: length}
	depth := (best.z - q.Z) * length
	material := m.material[best.triangle]
	return road.Contact{Point: r3.Add(p, r3.Scale(depth, n)), Normal: n, Depth: depth,
		Surface: m.TireSurface(material), Material: material}
}

// groundHit is the best ground that a search has found so far.
type groundHit struct {
	z        float64 // [m, relative to the origin]
	slope    slope
	cost     float64 // see groundCost; the ground with the lowest cost is the best
	triangle int     // index of the triangle
}

// search updates best with the ground straight above and below q, a position relative to the origin [m].
func (m *Mesh) search(q r3.Vec, best *groundHit) {
	at := m.entryGrid.entry(q.X, q.Y)
	if at == noNode {
		return
	}
	var stack [maxDepth]uint32
	depth := 0
	for {
		n := &m.nodes[at]
		if n.count > 0 {
			m.searchLeaf(n, q, best)
		} else {
			left, right := m.nodes[n.first].covers(q), m.nodes[n.first+1].covers(q)
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

// covers reports whether the box of a node is straight above or below q, or contains q.
func (n *node) covers(q r3.Vec) bool {
	return float64(n.low[0]) <= q.X && q.X <= float64(n.high[0]) && float64(n.low[1]) <= q.Y && q.Y <= float64(n.high[1])
}

// searchLeaf updates best with the ground on the triangles of a leaf.
func (m *Mesh) searchLeaf(n *node, q r3.Vec, best *groundHit) {
	for i := int(n.first); i < int(n.first+n.count); i++ {
		if m.flags[i]&carries == 0 {
			continue
		}
		if w, ok := m.weights(i, q.X, q.Y); ok {
			height, s := m.surfaceHeight(i, w)
			if cost := groundCost(q.Z - height); cost < best.cost {
				*best = groundHit{height, s, cost, i}
			}
		}
	}
}

// weights returns the barycentric weights of triangle i at x, y [m, relative to the origin], and whether this
// point is in the triangle, seen from above. A point on an edge is in both triangles.
func (m *Mesh) weights(i int, x, y float64) (w [3]float64, in bool) {
	c := &m.corners[i]
	a, b, d := &m.vertices[c[0]].pos, &m.vertices[c[1]].pos, &m.vertices[c[2]].pos
	ax, ay := float64(a[0])-x, float64(a[1])-y
	bx, by := float64(b[0])-x, float64(b[1])-y
	dx, dy := float64(d[0])-x, float64(d[1])-y
	// The conversions round each product. An edge then gives exactly the opposite value for the triangle on its
	// other side, so that no point is outside both.
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

// groundCost returns the cost of ground that is down metres below a point: the lower it is, the more likely the
// point belongs to this ground.
func groundCost(down float64) float64 {
	const (
		deep  = 0.4 // maximum depth of a point in the ground [m]
		above = 4   // factor on the distance of ground above a point
	)
	switch {
	case down >= 0:
		return down
	case down >= -deep:
		return down - deep // below 0: better than all ground below the point
	}
	return -above * down
}

// surfaceHeight returns the height [m, relative to the origin] and the slope of the surface over triangle i at
// barycentric weights w.
func (m *Mesh) surfaceHeight(i int, w [3]float64) (float64, slope) {
	p := m.smoothTriangle(i)
	if !m.smooth {
		return w[0]*p.corners[0].Z + w[1]*p.corners[1].Z + w[2]*p.corners[2].Z, p.plane()
	}
	return p.heightAt(w)
}
