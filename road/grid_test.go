package road

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/tire"
	"rig.example/rig/test/near"
)

// heightGrid samples z on nx times ny points.
func heightGrid(t testing.TB, x, y, step float64, nx, ny int, z func(x, y float64) float64) *Grid {
	t.Helper()
	heights := make([]float32, 0, nx*ny)
	for j := range ny {
		for i := range nx {
			heights = append(heights, float32(z(x+float64(i)*step, y+float64(j)*step)))
		}
	}
	g, err := NewGrid(x, y, step, step, nx, ny, heights, nil)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// All numbers are sums of powers of two, so that heights have no rounding.
func quadratic(x, y float64) float64 { return 5 + x/4 - y/8 + x*x/64 - x*y/32 + y*y/128 }

// A quadratic comes out exactly, at the borders and beside a hole too.
func TestGridReproducesQuadratics(t *testing.T) {
	for _, tt := range []struct {
		name string
		hole bool
	}{{"whole", false}, {"with a hole", true}} {
		t.Run(tt.name, func(t *testing.T) {
			g := heightGrid(t, -3, 4, 0.5, 12, 9, func(x, y float64) float64 {
				if tt.hole && x == 0 && y == 6 {
					return math.NaN()
				}
				return quadratic(x, y)
			})
			random := rand.New(rand.NewPCG(1, 2))
			for range 2000 {
				x, y := -3+5.5*random.Float64(), 4+4*random.Float64()
				c := g.Touch(r3.Vec{X: x, Y: y, Z: 7})
				if tt.hole && math.Abs(x) < 0.5 && math.Abs(y-6) < 0.5 {
					near.Value(t, "depth in the hole", c.Depth, -1000, 0)
					continue
				}
				dx, dy := 0.25+x/32-y/32, -0.125-x/32+y/64
				near.Value(t, "height", c.Point.Z, quadratic(x, y), 1e-12)
				near.Value(t, "slope along x", -c.Normal.X/c.Normal.Z, dx, 1e-12)
				near.Value(t, "slope along y", -c.Normal.Y/c.Normal.Z, dy, 1e-12)
				near.Value(t, "depth", c.Depth, (quadratic(x, y)-7)/math.Sqrt(1+dx*dx+dy*dy), 1e-12)
			}
		})
	}
}

// Between four points the curve is Catmull and Rom's: half way along a single
// raised point's flank it is 9/16 of it, and -1/16 a cell further.
func TestGridIsCatmullRom(t *testing.T) {
	g := heightGrid(t, 0, 0, 1, 9, 9, func(x, y float64) float64 {
		if x == 4 && y == 4 {
			return 16
		}
		return 0
	})
	tests := []struct{ x, y, z float64 }{
		{4, 4, 16}, {4.5, 4, 9}, {3.5, 4, 9}, {4, 3.5, 9}, {5.5, 4, -1}, {4, 2.5, -1}, {4.5, 4.5, 81.0 / 16}, {6, 4, 0}, {6.5, 4, 0},
	}
	for _, tt := range tests {
		near.Value(t, "height", g.Touch(r3.Vec{X: tt.x, Y: tt.y}).Point.Z, tt.z, 1e-12)
	}
}

// roughWithHoles is random heights of which about one in nine is missing.
func roughWithHoles(t testing.TB) *Grid {
	random := rand.New(rand.NewPCG(3, 4))
	return heightGrid(t, 0, 0, 1, 40, 40, func(float64, float64) float64 {
		if random.IntN(9) == 0 {
			return math.NaN()
		}
		return random.Float64()
	})
}

// Heights and normals do not jump at the lines of the grid, whatever is missing.
func TestGridNormalsAreContinuous(t *testing.T) {
	g := roughWithHoles(t)
	const tiny = 1e-11 // with slopes and curvatures below 10
	random := rand.New(rand.NewPCG(5, 6))
	compared := 0
	for range 20000 {
		line, along := float64(1+random.IntN(38)), 39*random.Float64()
		a, b := r3.Vec{X: line - tiny, Y: along}, r3.Vec{X: line + tiny, Y: along}
		if random.IntN(2) == 0 {
			a, b = r3.Vec{X: a.Y, Y: a.X}, r3.Vec{X: b.Y, Y: b.X}
		}
		from, to := g.Touch(a), g.Touch(b)
		if from.Depth == -1000 || to.Depth == -1000 {
			continue
		}
		compared++
		near.Value(t, "jump in height", to.Point.Z-from.Point.Z, 0, 1e-9)
		near.Value(t, "jump of the normal", r3.Norm(r3.Sub(to.Normal, from.Normal)), 0, 1e-9)
	}
	if compared < 5000 {
		t.Errorf("only %d places compared", compared)
	}
}

// The normal is that of the heights: their differences over a short way.
func TestGridNormalFitsItsHeights(t *testing.T) {
	g := roughWithHoles(t)
	const d = 1e-6
	random := rand.New(rand.NewPCG(7, 8))
	for range 5000 {
		p := r3.Vec{X: 39 * random.Float64(), Y: 39 * random.Float64()}
		e, w := g.Touch(r3.Vec{X: p.X + d, Y: p.Y}), g.Touch(r3.Vec{X: p.X - d, Y: p.Y})
		n, s := g.Touch(r3.Vec{X: p.X, Y: p.Y + d}), g.Touch(r3.Vec{X: p.X, Y: p.Y - d})
		c := g.Touch(p)
		if min(e.Depth, w.Depth, n.Depth, s.Depth, c.Depth) == -1000 {
			continue
		}
		near.Value(t, "slope along x", -c.Normal.X/c.Normal.Z, (e.Point.Z-w.Point.Z)/(2*d), 1e-5)
		near.Value(t, "slope along y", -c.Normal.Y/c.Normal.Z, (n.Point.Z-s.Point.Z)/(2*d), 1e-5)
		near.Value(t, "length of the normal", r3.Norm(c.Normal), 1, 1e-15)
	}
}

func TestGridLevelStaysLevel(t *testing.T) {
	g := heightGrid(t, 0.1, 0.2, 0.3, 7, 7, func(float64, float64) float64 { return 123.25 })
	random := rand.New(rand.NewPCG(9, 10))
	for range 1000 {
		p := r3.Vec{X: 0.1 + 1.8*random.Float64(), Y: 0.2 + 1.8*random.Float64(), Z: 123}
		if c := g.Touch(p); c.Normal != (r3.Vec{Z: 1}) || c.Depth != 0.25 {
			t.Fatalf("at %v: normal %v, depth %v", p, c.Normal, c.Depth)
		}
	}
}

func TestGridEnds(t *testing.T) {
	g := heightGrid(t, 1, 2, 2, 3, 4, func(x, y float64) float64 { return x })
	inf, nan := math.Inf(1), math.NaN()
	tests := []struct {
		name  string
		p     r3.Vec
		depth float64
	}{
		{"first corner", r3.Vec{X: 1, Y: 2, Z: 1}, 0},
		{"last corner", r3.Vec{X: 5, Y: 8, Z: 5}, 0},
		{"before x", r3.Vec{X: 0.999, Y: 4}, -1000},
		{"beyond x", r3.Vec{X: 5.001, Y: 4}, -1000},
		{"before y", r3.Vec{X: 3, Y: 1.999}, -1000},
		{"beyond y", r3.Vec{X: 3, Y: 8.001}, -1000},
		{"x is NaN", r3.Vec{X: nan, Y: 4}, -1000},
		{"y is infinite", r3.Vec{X: 3, Y: inf}, -1000},
		{"z is NaN", r3.Vec{X: 3, Y: 4, Z: nan}, -1000},
		{"z is infinite", r3.Vec{X: 3, Y: 4, Z: -inf}, -1000},
		{"z is huge", r3.Vec{X: 3, Y: 4, Z: math.MaxFloat64}, -1000},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := g.Touch(tt.p)
			near.Value(t, "depth", c.Depth, tt.depth, 1e-12)
			if sum := r3.Norm(c.Point) + r3.Norm(c.Normal); !(sum < 1e6) {
				t.Errorf("contact %v is not finite", c)
			}
		})
	}
}

// A place has the material of the nearest point.
func TestGridMaterials(t *testing.T) {
	g, err := NewGrid(0, 0, 1, 1, 3, 2, make([]float32, 6), []uint8{0, 1, 2, 3, 4, 5})
	if err != nil {
		t.Fatal(err)
	}
	g.SetSurfaces([]Surface{{Tire: tire.Dry()}, {Tire: tire.Surface{Grip: 0.5, Stiffness: 1, Rolling: 1}}})
	tests := []struct {
		x, y     float64
		material uint8
		grip     float64
	}{{0, 0, 0, 1}, {0.49, 0.49, 0, 1}, {0.51, 0.49, 1, 0.5}, {1.4, 0.2, 1, 0.5}, {2, 0, 2, 1}, {0, 1, 3, 1}, {2, 1, 5, 1}}
	for _, tt := range tests {
		c := g.Touch(r3.Vec{X: tt.x, Y: tt.y})
		if c.Material != tt.material || c.Surface.Grip != tt.grip {
			t.Errorf("at %g, %g: material %d with grip %g, want %d and %g", tt.x, tt.y, c.Material, c.Surface.Grip, tt.material, tt.grip)
		}
	}
}

func TestNewGridRefuses(t *testing.T) {
	nan := float32(math.NaN())
	four := make([]float32, 4)
	tests := []struct {
		name       string
		x, y, step float64
		nx, ny     int
		z          []float32
		materials  []uint8
		want       string
	}{
		{"no place", math.NaN(), 0, 1, 2, 2, four, nil, "begins at NaN, 0 m"},
		{"far away", 0, 1e9, 1, 2, 2, four, nil, "begins at 0, 1e+09 m"},
		{"no step", 0, 0, 0, 2, 2, four, nil, "steps of 0 and 0 m"},
		{"a row", 0, 0, 1, 4, 1, four, nil, "4 times 1 points"},
		{"negative", 0, 0, 1, -2, -2, four, nil, "-2 times -2 points"},
		{"absurd", 0, 0, 1, math.MaxInt, math.MaxInt, four, nil, "at most 1073741824"},
		{"too few", 0, 0, 1, 2, 3, four, nil, "2 times 3 points with 4 heights"},
		{"too few materials", 0, 0, 1, 2, 2, four, []uint8{1}, "with 1 materials"},
		{"infinite", 0, 0, 1, 2, 2, []float32{0, 0, 0, float32(math.Inf(-1))}, nil, "column 1 of row 1 is -Inf m"},
		{"nothing", 0, 0, 1, 2, 2, []float32{nan, nan, nan, nan}, nil, "no height at all"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := NewGrid(tt.x, tt.y, tt.step, tt.step, tt.nx, tt.ny, tt.z, tt.materials)
			if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %v, want one line with %q", err, tt.want)
			}
		})
	}
}

// Points that lie closer along one axis than along the other are a quadratic's, too.
func TestGridWithCellsThatAreNotSquare(t *testing.T) {
	const nx, ny, dx, dy = 9, 17, 0.5, 0.25
	var heights []float32
	for j := range ny {
		for i := range nx {
			heights = append(heights, float32(quadratic(dx*float64(i), 1+dy*float64(j))))
		}
	}
	g, err := NewGrid(0, 1, dx, dy, nx, ny, heights, nil)
	if err != nil {
		t.Fatal(err)
	}
	for x := 0.0; x <= 4; x += 0.3 {
		for y := 1.0; y <= 5; y += 0.3 {
			c := g.Touch(r3.Vec{X: x, Y: y})
			near.Value(t, "height", c.Point.Z, quadratic(x, y), 1e-12)
			near.Value(t, "slope along x", -c.Normal.X/c.Normal.Z, 0.25+x/32-y/32, 1e-12)
			near.Value(t, "slope along y", -c.Normal.Y/c.Normal.Z, -0.125-x/32+y/64, 1e-12)
		}
	}
}

func TestGridAllocatesNothing(t *testing.T) {
	g := roughWithHoles(t)
	at := 0.0
	if n := testing.AllocsPerRun(1000, func() { g.Touch(r3.Vec{X: at, Y: 39 - at}); at += 0.038 }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkGrid(b *testing.B) {
	hills := func(x, y float64) float64 { return math.Sin(x/30) + math.Cos(y/40) }
	for _, bench := range []struct {
		name   string
		width  float64 // that the drive covers [m]
		ground *Grid
	}{
		{"inner", 900, heightGrid(b, 0, 0, 1, 1000, 1000, hills)},
		{"border", 1.9, heightGrid(b, 0, 0, 1, 3, 1000, hills)},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			p := r3.Vec{X: 1, Y: 1}
			for b.Loop() {
				bench.ground.Touch(p)
				if p.X += 0.05; p.X > bench.width {
					p.X = 0
				}
				if p.Y += 0.03; p.Y > 900 {
					p.Y = 2
				}
			}
		})
	}
}
