package opendrive

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"
)

// The ground is a smooth surface through the corners of triangles. Beside a kink it swings by
// 2/27 of the change of slope times the length of the triangles there, so these are short:
// the surface is rounded near the kink and straight beyond.
const (
	swing  = 2. / 27
	edge   = 0.36 // change of slope that stays an edge: 20°
	least  = 0.05 // of a guard's distance along the road [m]
	guardT = 0.2  // of a guard's distance across the road [m]
	bent   = 0.01 // change of slope across that gets guards
)

// guarded adds stations beside those at which the road has a kink along.
func (b *builder) guarded(r *Road, sec *Section, stops []float64) []float64 {
	out := make([]float64, 0, len(stops))
	for i, s := range stops {
		before, after := sec.S, sec.End
		if i > 0 {
			before = stops[i-1]
		}
		if i+1 < len(stops) {
			after = stops[i+1]
		}
		far := b.guard(r, sec, s)
		if s-far > before+far/2 {
			out = append(out, s-far)
		}
		out = append(out, s)
		if s+far < after-far/2 {
			out = append(out, s+far)
		}
	}
	return out
}

// guard returns how far from a station guards stand, Inf for none.
func (b *builder) guard(r *Road, sec *Section, s float64) float64 {
	const step = 1e-3 // [m]
	change := 0.0
	if s-step > sec.S && s+step < sec.End {
		p, q, z := b.cut(r, sec, s-step), b.cut(r, sec, s), b.cut(r, sec, s+step)
		for side := range q.side {
			for i := range q.side[side] {
				for _, share := range []float64{0, 1} {
					mid := q.spot(side, i, share)
					change = max(change, math.Abs(rise(mid, z.spot(side, i, share))-rise(p.spot(side, i, share), mid)))
				}
			}
		}
	} else { // the lanes change
		const wide = 5.0 // beside the reference line [m]
		p, z := r.frame(max(s-step, 0)), r.frame(min(s+step, r.Length))
		change = math.Abs(z.climb-p.climb) + wide*math.Abs(z.twist-p.twist) + wide*math.Abs(z.climb*(z.curvature-p.curvature))
	}
	if change > edge || change < 1e-4 {
		return math.Inf(1)
	}
	return max((1-part)*b.options.Chord/(swing*change), least)
}

// rise returns the slope from a place to another.
func rise(p, q r3.Vec) float64 {
	if flat := math.Hypot(q.X-p.X, q.Y-p.Y); flat > 1e-9 {
		return (q.Z - p.Z) / flat
	}
	return 0
}

// guards adds places in a lane beside those at which the road has a kink across: in the lane,
// and at its edges, where it goes over into the next one.
func (x *cross) guards(side, i int, ticks []float64) []float64 {
	var list []float64
	in, out := x.side[side][i].in, x.side[side][i].out
	if math.Abs(out-in) < 3*guardT {
		return ticks
	}
	for _, t := range ticks {
		if x.bend(side, i, t) > bent {
			list = append(list, t-guardT, t+guardT)
		}
	}
	list = append(list, ticks[1:len(ticks)-1]...)
	slices.Sort(list)
	list = slices.Clone(inside(list, in, out))
	list = slices.CompactFunc(list, func(p, q float64) bool {
		return math.Abs(p-q) < apart
	})
	if out < in {
		slices.Reverse(list)
	}
	return append(append([]float64{in}, list...), out)
}

// bend returns the change of slope at t of a lane, or of that and the next one, if they meet
// there without a step; 0 where none does.
func (x *cross) bend(side, i int, t float64) float64 {
	const step = 1e-3 // [m]
	sp := &x.side[side][i]
	a, z := [2]int{side, i}, [2]int{side, i} // lanes towards smaller and greater t
	switch outer := outwards[side] > 0; {
	case t != sp.in && t != sp.out:
	case (t == sp.out) == outer:
		z = x.next(side, i, t == sp.out)
	default:
		a = x.next(side, i, t == sp.out)
	}
	if a[1] < 0 || z[1] < 0 {
		return 0
	}
	low, high := x.height(a[0], a[1], t), x.height(z[0], z[1], t)
	if math.Abs(high-low) > same {
		return 0
	}
	return math.Abs(x.height(z[0], z[1], t+step)-high-low+x.height(a[0], a[1], t-step)) / step
}

// next returns the lane beside a lane, outwards or inwards; its number is negative if there is
// none that has a surface.
func (x *cross) next(side, i int, outer bool) [2]int {
	at := [2]int{side, i + 1}
	if !outer {
		at[1] = i - 1
		if i == 0 {
			at = [2]int{1 - side, 0}
		}
	}
	if lanes := x.side[at[0]]; at[1] >= len(lanes) || at[1] < 0 || lanes[at[1]].lane.Type == unseen {
		at[1] = -1
	}
	return at
}
