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
	t     float64 // [m]
	pos   r3.Vec
	index uint32
}

// cutRow is a row of vertices across the road: for each side and lane from
// inside outwards; lanes of type none have none.
type cutRow struct {
	cross cross
	lanes [2][][]vertex
	cuts  []float64 // all t at a joint of sections, sorted
	byT   []vertex  // all vertices in the order of t, once same has sorted them
}

// unseen is the type of lanes that only keep room.
const unseen = "none"

// stops returns t of every vertex that the row has away from joints.
func (x *cross) stops(strips [2][]int) []float64 {
	var list []float64
	for side := range x.side {
		for i := range x.side[side] {
			if x.side[side][i].lane.Type != unseen {
				list = append(list, x.ticks(side, i, strips[side][i], nil)...)
			}
		}
	}
	return list
}

// row makes the vertices of a cross section. At a joint of sections they lie
// at its cuts, and those that before has at the same place are taken.
func (b *builder) row(x *cross, strips [2][]int, cuts []float64, before *cutRow) *cutRow {
	r := &cutRow{cross: *x, cuts: cuts}
	for side := range x.side {
		r.lanes[side] = make([][]vertex, len(x.side[side]))
		for i := range x.side[side] {
			if x.side[side][i].lane.Type == unseen {
				continue
			}
			for _, t := range x.ticks(side, i, strips[side][i], cuts) {
				b.add(r, side, i, t, before)
			}
		}
	}
	return r
}

// apart is how close vertices of a row come to each other [m].
const apart = 1e-3

// ticks returns where a lane has vertices, from inside: at the ends of n even
// strips and where the shape across has kinks, or at the cuts of a joint.
func (x *cross) ticks(side, i, n int, cuts []float64) []float64 {
	in, out := x.side[side][i].in, x.side[side][i].out
	var inner []float64
	if cuts == nil {
		inner = slices.Clone(inside(x.kinks(), in, out))
		for k := 1; k < n; k++ {
			t := in + (out-in)*float64(k)/float64(n)
			_, close := nearest(inner, t, apart)
			if !close && math.Abs(t-in) >= apart && math.Abs(out-t) >= apart {
				at, _ := slices.BinarySearch(inner, t)
				inner = slices.Insert(inner, at, t)
			}
		}
	} else {
		in, _ = nearest(cuts, in, apart)
		out, _ = nearest(cuts, out, apart)
		inner = slices.Clone(inside(cuts, in, out))
	}
	if out < in {
		slices.Reverse(inner)
	}
	ticks := append(append([]float64{in}, inner...), out)
	if cuts == nil {
		ticks = x.guards(side, i, ticks)
	}
	return ticks
}

// inside returns the part of a sorted list between two edges, not too near to them.
func inside(list []float64, in, out float64) []float64 {
	from, _ := slices.BinarySearch(list, min(in, out)+apart)
	to, _ := slices.BinarySearch(list, max(in, out)-apart)
	return list[from:max(from, to)]
}

// kinks returns the places across the road, sorted, where pieces of its shape
// meet.
func (x *cross) kinks() []float64 {
	if x.bends != nil {
		return x.bends
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
	x.bends = parted(list)
	return x.bends
}

// add puts a vertex at t into the row, or takes one that is there already.
func (b *builder) add(r *cutRow, side, i int, t float64, before *cutRow) {
	x := &r.cross
	v := vertex{t: t, pos: x.frame.point(t, x.height(side, i, t))}
	lane := &r.lanes[side][i]
	if twin := r.twin(&v, side, i); twin != nil {
		v.index = twin.index
	} else if twin := before.same(&v); twin != nil {
		v.index = twin.index
	} else {
		v.index = uint32(len(b.mesh.Positions))
		b.mesh.Positions = append(b.mesh.Positions, v.pos)
	}
	*lane = append(*lane, v)
}

// same places are that much apart at most [m].
const same = 1e-6

// twin returns the vertex at the same place that was put in last: in the lane
// itself, in the next lane inwards, or across the middle.
func (r *cutRow) twin(v *vertex, side, i int) *vertex {
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
	if near == nil || r3.Norm(r3.Sub(near.pos, v.pos)) > same {
		return nil
	}
	return near
}

// same returns the row's vertex at v's place, or nil.
func (r *cutRow) same(v *vertex) *vertex {
	if r == nil {
		return nil
	}
	if r.byT == nil {
		for side := range r.lanes {
			r.byT = append(r.byT, slices.Concat(r.lanes[side]...)...)
		}
		slices.SortStableFunc(r.byT, func(a, b vertex) int { return cmp.Compare(a.t, b.t) })
	}
	from := sort.Search(len(r.byT), func(i int) bool { return r.byT[i].t > v.t-same })
	for i := from; i < len(r.byT) && r.byT[i].t < v.t+same; i++ {
		if r3.Norm(r3.Sub(r.byT[i].pos, v.pos)) < same {
			return &r.byT[i]
		}
	}
	return nil
}
