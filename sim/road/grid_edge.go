package road

import "math"

// gridPoint is the surface at a point of a grid: its height and growth over a
// whole step along x, along y, and that of the one with the other.
type gridPoint struct{ z, dx, dy, dxy float64 }

// edge is the surface of a cell where points are missing beyond it: the same
// one, from the heights and slopes of its corners. A slope belongs to its point
// and not to the cell, so that there is no jump from cell to cell.
func (g *Grid) edge(i, j int, p, q float64) gridHeight {
	if math.IsNaN(g.at(i, j) + g.at(i+1, j) + g.at(i, j+1) + g.at(i+1, j+1)) {
		return gridHeight{z: math.NaN()}
	}
	near, nearRise := alongX(g.point(i, j), g.point(i+1, j), p)
	far, farRise := alongX(g.point(i, j+1), g.point(i+1, j+1), p)
	var h gridHeight
	h.z, h.dv = hermite(near.z, far.z, near.dy, far.dy, q)
	h.du, _ = hermite(nearRise.z, farRise.z, nearRise.dy, farRise.dy, q)
	return h
}

// alongX returns height and slope along y at the share p between two points, and
// how both grow along x.
func alongX(a, b gridPoint, p float64) (at, growth gridPoint) {
	at.z, growth.z = hermite(a.z, b.z, a.dx, b.dx, p)
	at.dy, growth.dy = hermite(a.dy, b.dy, a.dxy, b.dxy, p)
	return at, growth
}

// at returns a height, NaN beyond the borders.
func (g *Grid) at(i, j int) float64 {
	if i < 0 || j < 0 || i >= g.nx || j >= g.ny {
		return math.NaN()
	}
	return float64(g.z[j*g.nx+i])
}

// point returns the surface at a point that has a height.
func (g *Grid) point(i, j int) gridPoint {
	return gridPoint{
		z:   g.at(i, j),
		dx:  g.slope(i, j),
		dy:  gridTrend(g.at(i, j-2), g.at(i, j-1), g.at(i, j), g.at(i, j+1), g.at(i, j+2)),
		dxy: gridTrend(g.slope(i, j-2), g.slope(i, j-1), g.slope(i, j), g.slope(i, j+1), g.slope(i, j+2)),
	}
}

// slope returns the growth along x at a point, NaN if it has no height.
func (g *Grid) slope(i, j int) float64 {
	return gridTrend(g.at(i-2, j), g.at(i-1, j), g.at(i, j), g.at(i+1, j), g.at(i+2, j))
}

// gridTrend returns the growth at the middle of five values, of which any but
// the middle may be missing: central, from a parabola to one side, or straight.
func gridTrend(a, b, c, d, e float64) float64 {
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
