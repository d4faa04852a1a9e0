package mesh

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/road"
)

// Hit is where a ray or a swept body meets a triangle.
type Hit = road.Hit

// ray is a ray prepared for boxes and triangles.
type ray struct {
	from, dir             [3]float64
	inverse               [3]float64 // 1/dir, with a large finite value for 0
	lowOrigin, highOrigin [3]float64 // from plus and minus the margin, subtracted from a box's low and high sides
	x, y, z               int        // the axes, permuted so that the ray is longest along z
	sx, sy, sz            float64    // shear and scale that transform the ray into the z axis
	limit                 float64    // maximum distance, in lengths of dir
}

// newRay returns a ray that starts at from, relative to the origin [m]. limit is the maximum distance in
// lengths of dir; margin enlarges all boxes along each axis [m]. It returns false if a value is NaN, Inf or out
// of range.
func (m *Mesh) newRay(from, dir r3.Vec, limit float64, margin [3]float64) (ray, bool) {
	r := ray{from: [3]float64{from.X, from.Y, from.Z}, dir: [3]float64{dir.X, dir.Y, dir.Z}, limit: limit}
	largest := 0.0
	for k := range 3 {
		largest = max(largest, math.Abs(r.from[k]), math.Abs(float64(m.box.low[k])), math.Abs(float64(m.box.high[k])))
	}
	longest := 0.0
	for k := range 3 {
		if !valid.Finite(r.dir[k]) || !(math.Abs(r.from[k]) < 1e12) || !valid.Finite(margin[k]) {
			return r, false
		}
		const rounding = 1e-14 // relative error of positions
		margin := rounding*largest + margin[k]
		r.lowOrigin[k], r.highOrigin[k] = r.from[k]+margin, r.from[k]-margin
		r.inverse[k] = 1e150
		if math.Abs(r.dir[k]) > 1e-150 {
			r.inverse[k] = 1 / r.dir[k]
		}
		if math.Abs(r.dir[k]) > longest {
			longest, r.z = math.Abs(r.dir[k]), k
		}
	}
	if !(longest > 1e-100 && longest < 1e100 && limit >= 0) {
		return r, false
	}
	r.x, r.y = (r.z+1)%3, (r.z+2)%3
	r.sz = 1 / r.dir[r.z]
	r.sx, r.sy = r.dir[r.x]*r.sz, r.dir[r.y]*r.sz
	return r, true
}

// enters returns the distance at which the ray enters a box [lengths of dir], and whether it enters it before
// its limit.
func (r *ray) enters(b *box) (float64, bool) {
	in, out := 0.0, r.limit
	in, out = r.clipToSlab(0, b, in, out)
	in, out = r.clipToSlab(1, b, in, out)
	in, out = r.clipToSlab(2, b, in, out)
	return in, in <= out*(1+4e-15)
}

// clipToSlab returns the part of the range in..out of distances in which the ray is between the two sides of a
// box along an axis.
func (r *ray) clipToSlab(axis int, b *box, in, out float64) (float64, float64) {
	near, far := (float64(b.low[axis])-r.lowOrigin[axis])*r.inverse[axis], (float64(b.high[axis])-r.highOrigin[axis])*r.inverse[axis]
	if r.inverse[axis] < 0 {
		near, far = far, near
	}
	if near > in {
		in = near
	}
	if far < out {
		out = far
	}
	return in, out
}

// triangle returns the distance at which the ray passes through a triangle, from either side, and whether it
// does. A ray through an edge or a corner meets at least one of the triangles there (Woop, Benthin and Wald,
// "Watertight ray/triangle intersection", 2013).
func (r *ray) triangle(a, b, c *[3]float32) (float64, bool) {
	az, bz, cz := float64(a[r.z])-r.from[r.z], float64(b[r.z])-r.from[r.z], float64(c[r.z])-r.from[r.z]
	ax, ay := r.shear(a, az)
	bx, by := r.shear(b, bz)
	cx, cy := r.shear(c, cz)
	u := float64(cx*by) - float64(cy*bx)
	v := float64(ax*cy) - float64(ay*cx)
	w := float64(bx*ay) - float64(by*ax)
	if (u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0) {
		return 0, false
	}
	det := u + v + w
	if det == 0 {
		return 0, false
	}
	t := (u*az + v*bz + w*cz) / det * r.sz
	return t, t >= 0 && t <= r.limit
}

// shear returns x and y of a point in the axes in which the ray is the z axis. z is the point's coordinate
// along axis r.z relative to the ray's start.
func (r *ray) shear(p *[3]float32, z float64) (x, y float64) {
	return float64(p[r.x]) - r.from[r.x] - float64(r.sx*z), float64(p[r.y]) - r.from[r.y] - float64(r.sy*z)
}

// Ray returns the first triangle that a ray meets from a position [m] along dir, within limit lengths of
// dir. Triangles are met from both sides; the normal is on the side of the ray's origin.
func (m *Mesh) Ray(from, dir r3.Vec, limit float64) (Hit, bool) {
	r, ok := m.newRay(r3.Sub(from, m.origin), dir, limit, [3]float64{})
	if !ok {
		return Hit{}, false
	}
	first := -1
	m.traverse(&r, func(i int) {
		c := &m.corners[i]
		t, ok := r.triangle(&m.vertices[c[0]].pos, &m.vertices[c[1]].pos, &m.vertices[c[2]].pos)
		if ok && (t < r.limit || first < 0 || i < first) {
			r.limit, first = t, i
		}
	})
	if first < 0 {
		return Hit{}, false
	}
	return m.rayHit(first, r.limit, from, dir), true
}

// rayHit returns the hit of a ray on triangle i at a distance [lengths of dir].
func (m *Mesh) rayHit(i int, fraction float64, from, dir r3.Vec) Hit {
	f := m.face(i)
	n := r3.Unit(f.normal())
	if r3.Dot(n, dir) > 0 {
		n = r3.Scale(-1, n)
	}
	return m.hit(i, fraction, r3.Add(from, r3.Scale(fraction, dir)), n)
}

// hit returns the hit on triangle i, with its surface and material.
func (m *Mesh) hit(i int, fraction float64, point, normal r3.Vec) Hit {
	material := m.material[i]
	return Hit{Fraction: fraction, Point: point, Normal: normal, Triangle: i, Surface: m.TireSurface(material), Material: material}
}

// traverse calls try for the triangles in boxes that the ray enters, nearer boxes first. try may lower the
// ray's limit.
func (m *Mesh) traverse(r *ray, try func(i int)) {
	type entry struct {
		at uint32
		in float64
	}
	var stack [maxDepth]entry
	in, ok := r.enters(&m.nodes[0].box)
	if !ok {
		return
	}
	stack[0] = entry{0, in}
	for pending := 1; pending > 0; {
		pending--
		if stack[pending].in > r.limit*(1+4e-15) {
			continue
		}
		n := &m.nodes[stack[pending].at]
		if n.count > 0 {
			for i := int(n.first); i < int(n.first+n.count); i++ {
				try(i)
			}
			continue
		}
		near, far := n.first, n.first+1
		a, left := r.enters(&m.nodes[near].box)
		b, right := r.enters(&m.nodes[far].box)
		if left && right && b < a {
			near, far, a, b = far, near, b, a
		} else if !left {
			near, left, a, right = far, right, b, false
		}
		if right {
			stack[pending] = entry{far, b}
			pending++
		}
		if left {
			stack[pending] = entry{near, a}
			pending++
		}
	}
}
