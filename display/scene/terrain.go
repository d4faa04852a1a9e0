package scene

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"

	"rig.example/rig/internal/core/frame"
)

const (
	patchCells = 16 // cells along a patch, which is drawn or culled as a whole
	levelCount = 4  // levels of detail, with every 1st, 2nd, 4th or 8th cell
)

// levelRange is the distance from a patch up to which each level but the last is drawn, in multiples of Detail.Terrain.
var levelRange = [levelCount - 1]float64{1, 3.5, 8.75}

// GroundVertex is one corner of the terrain, laid out as the vertex shader reads it: three float32 of position, four
// of tint and one of light.
type GroundVertex struct {
	pos   mgl32.Vec3 // [m, world]
	tint  tint
	light float32 // brightness, 1 on level ground
}

// GroundMesh is ground without markings.
type GroundMesh struct {
	Vertices []GroundVertex
	Indices  []uint32
}

// patch is a square of terrain, drawn or culled as a whole.
type patch struct {
	levels [levelCount]Span // its index range at each level of detail
	rough  [levelCount]Span // the same of ground with patterns
	sphere
}

// terrain is the mesh of the ground around the road. It lies lower than the road where the road covers it, so
// that it does not show through.
type terrain struct {
	GroundMesh
	patches    []patch
	apron      Span // index range of the level ground from the border of the terrain to the horizon
	roughApron bool // that ground has patterns

	field *heightField
}

// newTerrain builds the terrain of s around the road.
func newTerrain(s *frame.Scene, road *roadBuilder) *terrain {
	t := &terrain{field: newHeightField(s, road)}
	f := t.field.Field
	if f.NX < 2 || f.NY < 2 {
		return t
	}
	for j := 0; j < f.NY-1; j += patchCells {
		for i := 0; i < f.NX-1; i += patchCells {
			t.patches = append(t.patches, t.field.patch(i, j))
		}
	}
	for level := range levelCount {
		t.addLevel(level)
	}
	t.addApron()
	return t
}

// addLevel adds all patches at a level of detail, with every 1<<level-th cell.
func (t *terrain) addLevel(level int) {
	f, step := t.field.Field, 1<<level
	base := uint32(len(t.Vertices))
	columns, rows := (f.NX-2)/step+2, (f.NY-2)/step+2
	for b := range rows {
		for a := range columns {
			t.Vertices = append(t.Vertices, t.field.vertex(min(a*step, f.NX-1), min(b*step, f.NY-1), step))
		}
	}
	for k := range t.patches {
		t.patches[k].levels[level] = t.addPatch(k, base, step, [2]int{columns, rows}, false)
	}
	for k := range t.patches {
		t.patches[k].rough[level] = t.addPatch(k, base, step, [2]int{columns, rows}, true)
	}
}

// addPatch adds the squares of patch k with patterns, or those without, and returns their index range. base is the index
// of the first vertex of a level of detail with every step-th cell, which has size[0] columns and size[1] rows.
func (t *terrain) addPatch(k int, base uint32, step int, size [2]int, rough bool) Span {
	start := len(t.Indices)
	patchColumns, side := (t.field.NX-2)/patchCells+1, patchCells/step
	i, j := k%patchColumns*side, k/patchColumns*side
	for b := j; b < min(j+side, size[1]-1); b++ {
		for a := i; a < min(i+side, size[0]-1); a++ {
			v, columns := base+uint32(b*size[0]+a), uint32(size[0])
			if !t.field.isHidden(a*step, b*step, step) && t.isRough(v, v+1, v+columns+1, v+columns) == rough {
				t.addCell(v, columns)
			}
		}
	}
	return Span{start, len(t.Indices) - start}
}

// hasPatterns reports whether a part of the terrain has patterns.
func (t *terrain) hasPatterns() bool {
	for i := range t.patches {
		if t.patches[i].rough[0].Count > 0 {
			return true
		}
	}
	return t.roughApron
}

// isRough reports whether one of these vertices has a pattern.
func (t *terrain) isRough(corners ...uint32) bool {
	for _, v := range corners {
		if !t.Vertices[v].tint.isSimple() {
			return true
		}
	}
	return false
}

// addCell adds the square whose first corner is vertex v, unless the height of a corner is unknown (NaN).
// columns is the number of vertices in a row.
func (t *terrain) addCell(v, columns uint32) {
	a, b, c, d := v, v+1, v+columns+1, v+columns
	for _, corner := range [4]uint32{a, b, c, d} {
		if z := t.Vertices[corner].pos[2]; z != z {
			return
		}
	}
	t.Indices = append(t.Indices, a, b, c, a, c, d)
}

// apronRings holds the distances from the border at which the apron has vertices [m]. Haze and stripes of the ground are
// computed there and interpolated between them.
var apronRings = [...]float32{0, 200, 500, 1200, farPlane}

// addApron adds level ground from the border outward to the far plane.
func (t *terrain) addApron() {
	l, start := t.field, len(t.Indices)
	ring := l.borderCells()
	middle := mgl32.Vec3{float32(l.X + l.CellSize*float64(l.NX)/2), float32(l.Y + l.CellSize*float64(l.NY)/2), 0}
	base := uint32(len(t.Vertices))
	for _, at := range ring {
		v := l.vertex(at[0], at[1], 1)
		out, border := unit(mgl32.Vec3{v.pos[0] - middle[0], v.pos[1] - middle[1], 0}), v.pos
		for _, distance := range apronRings {
			v.pos = border.Add(out.Mul(distance))
			t.Vertices = append(t.Vertices, v)
			v.light = 1
		}
		t.roughApron = t.roughApron || !v.tint.isSimple()
	}
	for k := range ring {
		a, b := base+uint32(len(apronRings)*k), base+uint32(len(apronRings)*((k+1)%len(ring)))
		if z := t.Vertices[a].pos[2] + t.Vertices[b].pos[2]; z != z {
			continue
		}
		for i := range uint32(len(apronRings) - 1) {
			t.Indices = append(t.Indices, a+i, a+i+1, b+i+1, a+i, b+i+1, b+i)
		}
	}
	t.apron = Span{start, len(t.Indices) - start}
}

// levelAt returns the level of detail for a distance from the eye, in multiples of Detail.Terrain; 0 is the finest.
func levelAt(distance float64) int {
	for k, limit := range levelRange {
		if distance < limit {
			return k
		}
	}
	return levelCount - 1
}

// patch returns the patch whose first cell is i, j, with its bounding sphere but no triangles.
func (l *heightField) patch(i, j int) patch {
	last := [2]int{min(i+patchCells, l.NX-1), min(j+patchCells, l.NY-1)}
	low, high := math.Inf(1), math.Inf(-1)
	for b := j; b <= last[1]; b++ {
		for a := i; a <= last[0]; a++ {
			if z := float64(l.Heights[b*l.NX+a]); z == z {
				low, high = min(low, z), max(high, z)
			}
		}
	}
	if low > high {
		low, high = 0, 0
	}
	from, to := l.cellPosition(i, j, low-terrainOffset), l.cellPosition(last[0], last[1], high)
	return patch{sphere: sphereOf([]mgl32.Vec3{from, to})}
}
