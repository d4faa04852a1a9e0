package scan

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/road"
)

// welder joins vertices within a distance: a hash table of cells, each a chain of
// the vertices kept in it.
type welder struct {
	reach, cell float64
	heads       []int32 // by hash; -1 is none
	next        []int32 // by kept vertex
	kept        []r3.Vec
}

// weld makes the vertices at the same place one, and puts faces on them. Faces
// that have no place are counted and get -1.
func (c *shape) weld() {
	s := c.scene
	n := len(s.Positions) / 3
	size := 16
	for size < 2*n {
		size *= 2
	}
	w := welder{reach: mm(c.limits.Weld), cell: 4 * mm(c.limits.Weld), heads: make([]int32, size)}
	for i := range w.heads {
		w.heads[i] = -1
	}
	names := make([]int32, n)
	for i := range names {
		names[i] = w.name(s.at(uint32(i)))
	}
	c.vertices = w.kept
	c.faces = make([][3]int32, len(s.Indices)/3)
	for i := range c.faces {
		for k := range 3 {
			v := s.Indices[3*i+k]
			if int64(v) >= int64(n) || names[v] < 0 {
				c.faces[i] = [3]int32{-1, -1, -1}
				c.tally.add(Broken, c.place(i, r3.Vec{}, 0))
				break
			}
			c.faces[i][k] = names[v]
		}
	}
}

// name returns the first kept vertex within reach, p itself if there is none, and
// -1 if p is no place.
func (w *welder) name(p r3.Vec) int32 {
	if !(math.Abs(p.X) < road.MostFar && math.Abs(p.Y) < road.MostFar && math.Abs(p.Z) < road.MostFar) { // also true for NaN
		return -1
	}
	low, high := w.corner(p, -w.reach), w.corner(p, w.reach)
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
	own := w.corner(p, 0)
	slot := w.slot(own[0], own[1], own[2])
	w.kept = append(w.kept, p)
	w.next = append(w.next, w.heads[slot])
	w.heads[slot] = int32(len(w.kept) - 1)
	return w.heads[slot]
}

// corner returns the cell of a place moved along all axes.
func (w *welder) corner(p r3.Vec, by float64) [3]int64 {
	return [3]int64{
		int64(math.Floor((p.X + by) / w.cell)), int64(math.Floor((p.Y + by) / w.cell)), int64(math.Floor((p.Z + by) / w.cell)),
	}
}

func (w *welder) slot(x, y, z int64) int {
	h := uint64(x)*0x9e3779b97f4a7c15 ^ uint64(y)*0xc2b2ae3d27d4eb4f ^ uint64(z)*0x165667b19e3779f9
	h ^= h >> 29
	h *= 0xbf58476d1ce4e5b9
	return int((h ^ h>>32) & uint64(len(w.heads)-1))
}

// search returns the first kept vertex of a chain and of best within reach.
func (w *welder) search(slot int, p r3.Vec, best int32) int32 {
	for i := w.heads[slot]; i >= 0; i = w.next[i] {
		if (best < 0 || i < best) && r3.Norm2(r3.Sub(w.kept[i], p)) <= w.reach*w.reach {
			best = i
		}
	}
	return best
}
