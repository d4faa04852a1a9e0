package scene

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"

	"rig.example/rig/internal/core/frame"
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

// addScenery returns the marker posts, boards and trees beside the road, which make speed visible, and sets the field
// trees of each chunk of r.
func addScenery(s *frame.Scene, r *roadBuilder, l *heightField) *Mesh {
	m := &Mesh{}
	boards := r.boards(s)
	for i := range r.chunks {
		start := len(m.Indices)
		first := i * chunkSegments
		for k := first; k < min(first+chunkSegments, len(r.rows)-1); k++ {
			addPosts(m, &r.rows[k], &r.rows[k+1], l.tints)
			addTrees(m, r, l, k)
			for _, b := range boards {
				if b.row == k {
					r.addBoard(m, b)
				}
			}
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
// grass.
func addPosts(m *Mesh, a, b *crossSection, tints []tint) {
	forEachMultiple(a.station, b.station, postSpacing, func(int) {
		for _, d := range [2]float64{a.Left + max(a.KerbLeft+0.5, postDistance), -a.Right - max(a.KerbRight+0.5, postDistance)} {
			if !tintOf(tints, a.materialAt(d)).isGrass() {
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
			if l.canGrowTrees(x, y) && r.isFarFromRoad(foot, treeClearance) {
				addTree(m, foot.Sub(mgl32.Vec3{0, 0, 0.1}), seed)
			}
		}
	})
}

// isFarFromRoad reports whether foot is at least clearance [m] away from every edge of the road.
func (r *roadBuilder) isFarFromRoad(foot mgl32.Vec3, clearance float64) bool {
	for i := range r.rows {
		c := &r.rows[i]
		if math.Hypot(float64(foot[0])-c.X, float64(foot[1])-c.Y) < max(c.Left, c.Right)+clearance {
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
