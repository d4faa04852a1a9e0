package chassis

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"
)

// thinned returns the solid of most vertices at the most: one by one, or pair
// by pair, the one that reaches furthest beyond those before.
func (k polytope) thinned(most int) polytope {
	views := k.views()
	kept := make([]bool, len(k.vertices))
	for count := 0; ; {
		v := slices.MaxFunc(views, func(a, b view) int { return cmp.Compare(a.lack, b.lack) })
		i, size := v.vertex, 1
		if i < k.pairs {
			i, size = i&^1, 2
		}
		if kept[i] || count+size > most {
			return k.only(kept)
		}
		count += size
		for n := i; n < i+size; n++ {
			kept[n] = true
			for j := range views {
				s := &views[j]
				s.lack = min(s.lack, r3.Dot(s.from, r3.Sub(k.vertices[s.vertex], k.vertices[n])))
			}
		}
	}
}

// only returns the solid of the vertices that are kept.
func (k polytope) only(kept []bool) (out polytope) {
	for i, v := range k.vertices {
		if !kept[i] {
			continue
		}
		out.vertices = append(out.vertices, v)
		if i < k.pairs {
			out.pairs++
		}
	}
	return out
}

// view is a look at a solid from one side.
type view struct {
	from   r3.Vec  // unit
	vertex int     // that is nearest to there
	lack   float64 // how much further it reaches than what is kept [m]
}

// views looks at a solid along its axes and from places spread evenly around it
// by the golden angle; those of a solid that mirrors itself are on its left.
func (k polytope) views() []view {
	const around = 2000 // [1]: one every 5°
	from := []r3.Vec{{X: 1}, {X: -1}, {Z: 1}, {Z: -1}, {Y: 1}, {Y: -1}}
	for i := range around {
		z := 1 - (2*float64(i)+1)/around
		sin, cos := math.Sincos(float64(i) * math.Pi * (3 - math.Sqrt(5)))
		r := math.Sqrt(1 - z*z)
		from = append(from, r3.Vec{X: r * cos, Y: r * sin, Z: z})
	}
	var list []view
	for _, n := range from {
		if n.Y < 0 && k.pairs > 0 {
			continue
		}
		best := view{from: n, lack: math.Inf(1)}
		for i, v := range k.vertices {
			if r3.Dot(n, v) > r3.Dot(n, k.vertices[best.vertex]) {
				best.vertex = i
			}
		}
		list = append(list, best)
	}
	return list
}

// plane holds the points p with normal·p = offset; a solid is below it.
type plane struct {
	normal r3.Vec
	offset float64 // [m]
}

// planes returns those of a solid's faces, none if it is flat. Those of a solid
// that mirrors itself do so too.
func (k polytope) planes() (list []plane) {
	for _, t := range quick(k.vertices).Triangles() {
		n := t[1].Sub(t[0]).Cross(t[2].Sub(t[0]))
		size := n.Norm()
		if size < 1e-9 { // twice the area [m²]: its direction is rounding
			continue
		}
		normal := r3.Vec(n.Mul(1 / size))
		if math.Abs(normal.Y) < 1e-9 {
			normal.Y = 0
		}
		low, high := span(k.vertices, normal)
		const thinnest = 1e-3 // [m]
		if high-low < thinnest {
			return nil
		}
		if normal.Y >= 0 || k.pairs == 0 {
			list = append(list, plane{normal, high})
		}
		if normal.Y > 0 && k.pairs > 0 {
			list = append(list, plane{mirror(normal), high})
		}
	}
	return list
}

// move shifts a solid.
func (k polytope) move(by r3.Vec) {
	for i, v := range k.vertices {
		k.vertices[i] = r3.Add(v, by)
	}
	for i, f := range k.faces {
		k.faces[i].offset += r3.Dot(f.normal, by)
	}
}

// span returns the least and the largest of direction·p.
func span(points []r3.Vec, direction r3.Vec) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, p := range points {
		d := r3.Dot(direction, p)
		low, high = min(low, d), max(high, d)
	}
	return low, high
}

// shrink moves each vertex to the nearest place that is margin below all faces.
// It reports whether there is such a place.
func (k polytope) shrink(faces []plane, margin float64) bool {
	for i := range faces {
		faces[i].offset -= margin
	}
	for i, v := range k.vertices {
		switch {
		case i >= k.pairs:
			at, ok := nearest(v, faces)
			if !ok {
				return false
			}
			if k.pairs > 0 {
				at.Y = 0
			}
			k.vertices[i] = at
		case i&1 == 0:
			at, ok := nearest(v, faces)
			if !ok {
				return false
			}
			k.vertices[i], k.vertices[i+1] = at, mirror(at)
		}
	}
	return true
}

// nearest returns the point below all planes that is nearest to p, by
// Hildreth's method: it is pushed below one plane after the other, and back
// where a push was not needed in the end.
func nearest(p r3.Vec, planes []plane) (r3.Vec, bool) {
	const rounds, enough = 20_000, 1e-6 // [1], [m]
	pushed := make([]float64, len(planes))
	for range rounds {
		most := 0.0
		for i := range planes {
			f := &planes[i]
			push := max(-pushed[i], r3.Dot(f.normal, p)-f.offset)
			pushed[i] += push
			p = r3.Sub(p, r3.Scale(push, f.normal))
			most = max(most, math.Abs(push))
		}
		if most < enough {
			return p, true
		}
	}
	return p, false
}
