package layout

import (
	"math"

	"rig.example/rig/sim/road"
)

// newTerrain returns the land round a road: as high as the road is about, weighted by
// the inverse fourth power of the distance.
func newTerrain(l *road.Line) (*road.Grid, error) {
	const margin, finest, most = 150.0, 6.0, 25e3 // [m], [m], points
	points := l.Points()
	low, high := points[0].Pos, points[0].Pos
	for i := range points {
		p := points[i].Pos
		low.X, low.Y = min(low.X, p.X), min(low.Y, p.Y)
		high.X, high.Y = max(high.X, p.X), max(high.Y, p.Y)
	}
	width, height := high.X-low.X+2*margin, high.Y-low.Y+2*margin
	step := max(finest, math.Sqrt(width*height/most))
	nx, ny := int(width/step)+2, int(height/step)+2
	heights := make([]float32, nx*ny)
	every := max(int(step/l.Step()), len(points)/1000, 1)
	for j := range ny {
		for i := range nx {
			x, y := low.X-margin+float64(i)*step, low.Y-margin+float64(j)*step
			heights[j*nx+i] = float32(heightNear(points, x, y, step, every))
		}
	}
	return road.NewGrid(low.X-margin, low.Y-margin, step, step, nx, ny, heights, nil)
}

// heightNear returns the mean height of every so manieth point, weighted by nearness.
func heightNear(points []road.Point, x, y, near float64, every int) float64 {
	sum, weights := 0.0, 0.0
	for k := 0; k < len(points); k += every {
		p := &points[k].Pos
		d := near*near + (x-p.X)*(x-p.X) + (y-p.Y)*(y-p.Y)
		w := 1 / (d * d)
		sum, weights = sum+w*p.Z, weights+w
	}
	return sum / weights
}
