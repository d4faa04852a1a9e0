package opendrive

import "math"

// Sides of a road; left lanes lie at greater t.
const (
	left = iota
	right
)

// outwards is the direction of t away from lane 0.
var outwards = [2]float64{left: 1, right: -1}

// span is a lane in a cross section, from its inner to its outer edge.
type span struct {
	lane    *Lane
	in, out float64 // t [m]
	base    float64 // height of the inner edge above the banked plane, before the lane's own rise [m]
}

// cross is a road cut at one s.
type cross struct {
	road    *Road
	section *Section
	frame   frame
	middle  float64 // t of lane 0 [m]
	side    [2][]span
	bends   []float64 // t where pieces of its shape meet, once kinks has found them
}

// cross cuts the road at s with the lanes of a section, which may end there.
func (r *Road) cross(sec *Section, s float64) cross {
	x := cross{road: r, section: sec, frame: r.frame(s), middle: r.offset.at(s)}
	x.side[left] = x.spans(sec.Left, left)
	x.side[right] = x.spans(sec.Right, right)
	return x
}

func (x *cross) spans(lanes []Lane, side int) []span {
	list := make([]span, len(lanes))
	t := x.middle
	base := x.plain(t, side)
	for i := range lanes {
		l := &lanes[i]
		sp := span{lane: l, in: t, base: base}
		if reach := outwards[side] * (l.edge(x.frame.s, x.middle, t, side) - t); reach > 0 {
			t += outwards[side] * reach
		}
		sp.out = t
		base = x.bare(&sp, side, t)
		list[i] = sp
	}
	return list
}

// edge returns t of a lane's outer edge.
func (l *Lane) edge(s, middle, inner float64, side int) float64 {
	if len(l.width) > 0 {
		return inner + outwards[side]*l.width.at(s-l.start)
	}
	return middle + outwards[side]*math.Abs(l.border.at(s-l.start))
}

// plain is the height above the banked plane by shape and crossfall alone.
func (x *cross) plain(t float64, side int) float64 {
	h := shaped(x.road.shape, x.frame.s, t)
	if fall := x.road.crossfall[side]; len(fall) > 0 {
		h -= math.Abs(t) * math.Tan(fall.at(x.frame.s))
	}
	return h
}

// bare is the height within a lane without its own rise.
func (x *cross) bare(sp *span, side int, t float64) float64 {
	if sp.lane.Level {
		return sp.base - (t-sp.in)*math.Tan(x.frame.roll)
	}
	return sp.base + x.plain(t, side) - x.plain(sp.in, side)
}

// height returns the height of the surface above the banked plane at t, as lane
// i of a side has it, also beside that lane.
func (x *cross) height(side, i int, t float64) float64 {
	if i < 0 {
		return x.plain(t, side)
	}
	sp := &x.side[side][i]
	share := 0.0
	if wide := sp.out - sp.in; wide != 0 {
		share = min(max((t-sp.in)/wide, 0), 1)
	}
	return x.bare(sp, side, t) + raised(sp.lane.heights, x.frame.s-sp.lane.start, share)
}

// find returns the lane at t, or the outermost on its side; i is negative if
// there is none.
func (x *cross) find(t float64) (side, i int, inside bool) {
	if t < x.middle || len(x.side[left]) == 0 && t == x.middle {
		side = right
	}
	for i, sp := range x.side[side] {
		if outwards[side]*(sp.out-t) >= 0 {
			return side, i, true
		}
	}
	return side, len(x.side[side]) - 1, false
}
