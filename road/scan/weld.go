package scan

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
)

// welder merges vertices within a distance. It is a hash table of cells, each with a chain of vertices.
type welder struct {
	radius    float64  // vertices within this distance are merged [m]
	cell      float64  // side length of a cell [m]
	heads     []int32  // by hash of a cell, the first vertex of its chain; -1 means none
	next      []int32  // for each vertex, the next one of its chain; -1 means none
	positions []r3.Vec // positions of the merged vertices [m]
}

// weld merges vertices at the same position, and sets c.vertices and c.faces. Faces with unusable vertices are
// reported as broken; their first vertex is -1.
func (c *checker) weld() {
	s := c.scene
	n := len(s.Positions) / 3
	size := 16
	for size < 2*n {
		size *= 2
	}
	w := welder{radius: mm(c.limits.Weld), cell: 4 * mm(c.limits.Weld), heads: make([]int32, size)}
	for i := range w.heads {
		w.heads[i] = -1
	}
	indices := make([]int32, n)
	for i := range indices {
		indices[i] = w.index(s.at(uint32(i)))
	}
	c.vertices = w.positions
	c.faces = make([][3]int32, len(s.Indices)/3)
	for i := range c.faces {
		for k := range 3 {
			v := s.Indices[3*i+k]
			if int64(v) >= int64(n) || indices[v] < 0 {
				c.faces[i] = [3]int32{-1, -1, -1}
				c.tally.add(Broken, c.place(i, r3.Vec{}, 0))
				break
			}
			c.faces[i][k] = indices[v]
		}
	}
}

// index returns the index of the first vertex within the radius of p. If there is none, it adds p as a new
// vertex. It returns -1 if p is NaN, Inf or too far away.
func (w *welder) index(p r3.Vec) int32 {
	const limit = road.MaxCoordinate
	if !(math.Abs(p.X) < limit && math.Abs(p.Y) < limit && math.Abs(p.Z) < limit) { // also true for NaN
		return -1
	}
	low, high := w.cellAt(p, -w.radius), w.cellAt(p, w.radius)
	best := int32(-1)
	for x := low[0]; x <= high[0]; x++ {
		for y := low[1]; y <= high[1]; y++ {
			for z := low[2]; z <= high[2]; z++ {
				best = w.search(w.slot(x, y, z), p, best)
			}
		}
	}
	if best >= 0 {
		return best
	}
	own := w.cellAt(p, 0)
	slot := w.slot(own[0], own[1], own[2])
	w.positions = append(w.positions, p)
	w.next = append(w.next, w.heads[slot])
	w.heads[slot] = int32(len(w.positions) - 1)
	return w.heads[slot]
}

// cellAt returns the cell that contains p after a motion by offset along each axis [m].
func (w *welder) cellAt(p r3.Vec, offset float64) [3]int64 {
	return [3]int64{
		int64(math.Floor((p.X + offset) / w.cell)), int64(math.Floor((p.Y + offset) / w.cell)), int64(math.Floor((p.Z + offset) / w.cell)),
	}
}

// slot returns the index in heads for a cell: a hash of its coordinates.
func (w *welder) slot(x, y, z int64) int {
	h := uint64(x)*0x9e3779b97f4a7c15 ^ uint64(y)*0xc2b2ae3d27d4eb4f ^ uint64(z)*0x165667b19e3779f9
	h ^= h >> 29
	h *= 0xbf58476d1ce4e5b9
	return int((h ^ h>>32) & uint64(len(w.heads)-1))
}

// search returns the first vertex, by index, within the radius of p in the chain of a slot, or best if that is
// earlier. best is -1 if there is none yet.
func (w *welder) search(slot int, p r3.Vec, best int32) int32 {
	for i := w.heads[slot]; i >= 0; i = w.next[i] {
		if (best < 0 || i < best) && r3.Norm2(r3.Sub(w.positions[i], p)) <= w.radius*w.radius {
			best = i
		}
	}
	return best
}
