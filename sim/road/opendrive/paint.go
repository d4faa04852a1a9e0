package opendrive

import "math"

// Paint returns the line that is painted at s and t, or false. Broken lines
// count as whole ones; where the file gives no width it is 0.12 m.
func (r *Road) Paint(s, t float64) (Mark, bool) {
	s = r.clamp(s)
	sec := r.section(s)
	x := r.cross(sec, s)
	if m, ok := painted(sec.Centre, s-sec.S); ok && m.covers(t-x.middle) {
		return m, true
	}
	for side := range x.side {
		for _, sp := range x.side[side] {
			if m, ok := painted(sp.lane.Marks, s-sp.lane.start); ok && m.covers(t-sp.out) {
				return m, true
			}
		}
	}
	return Mark{}, false
}

// painted returns the mark that holds at an offset, if it is paint.
func painted(list []Mark, offset float64) (Mark, bool) {
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

func (m Mark) covers(beside float64) bool {
	const usual = 0.12 // [m]
	width := m.Width
	if width <= 0 {
		width = usual
	}
	return math.Abs(beside) <= width/2
}
