package mesh

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// Build makes a ground of triangles. The result is the same for any parallel.
//
// Vertices at one place become one, and triangles without area are left out.
func Build(t Triangles, o Options, parallel Parallel) (*Mesh, error) {
	if err := o.Validate(); err != nil {
		return nil, fmt.Errorf("mesh: %w", err)
	}
	if err := t.check(); err != nil {
		return nil, err
	}
	b := &builder{options: o, blunt: math.Cos(o.Crease), parallel: parallel}
	b.weld(t.Positions)
	if b.gather(&t); len(b.corners) == 0 {
		return nil, fmt.Errorf("mesh: none of %d triangles has an area: are the vertices all on a line?", b.dropped)
	}
	b.smoothen()
	refs := b.refs()
	nodes := hierarchy(refs, parallel)
	m := b.pack(refs, nodes)
	m.entries = newGrid(m.nodes, len(m.corners), parallel)
	if err := m.piled(); err != nil {
		return nil, err
	}
	return m, nil
}

// piled refuses a mesh in which a look down would meet very many triangles: each tick has
// many of them. It looks at up to a thousand places.
func (m *Mesh) piled() error {
	const places, most, mean = 1000, 4096, 256 // triangles whose boxes are above or below one place
	every := max(len(m.corners)/places, 1)
	looks, sum := 0, 0
	for i := 0; i < len(m.corners); i += every {
		f := m.face(i)
		q := r3.Scale(1.0/3, r3.Add(f[0], r3.Add(f[1], f[2])))
		n := m.pile(q, most+1)
		if n > most {
			p := r3.Add(m.origin, q)
			return fmt.Errorf("mesh: more than %d triangles above each other near %.1f, %.1f m: leave out those that are there twice, and cut large faces evenly", most, p.X, p.Y)
		}
		looks, sum = looks+1, sum+n
	}
	if sum > mean*looks {
		return fmt.Errorf("mesh: %d triangles above each other on average: at most %d are possible; leave out those that are there twice", sum/looks, mean)
	}
	return nil
}

// pile counts the triangles in leaves above and below a place, up to a most.
func (m *Mesh) pile(q r3.Vec, most int) (count int) {
	stack := make([]uint32, 1, deepest)
	for len(stack) > 0 && count < most {
		n := &m.nodes[stack[len(stack)-1]]
		stack = stack[:len(stack)-1]
		switch {
		case !n.over(q):
		case n.count > 0:
			count += int(n.count)
		default:
			stack = append(stack, n.first, n.first+1)
		}
	}
	return count
}

// chunk is how many elements are worth a piece of parallel work.
const chunk = 1 << 16

// builder is a mesh in the making.
type builder struct {
	options  Options
	blunt    float64 // cosine of the crease angle
	parallel Parallel
	origin   r3.Vec
	welded   []uint32     // the place of each vertex
	places   [][3]float32 // [m, from the origin]
	corners  [][3]uint32  // places of each triangle
	material []uint8
	flags    []flags
	slopes   [][3][2]float32 // of the surface at the corners; nil if it is not smooth
	dropped  int
}

// weld finds the vertices that are at one place.
func (b *builder) weld(positions []float64) {
	t := Triangles{Positions: positions}
	low, high := t.bounds()
	var mid [3]float64
	for k := range 3 {
		mid[k] = math.Round((low[k] + high[k]) / 2)
	}
	b.origin = r3.Vec{X: mid[0], Y: mid[1], Z: mid[2]}
	n := len(positions) / 3
	b.welded = make([]uint32, n)
	b.places = make([][3]float32, 0, n)
	table := newTable(n)
	for i := range b.welded {
		var p [3]float32
		for k := range 3 {
			p[k] = float32(positions[3*i+k]-mid[k]) + 0 // no negative zero
		}
		b.welded[i] = table.place(p, &b.places)
	}
}

// table finds places by their bits.
type table struct {
	slots []uint32 // one more than the index, or 0
	shift int
}

func newTable(n int) table {
	bits := 4
	for 1<<bits < 2*n {
		bits++
	}
	return table{make([]uint32, 1<<bits), 64 - bits}
}

func (t *table) place(p [3]float32, places *[][3]float32) uint32 {
	const odd = 0x9E3779B97F4A7C15
	h := uint64(math.Float32bits(p[0]))
	h = (h ^ h>>29) * odd
	h = (h ^ h>>32 ^ uint64(math.Float32bits(p[1]))) * odd
	h = (h ^ h>>32 ^ uint64(math.Float32bits(p[2]))) * odd
	mask := uint64(len(t.slots) - 1)
	for i := (h ^ h>>31) * odd >> t.shift; ; i = (i + 1) & mask {
		switch at := t.slots[i]; {
		case at == 0:
			*places = append(*places, p)
			t.slots[i] = uint32(len(*places))
			return t.slots[i] - 1
		case (*places)[at-1] == p:
			return at - 1
		}
	}
}

// gather takes the triangles that have an area.
func (b *builder) gather(t *Triangles) {
	n := len(t.Indices) / 3
	b.corners = make([][3]uint32, 0, n)
	b.material = make([]uint8, 0, n)
	b.flags = make([]flags, 0, n)
	for i := range n {
		c := [3]uint32{b.welded[t.Indices[3*i]], b.welded[t.Indices[3*i+1]], b.welded[t.Indices[3*i+2]]}
		f := b.face(c)
		out := f.normal()
		if out == (r3.Vec{}) {
			b.dropped++
			continue
		}
		var flag flags
		const level = 0.05 // of the normal along z, least of what carries
		if z := out.Z / math.Sqrt(r3.Dot(out, out)); z > level || b.options.TwoSided && z < -level {
			flag = up
		}
		var material uint8
		if t.Materials != nil {
			material = t.Materials[i]
		}
		b.corners = append(b.corners, c)
		b.material = append(b.material, material)
		b.flags = append(b.flags, flag)
	}
	b.welded = nil
}

func (b *builder) face(c [3]uint32) face {
	return face{triple(b.places[c[0]]).vec(), triple(b.places[c[1]]).vec(), triple(b.places[c[2]]).vec()}
}

// pack puts triangles and vertices in the order of the hierarchy.
func (b *builder) pack(refs []ref, nodes []node) *Mesh {
	m := &Mesh{
		origin: b.origin, box: nodes[0].box, nodes: nodes, dropped: b.dropped, smooth: b.options.Smooth,
		corners: make([][3]uint32, len(refs)), material: make([]uint8, len(refs)), flags: make([]flags, len(refs)),
	}
	s := splitter{first: make([]uint32, len(b.places))}
	s.vertices = make([]vertex, 0, len(b.places))
	s.next = make([]uint32, 0, len(b.places))
	for i := range refs {
		from := refs[i].id
		m.material[i], m.flags[i] = b.material[from], b.flags[from]
		for k, at := range b.corners[from] {
			v := vertex{pos: b.places[at]}
			any := b.slopes == nil || b.flags[from]&up == 0
			if !any {
				v.slope = b.slopes[from][k]
			}
			m.corners[i][k] = s.vertex(at, v, any)
		}
	}
	m.vertices = append(make([]vertex, 0, len(s.vertices)), s.vertices...)
	return m
}

// splitter makes a vertex for each slope that the surface has at a place.
type splitter struct {
	vertices []vertex
	next     []uint32 // vertex at the same place, one more than its index
	first    []uint32 // of a place, likewise
}

func (s *splitter) vertex(place uint32, v vertex, any bool) uint32 {
	for at := s.first[place]; at != 0; at = s.next[at-1] {
		if any || s.vertices[at-1] == v {
			return at - 1
		}
	}
	s.vertices = append(s.vertices, v)
	s.next = append(s.next, s.first[place])
	s.first[place] = uint32(len(s.vertices))
	return s.first[place] - 1
}
