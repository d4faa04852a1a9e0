package scan

import (
	"slices"

	"gonum.org/v1/gonum/spatial/r3"
)

// loop is a closed path along border edges.
type loop struct {
	face      int32   // a face beside it
	perimeter float64 // [m]
	area      float64 // [m²]
	center    r3.Vec  // mean of its vertices [m]
}

// findHoles reports the holes: loops that are not the outer border of their part of the mesh, and not so long
// that they are the inner border of a closed road.
func (c *checker) findHoles() {
	loops := c.findBorderLoops()
	outer := map[int32]int{} // by root of a part, the index of its longest loop
	for i, l := range loops {
		root, _ := c.parts.find(l.face)
		if best, found := outer[root]; !found || l.perimeter > loops[best].perimeter {
			outer[root] = i
		}
	}
	for i, l := range loops {
		root, _ := c.parts.find(l.face)
		isOpen := l.area > l.perimeter*mm(c.limits.Crack) // otherwise it is a crack
		if outer[root] != i && l.perimeter <= c.limits.Hole && isOpen {
			c.tally.add(Hole, c.place(int(l.face), l.center, l.perimeter))
		}
	}
}

// findBorderLoops returns the closed loops of border edges. It follows the border from vertex to vertex until all
// edges are used; a vertex that is reached again closes a loop.
func (c *checker) findBorderLoops() []loop {
	begin, edgesAt := c.borderByVertex()
	next := slices.Clone(begin) // for each vertex, the index in edgesAt of its next edge to follow
	used := make([]bool, len(c.border))
	positionOnPath := make([]int32, len(c.vertices)) // for each vertex, its position on path from 1, or 0
	var path []int32
	var found []loop
	for first := range c.border {
		for path = append(path[:0], c.border[first].low); len(path) > 0; {
			v := path[len(path)-1]
			positionOnPath[v] = int32(len(path))
			for next[v] < begin[v+1] && used[edgesAt[next[v]]] {
				next[v]++
			}
			if next[v] == begin[v+1] { // a dead end
				positionOnPath[v] = 0
				path = path[:len(path)-1]
				continue
			}
			e := edgesAt[next[v]]
			used[e] = true
			to := c.border[e].low + c.border[e].high - v
			if positionOnPath[to] == 0 {
				path = append(path, to)
				continue
			}
			closed := path[positionOnPath[to]-1:]
			found = append(found, c.measureLoop(closed, c.border[e].face))
			for _, v := range closed[1:] {
				positionOnPath[v] = 0
			}
			path = path[:positionOnPath[to]]
		}
	}
	return found
}

// borderByVertex lists the border edges at each vertex: those of vertex v are edgesAt[begin[v]:begin[v+1]], as
// indices into c.border.
func (c *checker) borderByVertex() (begin, edgesAt []int32) {
	return listsByVertex(len(c.vertices), func(add func(v, item int32)) {
		for i, e := range c.border {
			add(e.low, int32(i))
			add(e.high, int32(i))
		}
	})
}

// listsByVertex lists items by their vertex: those of vertex v are list[begin[v]:begin[v+1]], in the order in which each adds
// them. It calls each twice.
func listsByVertex[T any](vertices int, each func(add func(v int32, item T))) (begin []int32, list []T) {
	begin = make([]int32, vertices+1)
	each(func(v int32, _ T) { begin[v+1]++ })
	for i := range vertices {
		begin[i+1] += begin[i]
	}
	list = make([]T, begin[vertices])
	fill := slices.Clone(begin)
	each(func(v int32, item T) {
		list[fill[v]] = item
		fill[v]++
	})
	return begin, list
}

// measureLoop returns the loop along a closed path of vertices. face is a face beside it.
func (c *checker) measureLoop(path []int32, face int32) loop {
	l := loop{face: face}
	var area r3.Vec
	for i, v := range path {
		p, q := c.vertices[v], c.vertices[path[(i+1)%len(path)]]
		l.perimeter += r3.Norm(r3.Sub(q, p))
		l.center = r3.Add(l.center, r3.Scale(1/float64(len(path)), p))
		area = r3.Add(area, r3.Cross(r3.Sub(p, c.vertices[path[0]]), r3.Sub(q, c.vertices[path[0]])))
	}
	l.area = r3.Norm(area) / 2
	return l
}
