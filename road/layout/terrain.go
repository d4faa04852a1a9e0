package layout

import (
	"math"

	"rig.example/rig/road"
)

// newTerrain returns the open terrain around a road. Its height is the mean of the road's heights, weighted by
// the inverse fourth power of the distance.
func newTerrain(l *road.Line) (*road.Grid, error) {
	const margin, minStep, maxPoints = 150.0, 6.0, 25e3 // [m], [m], points
	points := l.Points()
	low, high := points[0].Pos, points[0].Pos
	for i := range points {
		p := points[i].Pos
		low.X, low.Y = min(low.X, p.X), min(low.Y, p.Y)
		high.X, high.Y = max(high.X, p.X), max(high.Y, p.Y)
	}
	width, height := high.X-low.X+2*margin, high.Y-low.Y+2*margin
	step := max(minStep, math.Sqrt(width*height/maxPoints))
	nx, ny := int(width/step)+2, int(height/step)+2
	heights := make([]float32, nx*ny)
	stride := max(int(step/l.Step()), len(points)/1000, 1)
	for j := range ny {
		for i := range nx {
			x, y := low.X-margin+float64(i)*step, low.Y-margin+float64(j)*step
			heights[j*nx+i] = float32(inverseDistanceHeight(points, x, y, step, stride))
		}
	}
	return road.NewGrid(low.X-margin, low.Y-margin, step, step, nx, ny, heights, nil)
}

// inverseDistanceHeight returns the mean height of points [m], weighted by the inverse fourth power of their
// distance from x, y. It uses every stride-th point. softening [m] keeps the weights of near points finite.
func inverseDistanceHeight(points []road.Point, x, y, softening float64, stride int) float64 {
	sum, weights := 0.0, 0.0
	for k := 0; k < len(points); k += stride {
		p := &points[k].Pos
		d := softening*softening + (x-p.X)*(x-p.X) + (y-p.Y)*(y-p.Y)
		w := 1 / (d * d)
		sum, weights = sum+w*p.Z, weights+w
	}
	return sum / weights
}
