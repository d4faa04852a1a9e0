package road

import "math"

// newTerrain returns the land round a road: as high as the road is about, weighted by
// the inverse fourth power of the distance.
func newTerrain(l *Line) (*Grid, error) {
	const margin, finest, most = 150.0, 6.0, 25e3 // [m], [m], points
	low, high := l.points[0].Pos, l.points[0].Pos
	for i := range l.points {
		p := l.points[i].Pos
		low.X, low.Y = min(low.X, p.X), min(low.Y, p.Y)
		high.X, high.Y = max(high.X, p.X), max(high.Y, p.Y)
	}
	width, height := high.X-low.X+2*margin, high.Y-low.Y+2*margin
	step := max(finest, math.Sqrt(width*height/most))
	nx, ny := int(width/step)+2, int(height/step)+2
	heights := make([]float32, nx*ny)
	every := max(int(step/l.step), len(l.points)/1000, 1)
	for j := range ny {
		for i := range nx {
			x, y := low.X-margin+float64(i)*step, low.Y-margin+float64(j)*step
			heights[j*nx+i] = float32(l.height(x, y, step, every))
		}
	}
	return NewGrid(low.X-margin, low.Y-margin, step, step, nx, ny, heights, nil)
}

// height returns the mean height of every so manieth point, weighted by nearness.
func (l *Line) height(x, y, near float64, every int) float64 {
	sum, weights := 0.0, 0.0
	for k := 0; k < len(l.points); k += every {
		p := &l.points[k].Pos
		d := near*near + (x-p.X)*(x-p.X) + (y-p.Y)*(y-p.Y)
		w := 1 / (d * d)
		sum, weights = sum+w*p.Z, weights+w
	}
	return sum / weights
}
