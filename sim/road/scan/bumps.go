package scan

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// ring is what lies about a vertex.
type ring struct {
	sum   r3.Vec  // of its neighbours' places, from its own
	way   float64 // sum of their distances [m]
	count int32
	face  int32  // the first about it
	whole bool   // faces all round
	area  r3.Vec // of these faces, along their normals
}

// bumps finds vertices that lie above or below the mean plane of their neighbours,
// where that is not part of something longer.
func (c *shape) bumps() {
	rings := c.rings()
	rise := make([]float64, len(rings)) // of each vertex over the plane [m]
	for i := range rings {
		rise[i] = c.rise(&rings[i])
	}
	c.groupBumps(rings, rise)
}

// rings finds all vertices' neighbours.
func (c *shape) rings() []ring {
	rings := make([]ring, len(c.vertices))
	for i := range rings {
		rings[i].whole = true
	}
	for i := len(c.faces) - 1; i >= 0; i-- {
		if !c.counts(i) {
			continue
		}
		area := c.vectorArea(c.faces[i])
		if c.turned[i] {
			area = r3.Scale(-1, area)
		}
		for _, v := range c.faces[i] {
			rings[v].area = r3.Add(rings[v].area, area)
			rings[v].face = int32(i)
		}
	}
	c.eachEdge(func(same []edge) {
		way := r3.Sub(c.vertices[same[0].high], c.vertices[same[0].low])
		for k, v := range [...]int32{same[0].low, same[0].high} {
			r := &rings[v]
			r.sum = r3.Add(r.sum, r3.Scale(float64(1-2*k), way))
			r.way += r3.Norm(way)
			r.count++
			r.whole = r.whole && len(same) == 2
		}
	})
	return rings
}

// rise returns how far a vertex lies above its neighbours [m], 0 where they are
// not all round it or too far away. The area of the faces about a vertex points
// along the normal of its neighbours' mean plane, wherever the vertex itself is.
func (c *shape) rise(r *ring) float64 {
	size := r3.Norm(r.area)
	if !r.whole || r.count < 3 || r.way > c.limits.BumpSize*float64(r.count) || size == 0 {
		return 0
	}
	return -r3.Dot(r.sum, r.area) / size / float64(r.count)
}

// hill is a group of vertices that rise, or sink, together.
type hill struct {
	top    int32 // the vertex that does so most
	extent box
}

// groupBumps counts the groups of vertices that are short. A group about a vertex
// that is only the foot of another is none.
func (c *shape) groupBumps(rings []ring, rise []float64) {
	foot := c.feet(rise)
	for _, h := range c.hills(rise) {
		if r3.Norm(r3.Sub(h.extent.high, h.extent.low)) > c.limits.BumpSize || foot[h.top] {
			continue
		}
		kind := Bump
		if rise[h.top] < 0 {
			kind = Dent
		}
		c.tally.add(kind, c.place(int(rings[h.top].face), c.vertices[h.top], math.Abs(rise[h.top])))
	}
}

// feet finds the vertices beside one that does the contrary of them, and more.
func (c *shape) feet(rise []float64) []bool {
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

// hills joins neighbours that rise, or sink, by more than a bump may.
func (c *shape) hills(rise []float64) []*hill {
	high := func(v int32) bool { return math.Abs(rise[v]) > mm(c.limits.Bump) }
	groups := newJoints(len(rise))
	c.eachEdge(func(same []edge) {
		a, b := same[0].low, same[0].high
		if high(a) && high(b) && rise[a]*rise[b] > 0 {
			groups.join(a, b, false)
		}
	})
	byFirst := map[int32]*hill{}
	var list []*hill
	for v := range int32(len(rise)) {
		if !high(v) {
			continue
		}
		root, _ := groups.find(v)
		at := box{c.vertices[v], c.vertices[v]}
		h := byFirst[root]
		if h == nil {
			h = &hill{top: v, extent: at}
			byFirst[root] = h
			list = append(list, h)
		}
		h.extent = h.extent.with(at)
		if math.Abs(rise[v]) > math.Abs(rise[h.top]) {
			h.top = v
		}
	}
	return list
}
