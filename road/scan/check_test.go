package scan

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/test/near"
)

// sheet is a ground of nx times ny squares of a metre, two triangles each.
func sheet(nx, ny int, z func(x, y int) float64) *Scene {
	s := &Scene{Names: []string{"tarmac", "grass"}}
	for y := range ny + 1 {
		for x := range nx + 1 {
			s.Positions = append(s.Positions, float64(x), float64(y), z(x, y))
		}
	}
	for y := range ny {
		for x := range nx {
			a := uint32(y*(nx+1) + x)
			b, c, d := a+1, a+uint32(nx)+2, a+uint32(nx)+1
			s.put(a, b, c)
			s.put(a, c, d)
		}
	}
	return s
}

func (s *Scene) put(a, b, c uint32) {
	s.Indices = append(s.Indices, a, b, c)
	s.Materials = append(s.Materials, 0)
}

// vertex adds one.
func (s *Scene) vertex(x, y, z float64) uint32 {
	s.Positions = append(s.Positions, x, y, z)
	return uint32(len(s.Positions)/3 - 1)
}

// wall adds a quadrangle on two points and those at a height above them, its front to
// the right of the way.
func (s *Scene) wall(x0, y0, x1, y1, low, high float64) {
	a, b := s.vertex(x0, y0, low), s.vertex(x1, y1, low)
	c, d := s.vertex(x1, y1, high), s.vertex(x0, y0, high)
	s.put(a, b, c)
	s.put(a, c, d)
}

// drop leaves triangles out.
func (s *Scene) drop(first, count int) {
	s.Indices = append(s.Indices[:3*first], s.Indices[3*(first+count):]...)
	s.Materials = append(s.Materials[:first], s.Materials[first+count:]...)
}

// turn turns a triangle over.
func (s *Scene) turn(i int) {
	s.Indices[3*i], s.Indices[3*i+1] = s.Indices[3*i+1], s.Indices[3*i]
}

func flat(int, int) float64 { return 0 }

// ringRoad is a closed road of radius 20 m and width 8 m.
func ringRoad() *Scene {
	s := &Scene{Names: []string{"tarmac"}}
	const n = 64
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / n)
		s.vertex(16*cos, 16*sin, 0)
		s.vertex(24*cos, 24*sin, 0.5)
	}
	for i := range uint32(n) {
		a, b := 2*i, (2*i+2)%(2*n)
		s.put(a, a+1, b+1)
		s.put(a, b+1, b)
	}
	return s
}

// A mesh made for driving has no fault: level, hilly, closed to a ring, of parts
// that are apart, with a wall of one side.
func TestCheckFindsNothing(t *testing.T) {
	crest := func(x, y int) float64 { return -float64((x-10)*(x-10)) / 200 }
	dome := func(x, y int) float64 { return -float64((x-10)*(x-10)+(y-5)*(y-5)) / 100 }
	banked := func(x, y int) float64 { return float64(x)/7 - float64(y)/3 }
	walled := sheet(20, 10, flat)
	walled.wall(20, -0.5, 0, -0.5, -1, 2)
	bridge := sheet(20, 10, flat)
	bridge.wall(0, 4, 20, 4, 5, 5.0000001)
	bridge.drop(400, 2)
	for _, y := range []float64{3, 7} {
		bridge.vertex(0, y, 5)
		bridge.vertex(20, y, 5)
	}
	top := uint32(len(bridge.Positions)/3 - 4)
	bridge.put(top, top+1, top+3)
	bridge.put(top, top+3, top+2)
	tests := []struct {
		name string
		s    *Scene
	}{
		{"level", sheet(20, 10, flat)}, {"crest", sheet(20, 10, crest)}, {"dome", sheet(20, 10, dome)},
		{"banked", sheet(20, 10, banked)}, {"a ridge along it", sheet(20, 10, func(_, y int) float64 { return map[bool]float64{true: 0.08}[y == 5] })}, {"ring", ringRoad()}, {"wall", walled}, {"bridge", bridge},
		{"wall of small faces", one(func(s *Scene) {
			for i := range 100 {
				x, z := 0.1*float64(i%10), 0.1*float64(i/10)
				s.wall(3+x, 3.5, 3.1+x, 3.5, z, z+0.1)
			}
		})},
		{"one triangle", &Scene{Positions: []float64{0, 0, 0, 1, 0, 0, 0, 1, 0}, Indices: []uint32{0, 1, 2}}},
		{"nothing", &Scene{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if r := Check(tt.s, DefaultLimits()); len(r.Findings) != 0 {
				t.Errorf("findings %+v", r.Findings)
			}
		})
	}
}

// one is a level sheet with a change.
func one(change func(s *Scene)) *Scene {
	s := sheet(20, 10, flat)
	change(s)
	return s
}

// faultTest is a mesh with faults of one kind.
type faultTest struct {
	name  string
	s     *Scene
	kind  Kind
	count int
	place Place // the first; empty if it does not matter
}

func (tt faultTest) run(t *testing.T) {
	r := Check(tt.s, DefaultLimits())
	if len(r.Findings) != 1 || r.Count(tt.kind) != tt.count {
		t.Fatalf("findings %+v, want %d %s", r.Findings, tt.count, tt.kind)
	}
	f := r.Findings[0]
	if f.Capped || f.Remedy == "" || len(f.Places) != min(tt.count, 5) {
		t.Errorf("finding %+v", f)
	}
	if tt.place == (Place{}) {
		return
	}
	got, want := f.Places[0], tt.place
	if r3.Norm(r3.Sub(got.Position, want.Position)) > 1e-9 || math.Abs(got.Size-want.Size) > 1e-9 ||
		got.Triangle != want.Triangle || got.Material != want.Material {
		t.Errorf("place %+v, want %+v", got, want)
	}
}

// Each fault is found where it is, and nothing else with it.
func TestCheckFindsFaults(t *testing.T) {
	tests := []faultTest{
		{"triangle missing", one(func(s *Scene) { s.drop(150, 1) }), Hole, 1,
			Place{Position: r3.Vec{X: 15 + 2.0/3, Y: 3 + 1.0/3}, Size: 2 + math.Sqrt2, Triangle: 150}},
		{"face turned over", one(func(s *Scene) { s.turn(150) }), Flipped, 1,
			Place{Triangle: 150, Position: r3.Vec{X: 15 + 2.0/3, Y: 3 + 1.0/3}}},
		{"all turned over", one(func(s *Scene) {
			for i := range s.Materials {
				s.turn(i)
			}
		}), Flipped, 400, Place{Triangle: 0, Position: r3.Vec{X: 2.0 / 3, Y: 1.0 / 3}}},
		{"same face again", one(func(s *Scene) {
			s.Materials[150] = 1
			s.put(s.Indices[451], s.Indices[452], s.Indices[450])
			s.Materials[400] = 1
		}), Duplicate, 1,
			Place{Triangle: 400, Position: r3.Vec{X: 15 + 2.0/3, Y: 3 + 1.0/3}, Material: 1}},
		{"same face turned over", one(func(s *Scene) { s.put(s.Indices[451], s.Indices[450], s.Indices[452]) }), Thin, 1,
			Place{Triangle: 400, Position: r3.Vec{X: 15 + 2.0/3, Y: 3 + 1.0/3}}},
		{"no area", one(func(s *Scene) { s.put(0, 1, 1) }), Degenerate, 1, Place{Triangle: 400, Position: r3.Vec{X: 2.0 / 3}}},
		{"in a row", one(func(s *Scene) { s.put(1, 2, 3) }), Degenerate, 1, Place{Triangle: 400, Position: r3.Vec{X: 2}}},
		{"no vertex", one(func(s *Scene) { s.put(1, 2, 9999) }), Broken, 1, Place{Triangle: 400}},
		{"NaN", one(func(s *Scene) { s.put(1, 2, s.vertex(math.NaN(), 0, 0)) }), Broken, 1, Place{Triangle: 400}},
	}
	for _, tt := range tests {
		t.Run(tt.name, tt.run)
	}
}

func TestCheckFindsShapes(t *testing.T) {
	raised := func(h float64) *Scene {
		return one(func(s *Scene) { s.Positions[3*(5*21+7)+2] = h })
	}
	tests := []faultTest{
		{"bump", raised(0.1), Bump, 1, Place{Triangle: 172, Position: r3.Vec{X: 7, Y: 5, Z: 0.1}, Size: 0.1}},
		{"dent", raised(-0.1), Dent, 1, Place{Triangle: 172, Position: r3.Vec{X: 7, Y: 5, Z: -0.1}, Size: 0.1}},
		{"bump of four", one(func(s *Scene) {
			for _, v := range [...]int{5*21 + 7, 5*21 + 8, 6*21 + 7, 6*21 + 8} {
				s.Positions[3*v+2] = 0.3
			}
		}), Bump, 1, Place{}},
		{"low block", one(func(s *Scene) { s.wall(3.5, 3.5, 5.5, 3.5, -0.1, 0.1) }), Step, 2, Place{}},
		{"low block along a slope", one(func(s *Scene) {
			a, b := s.vertex(3.5, 3.5, -0.1), s.vertex(13.5, 3.5, 0.9)
			c, d := s.vertex(13.5, 3.5, 1), s.vertex(3.5, 3.5, 0)
			s.put(a, b, c)
			s.put(a, c, d)
		}), Step, 2, Place{Triangle: 400, Position: r3.Vec{X: 30.5 / 3, Y: 3.5, Z: 0.6}, Size: 0.1}},
		{"thin wall", one(func(s *Scene) {
			s.wall(3, 4.03, 6, 4.03, -0.5, 1)
			s.wall(6, 4.08, 3, 4.08, -0.5, 1)
		}), Thin, 4, Place{Triangle: 400, Position: r3.Vec{X: 5, Y: 4.03}, Size: 0.05}},
		{"second layer", one(func(s *Scene) {
			s.put(s.vertex(3.1, 3.2, 0.01), s.vertex(3.5, 3.2, 0.01), s.vertex(3.3, 3.26, 0.01))
		}), Overlap, 1, Place{Triangle: 400, Position: r3.Vec{X: 3.3, Y: 3.22, Z: 0.01}, Size: 0.01}},
		{"looks down", one(func(s *Scene) {
			a, b, c := s.vertex(3, 3, 5), s.vertex(9, 3, 5), s.vertex(9, 9, 5)
			d := s.vertex(8, 5, 9)
			s.put(a, b, c)
			s.put(b, a, d)
			s.put(c, b, d)
			s.put(a, c, d)
			s.turn(400)
			s.turn(401)
			s.turn(402)
			s.turn(403)
		}), Down, 1, Place{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, tt.run)
	}
}

// A vertex in the middle of a neighbour's edge, and edges a little apart.
func TestCheckFindsCracks(t *testing.T) {
	for _, gap := range []float64{0, 0.0005} {
		s := &Scene{}
		s.put(s.vertex(0, 0, 0), s.vertex(4, 0, 0), s.vertex(0, 4, 0))
		m := s.vertex(2+gap, 2, 0)
		s.put(s.vertex(4+gap, 0, 0), s.vertex(4+gap, 4, 0), m)
		s.put(m, s.vertex(4+gap, 4, 0), s.vertex(gap, 4, 0))
		r := Check(s, DefaultLimits())
		want := 1 // the middle
		if gap > 0 {
			want = 5 // and the ends, from both sides
		}
		if r.Count(Crack) != want || len(r.Findings) != 1 {
			t.Errorf("gap %g: findings %+v, want %d cracks", gap, r.Findings, want)
		}
	}
}

func TestCheckFindsSliversAndFins(t *testing.T) {
	s := sheet(4, 4, flat)
	top := s.vertex(2, 2, 3)
	s.put(11, 12, top) // upright on an inner edge
	r := Check(s, DefaultLimits())
	if r.Count(NonManifold) != 1 || r.Findings[0].Places[0].Position != (r3.Vec{X: 1.5, Y: 2}) {
		t.Errorf("findings %+v, want an edge of three faces", r.Findings)
	}
	s = sheet(4, 4, flat)
	s.put(s.vertex(9, 0, 0), s.vertex(10, 0, 0), s.vertex(9.5, 0.0004, 0))
	r = Check(s, DefaultLimits())
	if r.Count(Sliver) != 1 || math.Abs(r.Findings[0].Places[0].Size-0.0004) > 1e-12 {
		t.Errorf("findings %+v, want a sliver", r.Findings)
	}
}

// Vertices that are repeated for each face are one: the mesh is whole.
func TestCheckWelds(t *testing.T) {
	s := sheet(10, 10, func(x, y int) float64 { return float64(x*y) / 50 })
	soup := &Scene{}
	for i, v := range s.Indices {
		p := s.at(v)
		soup.vertex(p.X+float64(i%3)*2e-5, p.Y, p.Z)
		soup.Indices = append(soup.Indices, uint32(i))
	}
	r := Check(soup, DefaultLimits())
	if len(r.Findings) != 0 || r.Vertices != 121 || r.Triangles != 200 {
		t.Errorf("%d vertices, %d triangles, findings %+v", r.Vertices, r.Triangles, r.Findings)
	}
	near.Value(t, "height of the box", r.High.Z-r.Low.Z, 2, 1e-9)
}

func TestCheckKeepsTheFirstPlaces(t *testing.T) {
	s := sheet(20, 10, flat)
	for i := range 9 {
		s.put(uint32(i), uint32(i), 0)
	}
	l := DefaultLimits()
	l.Places = 3
	f := Check(s, l).Findings[0]
	got := fmt.Sprint(f.Count)
	for _, p := range f.Places {
		got += fmt.Sprint(" ", p.Triangle)
	}
	if got != "9 400 401 402" {
		t.Errorf("count and places %s", got)
	}
}
