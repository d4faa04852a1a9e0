package opendrive

import "math"

// The sides of a road. t grows to the left.
const (
	left = iota
	right
)

// outwardSign is the sign of t in the direction away from lane 0, by side.
var outwardSign = [2]float64{left: 1, right: -1}

// laneSpan is a lane in a cross section, from its inner to its outer edge.
type laneSpan struct {
	lane         *Lane
	inner, outer float64 // t of both edges [m]
	baseHeight   float64 // height of the inner edge above the banked plane, without the lane's own <height> [m]
}

// crossSection is the cross section of a road at one s.
type crossSection struct {
	road      *Road
	section   *Section
	frame     frame
	laneZeroT float64       // t of lane 0 [m]
	sides     [2][]laneSpan // lanes of each side, from lane 0 outwards
	kinkCache []float64     // stored result of kinks; nil before its first call
}

// crossSection returns the cross section at s with the lanes of a section, which may end at s.
func (r *Road) crossSection(sec *Section, s float64) crossSection {
	x := crossSection{road: r, section: sec, frame: r.frame(s), laneZeroT: r.laneOffset.at(s)}
	x.sides[left] = x.laneSpans(sec.Left, left)
	x.sides[right] = x.laneSpans(sec.Right, right)
	return x
}

// laneSpans returns the lanes of a side from the middle outwards.
func (x *crossSection) laneSpans(lanes []Lane, side int) []laneSpan {
	list := make([]laneSpan, len(lanes))
	t := x.laneZeroT
	base := x.planeHeight(t, side)
	for i := range lanes {
		l := &lanes[i]
		sp := laneSpan{lane: l, inner: t, baseHeight: base}
		if extent := outwardSign[side] * (l.outerEdge(x.frame.s, x.laneZeroT, t, side) - t); extent > 0 {
			t += outwardSign[side] * extent
		}
		sp.outer = t
		base = x.laneHeight(&sp, side, t)
		list[i] = sp
	}
	return list
}

// outerEdge returns t of the outer edge of a lane [m]. laneZeroT and inner are t of lane 0 and of the lane's
// inner edge [m].
func (l *Lane) outerEdge(s, laneZeroT, inner float64, side int) float64 {
	if len(l.width) > 0 {
		return inner + outwardSign[side]*l.width.at(s-l.start)
	}
	return laneZeroT + outwardSign[side]*math.Abs(l.border.at(s-l.start))
}

// planeHeight returns the height above the banked plane that follows from shape and crossfall alone [m].
func (x *crossSection) planeHeight(t float64, side int) float64 {
	h := shapeHeight(x.road.shape, x.frame.s, t)
	if fall := x.road.crossfall[side]; len(fall) > 0 {
		h -= math.Abs(t) * math.Tan(fall.at(x.frame.s))
	}
	return h
}

// laneHeight returns the height within a lane above the banked plane, without the lane's own <height> [m].
func (x *crossSection) laneHeight(sp *laneSpan, side int, t float64) float64 {
	if sp.lane.Level {
		return sp.baseHeight - (t-sp.inner)*math.Tan(x.frame.bank)
	}
	return sp.baseHeight + x.planeHeight(t, side) - x.planeHeight(sp.inner, side)
}

// height returns the height above the banked plane at t of the surface that lane i defines, also if t is outside
// that lane [m]. A negative i means the ground without lanes.
func (x *crossSection) height(side, i int, t float64) float64 {
	if i < 0 {
		return x.planeHeight(t, side)
	}
	sp := &x.sides[side][i]
	fraction := 0.0
	if wide := sp.outer - sp.inner; wide != 0 {
		fraction = min(max((t-sp.inner)/wide, 0), 1)
	}
	return x.laneHeight(sp, side, t) + laneRise(sp.lane.heights, x.frame.s-sp.lane.start, fraction)
}

// laneAt returns the side and the index of the lane at t, and whether t is inside it. Beside the road it returns
// the outermost lane of the side; i is negative if the side has no lane.
func (x *crossSection) laneAt(t float64) (side, i int, inside bool) {
	if t < x.laneZeroT || len(x.sides[left]) == 0 && t == x.laneZeroT {
		side = right
	}
	for i, sp := range x.sides[side] {
		if outwardSign[side]*(sp.outer-t) >= 0 {
			return side, i, true
		}
	}
	return side, len(x.sides[side]) - 1, false
}
