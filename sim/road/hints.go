package road

import "math"

// hints knows for every place about which of a line's points is the nearest one: the
// one nearest to the middle of the place's cell, or nearly so.
type hints struct {
	x, y   float64 // the corner of the first cell [m]
	size   float64 // of a cell [m]
	nx, ny int
	point  []int32 // row by row
}

func newHints(points []Point) hints {
	const finest, most, margin = 8.0, 512, 60.0 // [m], cells a side, [m]
	low, high := points[0].Pos, points[0].Pos
	for i := range points {
		p := points[i].Pos
		low.X, low.Y = min(low.X, p.X), min(low.Y, p.Y)
		high.X, high.Y = max(high.X, p.X), max(high.Y, p.Y)
	}
	h := hints{x: low.X - margin, y: low.Y - margin}
	h.size = max(finest, (max(high.X-low.X, high.Y-low.Y)+2*margin)/most)
	h.nx = 1 + int((high.X+margin-h.x)/h.size)
	h.ny = 1 + int((high.Y+margin-h.y)/h.size)
	h.point = make([]int32, h.nx*h.ny)
	for i := range h.point {
		h.point[i] = -1
	}
	for i := range points {
		cell := h.cell(points[i].Pos.X, points[i].Pos.Y)
		h.offer(points, cell%h.nx, cell/h.nx, int32(i))
	}
	h.spread(points)
	return h
}

// spread hands the points on from cell to cell, in sweeps from all four corners.
func (h *hints) spread(points []Point) {
	for range 2 {
		for y := range h.ny {
			for x := range h.nx {
				h.ask(points, x, y, [4][2]int{{-1, 0}, {0, -1}, {-1, -1}, {1, -1}})
			}
			for x := h.nx - 1; x >= 0; x-- {
				h.ask(points, x, y, [4][2]int{{1, 0}})
			}
		}
		for y := h.ny - 1; y >= 0; y-- {
			for x := h.nx - 1; x >= 0; x-- {
				h.ask(points, x, y, [4][2]int{{1, 0}, {0, 1}, {1, 1}, {-1, 1}})
			}
			for x := range h.nx {
				h.ask(points, x, y, [4][2]int{{-1, 0}})
			}
		}
	}
}

// ask offers a cell the points of cells beside it.
func (h *hints) ask(points []Point, x, y int, beside [4][2]int) {
	for _, by := range beside {
		i, j := x+by[0], y+by[1]
		if by != [2]int{} && i >= 0 && j >= 0 && i < h.nx && j < h.ny {
			if p := h.point[j*h.nx+i]; p >= 0 {
				h.offer(points, x, y, p)
			}
		}
	}
}

// offer gives a cell a point if that is nearer to its middle than the one it has.
func (h *hints) offer(points []Point, x, y int, p int32) {
	own := &h.point[y*h.nx+x]
	if *own < 0 || h.away(points, x, y, p) < h.away(points, x, y, *own) {
		*own = p
	}
}

func (h *hints) away(points []Point, x, y int, p int32) float64 {
	dx := h.x + (float64(x)+0.5)*h.size - points[p].Pos.X
	dy := h.y + (float64(y)+0.5)*h.size - points[p].Pos.Y
	return dx*dx + dy*dy
}

func (h *hints) cell(x, y float64) int {
	i := int(min(max((x-h.x)/h.size, 0), float64(h.nx-1)))
	j := int(min(max((y-h.y)/h.size, 0), float64(h.ny-1)))
	return min(max(j, 0), h.ny-1)*h.nx + min(max(i, 0), h.nx-1)
}

// at returns the number of a point near a place.
func (h *hints) at(x, y float64) float64 {
	if math.IsNaN(x) || math.IsNaN(y) {
		return 0
	}
	return float64(h.point[h.cell(x, y)])
}
