package scene

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/internal/frame"
)

const (
	patchCells = 16 // a patch of terrain is drawn or left out as a whole
	levels     = 4  // of detail: every 1, 2, 4 or 8 cells
)

// levelReach is how far from a patch each level but the last is drawn [m].
var levelReach = [levels - 1]float64{40, 140, 350}

// GroundVertex is one corner of the terrain, as the card reads it: 3, 4 and 1 float32.
type GroundVertex struct {
	pos   mgl32.Vec3 // [m, world]
	tint  tint
	light float32 // of the sun, 1 on level ground
}

// GroundMesh is ground that is drawn as it is, without markings.
type GroundMesh struct {
	Vertices []GroundVertex
	Indices  []uint32
}

// patch is a square of terrain.
type patch struct {
	levels [levels]Span
	centre mgl32.Vec3 // of a ball around it [m]
	radius float32    // [m]
}

// terrain is the ground around the road, ready for the card. Below the road it is sunk,
// so that the two never fight for pixels.
type terrain struct {
	GroundMesh
	patches []patch
	apron   Span // goes on level from the border to the horizon

	land *land
}

// newTerrain builds the ground of s about the road.
func newTerrain(s *frame.Scene, road *ribbon) *terrain {
	t := &terrain{land: newLand(s, road)}
	f := t.land.Field
	if f.NX < 2 || f.NY < 2 {
		return t
	}
	for j := 0; j < f.NY-1; j += patchCells {
		for i := 0; i < f.NX-1; i += patchCells {
			t.patches = append(t.patches, t.land.patch(i, j))
		}
	}
	for level := range levels {
		t.addLevel(level)
	}
	t.addApron()
	return t
}

// addLevel adds all patches with every so manieth cell.
func (t *terrain) addLevel(level int) {
	f, step := t.land.Field, 1<<level
	base := uint32(len(t.Vertices))
	columns, rows := (f.NX-2)/step+2, (f.NY-2)/step+2
	for b := range rows {
		for a := range columns {
			t.Vertices = append(t.Vertices, t.land.vertex(min(a*step, f.NX-1), min(b*step, f.NY-1), step))
		}
	}
	wide, side := (f.NX-2)/patchCells+1, patchCells/step
	for k := range t.patches {
		start := len(t.Indices)
		i, j := k%wide*side, k/wide*side
		for b := j; b < min(j+side, rows-1); b++ {
			for a := i; a < min(i+side, columns-1); a++ {
				t.addCell(base+uint32(b*columns+a), uint32(columns))
			}
		}
		t.patches[k].levels[level] = Span{start, len(t.Indices) - start}
	}
}

// addCell adds a square with its lowest corner at vertex v, unless it is a hole.
func (t *terrain) addCell(v, columns uint32) {
	a, b, c, d := v, v+1, v+columns+1, v+columns
	for _, corner := range [4]uint32{a, b, c, d} {
		if z := t.Vertices[corner].pos[2]; z != z {
			return
		}
	}
	t.Indices = append(t.Indices, a, b, c, a, c, d)
}

// addApron adds level ground from the border outward.
func (t *terrain) addApron() {
	l, start := t.land, len(t.Indices)
	ring := l.border()
	middle := mgl32.Vec3{float32(l.X + l.Step*float64(l.NX)/2), float32(l.Y + l.Step*float64(l.NY)/2), 0}
	base := uint32(len(t.Vertices))
	for _, at := range ring {
		v := l.vertex(at[0], at[1], 1)
		t.Vertices = append(t.Vertices, v)
		out := unit(mgl32.Vec3{v.pos[0] - middle[0], v.pos[1] - middle[1], 0})
		v.pos, v.light = v.pos.Add(out.Mul(farthest)), 1
		t.Vertices = append(t.Vertices, v)
	}
	for k := range ring {
		a, b := base+uint32(2*k), base+uint32(2*((k+1)%len(ring)))
		if z := t.Vertices[a].pos[2] + t.Vertices[b].pos[2]; z == z {
			t.Indices = append(t.Indices, a, a+1, b+1, a, b+1, b)
		}
	}
	t.apron = Span{start, len(t.Indices) - start}
}

// level returns which level of a patch is drawn for an eye so far from it [m].
func level(distance float64) int {
	for k, reach := range levelReach {
		if distance < reach {
			return k
		}
	}
	return levels - 1
}

func (p patch) distance(at mgl64.Vec3) float64 {
	return wide(p.centre).Sub(at).Len() - float64(p.radius)
}

// patch returns a patch from cell i, j on without its triangles.
func (l *land) patch(i, j int) patch {
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
	from, to := l.place(i, j, low-sink), l.place(last[0], last[1], high)
	return patch{centre: from.Add(to).Mul(0.5), radius: to.Sub(from).Len() / 2}
}
