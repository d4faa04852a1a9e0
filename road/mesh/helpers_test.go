package mesh

import (
	"bytes"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// together is a Parallel on all processors, the last piece first.
func together(n int, work func(i int)) {
	var all sync.WaitGroup
	next := make(chan int, n)
	for i := n - 1; i >= 0; i-- {
		next <- i
	}
	close(next)
	for range 2 {
		all.Go(func() {
			for i := range next {
				work(i)
			}
		})
	}
	all.Wait()
}

func build(t testing.TB, tr Triangles, o Options) *Mesh {
	t.Helper()
	m, err := Build(tr, o, together)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func saved(t testing.TB, m *Mesh) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := m.Save(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// terrain is a grid of nx·ny squares of a size [m] over heights, cut in two.
func terrain(nx, ny int, size float64, height func(x, y float64) float64) Triangles {
	var t Triangles
	t.Positions = make([]float64, 0, 3*(nx+1)*(ny+1))
	t.Indices = make([]uint32, 0, 6*nx*ny)
	for j := range ny + 1 {
		for i := range nx + 1 {
			x, y := size*(float64(i)-float64(nx)/2), size*(float64(j)-float64(ny)/2)
			t.Positions = append(t.Positions, x, y, height(x, y))
		}
	}
	for j := range ny {
		for i := range nx {
			a := uint32(j*(nx+1) + i)
			b, c := a+1, a+uint32(nx)+1
			t.Indices = append(t.Indices, a, b, c, b, c+1, c)
		}
	}
	return t
}

func hills(x, y float64) float64 { return 3*math.Sin(x/30)*math.Cos(y/20) + 0.1*math.Sin(x) }

// soup is n triangles anywhere within a cube of 20 m.
func soup(n int, size float64, seed uint64) Triangles {
	r := rand.New(rand.NewPCG(seed, 1))
	var t Triangles
	for i := range n {
		c := [3]float64{20 * r.Float64(), 20 * r.Float64(), 20 * r.Float64()}
		for range 3 {
			for k := range 3 {
				t.Positions = append(t.Positions, c[k]+size*r.NormFloat64())
			}
		}
		t.Indices = append(t.Indices, uint32(3*i), uint32(3*i+1), uint32(3*i+2))
		t.Materials = append(t.Materials, uint8(i))
	}
	return t
}

// slivers are triangles a thousand times as long as wide.
func slivers(n int, seed uint64) Triangles {
	r := rand.New(rand.NewPCG(seed, 2))
	t := soup(n, 3, seed)
	for i := range n {
		for k := range 3 {
			t.Positions[9*i+6+k] = t.Positions[9*i+k] + 0.003*r.NormFloat64()
		}
	}
	return t
}

// ball is a closed sphere round the origin with 2·n rings.
func ball(radius float64, n int) Triangles {
	t := Triangles{Positions: []float64{0, 0, radius, 0, 0, -radius}}
	place := func(ring, i int) uint32 {
		if ring == 0 || ring == 2*n {
			return uint32(ring / (2 * n))
		}
		return uint32(2 + (ring-1)*4*n + i%(4*n))
	}
	for ring := 1; ring < 2*n; ring++ {
		for i := range 4 * n {
			sin, cos := math.Sincos(float64(ring) * math.Pi / float64(2*n))
			s, c := math.Sincos(float64(i) * math.Pi / float64(2*n))
			t.Positions = append(t.Positions, radius*sin*c, radius*sin*s, radius*cos)
		}
	}
	for ring := range 2 * n {
		for i := range 4 * n {
			a, b, c, d := place(ring, i), place(ring+1, i), place(ring+1, i+1), place(ring, i+1)
			if a != d {
				t.Indices = append(t.Indices, a, b, d)
			}
			if b != c {
				t.Indices = append(t.Indices, b, c, d)
			}
		}
	}
	return t
}

// blocks are n cubes of different sizes with all faces outwards.
func blocks(n int) Triangles {
	var t Triangles
	for i := range n {
		first := uint32(len(t.Positions) / 3)
		s, x, y := 0.2+0.1*float64(i%7), 2*float64(i%10), 2*float64(i/10)
		for k := range 8 {
			t.Positions = append(t.Positions, x+s*float64(k&1), y+s*float64(k>>1&1), s*float64(k>>2))
		}
		for _, f := range [][4]uint32{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}} {
			for _, c := range [6]int{0, 1, 2, 0, 2, 3} {
				t.Indices = append(t.Indices, first+f[c])
			}
		}
	}
	return t
}

func random(r *rand.Rand, size float64) r3.Vec {
	return r3.Vec{X: size * r.NormFloat64(), Y: size * r.NormFloat64(), Z: size * r.NormFloat64()}
}
