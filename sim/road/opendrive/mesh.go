package opendrive

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/spatial/r3"
)

// Options say how roads become triangles.
type Options struct {
	Chord        float64  // most that a triangle may lie beside the surface [m], 0.0001 to 1
	Step         float64  // longest triangle along the road [m], 0.1 to 1000
	MaxTriangles int      // a network with more is refused
	MaxWork      int      // lanes of cross sections to look at, about half a microsecond each; a network that needs more is refused
	Roads        []string // ids; all of them if empty
}

// DefaultOptions keep a road smooth for a tire. Their limits are more than twenty times what
// a town of 250 roads takes; a ground of so many triangles takes half a minute and 4.5 GB to build.
func DefaultOptions() Options {
	return Options{Chord: 0.002, Step: 10, MaxTriangles: 10_000_000, MaxWork: 60_000_000}
}

// Surface is what triangles are made of.
type Surface struct {
	Name      string  // lane type, and the material after a slash if the file names one: "driving/asphalt"; "curb" for the face between lanes of different height
	Lane      string  // type of the lane
	Material  string  // as the file names it, or empty
	Friction  float64 // coefficient, 0 if not given
	Roughness float64 // as the file has it, 0 if not given
}

// Mesh is the surface of roads as triangles, anticlockwise seen from above.
// Lanes of a section, sections of a road share their vertices; roads do not.
type Mesh struct {
	Positions []r3.Vec // [m, world]
	Indices   []uint32 // three a triangle
	Surface   []uint16 // one a triangle, an index into Surfaces
	Surfaces  []Surface
}

// Mesh builds the triangles of all lanes but those of type "none".
func (m *Map) Mesh(o Options) (*Mesh, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	b := &builder{options: o, kinds: map[Surface]uint16{}}
	roads := m.Roads
	if len(o.Roads) > 0 {
		roads = nil
		for _, id := range o.Roads {
			r := m.Road(id)
			if r == nil {
				return nil, &Fault{File: m.Name, Road: clip(id), Text: "no such road: name one that the file has"}
			}
			roads = append(roads, r)
		}
	}
	for _, r := range roads {
		if b.road(r); b.fault != "" {
			return nil, &Fault{File: m.Name, Road: clip(r.ID), Text: b.fault}
		}
	}
	return &b.mesh, nil
}

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
	options Options
	mesh    Mesh
	kinds   map[Surface]uint16
	work    int // lanes of cross sections that were looked at
	fault   string
}

// spend counts work, and gives up beyond its limit.
func (b *builder) spend(lanes int) {
	if b.work += lanes; b.work > b.options.MaxWork && b.fault == "" {
		b.fault = fmt.Sprintf("more than %d lanes of cross sections to look at for triangles within %g m of the road: raise chord_mm, make its curves smoother, or cut the network into parts, a file each",
			b.options.MaxWork, b.options.Chord)
	}
}

// cut cuts a road as its cross does.
func (b *builder) cut(r *Road, sec *Section, s float64) cross {
	x := r.cross(sec, s)
	b.spend(1 + len(sec.Left) + len(sec.Right))
	return x
}

// full reports whether to give up.
func (b *builder) full() bool {
	if b.fault == "" && (len(b.mesh.Surface) > b.options.MaxTriangles || len(b.mesh.Positions) > b.options.MaxTriangles) {
		b.fault = fmt.Sprintf("more than %d triangles within %g m of the road: raise chord_mm, or cut the network into parts, a file each",
			b.options.MaxTriangles, b.options.Chord)
	}
	return b.fault != ""
}

func (b *builder) road(r *Road) {
	var last *cutRow
	for i := range r.Sections {
		sec := &r.Sections[i]
		strips := b.strips(r, sec)
		stations := b.stations(r, sec)
		rows := len(stations)
		for k, s := range stations {
			if b.full() {
				return
			}
			x := b.cut(r, sec, s)
			var now *cutRow
			switch {
			case k == 0 && last != nil:
				now = b.row(&x, strips, last.cuts, last)
			case k == rows-1 && i+1 < len(r.Sections):
				next := &r.Sections[i+1]
				y := b.cut(r, next, s)
				now = b.row(&x, strips, cuts(x.stops(strips), y.stops(b.strips(r, next))), nil)
			default:
				now = b.row(&x, strips, nil, nil)
			}
			if k > 0 {
				b.between(last, now, (stations[k-1]+s)/2)
			}
			last = now
		}
	}
}

// surface returns the number of a lane's surface at s.
func (b *builder) surface(l *Lane, s float64) uint16 {
	m := l.Material(s)
	kind := Surface{Name: l.Type, Lane: l.Type, Material: m.Surface, Friction: m.Friction, Roughness: m.Roughness}
	if m.Surface != "" {
		kind.Name += "/" + m.Surface
	}
	return b.kind(kind)
}

func (b *builder) kind(kind Surface) uint16 {
	id, known := b.kinds[kind]
	if !known {
		if len(b.mesh.Surfaces) > math.MaxUint16 {
			b.fault = "more than 65536 kinds of surface: use fewer materials"
			return 0
		}
		id = uint16(len(b.mesh.Surfaces))
		b.kinds[kind] = id
		b.mesh.Surfaces = append(b.mesh.Surfaces, kind)
	}
	return id
}

// Material returns what the lane is made of at s along the road.
func (l *Lane) Material(s float64) Material {
	i := sort.Search(len(l.Materials), func(i int) bool { return l.Materials[i].Offset > s-l.start }) - 1
	if i < 0 {
		return Material{}
	}
	return l.Materials[i]
}

// triangle adds one unless two of its corners are the same.
func (b *builder) triangle(p, q, r uint32, kind uint16) {
	if p == q || q == r || r == p {
		return
	}
	b.mesh.Indices = append(b.mesh.Indices, p, q, r)
	b.mesh.Surface = append(b.mesh.Surface, kind)
}

// between joins two rows; s lies half way.
func (b *builder) between(a, z *cutRow, s float64) {
	for side := range a.lanes {
		for i := range a.lanes[side] {
			p, q := a.lanes[side][i], z.lanes[side][i]
			lane := a.cross.side[side][i].lane
			if len(p) == 0 || len(q) == 0 {
				continue
			}
			b.zip(p, q, b.surface(lane, s), side)
			inner := b.neighbours(a, z, side, i)
			if inner[0] != nil {
				b.face(inner[0], inner[1], &p[0], &q[0], side)
			}
		}
	}
}

// neighbours returns the vertices of both rows on the other side of a lane's
// inner edge, or nil.
func (b *builder) neighbours(a, z *cutRow, side, i int) [2]*vertex {
	switch {
	case i > 0 && len(a.lanes[side][i-1]) > 0:
		p, q := a.lanes[side][i-1], z.lanes[side][i-1]
		return [2]*vertex{&p[len(p)-1], &q[len(q)-1]}
	case i == 0 && side == right && len(a.lanes[left]) > 0 && len(a.lanes[left][0]) > 0:
		return [2]*vertex{&a.lanes[left][0][0], &z.lanes[left][0][0]}
	}
	return [2]*vertex{}
}

// zip fills the strip between two rows of one lane, from its inner edge
// outwards. What lies at the same t is joined:
// kinks of the shape across run along the road.
func (b *builder) zip(p, q []vertex, kind uint16, side int) {
	i, j := 0, 0
	for i+1 < len(p) || j+1 < len(q) {
		var t [3]uint32
		if j+1 == len(q) || i+1 < len(p) && outwards[side]*(p[i+1].t-q[j+1].t) <= 0 {
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

// face closes the step between two lanes, whose vertices are in at the inner
// one; it looks away from the higher one.
func (b *builder) face(in0, in1, out0, out1 *vertex, side int) {
	if in0.index == out0.index && in1.index == out1.index {
		return
	}
	kind := b.kind(Surface{Name: "curb", Lane: "curb"})
	if side == right {
		b.triangle(in0.index, out0.index, in1.index, kind)
		b.triangle(out0.index, out1.index, in1.index, kind)
		return
	}
	b.triangle(in0.index, in1.index, out0.index, kind)
	b.triangle(out0.index, in1.index, out1.index, kind)
}

// cuts merges where two sections' vertices lie at their joint, those of a first; what is too
// near becomes one.
func cuts(a, z []float64) []float64 {
	a, z = parted(a), parted(z)
	z = slices.DeleteFunc(z, func(t float64) bool {
		_, found := nearest(a, t, apart)
		return found
	})
	out := slices.Concat(a, z)
	slices.Sort(out)
	return out
}

// parted returns a list in rising order without what is too near.
func parted(list []float64) []float64 {
	out := slices.Clone(list)
	slices.Sort(out)
	return slices.CompactFunc(out, func(p, q float64) bool { return math.Abs(p-q) < apart })
}

// nearest returns the entry of a sorted list next to t, if it is nearer than
// that.
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
