package scene

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
)

const (
	treeSpacing   = 14.0 // along the road, on each side [m]
	treeClearance = 9.0  // minimum distance of a trunk from any road's edge [m]
	postSpacing   = 25.0 // of the marker posts [m]
	postDistance  = 2.2  // from the road's edge [m]
)

var (
	postWhite = paint{mgl32.Vec3{0.92, 0.92, 0.90}, 0.1}
	postRed   = paint{mgl32.Vec3{0.80, 0.12, 0.10}, 0.1}
	bark      = paint{mgl32.Vec3{0.33, 0.24, 0.17}, 0}
)

// addScenery returns the marker posts and trees beside the road, which make speed visible, and sets the field
// trees of each chunk of r.
func addScenery(r *roadBuilder, l *heightField) *Mesh {
	m := &Mesh{}
	for i := range r.chunks {
		start := len(m.Indices)
		first := i * chunkSegments
		for k := first; k < min(first+chunkSegments, len(r.rows)-1); k++ {
			addPosts(m, &r.rows[k], &r.rows[k+1], l.tints)
			addTrees(m, r, l, k)
		}
		r.chunks[i].trees = m.sceneryFrom(start)
	}
	return m
}

// sceneryFrom returns the scenery whose indices start at start, up to the last.
func (m *Mesh) sceneryFrom(start int) sceneryGroup {
	var points []mgl32.Vec3
	for _, i := range m.Indices[start:] {
		points = append(points, m.Vertices[i].pos)
	}
	return sceneryGroup{Span{start, len(m.Indices) - start}, sphereOf(points)}
}

// forEachMultiple calls visit with n for every n*spacing in [from, to).
func forEachMultiple(from, to, spacing float64, visit func(n int)) {
	for n := int(math.Ceil(from / spacing)); float64(n)*spacing < to; n++ {
		visit(n)
	}
}

// addPosts adds the marker posts between cross-sections a and b on both sides, except on ground without
// vegetation.
func addPosts(m *Mesh, a, b *crossSection, tints []tint) {
	forEachMultiple(a.station, b.station, postSpacing, func(int) {
		for _, d := range [2]float64{a.Left + max(a.KerbLeft+0.5, postDistance), -a.Right - max(a.KerbRight+0.5, postDistance)} {
			if tintOf(tints, a.materialAt(d)).vegetation == 0 {
				continue
			}
			foot := a.position(d, a.height(d))
			m.box(foot.Add(mgl32.Vec3{0, 0, 0.35}), mgl32.Vec3{0.05, 0.05, 0.35}, postWhite)
			m.box(foot.Add(mgl32.Vec3{0, 0, 0.78}), mgl32.Vec3{0.05, 0.05, 0.08}, postRed)
		}
	})
}

// addTrees adds the trees beside row k of r.
func addTrees(m *Mesh, r *roadBuilder, l *heightField, k int) {
	a, b := &r.rows[k], &r.rows[k+1]
	forEachMultiple(a.station, b.station, treeSpacing, func(n int) {
		for side := range 2 {
			seed := uint32(2*n + side)
			away := treeClearance + 1 + 42*hashFloat(seed, 1)*hashFloat(seed, 2)
			d := a.Left + away
			if side == 1 {
				d = -a.Right - away
			}
			foot := a.position(d, a.height(d))
			x, y := float64(foot[0]), float64(foot[1])
			if z, ok := l.height(x, y); ok {
				foot[2] = float32(z)
			}
			if l.canGrowTrees(x, y) && r.isClearOfRoad(foot) {
				addTree(m, foot.Sub(mgl32.Vec3{0, 0, 0.1}), seed)
			}
		}
	})
}

// isClearOfRoad reports whether foot is at least treeClearance away from every edge of the road.
func (r *roadBuilder) isClearOfRoad(foot mgl32.Vec3) bool {
	for i := range r.rows {
		c := &r.rows[i]
		if math.Hypot(float64(foot[0])-c.X, float64(foot[1])-c.Y) < max(c.Left, c.Right)+treeClearance {
			return false
		}
	}
	return true
}

// addTree adds a tree whose size and color depend on seed.
func addTree(m *Mesh, foot mgl32.Vec3, seed uint32) {
	size := float32(0.75 + 0.7*hashFloat(seed, 3))
	shade := float32(hashFloat(seed, 4))
	leaf := paint{mgl32.Vec3{0.13 + 0.09*shade, 0.30 + 0.08*shade, 0.13}, 0}
	addCone(m, foot, 0.25*size, 2.2*size, 4, bark)
	addCone(m, foot.Add(mgl32.Vec3{0, 0, 1.3 * size}), 2.1*size, 3.6*size, 7, leaf)
	leaf.color = leaf.color.Mul(1.12)
	addCone(m, foot.Add(mgl32.Vec3{0, 0, 3.3 * size}), 1.5*size, 3.4*size, 7, leaf)
}

// addCone adds a cone with its base at foot. The base itself is open.
func addCone(m *Mesh, foot mgl32.Vec3, radius, height float32, sides int, p paint) {
	top := m.add(foot.Add(mgl32.Vec3{0, 0, height}), mgl32.Vec3{0, 0, 1}, p)
	slope := radius / height
	for i := range sides {
		s, c := math.Sincos(2 * math.Pi * float64(i) / float64(sides))
		n := mgl32.Vec3{float32(c), float32(s), slope}
		m.add(foot.Add(mgl32.Vec3{n[0] * radius, n[1] * radius, 0}), unit(n), p)
		m.Indices = append(m.Indices, top, top+1+uint32(i), top+1+uint32((i+1)%sides))
	}
}

// hashFloat returns a pseudorandom number in [0, 1) that depends only on a and b, so that a circuit has
// the same trees every time.
func hashFloat(a, b uint32) float64 {
	h := a*0x9e3779b1 ^ b*0x85ebca6b
	h ^= h >> 15
	h *= 0x2c1b3c6d
	h ^= h >> 12
	h *= 0x297a2d39
	h ^= h >> 15
	return float64(h) / (1 << 32)
}

// NoiseSize is the number of texels along an edge of the texture that Noise returns.
const NoiseSize = 256

// Noise returns a square texture of gray value noise that tiles, for grass and asphalt.
func Noise() []uint8 {
	sum := make([]float64, NoiseSize*NoiseSize)
	for octave, weight := range []float64{0.20, 0.22, 0.22, 0.18, 0.18} {
		cells := 16 << octave
		for i := range sum {
			x := float64(i%NoiseSize) / NoiseSize * float64(cells)
			y := float64(i/NoiseSize) / NoiseSize * float64(cells)
			sum[i] += weight * latticeValue(x, y, cells)
		}
	}
	out := make([]uint8, len(sum))
	for i, v := range sum {
		out[i] = uint8(255 * v)
	}
	return out
}

// latticeValue returns value noise at x, y: the interpolated random values, 0..1, of a square lattice that
// repeats after this number of cells.
func latticeValue(x, y float64, cells int) float64 {
	i, j := int(x), int(y)
	u, v := smoothstep(x-float64(i)), smoothstep(y-float64(j))
	corner := func(i, j int) float64 { return hashFloat(uint32(i%cells+cells*1000), uint32(j%cells)) }
	low := corner(i, j)*(1-u) + corner(i+1, j)*u
	high := corner(i, j+1)*(1-u) + corner(i+1, j+1)*u
	return low*(1-v) + high*v
}

// smoothstep returns the smoothstep of t in 0..1.
func smoothstep(t float64) float64 { return t * t * (3 - 2*t) }
