package opendrive

import (
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/spatial/r3"
)

// alongFraction is the fraction of the allowed distance from the surface that is used for the error along the
// road. The rest is for the error across the road, because both add up.
const alongFraction = 0.6

// stripCounts returns, by side and lane, the number of strips into which a lane is divided across the road, as its
// shape requires.
func (b *builder) stripCounts(r *Road, sec *Section) [2][]int {
	counts := [2][]int{make([]int, len(sec.Left)), make([]int, len(sec.Right))}
	flat := len(r.shape) == 0 && len(r.crossfall[left]) == 0 && len(r.crossfall[right]) == 0
	var sections []crossSection
	if !flat {
		for _, s := range shapeStations(r, sec) {
			sections = append(sections, b.crossSection(r, sec, s))
		}
	}
	for side := range counts {
		for i := range counts[side] {
			counts[side][i] = b.stripCount(sections, side, i)
		}
	}
	return counts
}

// shapeStations returns the stations s at which the shape across the road is examined. Heights are linear in s
// between rows of the shape.
func shapeStations(r *Road, sec *Section) []float64 {
	const intervals = 8
	var list []float64
	for k := range intervals + 1 {
		list = append(list, sec.S+(sec.End-sec.S)*float64(k)/intervals)
	}
	return append(list, startsIn(sec, 0, r.shape, func(w shapeRow) float64 { return w.s })...)
}

// startsIn returns the stations within a section at which elements of a list start. The starts count from a station from,
// and must be in ascending order.
func startsIn[T any](sec *Section, from float64, list []T, start func(T) float64) (stations []float64) {
	i := sort.Search(len(list), func(i int) bool { return start(list[i]) > sec.S-from })
	for ; i < len(list) && start(list[i]) < sec.End-from; i++ {
		stations = append(stations, from+start(list[i]))
	}
	return stations
}

// stripCount returns the number of strips with which the triangles of a lane are near its shape.
func (b *builder) stripCount(sections []crossSection, side, i int) int {
	const limit = 64
	n := 1
	for k := 0; k < len(sections) && n < limit; {
		b.addWork(n + len(sections[k].kinks()))
		if b.fault != "" || sections[k].deviation(side, i, n) <= b.options.Chord*(1-alongFraction) {
			k++
		} else {
			n *= 2
			k = 0
		}
	}
	return n
}

// deviation returns the maximum difference in height between a lane and n flat strips between its vertices [m].
func (x *crossSection) deviation(side, i, n int) float64 {
	const points = 4
	worst := 0.0
	positions := x.vertexPositions(side, i, n, nil)
	for k := range len(positions) - 1 {
		from, wide := positions[k], positions[k+1]-positions[k]
		h0, h1 := x.height(side, i, from), x.height(side, i, positions[k+1])
		for p := 1; p < points; p++ {
			mid := float64(p) / points
			worst = max(worst, math.Abs(x.height(side, i, from+wide*mid)-h0-(h1-h0)*mid))
		}
	}
	return worst
}

// stations returns the stations s of the rows of vertices of a section: at every change of its description, and
// as densely as its curvature requires.
func (b *builder) stations(r *Road, sec *Section) []float64 {
	list := []float64{sec.S}
	from := b.crossSection(r, sec, sec.S)
	for _, s := range b.addGuards(r, sec, changeStations(r, sec)) {
		last := list[len(list)-1]
		if b.hasJump(r, sec, s) && s-jumpLength > last {
			to := b.crossSection(r, sec, s-jumpLength)
			list = b.refine(r, &from, &to, list)
			from = to
		}
		to := b.crossSection(r, sec, s)
		if list[len(list)-1] == s-jumpLength {
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

// jumpLength is the length of road over which the triangles of a jump extend [m].
const jumpLength = 1e-3

// changeStations returns the stations of a section, after its start, at which a new piece of any description
// begins, and the section's end.
func changeStations(r *Road, sec *Section) []float64 {
	list := startsIn(sec, 0, r.plan, func(c curve) float64 { return c.s })
	add := func(more []float64) { list = append(list, more...) }
	pieces := func(p profile, from float64) []float64 {
		return startsIn(sec, from, p, func(c piece) float64 { return c.start })
	}
	for _, p := range []profile{r.elevation, r.superelevation, r.crossfall[left], r.crossfall[right], r.laneOffset} {
		add(pieces(p, 0))
	}
	add(startsIn(sec, 0, r.shape, func(w shapeRow) float64 { return w.s }))
	for _, lanes := range [][]Lane{sec.Left, sec.Right} {
		for i := range lanes {
			l := &lanes[i]
			add(pieces(l.width, l.start))
			add(pieces(l.border, l.start))
			add(startsIn(sec, l.start, l.heights, func(h laneHeight) float64 { return h.start }))
			add(startsIn(sec, l.start, l.Materials, func(m Material) float64 { return m.Offset }))
		}
	}
	slices.Sort(list)
	out := list[:0]
	last := sec.S
	for _, s := range list {
		if s > last+2*jumpLength && s < sec.End-2*jumpLength {
			out = append(out, s)
			last = s
		}
	}
	return append(out, sec.End)
}

// hasJump reports whether an edge of a lane jumps at s.
func (b *builder) hasJump(r *Road, sec *Section, s float64) bool {
	const step, minJump = 1e-7, 1e-3
	a, z := b.crossSection(r, sec, s-step), b.crossSection(r, sec, s)
	for side := range a.sides {
		for i := range a.sides[side] {
			for _, fraction := range []float64{0, 1} {
				if r3.Norm(r3.Sub(a.pointAt(side, i, fraction), z.pointAt(side, i, fraction))) > minJump {
					return true
				}
			}
		}
	}
	return false
}

// pointAt returns the point of the surface at a fraction of the width of lane i, from its inner edge.
func (x *crossSection) pointAt(side, i int, fraction float64) r3.Vec {
	sp := &x.sides[side][i]
	t := sp.inner + (sp.outer-sp.inner)*fraction
	return x.frame.point(t, x.height(side, i, t))
}

// refine appends to list the stations after from up to that of to. It halves the interval until the triangles are
// near the surface.
func (b *builder) refine(r *Road, from, to *crossSection, list []float64) []float64 {
	const shortest = 0.01 // [m]
	s0, s1 := from.frame.s, to.frame.s
	if b.isFull(); b.fault != "" {
		return list
	}
	if s1-s0 <= b.options.Step && (s1-s0 < 2*shortest || b.isNear(r, from, to)) {
		return append(list, s1)
	}
	m := b.crossSection(r, from.section, (s0+s1)/2)
	list = b.refine(r, from, &m, list)
	if b.fault != "" {
		return list
	}
	return b.refine(r, &m, to, list)
}

// isNear reports whether the triangles between two cross sections are near the surface. It examines each lane at
// quarters of the length.
func (b *builder) isNear(r *Road, from, to *crossSection) bool {
	limit := alongFraction * b.options.Chord
	for quarter := 1; quarter <= 3; quarter++ {
		fraction := float64(quarter) / 4
		m := b.crossSection(r, from.section, from.frame.s+(to.frame.s-from.frame.s)*fraction)
		for side := range from.sides {
			for i := range from.sides[side] {
				if from.sides[side][i].lane.Type != laneNone && !from.isStraight(to, &m, side, i, fraction, limit) {
					return false
				}
			}
		}
	}
	return true
}

// isStraight reports whether lane i of mid, the cross section at a fraction of the way from from to to, is within
// limit [m] of the triangles between these two cross sections.
func (from *crossSection) isStraight(to, mid *crossSection, side, i int, fraction, limit float64) bool {
	for _, fraction := range []float64{0, 0.5, 1} {
		from, to := from.pointAt(side, i, fraction), to.pointAt(side, i, fraction)
		if distanceToLine(from, to, mid.pointAt(side, i, fraction)) > limit {
			return false
		}
	}
	// The diagonal runs from the inner edge at z to the outer edge at a. The strips
	// account for the shape across.
	in, out := to.pointAt(side, i, 0), from.pointAt(side, i, 1)
	plane := r3.Cross(r3.Sub(in, from.pointAt(side, i, 0)), r3.Sub(out, from.pointAt(side, i, 0)))
	size := r3.Norm(plane)
	if size < 1e-9 {
		return true
	}
	on := r3.Add(r3.Scale(fraction, in), r3.Scale(1-fraction, out))
	level := r3.Add(r3.Scale(fraction, mid.pointAt(side, i, 0)), r3.Scale(1-fraction, mid.pointAt(side, i, 1)))
	return math.Abs(r3.Dot(r3.Sub(level, on), plane))/size <= limit
}

// distanceToLine returns the distance of p from the line through a and z [m].
func distanceToLine(a, z, p r3.Vec) float64 {
	chord, d := r3.Sub(z, a), r3.Sub(p, a)
	if size := r3.Norm(chord); size > 1e-9 {
		return r3.Norm(r3.Cross(d, chord)) / size
	}
	return r3.Norm(d)
}
