package opendrive

import "sort"

// piece is a cubic that applies from start to the start of the next piece. Its argument is the distance from start.
type piece struct {
	start float64
	cubic
}

// profile is a function that consists of cubics, in ascending order of their starts. An empty profile is 0.
type profile []piece

// at returns the value at x; before the first piece it is 0.
func (p profile) at(x float64) float64 {
	i := sort.Search(len(p), func(i int) bool { return p[i].start > x }) - 1
	if i < 0 {
		return 0
	}
	return p[i].at(x - p[i].start)
}

// slope returns the derivative at x.
func (p profile) derivative(x float64) float64 {
	i := sort.Search(len(p), func(i int) bool { return p[i].start > x }) - 1
	if i < 0 {
		return 0
	}
	return p[i].derivative(x - p[i].start)
}

// shapeRow is the height above the banked plane at one s [m], as a function of t.
type shapeRow struct {
	s float64
	t profile
}

// at returns the height at t [m]. The first piece continues to the right of its start.
func (r shapeRow) at(t float64) float64 {
	if len(r.t) > 0 && t < r.t[0].start {
		return r.t[0].at(t - r.t[0].start)
	}
	return r.t.at(t)
}

// shapeHeight returns the height of the shape [m]: linear in s between rows, constant before the first and
// after the last.
func shapeHeight(rows []shapeRow, s, t float64) float64 {
	i := sort.Search(len(rows), func(i int) bool { return rows[i].s > s }) - 1
	switch {
	case len(rows) == 0:
		return 0
	case i < 0:
		return rows[0].at(t)
	case i == len(rows)-1:
		return rows[i].at(t)
	}
	a, b := rows[i], rows[i+1]
	fraction := (s - a.s) / (b.s - a.s)
	return a.at(t)*(1-fraction) + b.at(t)*fraction
}

// laneHeight is the rise of a lane at its inner and outer edge [m], at the distance start from the lane's start [m].
type laneHeight struct{ start, inner, outer float64 }

// laneRise returns the rise of a lane [m] at the distance x from its start [m] and at a fraction of its width, from
// its inner edge. The rise is linear between two entries of the list.
func laneRise(list []laneHeight, x, fraction float64) float64 {
	i := sort.Search(len(list), func(i int) bool { return list[i].start > x }) - 1
	if i < 0 {
		return 0
	}
	h := list[i]
	rise := h.inner + fraction*(h.outer-h.inner)
	if i+1 == len(list) {
		return rise
	}
	next := list[i+1]
	nextRise := next.inner + fraction*(next.outer-next.inner)
	return rise + (nextRise-rise)*(x-h.start)/(next.start-h.start)
}
