package scan

import (
	"cmp"

	"gonum.org/v1/gonum/spatial/r3"
)

// at returns a vertex' place.
func (s *Scene) at(v uint32) r3.Vec {
	p := s.Positions[3*int(v) : 3*int(v)+3]
	return r3.Vec{X: p[0], Y: p[1], Z: p[2]}
}

// earsMost is the most corners of a polygon that ears are cut off from.
const earsMost = 128

// earsEffort bounds the cutting of ears from all faces of a file, in corners that are compared.
const earsEffort = 200_000_000

// cornersMost is the most corners of a face.
const cornersMost = 4096

// fanMost is the most corners of a face that is cut from its first one. Triangles of more
// would all be slivers above each other there, and each look down at one would meet all.
const fanMost = 8

// polygon cuts the corners of a face into triangles.
func (r *objReader) polygon() error {
	if len(r.corners) > fanMost && r.convex() {
		return r.halve(0, len(r.corners)-1)
	}
	if len(r.corners) > 3 && !r.convex() {
		if len(r.corners) <= earsMost && r.ears.effort < earsEffort {
			return r.clipEars()
		}
		r.warn("line %d: a face of %d corners is not convex and is cut from its first corner; cut it into triangles before the export", r.lines.number, len(r.corners))
	}
	for i := 2; i < len(r.corners); i++ {
		if err := r.add(r.corners[0], r.corners[i-1], r.corners[i], uint8(r.current)); err != nil {
			return err
		}
	}
	return nil
}

// halve cuts the part of a convex face from one corner to another into triangles of about the
// same shape.
func (r *objReader) halve(from, to int) error {
	if to-from < 2 {
		return nil
	}
	mid := (from + to) / 2
	return cmp.Or(r.halve(from, mid), r.add(r.corners[from], r.corners[mid], r.corners[to], uint8(r.current)), r.halve(mid, to))
}

// vectorArea returns twice the area of the polygon along its normal, after Newell.
func (r *objReader) vectorArea() r3.Vec {
	var n r3.Vec
	first := r.scene.at(r.corners[0])
	for i := 2; i < len(r.corners); i++ {
		a := r3.Sub(r.scene.at(r.corners[i-1]), first)
		n = r3.Add(n, r3.Cross(a, r3.Sub(r.scene.at(r.corners[i]), first)))
	}
	return n
}

// convex tells whether no corner turns against the others.
func (r *objReader) convex() bool {
	n := r.vectorArea()
	if n == (r3.Vec{}) {
		return false
	}
	count := len(r.corners)
	for i, v := range r.corners {
		a, b := r.scene.at(r.corners[(i+count-1)%count]), r.scene.at(v)
		c := r.scene.at(r.corners[(i+1)%count])
		if r3.Dot(r3.Cross(r3.Sub(b, a), r3.Sub(c, b)), n) < 0 {
			return false
		}
	}
	return true
}

// earClipper holds a polygon's corners, seen along its normal.
type earClipper struct {
	x, y   []float64
	effort int   // corners that were compared
	left   []int // corners that are still there, by their place in the face
}

// clipEars cuts a corner off whose triangle holds no other, again and again
// (Meisters, "Polygons have ears", 1975). If there is none, as in a polygon that
// crosses itself, the rest is cut from a corner.
func (r *objReader) clipEars() error {
	r.flatten()
	e := &r.ears
	for len(e.left) > 3 {
		i := e.ear()
		if i < 0 {
			r.warnCrossed()
			i = 1
		}
		n := len(e.left)
		a, b, c := e.left[(i+n-1)%n], e.left[i], e.left[(i+1)%n]
		if err := r.add(r.corners[a], r.corners[b], r.corners[c], uint8(r.current)); err != nil {
			return err
		}
		e.left = append(e.left[:i], e.left[i+1:]...)
	}
	a, b, c := e.left[0], e.left[1], e.left[2]
	if e.turn(a, b, c) < 0 {
		r.warnCrossed()
	}
	return r.add(r.corners[a], r.corners[b], r.corners[c], uint8(r.current))
}

func (r *objReader) warnCrossed() {
	r.warn("line %d: a face of %d corners crosses itself or has no area; cut it into triangles before the export", r.lines.number, len(r.corners))
}

// flatten projects the corners along the largest part of the polygon's normal.
func (r *objReader) flatten() {
	n := r.vectorArea()
	e := &r.ears
	e.x, e.y, e.left = e.x[:0], e.y[:0], e.left[:0]
	ax, ay, az := max(n.X, -n.X), max(n.Y, -n.Y), max(n.Z, -n.Z)
	for i, v := range r.corners {
		p := r.scene.at(v)
		x, y, sign := p.X, p.Y, n.Z
		switch {
		case ax > ay && ax > az:
			x, y, sign = p.Y, p.Z, n.X
		case ay > az:
			x, y, sign = p.Z, p.X, n.Y
		}
		if sign < 0 {
			x, y = y, x
		}
		e.x, e.y, e.left = append(e.x, x), append(e.y, y), append(e.left, i)
	}
}

// ear returns the place of a corner that can be cut off, or -1.
func (e *earClipper) ear() int {
	n := len(e.left)
	for i, b := range e.left {
		a, c := e.left[(i+n-1)%n], e.left[(i+1)%n]
		if e.turn(a, b, c) > 0 && e.empty(a, b, c) {
			return i
		}
	}
	return -1
}

// turn is twice the area of a triangle, positive if it is anticlockwise.
func (e *earClipper) turn(a, b, c int) float64 {
	return (e.x[b]-e.x[a])*(e.y[c]-e.y[a]) - (e.y[b]-e.y[a])*(e.x[c]-e.x[a])
}

// empty tells whether no other corner lies in a triangle.
func (e *earClipper) empty(a, b, c int) bool {
	e.effort += len(e.left)
	for _, p := range e.left {
		if p == a || p == b || p == c || e.same(p, a) || e.same(p, b) || e.same(p, c) {
			continue
		}
		if e.turn(a, b, p) >= 0 && e.turn(b, c, p) >= 0 && e.turn(c, a, p) >= 0 {
			return false
		}
	}
	return true
}

func (e *earClipper) same(a, b int) bool { return e.x[a] == e.x[b] && e.y[a] == e.y[b] }
