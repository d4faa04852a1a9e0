package scan

import (
	"cmp"

	"gonum.org/v1/gonum/spatial/r3"
)

// at returns the position of vertex v [m].
func (s *Scene) at(v uint32) r3.Vec {
	p := s.Positions[3*int(v) : 3*int(v)+3]
	return r3.Vec{X: p[0], Y: p[1], Z: p[2]}
}

// maxEarCorners is the maximum number of corners of a polygon that is cut by ear clipping.
const maxEarCorners = 128

// maxEarWork is the maximum number of corners that ear clipping compares for all faces of a file.
const maxEarWork = 200_000_000

// maxCorners is the maximum number of corners of a face.
const maxCorners = 4096

// maxFanCorners is the maximum number of corners of a convex face that is cut as a fan from its first
// corner. Larger fans would be slivers above each other at that corner.
const maxFanCorners = 8

// polygon cuts the current face into triangles and adds them to the scene. A face that is not convex and beyond the
// limits of ear clipping is cut as a fan, with a warning.
func (r *objReader) polygon() error {
	if len(r.corners) > maxFanCorners && r.isConvex() {
		return r.splitConvex(0, len(r.corners)-1)
	}
	if len(r.corners) > 3 && !r.isConvex() {
		if len(r.corners) <= maxEarCorners && r.ears.work < maxEarWork {
			return r.clipEars()
		}
		r.warn("line %d: a face of %d corners is not convex and is cut from its first corner; "+
			"cut it into triangles before the export", r.lines.number, len(r.corners))
	}
	for i := 2; i < len(r.corners); i++ {
		if err := r.add(r.corners[0], r.corners[i-1], r.corners[i], uint8(r.current)); err != nil {
			return err
		}
	}
	return nil
}

// splitConvex adds triangles for the part of a convex face between the corners from and to. It halves the part
// again and again, which gives triangles of similar shape.
func (r *objReader) splitConvex(from, to int) error {
	if to-from < 2 {
		return nil
	}
	mid := (from + to) / 2
	return cmp.Or(r.splitConvex(from, mid), r.add(r.corners[from], r.corners[mid], r.corners[to], uint8(r.current)),
		r.splitConvex(mid, to))
}

// vectorArea returns the normal of the current face, with twice its area as length (Newell's method) [m²].
func (r *objReader) vectorArea() r3.Vec {
	var n r3.Vec
	first := r.scene.at(r.corners[0])
	for i := 2; i < len(r.corners); i++ {
		a := r3.Sub(r.scene.at(r.corners[i-1]), first)
		n = r3.Add(n, r3.Cross(a, r3.Sub(r.scene.at(r.corners[i]), first)))
	}
	return n
}

// isConvex reports whether all corners turn in the same direction.
func (r *objReader) isConvex() bool {
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

// earClipper holds the corners of a polygon, projected along its normal.
type earClipper struct {
	x, y      []float64
	work      int   // number of corners compared so far, for all polygons of the file
	remaining []int // corners not yet cut off, by their index in the face
}

// clipEars repeatedly cuts off a corner whose triangle contains no other corner (Meisters, "Polygons have
// ears", 1975). If there is none, as in a polygon that crosses itself, it cuts off any corner.
func (r *objReader) clipEars() error {
	r.flatten()
	e := &r.ears
	for len(e.remaining) > 3 {
		i := e.ear()
		if i < 0 {
			r.warnCrossed()
			i = 1
		}
		n := len(e.remaining)
		a, b, c := e.remaining[(i+n-1)%n], e.remaining[i], e.remaining[(i+1)%n]
		if err := r.add(r.corners[a], r.corners[b], r.corners[c], uint8(r.current)); err != nil {
			return err
		}
		e.remaining = append(e.remaining[:i], e.remaining[i+1:]...)
	}
	a, b, c := e.remaining[0], e.remaining[1], e.remaining[2]
	if e.turn(a, b, c) < 0 {
		r.warnCrossed()
	}
	return r.add(r.corners[a], r.corners[b], r.corners[c], uint8(r.current))
}

// warnCrossed adds a warning that the current face crosses itself.
func (r *objReader) warnCrossed() {
	r.warn("line %d: a face of %d corners crosses itself or has no area; cut it into triangles before the export",
		r.lines.number, len(r.corners))
}

// flatten projects the corners of the current face along the axis that is nearest to its normal.
func (r *objReader) flatten() {
	n := r.vectorArea()
	e := &r.ears
	e.x, e.y, e.remaining = e.x[:0], e.y[:0], e.remaining[:0]
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
		e.x, e.y, e.remaining = append(e.x, x), append(e.y, y), append(e.remaining, i)
	}
}

// ear returns the index in remaining of a corner that can be cut off, or -1 if there is none.
func (e *earClipper) ear() int {
	n := len(e.remaining)
	for i, b := range e.remaining {
		a, c := e.remaining[(i+n-1)%n], e.remaining[(i+1)%n]
		if e.turn(a, b, c) > 0 && e.isEmpty(a, b, c) {
			return i
		}
	}
	return -1
}

// turn returns twice the area of a triangle, positive if it is anticlockwise.
func (e *earClipper) turn(a, b, c int) float64 {
	return (e.x[b]-e.x[a])*(e.y[c]-e.y[a]) - (e.y[b]-e.y[a])*(e.x[c]-e.x[a])
}

// isEmpty reports whether the triangle a, b, c contains no other corner.
func (e *earClipper) isEmpty(a, b, c int) bool {
	e.work += len(e.remaining)
	for _, p := range e.remaining {
		if p == a || p == b || p == c || e.isSame(p, a) || e.isSame(p, b) || e.isSame(p, c) {
			continue
		}
		if e.turn(a, b, p) >= 0 && e.turn(b, c, p) >= 0 && e.turn(c, a, p) >= 0 {
			return false
		}
	}
	return true
}

// isSame reports whether two corners are at the same position.
func (e *earClipper) isSame(a, b int) bool { return e.x[a] == e.x[b] && e.y[a] == e.y[b] }
