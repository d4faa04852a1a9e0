package scene

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/kit/valid"
)

// terrainOffset is how far the terrain is lowered below the road and its verges [m].
const terrainOffset = 0.4

// heightField is the terrain of a scene as heights on a square grid, lowered where the road covers it. The
// points of the grid are called cells.
type heightField struct {
	*frame.Field
	covered    []bool    // cells that the road or its verges cover
	lowered    []float32 // Heights, lowered below the road in covered cells [m]
	tints      []tint    // tint of each material of the scene
	mostCommon tint      // the most frequent tint of the cells that are not covered
	lowest     float64   // lowest height of terrain and road [m]; 0 if neither is known
}

// newHeightField returns the terrain of s, lowered below the road.
func newHeightField(s *frame.Scene, road *roadBuilder) *heightField {
	l := &heightField{Field: &s.Field, tints: tints(s), mostCommon: meadow}
	l.covered = make([]bool, len(l.Heights))
	l.lowered = append([]float32(nil), l.Heights...)
	for i := range len(road.rows) - 1 {
		l.lowerUnderRoad(&road.rows[i], &road.rows[i+1])
	}
	l.findMostCommon()
	l.lowest = math.Inf(1)
	for _, z := range l.Heights {
		if z == z {
			l.lowest = min(l.lowest, float64(z))
		}
	}
	for i := range road.rows {
		l.lowest = min(l.lowest, slices.Min(road.rows[i].Heights[:]))
	}
	if math.IsInf(l.lowest, 0) {
		l.lowest = 0
	}
	return l
}

// findMostCommon sets mostCommon to the tint of the most frequent material among the cells not covered.
func (l *heightField) findMostCommon() {
	var cells [frame.MaxMaterials]int
	most := 0
	for k, z := range l.Heights {
		if m := int(l.Materials[k]); z == z && !l.covered[k] {
			if cells[m]++; cells[m] >= cells[most] {
				most, l.mostCommon = m, tintOf(l.tints, l.Materials[k])
			}
		}
	}
}

// lowerUnderRoad lowers the cells below the road from a to b and marks them as covered.
func (l *heightField) lowerUnderRoad(a, b *crossSection) {
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, c := range [2]*crossSection{a, b} {
		for _, k := range [2]int{0, frame.HeightsAcross - 1} {
			p := c.heightPoint(k)
			x0, x1 = min(x0, float64(p[0])), max(x1, float64(p[0]))
			y0, y1 = min(y0, float64(p[1])), max(y1, float64(p[1]))
		}
	}
	i0, i1 := l.cellIndex(x0, l.X, l.NX), l.cellIndex(x1, l.X, l.NX)
	j0, j1 := l.cellIndex(y0, l.Y, l.NY), l.cellIndex(y1, l.Y, l.NY)
	for j := j0; j <= j1 && j < l.NY; j++ {
		for i := i0; i <= i1 && i < l.NX; i++ {
			z, on := heightBetween(a, b, l.X+float64(i)*l.CellSize, l.Y+float64(j)*l.CellSize)
			if k := j*l.NX + i; on {
				l.covered[k] = true
				l.lowered[k] = min(l.lowered[k], float32(z-terrainOffset))
			}
		}
	}
}

// cellIndex returns the index along one axis of the cell at or below coordinate x [m], clamped to 0..n.
func (l *heightField) cellIndex(x, origin float64, n int) int {
	return int(valid.Clamp((x-origin)/l.CellSize, 0, float64(n)))
}

// heightBetween returns the height of the road [m] between cross-sections a and b at x, y [m], and whether that
// point is on the road or its verges.
func heightBetween(a, b *crossSection, x, y float64) (z float64, on bool) {
	d := [2]float64{}
	var ahead [2]float64
	for k, c := range [2]*crossSection{a, b} {
		dx, dy := x-c.X, y-c.Y
		ahead[k] = dx*c.left[1] - dy*c.left[0]
		d[k] = dx*c.left[0] + dy*c.left[1]
	}
	if ahead[0] < 0 || ahead[1] > 0 || ahead[0] == ahead[1] {
		return 0, false
	}
	t := ahead[0] / (ahead[0] - ahead[1])
	lateral := d[0] + t*(d[1]-d[0])
	left := a.offsets[0] + t*(b.offsets[0]-a.offsets[0])
	right := a.offsets[frame.HeightsAcross-1] + t*(b.offsets[frame.HeightsAcross-1]-a.offsets[frame.HeightsAcross-1])
	if lateral > left || lateral < right {
		return 0, false
	}
	return a.height(lateral) + t*(b.height(lateral)-a.height(lateral)), true
}

// cellPosition returns the position of cell i, j if its height is z [m, world].
func (l *heightField) cellPosition(i, j int, z float64) mgl32.Vec3 {
	return mgl32.Vec3{float32(l.X + float64(i)*l.CellSize), float32(l.Y + float64(j)*l.CellSize), float32(z)}
}

// vertex returns the vertex at cell i, j for a mesh that uses every step-th cell.
func (l *heightField) vertex(i, j, step int) GroundVertex {
	k := j*l.NX + i
	v := GroundVertex{pos: l.cellPosition(i, j, l.cornerHeight(i, j, step)), tint: l.mostCommon, light: sunlight(l.normal(i, j)) * mottle(i, j)}
	if !l.covered[k] {
		v.tint = tintOf(l.tints, l.Materials[k])
	}
	return v
}

// mottle returns a factor on the brightness of the ground at cell i, j, so that no two places of a meadow look alike.
func mottle(i, j int) float32 { return float32(0.94 + 0.12*hashFloat(uint32(i), uint32(j)+77)) }

// cornerHeight returns the height [m] of the vertex at cell i, j for a mesh that uses every step-th cell. If the
// road covers a cell at most step away, the result is the lowest of these cells, so that the coarse mesh does
// not cut through the road.
func (l *heightField) cornerHeight(i, j, step int) float64 {
	k := j*l.NX + i
	low, covered := l.lowered[k], l.covered[k]
	if step > 1 {
		for b := max(j-step, 0); b <= min(j+step, l.NY-1); b++ {
			for a := max(i-step, 0); a <= min(i+step, l.NX-1); a++ {
				if n := b*l.NX + a; l.lowered[n] == l.lowered[n] {
					low, covered = min(low, l.lowered[n]), covered || l.covered[n]
				}
			}
		}
	}
	if !covered {
		low = l.Heights[k]
	}
	return float64(low)
}

// isHidden reports whether the road or its verges cover the whole square of step cells along a side that begins at cell
// i, j. Such a square lies below them and is not drawn.
func (l *heightField) isHidden(i, j, step int) bool {
	for b := j; b <= min(j+step, l.NY-1); b++ {
		for a := i; a <= min(i+step, l.NX-1); a++ {
			if !l.covered[b*l.NX+a] {
				return false
			}
		}
	}
	return true
}

// normal returns the upward normal of the terrain at cell i, j; its length is not 1.
func (l *heightField) normal(i, j int) mgl64.Vec3 {
	i0, i1, j0, j1 := max(i-1, 0), min(i+1, l.NX-1), max(j-1, 0), min(j+1, l.NY-1)
	at := func(i, j int) float64 { return float64(l.Heights[j*l.NX+i]) }
	n := mgl64.Vec3{
		(at(i0, j) - at(i1, j)) / (l.CellSize * float64(i1-i0)),
		(at(i, j0) - at(i, j1)) / (l.CellSize * float64(j1-j0)), 1,
	}
	if l := n.Len(); l != l { // beside a cell of unknown height
		return mgl64.Vec3{0, 0, 1}
	}
	return n
}

// height returns the height of the terrain at x, y [m], and false if it is not known.
func (l *heightField) height(x, y float64) (z float64, ok bool) {
	u, v := (x-l.X)/l.CellSize, (y-l.Y)/l.CellSize
	if l.NX < 2 || l.NY < 2 || !(u >= 0 && v >= 0 && u <= float64(l.NX-1) && v <= float64(l.NY-1)) {
		return 0, false
	}
	i, j := min(int(u), l.NX-2), min(int(v), l.NY-2)
	u, v = u-float64(i), v-float64(j)
	at := func(i, j int) float64 { return float64(l.Heights[j*l.NX+i]) }
	z = (at(i, j)*(1-u)+at(i+1, j)*u)*(1-v) + (at(i, j+1)*(1-u)+at(i+1, j+1)*u)*v
	return z, z == z
}

// canGrowTrees reports whether trees may stand at x, y: grass grows there, or no terrain is known.
func (l *heightField) canGrowTrees(x, y float64) bool {
	i, j := int(math.Round((x-l.X)/l.CellSize)), int(math.Round((y-l.Y)/l.CellSize))
	if !(i >= 0 && j >= 0 && i < l.NX && j < l.NY) {
		return len(l.Heights) == 0
	}
	return tintOf(l.tints, l.Materials[j*l.NX+i]).isGrass()
}

// borderCells returns the indices of every 16th cell of the border, counter-clockwise.
func (l *heightField) borderCells() (ring [][2]int) {
	const every = 16
	side := func(n int, at func(k int) [2]int) {
		for k := 0; k < n-1; k += every {
			ring = append(ring, at(k))
		}
	}
	side(l.NX, func(k int) [2]int { return [2]int{k, 0} })
	side(l.NY, func(k int) [2]int { return [2]int{l.NX - 1, k} })
	side(l.NX, func(k int) [2]int { return [2]int{l.NX - 1 - k, l.NY - 1} })
	side(l.NY, func(k int) [2]int { return [2]int{0, l.NY - 1 - k} })
	return ring
}
