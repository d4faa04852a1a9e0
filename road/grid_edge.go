package road

import "math"

// gridPoint is the height z at a point of a grid [m], its derivatives dx and dy in metres per grid step, and
// the mixed derivative dxy.
type gridPoint struct{ z, dx, dy, dxy float64 }

// heightInEdgeCell returns the height in a cell at the border of the grid or beside a hole, from the heights
// and slopes at its corners; fx and fy are the fractions of the cell along x and y. Slopes belong to points
// and not to cells, so neighbouring cells agree on their common side.
func (g *Grid) heightInEdgeCell(i, j int, fx, fy float64) cellHeight {
	if math.IsNaN(g.at(i, j) + g.at(i+1, j) + g.at(i, j+1) + g.at(i+1, j+1)) {
		return cellHeight{z: math.NaN()}
	}
	low, lowSlopeX := interpolateX(g.point(i, j), g.point(i+1, j), fx)
	high, highSlopeX := interpolateX(g.point(i, j+1), g.point(i+1, j+1), fx)
	var h cellHeight
	h.z, h.dv = Hermite(low.z, high.z, low.dy, high.dy, fy)
	h.du, _ = Hermite(lowSlopeX.z, highSlopeX.z, lowSlopeX.dy, highSlopeX.dy, fy)
	return h
}

// interpolateX returns, at the fraction fx between two points that are neighbours along x, the height and
// its derivative along y (value), and the derivatives of both along x (slope).
func interpolateX(a, b gridPoint, fx float64) (value, slope gridPoint) {
	value.z, slope.z = Hermite(a.z, b.z, a.dx, b.dx, fx)
	value.dy, slope.dy = Hermite(a.dy, b.dy, a.dxy, b.dxy, fx)
	return value, slope
}

// at returns the height of point i, j [m], NaN outside the grid.
func (g *Grid) at(i, j int) float64 {
	if i < 0 || j < 0 || i >= g.nx || j >= g.ny {
		return math.NaN()
	}
	return float64(g.z[j*g.nx+i])
}

// point returns height and derivatives at a point that has a height.
func (g *Grid) point(i, j int) gridPoint {
	return gridPoint{
		z:   g.at(i, j),
		dx:  g.slopeX(i, j),
		dy:  finiteDifference(g.at(i, j-2), g.at(i, j-1), g.at(i, j), g.at(i, j+1), g.at(i, j+2)),
		dxy: finiteDifference(g.slopeX(i, j-2), g.slopeX(i, j-1), g.slopeX(i, j), g.slopeX(i, j+1), g.slopeX(i, j+2)),
	}
}

// slopeX returns the derivative along x at a point [m per grid step], NaN if the point has no height.
func (g *Grid) slopeX(i, j int) float64 {
	return finiteDifference(g.at(i-2, j), g.at(i-1, j), g.at(i, j), g.at(i+1, j), g.at(i+2, j))
}

// finiteDifference returns the slope at the middle c of five values, of which any but c may be NaN:
// central, one-sided of second order, or one-sided of first order.
func finiteDifference(a, b, c, d, e float64) float64 {
	noB, noD := math.IsNaN(b), math.IsNaN(d)
	switch {
	case math.IsNaN(c):
		return c
	case !noB && !noD:
		return (d - b) / 2
	case noB && noD:
		return 0
	case noB && !math.IsNaN(e):
		return (4*d - 3*c - e) / 2
	case noB:
		return d - c
	case !math.IsNaN(a):
		return (3*c - 4*b + a) / 2
	}
	return c - b
}
