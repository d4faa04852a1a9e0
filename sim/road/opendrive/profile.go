package opendrive

import "sort"

// piece is a cubic that holds from start on.
type piece struct {
	start float64
	cubic
}

// profile is a chain of cubics in rising order of their starts; 0 without any.
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
func (p profile) slope(x float64) float64 {
	i := sort.Search(len(p), func(i int) bool { return p[i].start > x }) - 1
	if i < 0 {
		return 0
	}
	return p[i].slope(x - p[i].start)
}

// row is a cross section's height above the banked plane over t, at one s.
type row struct {
	s float64
	t profile
}

// reach extends the first piece to the right of its start.
func (r row) reach(t float64) float64 {
	if len(r.t) > 0 && t < r.t[0].start {
		return r.t[0].at(t - r.t[0].start)
	}
	return r.t.at(t)
}

// shaped returns the height of the shape: between rows it is linear in s, and
// beyond the first and the last it stays.
func shaped(rows []row, s, t float64) float64 {
	i := sort.Search(len(rows), func(i int) bool { return rows[i].s > s }) - 1
	switch {
	case len(rows) == 0:
		return 0
	case i < 0:
		return rows[0].reach(t)
	case i == len(rows)-1:
		return rows[i].reach(t)
	}
	a, b := rows[i], rows[i+1]
	share := (s - a.s) / (b.s - a.s)
	return a.reach(t)*(1-share) + b.reach(t)*share
}

// height raises a lane from start on: inner and outer edge [m].
type height struct{ start, inner, outer float64 }

// raised returns the lane's rise at x and at a share of its width from inside;
// it is linear between two entries.
func raised(list []height, x, share float64) float64 {
	i := sort.Search(len(list), func(i int) bool { return list[i].start > x }) - 1
	if i < 0 {
		return 0
	}
	h := list[i]
	rise := h.inner + share*(h.outer-h.inner)
	if i+1 == len(list) {
		return rise
	}
	next := list[i+1]
	then := next.inner + share*(next.outer-next.inner)
	return rise + (then-rise)*(x-h.start)/(next.start-h.start)
}
