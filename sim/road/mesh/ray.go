package mesh

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/road"
)

// Hit is where a ray or a swept body meets a triangle.
type Hit = road.Hit

// ray is a line as seen by boxes and triangles.
type ray struct {
	from, way  [3]float64
	inverse    [3]float64
	low, high  [3]float64 // what is taken from the near and the far side of a box
	x, y, z    int        // axes after the turn that makes z the one the ray is longest along
	sx, sy, sz float64    // the shear that makes it all of the ray
	most       float64
}

// newRay starts at from, counted from the origin. Boxes grow by some lengths.
func (m *Mesh) newRay(from, way r3.Vec, most float64, grow [3]float64) (ray, bool) {
	r := ray{from: [3]float64{from.X, from.Y, from.Z}, way: [3]float64{way.X, way.Y, way.Z}, most: most}
	far := 0.0
	for k := range 3 {
		far = max(far, math.Abs(r.from[k]), math.Abs(float64(m.box.low[k])), math.Abs(float64(m.box.high[k])))
	}
	longest := 0.0
	for k := range 3 {
		if !finite(r.way[k]) || !(math.Abs(r.from[k]) < 1e12) || !finite(grow[k]) {
			return r, false
		}
		const rounding = 1e-14
		margin := rounding*far + grow[k]
		r.low[k], r.high[k] = r.from[k]+margin, r.from[k]-margin
		r.inverse[k] = 1e150
		if math.Abs(r.way[k]) > 1e-150 {
			r.inverse[k] = 1 / r.way[k]
		}
		if math.Abs(r.way[k]) > longest {
			longest, r.z = math.Abs(r.way[k]), k
		}
	}
	if !(longest > 1e-100 && longest < 1e100 && most >= 0) {
		return r, false
	}
	r.x, r.y = (r.z+1)%3, (r.z+2)%3
	r.sz = 1 / r.way[r.z]
	r.sx, r.sy = r.way[r.x]*r.sz, r.way[r.y]*r.sz
	return r, true
}

// enters returns when the ray comes into a box, and whether it does before most.
func (r *ray) enters(b *box) (float64, bool) {
	in, out := 0.0, r.most
	in, out = r.slab(0, b, in, out)
	in, out = r.slab(1, b, in, out)
	in, out = r.slab(2, b, in, out)
	return in, in <= out*(1+4e-15)
}

// slab narrows the part of the ray to what is between two sides of a box.
func (r *ray) slab(k int, b *box, in, out float64) (float64, float64) {
	near, far := (float64(b.low[k])-r.low[k])*r.inverse[k], (float64(b.high[k])-r.high[k])*r.inverse[k]
	if r.inverse[k] < 0 {
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

// meets returns when the ray passes a triangle, of either side. Rays through an
// edge or a corner meet one of the triangles there (Woop, Benthin and Wald,
// "Watertight ray/triangle intersection", 2013).
func (r *ray) meets(a, b, c *[3]float32) (float64, bool) {
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
	return t, t >= 0 && t <= r.most
}

func (r *ray) shear(p *[3]float32, z float64) (x, y float64) {
	return float64(p[r.x]) - r.from[r.x] - float64(r.sx*z), float64(p[r.y]) - r.from[r.y] - float64(r.sy*z)
}

// Ray returns the first triangle that is met from a place [m] along dir, at most
// as many lengths of dir away. Both sides of triangles are met; the normal is on
// the side that the ray comes from.
func (m *Mesh) Ray(from, dir r3.Vec, most float64) (Hit, bool) {
	r, ok := m.newRay(r3.Sub(from, m.origin), dir, most, [3]float64{})
	if !ok {
		return Hit{}, false
	}
	first := -1
	m.walk(&r, func(i int) {
		c := &m.corners[i]
		t, ok := r.meets(&m.vertices[c[0]].pos, &m.vertices[c[1]].pos, &m.vertices[c[2]].pos)
		if ok && (t < r.most || first < 0 || i < first) {
			r.most, first = t, i
		}
	})
	if first < 0 {
		return Hit{}, false
	}
	return m.met(first, r.most, from, dir), true
}

// met describes where a ray meets a triangle.
func (m *Mesh) met(i int, at float64, from, dir r3.Vec) Hit {
	f := m.face(i)
	n := r3.Unit(f.normal())
	if r3.Dot(n, dir) > 0 {
		n = r3.Scale(-1, n)
	}
	return m.hit(i, at, r3.Add(from, r3.Scale(at, dir)), n)
}

func (m *Mesh) hit(i int, at float64, point, normal r3.Vec) Hit {
	material := m.material[i]
	return Hit{At: at, Point: point, Normal: normal, Triangle: i, Surface: m.surface(material), Material: material}
}

// walk tries the triangles in boxes that the ray enters, the nearer box first.
// try may lower the ray's most.
func (m *Mesh) walk(r *ray, try func(i int)) {
	type place struct {
		at uint32
		in float64
	}
	var stack [deepest]place
	in, ok := r.enters(&m.nodes[0].box)
	if !ok {
		return
	}
	stack[0] = place{0, in}
	for depth := 1; depth > 0; {
		depth--
		if stack[depth].in > r.most*(1+4e-15) {
			continue
		}
		n := &m.nodes[stack[depth].at]
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
			stack[depth] = place{far, b}
			depth++
		}
		if left {
			stack[depth] = place{near, a}
			depth++
		}
	}
}
