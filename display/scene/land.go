package scene

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/internal/frame"
	"rig.example/rig/internal/valid"
)

// sink is how far the terrain lies below the road and its verges [m].
const sink = 0.4

// land is the field of a scene, and what of it the road covers.
type land struct {
	*frame.Field
	covered []bool    // by the road or its verges
	sunk    []float32 // Heights, but below the road where that covers them [m]
	tints   []tint
	open    tint    // of most that is not covered
	lowest  float64 // of land and road [m], 0 where nothing is known
}

func newLand(s *frame.Scene, road *ribbon) *land {
	l := &land{Field: &s.Field, tints: tints(s), open: meadow}
	l.covered = make([]bool, len(l.Heights))
	l.sunk = append([]float32(nil), l.Heights...)
	for i := range len(road.rows) - 1 {
		l.cover(&road.rows[i], &road.rows[i+1])
	}
	l.count()
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

// count finds what most of the open land is made of.
func (l *land) count() {
	var cells [frame.MaxMaterials]int
	most := 0
	for k, z := range l.Heights {
		if m := int(l.Materials[k]); z == z && !l.covered[k] {
			if cells[m]++; cells[m] >= cells[most] {
				most, l.open = m, tintOf(l.tints, l.Materials[k])
			}
		}
	}
}

// cover sinks the cells below the road from a to b.
func (l *land) cover(a, b *crossing) {
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, c := range [2]*crossing{a, b} {
		for _, k := range [2]int{0, frame.Stops - 1} {
			p := c.stop(k)
			x0, x1 = min(x0, float64(p[0])), max(x1, float64(p[0]))
			y0, y1 = min(y0, float64(p[1])), max(y1, float64(p[1]))
		}
	}
	i0, i1 := l.cells(x0, l.X, l.NX), l.cells(x1, l.X, l.NX)
	j0, j1 := l.cells(y0, l.Y, l.NY), l.cells(y1, l.Y, l.NY)
	for j := j0; j <= j1 && j < l.NY; j++ {
		for i := i0; i <= i1 && i < l.NX; i++ {
			z, on := between(a, b, l.X+float64(i)*l.Step, l.Y+float64(j)*l.Step)
			if k := j*l.NX + i; on {
				l.covered[k] = true
				l.sunk[k] = min(l.sunk[k], float32(z-sink))
			}
		}
	}
}

// cells returns the first cell behind a coordinate, within the field.
func (l *land) cells(x, origin float64, n int) int {
	return int(valid.Clamp((x-origin)/l.Step, 0, float64(n)))
}

// between returns the height of the road from a to b at a place, and whether the place
// lies on it or its verges.
func between(a, b *crossing, x, y float64) (z float64, on bool) {
	d := [2]float64{}
	var ahead [2]float64
	for k, c := range [2]*crossing{a, b} {
		dx, dy := x-c.X, y-c.Y
		ahead[k] = dx*c.left[1] - dy*c.left[0]
		d[k] = dx*c.left[0] + dy*c.left[1]
	}
	if ahead[0] < 0 || ahead[1] > 0 || ahead[0] == ahead[1] {
		return 0, false
	}
	share := ahead[0] / (ahead[0] - ahead[1])
	lateral := d[0] + share*(d[1]-d[0])
	left := a.offsets[0] + share*(b.offsets[0]-a.offsets[0])
	right := a.offsets[frame.Stops-1] + share*(b.offsets[frame.Stops-1]-a.offsets[frame.Stops-1])
	if lateral > left || lateral < right {
		return 0, false
	}
	return a.height(lateral) + share*(b.height(lateral)-a.height(lateral)), true
}

// place returns the place of a cell, so high [m].
func (l *land) place(i, j int, z float64) mgl32.Vec3 {
	return mgl32.Vec3{float32(l.X + float64(i)*l.Step), float32(l.Y + float64(j)*l.Step), float32(z)}
}

// vertex returns a cell's corner of the terrain with every so manieth cell.
func (l *land) vertex(i, j, step int) GroundVertex {
	k := j*l.NX + i
	v := GroundVertex{pos: l.place(i, j, l.under(i, j, step)), tint: l.open, light: sunlight(l.normal(i, j))}
	if !l.covered[k] {
		v.tint = tintOf(l.tints, l.Materials[k])
	}
	return v
}

// under returns the height of a corner whose squares reach so many cells. Where one of
// these is covered by the road the corner lies below all of them.
func (l *land) under(i, j, step int) float64 {
	k := j*l.NX + i
	low, covered := l.sunk[k], l.covered[k]
	if step > 1 {
		for b := max(j-step, 0); b <= min(j+step, l.NY-1); b++ {
			for a := max(i-step, 0); a <= min(i+step, l.NX-1); a++ {
				if n := b*l.NX + a; l.sunk[n] == l.sunk[n] {
					low, covered = min(low, l.sunk[n]), covered || l.covered[n]
				}
			}
		}
	}
	if !covered {
		low = l.Heights[k]
	}
	return float64(low)
}

// normal returns the upward normal of the ground at a cell, of any length.
func (l *land) normal(i, j int) mgl64.Vec3 {
	i0, i1, j0, j1 := max(i-1, 0), min(i+1, l.NX-1), max(j-1, 0), min(j+1, l.NY-1)
	at := func(i, j int) float64 { return float64(l.Heights[j*l.NX+i]) }
	n := mgl64.Vec3{
		(at(i0, j) - at(i1, j)) / (l.Step * float64(i1-i0)),
		(at(i, j0) - at(i, j1)) / (l.Step * float64(j1-j0)), 1,
	}
	if l := n.Len(); l != l { // beside a hole
		return mgl64.Vec3{0, 0, 1}
	}
	return n
}

// height returns the height of the ground at a place [m], and false where it is not known.
func (l *land) height(x, y float64) (z float64, ok bool) {
	u, v := (x-l.X)/l.Step, (y-l.Y)/l.Step
	if l.NX < 2 || l.NY < 2 || !(u >= 0 && v >= 0 && u <= float64(l.NX-1) && v <= float64(l.NY-1)) {
		return 0, false
	}
	i, j := min(int(u), l.NX-2), min(int(v), l.NY-2)
	u, v = u-float64(i), v-float64(j)
	at := func(i, j int) float64 { return float64(l.Heights[j*l.NX+i]) }
	z = (at(i, j)*(1-u)+at(i+1, j)*u)*(1-v) + (at(i, j+1)*(1-u)+at(i+1, j+1)*u)*v
	return z, z == z
}

// grows tells whether trees may stand at a place: where the ground is lush, or unknown.
func (l *land) grows(x, y float64) bool {
	i, j := int(math.Round((x-l.X)/l.Step)), int(math.Round((y-l.Y)/l.Step))
	if !(i >= 0 && j >= 0 && i < l.NX && j < l.NY) {
		return len(l.Heights) == 0
	}
	return tintOf(l.tints, l.Materials[j*l.NX+i]).lush > 0
}

// border lists cells of the border, counter-clockwise.
func (l *land) border() (ring [][2]int) {
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
