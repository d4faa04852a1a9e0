package mesh

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// Build makes a ground of triangles. The result is the same for any parallel. Vertices at the same
// position become one, and triangles without area are left out.
func Build(t Triangles, o Options, parallel Parallel) (*Mesh, error) {
	if err := o.Validate(); err != nil {
		return nil, fmt.Errorf("mesh: %w", err)
	}
	if err := t.check(); err != nil {
		return nil, err
	}
	b := &builder{options: o, cosCrease: math.Cos(o.Crease), parallel: parallel}
	b.weld(t.Positions)
	if b.collectTriangles(&t); len(b.corners) == 0 {
		return nil, fmt.Errorf("mesh: none of %d triangles has an area: are the vertices all on a line?", b.dropped)
	}
	b.smooth()
	refs := b.boxes()
	nodes := buildTree(refs, parallel)
	m := b.pack(refs, nodes)
	m.entryGrid = newEntryGrid(m.nodes, len(m.corners), parallel)
	if err := m.checkPiles(); err != nil {
		return nil, err
	}
	return m, nil
}

// checkPiles returns an error if very many triangles are above each other, where Touch would be too slow. It
// examines up to a thousand positions.
func (m *Mesh) checkPiles() error {
	const (
		samples = 1000 // number of positions examined
		limit   = 4096 // maximum number of triangles whose boxes are above or below one position
		maxMean = 256  // maximum mean of this number
	)
	every := max(len(m.corners)/samples, 1)
	count, sum := 0, 0
	for i := 0; i < len(m.corners); i += every {
		f := m.face(i)
		q := r3.Scale(1.0/3, r3.Add(f[0], r3.Add(f[1], f[2])))
		n := m.countAt(q, limit+1)
		if n > limit {
			p := r3.Add(m.origin, q)
			return fmt.Errorf("mesh: more than %d triangles above each other near %.1f, %.1f m: "+
				"remove duplicates and cut large faces evenly", limit, p.X, p.Y)
		}
		count, sum = count+1, sum+n
	}
	if sum > maxMean*count {
		return fmt.Errorf("mesh: %d triangles above each other on average: must be at most %d; remove duplicates",
			sum/count, maxMean)
	}
	return nil
}

// countAt returns the number of triangles in the leaves above and below q, a position relative to the origin
// [m]. It stops counting at limit.
func (m *Mesh) countAt(q r3.Vec, limit int) (count int) {
	stack := make([]uint32, 1, maxDepth)
	for len(stack) > 0 && count < limit {
		n := &m.nodes[stack[len(stack)-1]]
		stack = stack[:len(stack)-1]
		switch {
		case !n.covers(q):
		case n.count > 0:
			count += int(n.count)
		default:
			stack = append(stack, n.first, n.first+1)
		}
	}
	return count
}

// chunk is the number of elements in one piece of parallel work.
const chunk = 1 << 16

// builder is a mesh while it is being built.
type builder struct {
	options       Options
	cosCrease     float64 // cosine of the crease angle
	parallel      Parallel
	origin        r3.Vec
	positionIndex []uint32     // for each vertex of the input, its index into positions
	positions     [][3]float32 // distinct positions, relative to the origin [m]
	corners       [][3]uint32  // for each triangle, the indices of its corners into positions
	material      []uint8
	flags         []flags
	slopes        [][3][2]float32 // slopes of the surface at the triangles' corners; nil if it is not smooth
	dropped       int             // number of triangles without area
}

// weld sets the origin and the distinct positions: vertices at the same position get the same index.
func (b *builder) weld(positions []float64) {
	t := Triangles{Positions: positions}
	low, high := t.bounds()
	var mid [3]float64
	for k := range 3 {
		mid[k] = math.Round((low[k] + high[k]) / 2)
	}
	b.origin = r3.Vec{X: mid[0], Y: mid[1], Z: mid[2]}
	n := len(positions) / 3
	b.positionIndex = make([]uint32, n)
	b.positions = make([][3]float32, 0, n)
	table := newVertexTable(n)
	for i := range b.positionIndex {
		var p [3]float32
		for k := range 3 {
			p[k] = float32(positions[3*i+k]-mid[k]) + 0 // adding 0 turns -0 into 0
		}
		b.positionIndex[i] = table.indexOf(p, &b.positions)
	}
}

// vertexTable is a hash table of positions by the bits of their coordinates.
type vertexTable struct {
	slots []uint32 // index of a position plus one; 0 is empty
	shift int      // number of bits by which a hash is shifted to the right to get a slot
}

// newVertexTable returns a table for n vertices.
func newVertexTable(n int) vertexTable {
	bits := 4
	for 1<<bits < 2*n {
		bits++
	}
	return vertexTable{make([]uint32, 1<<bits), 64 - bits}
}

// indexOf returns the index of p in places, and appends p if it is new.
func (t *vertexTable) indexOf(p [3]float32, places *[][3]float32) uint32 {
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

// collectTriangles adds the triangles of t that have an area, and counts the others.
func (b *builder) collectTriangles(t *Triangles) {
	n := len(t.Indices) / 3
	b.corners = make([][3]uint32, 0, n)
	b.material = make([]uint8, 0, n)
	b.flags = make([]flags, 0, n)
	for i := range n {
		c := [3]uint32{b.positionIndex[t.Indices[3*i]], b.positionIndex[t.Indices[3*i+1]], b.positionIndex[t.Indices[3*i+2]]}
		f := b.face(c)
		out := f.normal()
		if out == (r3.Vec{}) {
			b.dropped++
			continue
		}
		var flag flags
		const level = 0.05 // minimum z of the unit normal of a face that carries a wheel
		if z := out.Z / math.Sqrt(r3.Dot(out, out)); z > level || b.options.TwoSided && z < -level {
			flag = carries
		}
		var material uint8
		if t.Materials != nil {
			material = t.Materials[i]
		}
		b.corners = append(b.corners, c)
		b.material = append(b.material, material)
		b.flags = append(b.flags, flag)
	}
	b.positionIndex = nil
}

// face returns the triangle whose corners are the positions c.
func (b *builder) face(c [3]uint32) face {
	return face{vec32(b.positions[c[0]]).vec(), vec32(b.positions[c[1]]).vec(), vec32(b.positions[c[2]]).vec()}
}

// pack returns the mesh, with triangles and vertices in the order of the hierarchy.
func (b *builder) pack(refs []ref, nodes []node) *Mesh {
	m := &Mesh{
		origin: b.origin, box: nodes[0].box, nodes: nodes, dropped: b.dropped, smooth: b.options.Smooth,
		corners: make([][3]uint32, len(refs)), material: make([]uint8, len(refs)), flags: make([]flags, len(refs)),
	}
	s := vertexSplitter{first: make([]uint32, len(b.positions))}
	s.vertices = make([]vertex, 0, len(b.positions))
	s.next = make([]uint32, 0, len(b.positions))
	for i := range refs {
		source := refs[i].id
		m.material[i], m.flags[i] = b.material[source], b.flags[source]
		for k, at := range b.corners[source] {
			v := vertex{pos: b.positions[at]}
			anySlope := b.slopes == nil || b.flags[source]&carries == 0
			if !anySlope {
				v.slope = b.slopes[source][k]
			}
			m.corners[i][k] = s.vertex(at, v, anySlope)
		}
	}
	m.vertices = append(make([]vertex, 0, len(s.vertices)), s.vertices...)
	return m
}

// vertexSplitter collects vertices: one for each distinct slope of the surface at a position.
type vertexSplitter struct {
	vertices []vertex
	next     []uint32 // for each vertex, the index plus one of the next vertex at the same position
	first    []uint32 // for each position, the index plus one of its first vertex
}

// vertex returns the index of vertex v at a position, and appends v if it is new. If anySlope is true, it
// returns any vertex at the position, whatever its slope.
func (s *vertexSplitter) vertex(place uint32, v vertex, anySlope bool) uint32 {
	for at := s.first[place]; at != 0; at = s.next[at-1] {
		if anySlope || s.vertices[at-1] == v {
			return at - 1
		}
	}
	s.vertices = append(s.vertices, v)
	s.next = append(s.next, s.first[place])
	s.first[place] = uint32(len(s.vertices))
	return s.first[place] - 1
}
