package opendrive

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"
)

// The ground is a smooth surface through the corners of triangles. Beside a kink it overshoots
// by 2/27 of the change of slope times the length of the triangles there. Guards are extra
// vertices beside a kink: they make these triangles short.
const (
	overshootFraction   = 2. / 27
	sharpEdgeSlope      = 0.36 // a kink with a larger change of slope (20°) stays a sharp edge and needs no guards
	minGuardDistance    = 0.05 // minimum distance of a guard from a kink along the road [m]
	acrossGuardDistance = 0.2  // distance of a guard from a kink across the road [m]
	minGuardedKink      = 0.01 // minimum change of slope across the road that gets guards
)

// addGuards returns the stations stops, with guards beside those at which the road has a kink along its length.
func (b *builder) addGuards(r *Road, sec *Section, stops []float64) []float64 {
	out := make([]float64, 0, len(stops))
	for i, s := range stops {
		before, after := sec.S, sec.End
		if i > 0 {
			before = stops[i-1]
		}
		if i+1 < len(stops) {
			after = stops[i+1]
		}
		guard := b.guardDistance(r, sec, s)
		if s-guard > before+guard/2 {
			out = append(out, s-guard)
		}
		out = append(out, s)
		if s+guard < after-guard/2 {
			out = append(out, s+guard)
		}
	}
	return out
}

// guardDistance returns the distance of guards from station s [m], Inf if s needs none.
func (b *builder) guardDistance(r *Road, sec *Section, s float64) float64 {
	const step = 1e-3 // [m]
	change := 0.0
	if s-step > sec.S && s+step < sec.End {
		p, q, z := b.crossSection(r, sec, s-step), b.crossSection(r, sec, s), b.crossSection(r, sec, s+step)
		for side := range q.sides {
			for i := range q.sides[side] {
				for _, fraction := range []float64{0, 1} {
					mid := q.pointAt(side, i, fraction)
					change = max(change, math.Abs(gradient(mid, z.pointAt(side, i, fraction))-gradient(p.pointAt(side, i, fraction), mid)))
				}
			}
		}
	} else { // s is an end of the section, where the lanes change
		const lateral = 5.0 // beside the reference line [m]
		p, z := r.frame(max(s-step, 0)), r.frame(min(s+step, r.Length))
		change = math.Abs(z.grade-p.grade) + lateral*math.Abs(z.bankRate-p.bankRate) +
			lateral*math.Abs(z.grade*(z.curvature-p.curvature))
	}
	if change > sharpEdgeSlope || change < 1e-4 {
		return math.Inf(1)
	}
	return max((1-alongFraction)*b.options.Chord/(overshootFraction*change), minGuardDistance)
}

// gradient returns the slope from p to q.
func gradient(p, q r3.Vec) float64 {
	if flat := math.Hypot(q.X-p.X, q.Y-p.Y); flat > 1e-9 {
		return (q.Z - p.Z) / flat
	}
	return 0
}

// addGuards returns the positions of the vertices of lane i, with guards beside those at which the surface has a
// kink across the road: within the lane, and at its edges.
func (x *crossSection) addGuards(side, i int, positions []float64) []float64 {
	var list []float64
	inner, outer := x.sides[side][i].inner, x.sides[side][i].outer
	if math.Abs(outer-inner) < 3*acrossGuardDistance {
		return positions
	}
	for _, t := range positions {
		if x.slopeChange(side, i, t) > minGuardedKink {
			list = append(list, t-acrossGuardDistance, t+acrossGuardDistance)
		}
	}
	list = append(list, positions[1:len(positions)-1]...)
	slices.Sort(list)
	list = slices.Clone(inside(list, inner, outer))
	list = slices.CompactFunc(list, func(p, q float64) bool {
		return math.Abs(p-q) < minSpacing
	})
	if outer < inner {
		slices.Reverse(list)
	}
	return append(append([]float64{inner}, list...), outer)
}

// slopeChange returns the change of slope across the road at t, a position within lane i or on its edge. At an
// edge it is the change to the next lane, or 0 if there is a step.
func (x *crossSection) slopeChange(side, i int, t float64) float64 {
	const step = 1e-3 // [m]
	sp := &x.sides[side][i]
	lower, upper := [2]int{side, i}, [2]int{side, i} // lanes towards smaller and greater t
	switch isLeft := outwardSign[side] > 0; {
	case t != sp.inner && t != sp.outer:
	case (t == sp.outer) == isLeft:
		upper = x.neighbor(side, i, t == sp.outer)
	default:
		lower = x.neighbor(side, i, t == sp.outer)
	}
	if lower[1] < 0 || upper[1] < 0 {
		return 0
	}
	low, high := x.height(lower[0], lower[1], t), x.height(upper[0], upper[1], t)
	if math.Abs(high-low) > sameDistance {
		return 0
	}
	return math.Abs(x.height(upper[0], upper[1], t+step)-high-low+x.height(lower[0], lower[1], t-step)) / step
}

// neighbor returns the side and the index of the lane beside lane i: the next one outwards if outer is true,
// else inwards. The index is negative if there is no lane with a surface.
func (x *crossSection) neighbor(side, i int, outer bool) [2]int {
	at := [2]int{side, i + 1}
	if !outer {
		at[1] = i - 1
		if i == 0 {
			at = [2]int{1 - side, 0}
		}
	}
	if lanes := x.sides[at[0]]; at[1] >= len(lanes) || at[1] < 0 || lanes[at[1]].lane.Type == laneNone {
		at[1] = -1
	}
	return at
}
