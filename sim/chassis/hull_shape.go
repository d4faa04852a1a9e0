package chassis

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"
)

// reduceTo returns a solid of at most maxVertices of k's vertices. It chooses them one by one, or pair by pair:
// each time the one that stands out furthest from those chosen before.
func (k polytope) reduceTo(maxVertices int) polytope {
	supports := k.supports()
	chosen := make([]bool, len(k.vertices))
	for count := 0; ; {
		furthest := slices.MaxFunc(supports,
			func(a, b supportPoint) int { return cmp.Compare(a.shortfall, b.shortfall) })
		i, size := furthest.vertex, 1
		if i < k.mirrorPairs {
			i, size = i&^1, 2
		}
		if chosen[i] || count+size > maxVertices {
			return k.subset(chosen)
		}
		count += size
		for n := i; n < i+size; n++ {
			chosen[n] = true
			for j := range supports {
				s := &supports[j]
				s.shortfall = min(s.shortfall, r3.Dot(s.direction, r3.Sub(k.vertices[s.vertex], k.vertices[n])))
			}
		}
	}
}

// subset returns the solid of the vertices i for which chosen[i] is true.
func (k polytope) subset(chosen []bool) (out polytope) {
	for i, v := range k.vertices {
		if !chosen[i] {
			continue
		}
		out.vertices = append(out.vertices, v)
		if i < k.mirrorPairs {
			out.mirrorPairs++
		}
	}
	return out
}

// supportPoint is a direction with the vertex of a solid that is furthest in that direction.
type supportPoint struct {
	direction r3.Vec  // unit vector
	vertex    int     // index of the furthest vertex
	shortfall float64 // distance by which it is further than all chosen vertices [m]
}

// supports returns the support points of a solid, for directions along the axes and for others that are spread
// evenly by the golden angle. For a symmetric solid it leaves out the directions to the right.
func (k polytope) supports() []supportPoint {
	const count = 2000 // number of directions, about 5° apart
	directions := []r3.Vec{{X: 1}, {X: -1}, {Z: 1}, {Z: -1}, {Y: 1}, {Y: -1}}
	for i := range count {
		z := 1 - (2*float64(i)+1)/count
		sin, cos := math.Sincos(float64(i) * math.Pi * (3 - math.Sqrt(5)))
		r := math.Sqrt(1 - z*z)
		directions = append(directions, r3.Vec{X: r * cos, Y: r * sin, Z: z})
	}
	var list []supportPoint
	for _, n := range directions {
		if n.Y < 0 && k.mirrorPairs > 0 {
			continue
		}
		best := supportPoint{direction: n, shortfall: math.Inf(1)}
		for i, v := range k.vertices {
			if r3.Dot(n, v) > r3.Dot(n, k.vertices[best.vertex]) {
				best.vertex = i
			}
		}
		list = append(list, best)
	}
	return list
}

// plane is the set of points p with normal·p = offset. A solid lies on the side where normal·p is smaller.
type plane struct {
	normal r3.Vec
	offset float64 // [m]
}

// planes returns the planes of a solid's faces, or nil if the solid is flat. The planes of a symmetric solid
// are exactly symmetric.
func (k polytope) planes() (list []plane) {
	for _, t := range quickHull(k.vertices).Triangles() {
		n := t[1].Sub(t[0]).Cross(t[2].Sub(t[0]))
		size := n.Norm()
		if size < 1e-9 { // twice the area [m²]: too small for a direction
			continue
		}
		normal := r3.Vec(n.Mul(1 / size))
		if math.Abs(normal.Y) < 1e-9 {
			normal.Y = 0
		}
		low, high := extent(k.vertices, normal)
		const thinnest = 1e-3 // [m]
		if high-low < thinnest {
			return nil
		}
		if normal.Y >= 0 || k.mirrorPairs == 0 {
			list = append(list, plane{normal, high})
		}
		if normal.Y > 0 && k.mirrorPairs > 0 {
			list = append(list, plane{mirror(normal), high})
		}
	}
	return list
}

// translate translates a solid.
func (k polytope) translate(by r3.Vec) {
	for i, v := range k.vertices {
		k.vertices[i] = r3.Add(v, by)
	}
	for i, f := range k.faces {
		k.faces[i].offset += r3.Dot(f.normal, by)
	}
}

// extent returns the smallest and the largest value of direction·p over the points p.
func extent(points []r3.Vec, direction r3.Vec) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, p := range points {
		d := r3.Dot(direction, p)
		low, high = min(low, d), max(high, d)
	}
	return low, high
}

// shrink moves each vertex to the nearest point that is at least margin [m] inside of all faces. It returns
// false if there is no such point.
func (k polytope) shrink(faces []plane, margin float64) bool {
	for i := range faces {
		faces[i].offset -= margin
	}
	for i, v := range k.vertices {
		switch {
		case i >= k.mirrorPairs:
			at, ok := nearestInside(v, faces)
			if !ok {
				return false
			}
			if k.mirrorPairs > 0 {
				at.Y = 0
			}
			k.vertices[i] = at
		case i&1 == 0:
			at, ok := nearestInside(v, faces)
			if !ok {
				return false
			}
			k.vertices[i], k.vertices[i+1] = at, mirror(at)
		}
	}
	return true
}

// nearestInside returns the point inside of all planes that is nearest to p, and whether there is one. It uses
// Hildreth's method, which projects p onto one plane after the other and takes back the projections that prove
// unnecessary.
func nearestInside(p r3.Vec, planes []plane) (r3.Vec, bool) {
	const rounds, accuracy = 20_000, 1e-6 // [-], [m]
	corrections := make([]float64, len(planes))
	for range rounds {
		largest := 0.0
		for i := range planes {
			f := &planes[i]
			correction := max(-corrections[i], r3.Dot(f.normal, p)-f.offset)
			corrections[i] += correction
			p = r3.Sub(p, r3.Scale(correction, f.normal))
			largest = max(largest, math.Abs(correction))
		}
		if largest < accuracy {
			return p, true
		}
	}
	return p, false
}
