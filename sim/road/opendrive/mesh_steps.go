package opendrive

import (
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/spatial/r3"
)

// part of the allowed error goes to each check: errors along and across add up.
const part = 0.6

// strips returns into how many strips each lane is cut lengthwise: as many as
// the shape across needs.
func (b *builder) strips(r *Road, sec *Section) [2][]int {
	n := [2][]int{make([]int, len(sec.Left)), make([]int, len(sec.Right))}
	flat := len(r.shape) == 0 && len(r.crossfall[left]) == 0 && len(r.crossfall[right]) == 0
	var sections []cross
	if !flat {
		for _, s := range sampled(r, sec) {
			sections = append(sections, b.cut(r, sec, s))
		}
	}
	for side := range n {
		for i := range n[side] {
			n[side][i] = b.across(sections, side, i)
		}
	}
	return n
}

// sampled returns where the shape across is looked at: heights are linear in s
// between rows of the shape.
func sampled(r *Road, sec *Section) []float64 {
	const more = 8
	var list []float64
	for k := range more + 1 {
		list = append(list, sec.S+(sec.End-sec.S)*float64(k)/more)
	}
	for _, row := range between(r.shape, func(w row) float64 { return w.s }, sec.S, sec.End) {
		list = append(list, row.s)
	}
	return list
}

// between returns the part of a list in rising order of start that begins after from and
// before to.
func between[T any](list []T, start func(T) float64, from, to float64) []T {
	i := sort.Search(len(list), func(i int) bool { return start(list[i]) > from })
	j := sort.Search(len(list), func(i int) bool { return start(list[i]) >= to })
	return list[i:max(i, j)]
}

// across returns how many strips keep a lane near its shape.
func (b *builder) across(sections []cross, side, i int) int {
	const most = 64
	n := 1
	for k := 0; k < len(sections) && n < most; {
		b.spend(n + len(sections[k].kinks()))
		if b.fault != "" || sections[k].rough(side, i, n) <= b.options.Chord*(1-part) {
			k++
		} else {
			n *= 2
			k = 0
		}
	}
	return n
}

// rough returns how far a lane's shape lies off the strips between its ticks.
func (x *cross) rough(side, i, n int) float64 {
	const points = 4
	worst := 0.0
	ticks := x.ticks(side, i, n, nil)
	for k := range len(ticks) - 1 {
		from, wide := ticks[k], ticks[k+1]-ticks[k]
		h0, h1 := x.height(side, i, from), x.height(side, i, ticks[k+1])
		for p := 1; p < points; p++ {
			mid := float64(p) / points
			worst = max(worst, math.Abs(x.height(side, i, from+wide*mid)-h0-(h1-h0)*mid))
		}
	}
	return worst
}

// stations returns where a section is cut across: at every change of its
// description, and as densely as the curve needs.
func (b *builder) stations(r *Road, sec *Section) []float64 {
	list := []float64{sec.S}
	from := b.cut(r, sec, sec.S)
	for _, s := range b.guarded(r, sec, breaks(r, sec)) {
		last := list[len(list)-1]
		if b.jumps(r, sec, s) && s-brink > last {
			to := b.cut(r, sec, s-brink)
			list = b.refine(r, &from, &to, list)
			from = to
		}
		to := b.cut(r, sec, s)
		if list[len(list)-1] == s-brink {
			list = append(list, s) // the jump itself
		} else {
			list = b.refine(r, &from, &to, list)
		}
		from = to
		if b.fault != "" {
			break
		}
	}
	return list
}

// brink is how long a jump is stretched along the road [m].
const brink = 1e-3

// breaks returns the stations behind sec.S where a description changes, and
// its end.
func breaks(r *Road, sec *Section) []float64 {
	var list []float64
	for _, c := range between(r.plan, func(c curve) float64 { return c.s }, sec.S, sec.End) {
		list = append(list, c.s)
	}
	starts := func(p profile, from float64) {
		for _, c := range between(p, func(c piece) float64 { return c.start }, sec.S-from, sec.End-from) {
			list = append(list, from+c.start)
		}
	}
	for _, p := range []profile{r.elevation, r.superelevation, r.crossfall[left], r.crossfall[right], r.offset} {
		starts(p, 0)
	}
	for _, row := range between(r.shape, func(w row) float64 { return w.s }, sec.S, sec.End) {
		list = append(list, row.s)
	}
	for _, lanes := range [][]Lane{sec.Left, sec.Right} {
		for i := range lanes {
			l := &lanes[i]
			starts(l.width, l.start)
			starts(l.border, l.start)
			for _, h := range between(l.heights, func(h height) float64 { return h.start }, sec.S-l.start, sec.End-l.start) {
				list = append(list, l.start+h.start)
			}
			for _, m := range between(l.Materials, func(m Material) float64 { return m.Offset }, sec.S-l.start, sec.End-l.start) {
				list = append(list, l.start+m.Offset)
			}
		}
	}
	slices.Sort(list)
	out := list[:0]
	last := sec.S
	for _, s := range list {
		if s > last+2*brink && s < sec.End-2*brink {
			out = append(out, s)
			last = s
		}
	}
	return append(out, sec.End)
}

// jumps reports whether an edge of a lane jumps at s.
func (b *builder) jumps(r *Road, sec *Section, s float64) bool {
	const before, far = 1e-7, 1e-3
	a, z := b.cut(r, sec, s-before), b.cut(r, sec, s)
	for side := range a.side {
		for i := range a.side[side] {
			for _, share := range []float64{0, 1} {
				if r3.Norm(r3.Sub(a.spot(side, i, share), z.spot(side, i, share))) > far {
					return true
				}
			}
		}
	}
	return false
}

// spot returns the place at a share of a lane's width.
func (x *cross) spot(side, i int, share float64) r3.Vec {
	sp := &x.side[side][i]
	t := sp.in + (sp.out-sp.in)*share
	return x.frame.point(t, x.height(side, i, t))
}

// refine appends stations up to that of z, halving until triangles lie near
// the surface.
func (b *builder) refine(r *Road, a, z *cross, list []float64) []float64 {
	const shortest = 0.01 // [m]
	s0, s1 := a.frame.s, z.frame.s
	if b.full(); b.fault != "" {
		return list
	}
	if s1-s0 <= b.options.Step && (s1-s0 < 2*shortest || b.near(r, a, z)) {
		return append(list, s1)
	}
	m := b.cut(r, a.section, (s0+s1)/2)
	list = b.refine(r, a, &m, list)
	if b.fault != "" {
		return list
	}
	return b.refine(r, &m, z, list)
}

// near reports whether triangles between two cross sections lie near the surface:
// at quarters of the way on lines along the road, and half way on the diagonals.
func (b *builder) near(r *Road, a, z *cross) bool {
	limit := part * b.options.Chord
	for q := 1; q <= 3; q++ {
		way := float64(q) / 4
		m := b.cut(r, a.section, a.frame.s+(z.frame.s-a.frame.s)*way)
		for side := range a.side {
			for i := range a.side[side] {
				if a.side[side][i].lane.Type != unseen && !a.straight(z, &m, side, i, way, limit) {
					return false
				}
			}
		}
	}
	return true
}

// straight compares one lane of a cross section m, between a and z, with them.
func (a *cross) straight(z, m *cross, side, i int, way, limit float64) bool {
	for _, share := range []float64{0, 0.5, 1} {
		from, to := a.spot(side, i, share), z.spot(side, i, share)
		if beside(from, to, m.spot(side, i, share)) > limit {
			return false
		}
	}
	// The diagonal runs from the inner edge at z to the outer edge at a. What the
	// shape across does to it is the strips' business.
	in, out := z.spot(side, i, 0), a.spot(side, i, 1)
	plane := r3.Cross(r3.Sub(in, a.spot(side, i, 0)), r3.Sub(out, a.spot(side, i, 0)))
	size := r3.Norm(plane)
	if size < 1e-9 {
		return true
	}
	on := r3.Add(r3.Scale(way, in), r3.Scale(1-way, out))
	level := r3.Add(r3.Scale(way, m.spot(side, i, 0)), r3.Scale(1-way, m.spot(side, i, 1)))
	return math.Abs(r3.Dot(r3.Sub(level, on), plane))/size <= limit
}

// beside returns how far p lies beside the line through a and z.
func beside(a, z, p r3.Vec) float64 {
	chord, d := r3.Sub(z, a), r3.Sub(p, a)
	if size := r3.Norm(chord); size > 1e-9 {
		return r3.Norm(r3.Cross(d, chord)) / size
	}
	return r3.Norm(d)
}
