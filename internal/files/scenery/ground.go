package scenery

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/files/circuit"
	"rig.example/rig/road"
)

// viewHeight is the height above the highest known point of a ground from which it is sampled [m].
const viewHeight = 100.0

// surroundings returns the corners of the area to show around a road [m]; high.Z is the road's maximum height.
func surroundings(points []frame.Point) (low, high r3.Vec) {
	const margin = 150.0 // [m]
	low = r3.Vec{X: math.Inf(1), Y: math.Inf(1)}
	high = r3.Vec{X: math.Inf(-1), Y: math.Inf(-1), Z: math.Inf(-1)}
	for i := range points {
		p := &points[i]
		low.X, low.Y = min(low.X, p.X-margin), min(low.Y, p.Y-margin)
		high.X, high.Y = max(high.X, p.X+margin), max(high.Y, p.Y+margin)
		high.Z = max(high.Z, p.Heights[frame.MiddleHeight])
	}
	return low, high
}

// groundExtent returns the corners of the area to show of a ground without a line, around a point [m].
func groundExtent(g road.Ground, at r3.Vec) (low, high r3.Vec) {
	const first, limit = 250.0, 2000.0 // first and maximum half side length of the area searched [m]
	const probes = 64                  // number of samples along a side
	for half := first; ; half *= 2 {
		side := r3.Vec{X: half, Y: half}
		f := sampleGrid(g, r3.Sub(at, side), at.Z+viewHeight, 2*half/(probes-1), probes, probes)
		low, high, border := extent(&f)
		high.Z = at.Z
		if !border || half >= limit {
			return low, high
		}
	}
}

// extent returns the corners of the part of a field that has ground [m], and whether this part reaches the
// border of the field.
func extent(f *frame.Field) (low, high r3.Vec, border bool) {
	low, high = r3.Vec{X: math.Inf(1), Y: math.Inf(1)}, r3.Vec{X: math.Inf(-1), Y: math.Inf(-1)}
	for k, z := range f.Heights {
		if z != z {
			continue
		}
		i, j := k%f.NX, k/f.NX
		x, y := f.X+float64(i)*f.CellSize, f.Y+float64(j)*f.CellSize
		low.X, low.Y = min(low.X, x-f.CellSize), min(low.Y, y-f.CellSize)
		high.X, high.Y = max(high.X, x+f.CellSize), max(high.Y, y+f.CellSize)
		border = border || i == 0 || j == 0 || i == f.NX-1 || j == f.NY-1
	}
	return low, high, border
}

// sampleField samples the ground between two corners from above, with the finest grid that the limits of a
// scene allow.
func sampleField(g road.Ground, low, high r3.Vec) frame.Field {
	const finest = 1.0   // minimum distance between samples [m]
	const maxCells = 384 // maximum number of samples along a side
	width, length := high.X-low.X, high.Y-low.Y
	if !(width > 0 && length > 0) || math.IsInf(width+length, 0) {
		return frame.Field{}
	}
	step := max(finest, max(width, length)/(maxCells-1))
	nx, ny := min(int(width/step)+2, maxCells), min(int(length/step)+2, maxCells)
	return sampleGrid(g, low, high.Z+viewHeight, step, nx, ny)
}

// sampleGrid samples the ground on a grid of nx times ny points that starts at low, with the distance step between
// points [m], looking down from the height from [m]. It uses all processors.
func sampleGrid(g road.Ground, low r3.Vec, from, step float64, nx, ny int) frame.Field {
	f := frame.Field{X: low.X, Y: low.Y, CellSize: step, NX: nx, NY: ny,
		Heights: make([]float32, nx*ny), Materials: make([]uint8, nx*ny)}
	circuit.Parallel(ny, func(j int) {
		for i := range nx {
			z, material := groundAt(g, r3.Vec{X: low.X + float64(i)*step, Y: low.Y + float64(j)*step, Z: from})
			f.Heights[j*nx+i], f.Materials[j*nx+i] = float32(z), material
		}
	})
	return f
}
