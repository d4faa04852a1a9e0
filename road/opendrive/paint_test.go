package opendrive

import "math"

// paintAt returns the paint at s and t [m], and false if there is none. Broken lines count as solid. A mark without
// a width is 0.12 m wide.
func (r *Road) paintAt(s, t float64) (Mark, bool) {
	s = r.clamp(s)
	sec := r.section(s)
	x := r.crossSection(sec, s)
	if m, ok := markAt(sec.Center, s-sec.S); ok && m.covers(t-x.laneZeroT) {
		return m, true
	}
	for side := range x.sides {
		for _, sp := range x.sides[side] {
			if m, ok := markAt(sp.lane.Marks, s-sp.lane.start); ok && m.covers(t-sp.outer) {
				return m, true
			}
		}
	}
	return Mark{}, false
}

// markAt returns the mark at an offset [m], and false if there is no paint.
func markAt(list []Mark, offset float64) (Mark, bool) {
	var at Mark
	for _, m := range list {
		if m.Offset <= offset {
			at = m
		}
	}
	switch at.Type {
	case "", "none", "curb", "grass", "edge":
		return Mark{}, false
	}
	return at, true
}

// covers reports whether a point at a distance beside the center of the mark [m] is on the paint.
func (m Mark) covers(beside float64) bool {
	const defaultWidth = 0.12 // [m]
	width := m.Width
	if width <= 0 {
		width = defaultWidth
	}
	return math.Abs(beside) <= width/2
}
