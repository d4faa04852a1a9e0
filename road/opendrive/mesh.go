package opendrive

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/spatial/r3"
	"rig.example/rig/internal/kit/printable"
)

// Options are the settings of Map.Mesh.
type Options struct {
	Chord        float64 // maximum distance of a triangle from the surface [m], 0.0001 to 1
	Step         float64 // maximum length of a triangle along the road [m], 0.1 to 1000
	MaxTriangles int     // maximum number of triangles; networks that need more are an error
	// MaxWork is the maximum number of lanes in cross sections to compute, about half a microsecond each;
	// networks that need more are an error.
	MaxWork int
	Roads   []string // ids of the roads; all roads if empty
}

// DefaultOptions returns options that keep a road smooth for a tire. Their limits are more than twenty
// times what a town of 250 roads takes; a ground of that many triangles takes half a minute and 4.5 GB to
// build.
func DefaultOptions() Options {
	return Options{Chord: 0.002, Step: 10, MaxTriangles: 10_000_000, MaxWork: 60_000_000}
}

// Surface is the material of triangles.
type Surface struct {
	// Name is the type of the lane, followed by a slash and the material if the file names one, such as
	// "driving/asphalt". It is "curb" for the vertical face between lanes of different height.
	Name      string
	Lane      string  // type of the lane
	Material  string  // name of the material in the file, or empty
	Friction  float64 // coefficient of friction, 0 if not given
	Roughness float64 // value in the file, 0 if not given
}

// Mesh is the surface of roads as triangles, anticlockwise seen from above. Lanes of a section and
// sections of a road share their vertices; roads do not.
type Mesh struct {
	Positions []r3.Vec // [m, world]
	Indices   []uint32 // three per triangle
	Surface   []uint16 // one per triangle, an index into Surfaces
	Surfaces  []Surface
}

// Mesh builds the triangles of all lanes except those of type "none".
func (m *Map) Mesh(o Options) (*Mesh, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	b := &builder{options: o, surfaceIDs: map[Surface]uint16{}}
	roads := m.Roads
	if len(o.Roads) > 0 {
		roads = nil
		for _, id := range o.Roads {
			r := m.Road(id)
			if r == nil {
				return nil, &Fault{File: m.Name, Road: printable.Excerpt(id), Text: "road not found: name one of the file"}
			}
			roads = append(roads, r)
		}
	}
	for _, r := range roads {
		if b.addRoad(r); b.fault != "" {
			return nil, &Fault{File: m.Name, Road: printable.Excerpt(r.ID), Text: b.fault}
		}
	}
	return &b.mesh, nil
}

// validate reports the first option that is out of range.
func (o Options) validate() error {
	switch {
	case !(o.Chord >= 1e-4 && o.Chord <= 1):
		return fmt.Errorf("opendrive: chord error of %g m: must be from 0.0001 to 1", o.Chord)
	case !(o.Step >= 0.1 && o.Step <= 1000):
		return fmt.Errorf("opendrive: step of %g m: must be from 0.1 to 1000", o.Step)
	case o.MaxTriangles < 1 || o.MaxTriangles > 1<<30:
		return fmt.Errorf("opendrive: at most %d triangles: must be from 1 to %d", o.MaxTriangles, 1<<30)
	case o.MaxWork < 1:
		return fmt.Errorf("opendrive: work of %d lanes: must be at least 1", o.MaxWork)
	}
	return nil
}

// builder collects triangles.
type builder struct {
	options    Options
	mesh       Mesh
	surfaceIDs map[Surface]uint16
	work       int    // number of lanes of cross sections computed so far
	fault      string // first exceeded limit, or empty
}

// addWork counts computed lanes, and records a fault if they exceed the limit.
func (b *builder) addWork(lanes int) {
	if b.work += lanes; b.work > b.options.MaxWork && b.fault == "" {
		b.fault = fmt.Sprintf("more than %d lanes of cross sections to look at for triangles within %g m of the road: "+
			"raise chord_mm, make its curves smoother, or cut the network into parts, a file each",
			b.options.MaxWork, b.options.Chord)
	}
}

// crossSection returns Road.crossSection and counts its work.
func (b *builder) crossSection(r *Road, sec *Section, s float64) crossSection {
	x := r.crossSection(sec, s)
	b.addWork(1 + len(sec.Left) + len(sec.Right))
	return x
}

// isFull reports whether a limit is exceeded, and records that as a fault.
func (b *builder) isFull() bool {
	if b.fault == "" && max(len(b.mesh.Surface), len(b.mesh.Positions)) > b.options.MaxTriangles {
		b.fault = fmt.Sprintf("more than %d triangles within %g m of the road: "+
			"raise chord_mm, or cut the network into parts, a file each",
			b.options.MaxTriangles, b.options.Chord)
	}
	return b.fault != ""
}

// addRoad adds the triangles of a road.
func (b *builder) addRoad(r *Road) {
	var previous *vertexRow
	for i := range r.Sections {
		sec := &r.Sections[i]
		stripCounts := b.stripCounts(r, sec)
		stations := b.stations(r, sec)
		rows := len(stations)
		for k, s := range stations {
			if b.isFull() {
				return
			}
			x := b.crossSection(r, sec, s)
			var current *vertexRow
			switch {
			case k == 0 && previous != nil:
				current = b.row(&x, stripCounts, previous.jointPositions, previous)
			case k == rows-1 && i+1 < len(r.Sections):
				next := &r.Sections[i+1]
				nextCross := b.crossSection(r, next, s)
				current = b.row(&x, stripCounts, mergePositions(x.allPositions(stripCounts), nextCross.allPositions(b.stripCounts(r, next))), nil)
			default:
				current = b.row(&x, stripCounts, nil, nil)
			}
			if k > 0 {
				b.joinRows(previous, current, (stations[k-1]+s)/2)
			}
			previous = current
		}
	}
}

// laneSurfaceID returns the index of a lane's surface at s.
func (b *builder) laneSurfaceID(l *Lane, s float64) uint16 {
	m := l.Material(s)
	kind := Surface{Name: l.Type, Lane: l.Type, Material: m.Surface, Friction: m.Friction, Roughness: m.Roughness}
	if m.Surface != "" {
		kind.Name += "/" + m.Surface
	}
	return b.surfaceID(kind)
}

// surfaceID returns the index of a surface, and appends it if it is new.
func (b *builder) surfaceID(kind Surface) uint16 {
	id, known := b.surfaceIDs[kind]
	if !known {
		if len(b.mesh.Surfaces) > math.MaxUint16 {
			b.fault = "more than 65536 kinds of surface: use fewer materials"
			return 0
		}
		id = uint16(len(b.mesh.Surfaces))
		b.surfaceIDs[kind] = id
		b.mesh.Surfaces = append(b.mesh.Surfaces, kind)
	}
	return id
}

// Material returns the lane's material at s along the road.
func (l *Lane) Material(s float64) Material {
	i := sort.Search(len(l.Materials), func(i int) bool { return l.Materials[i].Offset > s-l.start }) - 1
	if i < 0 {
		return Material{}
	}
	return l.Materials[i]
}

// triangle adds a triangle unless two of its corners are the same vertex.
func (b *builder) triangle(p, q, r uint32, kind uint16) {
	if p == q || q == r || r == p {
		return
	}
	b.mesh.Indices = append(b.mesh.Indices, p, q, r)
	b.mesh.Surface = append(b.mesh.Surface, kind)
}

// joinRows adds the triangles between two rows. s is the station half way between them, which selects the
// material.
func (b *builder) joinRows(from, to *vertexRow, s float64) {
	for side := range from.lanes {
		for i := range from.lanes[side] {
			p, q := from.lanes[side][i], to.lanes[side][i]
			lane := from.cross.sides[side][i].lane
			if len(p) == 0 || len(q) == 0 {
				continue
			}
			b.joinLane(p, q, b.laneSurfaceID(lane, s), side)
			inner := b.innerNeighbours(from, to, side, i)
			if inner[0] != nil {
				b.closeStep(inner[0], inner[1], &p[0], &q[0], side)
			}
		}
	}
}

// innerNeighbours returns the vertices of both rows on the other side of a lane's inner edge, or nil.
func (b *builder) innerNeighbours(from, to *vertexRow, side, i int) [2]*vertex {
	switch {
	case i > 0 && len(from.lanes[side][i-1]) > 0:
		p, q := from.lanes[side][i-1], to.lanes[side][i-1]
		return [2]*vertex{&p[len(p)-1], &q[len(q)-1]}
	case i == 0 && side == right && len(from.lanes[left]) > 0 && len(from.lanes[left][0]) > 0:
		return [2]*vertex{&from.lanes[left][0][0], &to.lanes[left][0][0]}
	}
	return [2]*vertex{}
}

// joinLane fills the strip between two rows of one lane, from its inner edge outwards. Vertices at the same t
// are joined, so that kinks across the road run along it.
func (b *builder) joinLane(p, q []vertex, kind uint16, side int) {
	i, j := 0, 0
	for i+1 < len(p) || j+1 < len(q) {
		var t [3]uint32
		if j+1 == len(q) || i+1 < len(p) && outwardSign[side]*(p[i+1].t-q[j+1].t) <= 0 {
			t = [3]uint32{p[i].index, q[j].index, p[i+1].index}
			i++
		} else {
			t = [3]uint32{p[i].index, q[j].index, q[j+1].index}
			j++
		}
		if side == right {
			t[1], t[2] = t[2], t[1] // up is (along s) × (towards greater t)
		}
		b.triangle(t[0], t[1], t[2], kind)
	}
}

// closeStep adds the vertical face between two lanes of different height, with in0 and in1 on the inner
// lane; it faces away from the higher lane.
func (b *builder) closeStep(in0, in1, out0, out1 *vertex, side int) {
	if in0.index == out0.index && in1.index == out1.index {
		return
	}
	kind := b.surfaceID(Surface{Name: "curb", Lane: "curb"})
	if side == right {
		b.triangle(in0.index, out0.index, in1.index, kind)
		b.triangle(out0.index, out1.index, in1.index, kind)
		return
	}
	b.triangle(in0.index, in1.index, out0.index, kind)
	b.triangle(out0.index, in1.index, out1.index, kind)
}

// mergePositions returns the positions t of the vertices at the joint of two sections: those of the section
// before and of the section after, without positions of the latter that are too close to one of the former.
func mergePositions(before, after []float64) []float64 {
	before, after = sortedApart(before), sortedApart(after)
	after = slices.DeleteFunc(after, func(t float64) bool {
		_, found := nearest(before, t, minSpacing)
		return found
	})
	out := slices.Concat(before, after)
	slices.Sort(out)
	return out
}

// sortedApart returns a list in ascending order, without values that are too close to the one before.
func sortedApart(list []float64) []float64 {
	out := slices.Clone(list)
	slices.Sort(out)
	return slices.CompactFunc(out, func(p, q float64) bool { return math.Abs(p-q) < minSpacing })
}

// nearest returns the value of a sorted list nearest to t, if it is closer than near.
func nearest(list []float64, t, near float64) (float64, bool) {
	at, _ := slices.BinarySearch(list, t)
	best, found := t, false
	for i := max(at-1, 0); i < min(at+1, len(list)); i++ {
		if d := math.Abs(list[i] - t); d < near {
			best, near, found = list[i], d, true
		}
	}
	return best, found
}
