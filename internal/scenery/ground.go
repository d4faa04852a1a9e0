package scenery

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/circuit"
	"rig.example/rig/internal/frame"
	"rig.example/rig/sim/road"
)

// overlook is how far above all that is known of a ground it is looked at from [m].
const overlook = 100.0

// around returns the corners of the land to show about a road.
func around(points []frame.Point) (low, high r3.Vec) {
	const margin = 150.0 // [m]
	low = r3.Vec{X: math.Inf(1), Y: math.Inf(1)}
	high = r3.Vec{X: math.Inf(-1), Y: math.Inf(-1), Z: math.Inf(-1)}
	for i := range points {
		p := &points[i]
		low.X, low.Y = min(low.X, p.X-margin), min(low.Y, p.Y-margin)
		high.X, high.Y = max(high.X, p.X+margin), max(high.Y, p.Y+margin)
		high.Z = max(high.Z, p.Heights[frame.Middle])
	}
	return low, high
}

// reach finds how far a ground without a line reaches about a place.
func reach(g road.Ground, at r3.Vec) (low, high r3.Vec) {
	const first, most, probes = 250.0, 2000.0, 64 // [m], [m], along a side
	for half := first; ; half *= 2 {
		side := r3.Vec{X: half, Y: half}
		f := sample(g, r3.Sub(at, side), at.Z+overlook, 2*half/(probes-1), probes, probes)
		low, high, border := extent(&f)
		high.Z = at.Z
		if !border || half >= most {
			return low, high
		}
	}
}

// extent returns the corners of the part of a field that has ground, and whether that
// reaches the field's border.
func extent(f *frame.Field) (low, high r3.Vec, border bool) {
	low, high = r3.Vec{X: math.Inf(1), Y: math.Inf(1)}, r3.Vec{X: math.Inf(-1), Y: math.Inf(-1)}
	for k, z := range f.Heights {
		if z != z {
			continue
		}
		i, j := k%f.NX, k/f.NX
		x, y := f.X+float64(i)*f.Step, f.Y+float64(j)*f.Step
		low.X, low.Y = min(low.X, x-f.Step), min(low.Y, y-f.Step)
		high.X, high.Y = max(high.X, x+f.Step), max(high.Y, y+f.Step)
		border = border || i == 0 || j == 0 || i == f.NX-1 || j == f.NY-1
	}
	return low, high, border
}

// survey samples the ground between two corners from above, as finely as a scene can
// hold it.
func survey(g road.Ground, low, high r3.Vec) frame.Field {
	const finest, most = 1.0, 384 // [m], cells along a side
	wide, deep := high.X-low.X, high.Y-low.Y
	if !(wide > 0 && deep > 0) || math.IsInf(wide+deep, 0) {
		return frame.Field{}
	}
	step := max(finest, max(wide, deep)/(most-1))
	return sample(g, low, high.Z+overlook, step, min(int(wide/step)+2, most), min(int(deep/step)+2, most))
}

// sample looks at the ground from a height on a grid, on all processors.
func sample(g road.Ground, low r3.Vec, from, step float64, nx, ny int) frame.Field {
	f := frame.Field{X: low.X, Y: low.Y, Step: step, NX: nx, NY: ny,
		Heights: make([]float32, nx*ny), Materials: make([]uint8, nx*ny)}
	circuit.Parallel(ny, func(j int) {
		for i := range nx {
			z, material := below(g, r3.Vec{X: low.X + float64(i)*step, Y: low.Y + float64(j)*step, Z: from})
			f.Heights[j*nx+i], f.Materials[j*nx+i] = float32(z), material
		}
	})
	return f
}
