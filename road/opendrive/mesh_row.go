package opendrive

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/spatial/r3"
)

// vertex is a corner of triangles in a row across the road.
type vertex struct {
	t     float64 // lateral position [m]
	pos   r3.Vec  // [m, world]
	index uint32  // index into Mesh.Positions
}

// vertexRow is a row of vertices across the road. Lanes of type none have no vertices.
type vertexRow struct {
	cross crossSection
	lanes [2][][]vertex // by side and lane, the vertices from the lane's inner edge outwards
	// jointPositions are the positions t of all vertices of a row at a joint of two sections, ascending; nil for
	// other rows.
	jointPositions []float64
	sorted         []vertex // all vertices in ascending order of t; nil until vertexAt is called
}

// laneNone is the type of lanes without a surface.
const laneNone = "none"

// allPositions returns the positions t that the vertices of the cross section have if it is not at a joint of
// sections. stripCounts holds the number of strips of each lane, by side and lane.
func (x *crossSection) allPositions(stripCounts [2][]int) []float64 {
	var list []float64
	for side := range x.sides {
		for i := range x.sides[side] {
			if x.sides[side][i].lane.Type != laneNone {
				list = append(list, x.vertexPositions(side, i, stripCounts[side][i], nil)...)
			}
		}
	}
	return list
}

// row returns the vertices of a cross section. At a joint of sections, joint holds their positions t; else it is
// nil. Vertices of the row before at the same position are used again; before may be nil.
func (b *builder) row(x *crossSection, stripCounts [2][]int, joint []float64, before *vertexRow) *vertexRow {
	r := &vertexRow{cross: *x, jointPositions: joint}
	for side := range x.sides {
		r.lanes[side] = make([][]vertex, len(x.sides[side]))
		for i := range x.sides[side] {
			if x.sides[side][i].lane.Type == laneNone {
				continue
			}
			for _, t := range x.vertexPositions(side, i, stripCounts[side][i], joint) {
				b.addVertex(r, side, i, t, before)
			}
		}
	}
	return r
}

// minSpacing is the minimum distance between vertices of a row [m].
const minSpacing = 1e-3

// vertexPositions returns t of the vertices of lane i, from its inner edge outwards. They are the sides of n equal
// strips, the kinks across and their guards; or, if joint is not nil, those of the positions joint that are in the
// lane.
func (x *crossSection) vertexPositions(side, i, n int, joint []float64) []float64 {
	innerT, outerT := x.sides[side][i].inner, x.sides[side][i].outer
	var inner []float64
	if joint == nil {
		inner = slices.Clone(inside(x.kinks(), innerT, outerT))
		for k := 1; k < n; k++ {
			t := innerT + (outerT-innerT)*float64(k)/float64(n)
			_, close := nearest(inner, t, minSpacing)
			if !close && math.Abs(t-innerT) >= minSpacing && math.Abs(outerT-t) >= minSpacing {
				at, _ := slices.BinarySearch(inner, t)
				inner = slices.Insert(inner, at, t)
			}
		}
	} else {
		innerT, _ = nearest(joint, innerT, minSpacing)
		outerT, _ = nearest(joint, outerT, minSpacing)
		inner = slices.Clone(inside(joint, innerT, outerT))
	}
	if outerT < innerT {
		slices.Reverse(inner)
	}
	positions := append(append([]float64{innerT}, inner...), outerT)
	if joint == nil {
		positions = x.addGuards(side, i, positions)
	}
	return positions
}

// inside returns the values of a sorted list that are between two edges and not too close to them.
func inside(list []float64, in, out float64) []float64 {
	from, _ := slices.BinarySearch(list, min(in, out)+minSpacing)
	to, _ := slices.BinarySearch(list, max(in, out)-minSpacing)
	return list[from:max(from, to)]
}

// kinks returns, in ascending order, the positions t at which the slope across the road may jump: where pieces of
// the shape meet.
func (x *crossSection) kinks() []float64 {
	if x.kinkCache != nil {
		return x.kinkCache
	}
	list := []float64{}
	if len(x.road.crossfall[left])+len(x.road.crossfall[right]) > 0 {
		list = append(list, 0)
	}
	rows := x.road.shape
	i := sort.Search(len(rows), func(i int) bool { return rows[i].s > x.frame.s })
	for _, row := range rows[max(i-1, 0):min(i+1, len(rows))] {
		for _, p := range row.t {
			list = append(list, p.start)
		}
	}
	x.kinkCache = sortedApart(list)
	return x.kinkCache
}

// addVertex adds a vertex at t to lane i of the row. If a vertex exists at the same position, it uses its index.
func (b *builder) addVertex(r *vertexRow, side, i int, t float64, before *vertexRow) {
	x := &r.cross
	v := vertex{t: t, pos: x.frame.point(t, x.height(side, i, t))}
	lane := &r.lanes[side][i]
	if twin := r.lastAt(&v, side, i); twin != nil {
		v.index = twin.index
	} else if twin := before.vertexAt(&v); twin != nil {
		v.index = twin.index
	} else {
		v.index = uint32(len(b.mesh.Positions))
		b.mesh.Positions = append(b.mesh.Positions, v.pos)
	}
	*lane = append(*lane, v)
}

// sameDistance is the maximum distance of vertices at the same position [m].
const sameDistance = 1e-6

// lastAt returns the vertex of the row that was added before v, if it is at the same position, else nil: the last
// vertex of the lane itself, of the next lane inwards, or of the other side.
func (r *vertexRow) lastAt(v *vertex, side, i int) *vertex {
	var near *vertex
	switch list := r.lanes[side][i]; {
	case len(list) > 0:
		near = &list[len(list)-1]
	case i > 0 && len(r.lanes[side][i-1]) > 0:
		inner := r.lanes[side][i-1]
		near = &inner[len(inner)-1]
	case i == 0 && side == right && len(r.lanes[left]) > 0 && len(r.lanes[left][0]) > 0:
		near = &r.lanes[left][0][0]
	}
	if near == nil || r3.Norm(r3.Sub(near.pos, v.pos)) > sameDistance {
		return nil
	}
	return near
}

// vertexAt returns the row's vertex at v's position, or nil. r may be nil.
func (r *vertexRow) vertexAt(v *vertex) *vertex {
	if r == nil {
		return nil
	}
	if r.sorted == nil {
		for side := range r.lanes {
			r.sorted = append(r.sorted, slices.Concat(r.lanes[side]...)...)
		}
		slices.SortStableFunc(r.sorted, func(a, b vertex) int { return cmp.Compare(a.t, b.t) })
	}
	from := sort.Search(len(r.sorted), func(i int) bool { return r.sorted[i].t > v.t-sameDistance })
	for i := from; i < len(r.sorted) && r.sorted[i].t < v.t+sameDistance; i++ {
		if r3.Norm(r3.Sub(r.sorted[i].pos, v.pos)) < sameDistance {
			return &r.sorted[i]
		}
	}
	return nil
}
