package sim

// polyline is a function by straight lines between points of rising x, constant
// outside. It has one point at least.
type polyline struct{ x, y []float64 }

// add appends a point.
func (p *polyline) add(x, y float64) {
	p.x, p.y = append(p.x, x), append(p.y, y)
}

// at returns the function's value.
func (p *polyline) at(x float64) float64 {
	last := len(p.x) - 1
	if !(x > p.x[0]) { // also true for NaN
		return p.y[0]
	}
	for i := 1; i <= last; i++ {
		if x < p.x[i] {
			part := (x - p.x[i-1]) / (p.x[i] - p.x[i-1])
			return p.y[i-1] + part*(p.y[i]-p.y[i-1])
		}
	}
	return p.y[last]
}
