package scan

import (
	"slices"

	"gonum.org/v1/gonum/spatial/r3"
)

// loop is a closed way along edges of one face.
type loop struct {
	face   int32 // of its first edge
	rim    float64
	area   float64
	middle r3.Vec
}

// holes finds the loops that are not the outer one of their part of the mesh, nor
// so long that they are the inner border of a road that comes back to itself.
func (c *shape) holes() {
	loops := c.loops()
	outer := map[int32]int{} // the longest loop of each part
	for i, l := range loops {
		root, _ := c.parts.find(l.face)
		if best, found := outer[root]; !found || l.rim > loops[best].rim {
			outer[root] = i
		}
	}
	for i, l := range loops {
		root, _ := c.parts.find(l.face)
		gaping := l.area > l.rim*mm(c.limits.Crack) // what is not is a crack
		if outer[root] != i && l.rim <= c.limits.Hole && gaping {
			c.tally.add(Hole, c.place(int(l.face), l.middle, l.rim))
		}
	}
}

// loops walks along the border's edges until all are used. A vertex that is
// reached again closes a loop.
func (c *shape) loops() []loop {
	begin, at := c.borderByVertex()
	next := slices.Clone(begin) // edge to look at, of each vertex
	used := make([]bool, len(c.border))
	where := make([]int32, len(c.vertices)) // place of a vertex on the way, from 1; 0 if it is not on it
	var way []int32
	var found []loop
	for first := range c.border {
		for way = append(way[:0], c.border[first].low); len(way) > 0; {
			v := way[len(way)-1]
			where[v] = int32(len(way))
			for next[v] < begin[v+1] && used[at[next[v]]] {
				next[v]++
			}
			if next[v] == begin[v+1] { // a dead end
				where[v] = 0
				way = way[:len(way)-1]
				continue
			}
			e := at[next[v]]
			used[e] = true
			to := c.border[e].low + c.border[e].high - v
			if where[to] == 0 {
				way = append(way, to)
				continue
			}
			closed := way[where[to]-1:]
			found = append(found, c.loop(closed, c.border[e].face))
			for _, v := range closed[1:] {
				where[v] = 0
			}
			way = way[:where[to]]
		}
	}
	return found
}

// borderByVertex lists the border's edges at each vertex.
func (c *shape) borderByVertex() (begin, at []int32) {
	begin = make([]int32, len(c.vertices)+1)
	for _, e := range c.border {
		begin[e.low+1]++
		begin[e.high+1]++
	}
	for i := 1; i < len(begin); i++ {
		begin[i] += begin[i-1]
	}
	at = make([]int32, 2*len(c.border))
	fill := slices.Clone(begin)
	for i, e := range c.border {
		at[fill[e.low]], at[fill[e.high]] = int32(i), int32(i)
		fill[e.low]++
		fill[e.high]++
	}
	return begin, at
}

// loop measures a way that ends where it begins.
func (c *shape) loop(way []int32, face int32) loop {
	l := loop{face: face}
	var area r3.Vec
	for i, v := range way {
		p, q := c.vertices[v], c.vertices[way[(i+1)%len(way)]]
		l.rim += r3.Norm(r3.Sub(q, p))
		l.middle = r3.Add(l.middle, r3.Scale(1/float64(len(way)), p))
		area = r3.Add(area, r3.Cross(r3.Sub(p, c.vertices[way[0]]), r3.Sub(q, c.vertices[way[0]])))
	}
	l.area = r3.Norm(area) / 2
	return l
}
