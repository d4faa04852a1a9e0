package scan

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// neighborhood describes the faces and vertices around a vertex.
type neighborhood struct {
	sum       r3.Vec  // sum of the vectors to the neighbours [m]
	distances float64 // sum of the distances to the neighbours [m]
	count     int32   // number of neighbours
	face      int32   // index of the first face at the vertex
	closed    bool    // the vertex has faces all round it
	area      r3.Vec  // sum of the area vectors of the faces [m²]
}

// findBumps finds bumps and dents: vertices above or below the mean plane of their neighbours that are not part
// of a longer rise.
func (c *checker) findBumps() {
	neighborhoods := c.neighborhoods()
	rise := make([]float64, len(neighborhoods)) // of each vertex over the plane [m]
	for i := range neighborhoods {
		rise[i] = c.rise(&neighborhoods[i])
	}
	c.groupBumps(neighborhoods, rise)
}

// neighborhoods returns the neighborhood of each vertex.
func (c *checker) neighborhoods() []neighborhood {
	list := make([]neighborhood, len(c.vertices))
	for i := range list {
		list[i].closed = true
	}
	for i := len(c.faces) - 1; i >= 0; i-- {
		if !c.isCounted(i) {
			continue
		}
		area := c.vectorArea(c.faces[i])
		if c.flipped[i] {
			area = r3.Scale(-1, area)
		}
		for _, v := range c.faces[i] {
			list[v].area = r3.Add(list[v].area, area)
			list[v].face = int32(i)
		}
	}
	c.eachEdge(func(same []edge) {
		way := r3.Sub(c.vertices[same[0].high], c.vertices[same[0].low])
		for k, v := range [...]int32{same[0].low, same[0].high} {
			r := &list[v]
			r.sum = r3.Add(r.sum, r3.Scale(float64(1-2*k), way))
			r.distances += r3.Norm(way)
			r.count++
			r.closed = r.closed && len(same) == 2
		}
	})
	return list
}

// rise returns the height of a vertex over the mean plane of its neighbours [m]. It is 0 if the faces are not
// all round it, or the neighbours are too far away. The normal of the plane has the direction of the sum of the
// area vectors, which does not depend on the position of the vertex.
func (c *checker) rise(r *neighborhood) float64 {
	size := r3.Norm(r.area)
	if !r.closed || r.count < 3 || r.distances > c.limits.BumpSize*float64(r.count) || size == 0 {
		return 0
	}
	return -r3.Dot(r.sum, r.area) / size / float64(r.count)
}

// hill is a group of connected vertices that rise, or sink, together.
type hill struct {
	top    int32 // vertex with the largest rise
	extent box   // box around the vertices
}

// groupBumps reports the groups of vertices that are shorter than the limit. A group that is only the foot of
// another one is not reported.
func (c *checker) groupBumps(neighborhoods []neighborhood, rise []float64) {
	foot := c.findFeet(rise)
	for _, h := range c.findHills(rise) {
		if r3.Norm(r3.Sub(h.extent.high, h.extent.low)) > c.limits.BumpSize || foot[h.top] {
			continue
		}
		kind := Bump
		if rise[h.top] < 0 {
			kind = Dent
		}
		c.tally.add(kind, c.place(int(neighborhoods[h.top].face), c.vertices[h.top], math.Abs(rise[h.top])))
	}
}

// findFeet returns for each vertex whether it is the foot of a hill: a neighbour rises more, in the opposite
// direction.
func (c *checker) findFeet(rise []float64) []bool {
	foot := make([]bool, len(rise))
	c.eachEdge(func(same []edge) {
		a, b := same[0].low, same[0].high
		if rise[a]*rise[b] < 0 {
			foot[a] = foot[a] || math.Abs(rise[b]) > math.Abs(rise[a])
			foot[b] = foot[b] || math.Abs(rise[a]) > math.Abs(rise[b])
		}
	})
	return foot
}

// findHills returns the groups of neighbouring vertices that all rise, or all sink, by more than the limit.
func (c *checker) findHills(rise []float64) []*hill {
	isHigh := func(v int32) bool { return math.Abs(rise[v]) > mm(c.limits.Bump) }
	groups := newDisjointSets(len(rise))
	c.eachEdge(func(same []edge) {
		a, b := same[0].low, same[0].high
		if isHigh(a) && isHigh(b) && rise[a]*rise[b] > 0 {
			groups.union(a, b, false)
		}
	})
	byRoot := map[int32]*hill{}
	var list []*hill
	for v := range int32(len(rise)) {
		if !isHigh(v) {
			continue
		}
		root, _ := groups.find(v)
		at := box{c.vertices[v], c.vertices[v]}
		h := byRoot[root]
		if h == nil {
			h = &hill{top: v, extent: at}
			byRoot[root] = h
			list = append(list, h)
		}
		h.extent = h.extent.union(at)
		if math.Abs(rise[v]) > math.Abs(rise[h.top]) {
			h.top = v
		}
	}
	return list
}
