package scene

import "github.com/go-gl/mathgl/mgl32"

// paint is the color and gloss of a surface.
type paint struct {
	color mgl32.Vec3 // sRGB, 0..1
	gloss float32    // 0 is matt, 1 mirrors the sky
}

// Vertex is one corner of a solid surface, laid out as the vertex shader reads it: three float32 of position, three
// of normal and four of paint.
type Vertex struct {
	pos    mgl32.Vec3 // [m]
	normal mgl32.Vec3 // outward, unit length
	paint
}

// Mesh is a surface of triangles that are counter-clockwise when seen from outside.
type Mesh struct {
	Vertices []Vertex
	Indices  []uint32
}

// add appends a vertex and returns its index.
func (m *Mesh) add(pos, normal mgl32.Vec3, p paint) uint32 {
	m.Vertices = append(m.Vertices, Vertex{pos, normal, p})
	return uint32(len(m.Vertices) - 1)
}

// quad adds a flat face with corners a, b, c, d, counter-clockwise seen from outside.
func (m *Mesh) quad(a, b, c, d mgl32.Vec3, p paint) {
	n := unit(c.Sub(a).Cross(d.Sub(b)))
	i := m.add(a, n, p)
	m.add(b, n, p)
	m.add(c, n, p)
	m.add(d, n, p)
	m.Indices = append(m.Indices, i, i+1, i+2, i, i+2, i+3)
}

// grid adds a smooth surface through rows of points. All rows must have the same length.
//
// The outside is on the side of (direction along a row) × (direction to the next row).
func (m *Mesh) grid(rows [][]mgl32.Vec3, p paint) {
	w := len(rows[0])
	base := uint32(len(m.Vertices))
	for i, row := range rows {
		for j := range row {
			m.add(row[j], gridNormal(rows, i, j), p)
		}
	}
	for i := range len(rows) - 1 {
		for j := range w - 1 {
			a := base + uint32(i*w+j)
			b, c, d := a+1, a+uint32(w)+1, a+uint32(w)
			m.Indices = append(m.Indices, a, b, c, a, c, d)
		}
	}
}

// gridNormal returns the unit normal at a grid point from central differences.
func gridNormal(rows [][]mgl32.Vec3, i, j int) mgl32.Vec3 {
	along := rows[i][min(j+1, len(rows[i])-1)].Sub(rows[i][max(j-1, 0)])
	across := rows[min(i+1, len(rows)-1)][j].Sub(rows[max(i-1, 0)][j])
	return unit(along.Cross(across))
}

// box adds an axis-aligned box around center; half holds half its size along x, y and z.
func (m *Mesh) box(center, half mgl32.Vec3, p paint) {
	m.slantedBox(center, mgl32.Vec3{half[0], 0, 0}, mgl32.Vec3{0, half[1], 0}, mgl32.Vec3{0, 0, half[2]}, p)
}

// slantedBox adds a box around center; u, v and w are its half axes, right-handed.
func (m *Mesh) slantedBox(center, u, v, w mgl32.Vec3, p paint) {
	axes := [3]mgl32.Vec3{u, v, w}
	for i := range axes {
		a, b, c := axes[i], axes[(i+1)%3], axes[(i+2)%3]
		for _, side := range [2]float32{1, -1} {
			o, e := center.Add(a.Mul(side)), b.Mul(side)
			m.quad(o.Sub(e).Sub(c), o.Add(e).Sub(c), o.Add(e).Add(c), o.Sub(e).Add(c), p)
		}
	}
}

// beam adds a bar of square section from a to b; half is half its thickness [m].
func (m *Mesh) beam(a, b mgl32.Vec3, half float32, p paint) {
	along := b.Sub(a).Mul(0.5)
	side := unit(along.Cross(mgl32.Vec3{0, 0, 1}))
	if along[0] == 0 && along[1] == 0 {
		side = mgl32.Vec3{0, 1, 0}
	}
	up := unit(along).Cross(side)
	m.slantedBox(a.Add(along), along, side.Mul(half), up.Mul(half), p)
}

// join adds all triangles of o.
func (m *Mesh) join(o *Mesh) {
	base := uint32(len(m.Vertices))
	m.Vertices = append(m.Vertices, o.Vertices...)
	for _, i := range o.Indices {
		m.Indices = append(m.Indices, base+i)
	}
}

// mirrored returns m reflected from left to right, with its faces turned outward again.
func (m *Mesh) mirrored() *Mesh {
	r := &Mesh{}
	for _, v := range m.Vertices {
		v.pos[1], v.normal[1] = -v.pos[1], -v.normal[1]
		r.Vertices = append(r.Vertices, v)
	}
	for i := 0; i < len(m.Indices); i += 3 {
		r.Indices = append(r.Indices, m.Indices[i], m.Indices[i+2], m.Indices[i+1])
	}
	return r
}

// unit returns v scaled to length 1, or (0, 0, 1) if v is zero.
func unit(v mgl32.Vec3) mgl32.Vec3 {
	if l := v.Len(); l > 1e-9 {
		return v.Mul(1 / l)
	}
	return mgl32.Vec3{0, 0, 1}
}
