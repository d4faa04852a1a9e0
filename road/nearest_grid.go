package road

import "math"

// nearestGrid is a grid of cells seen from above; each cell holds the index of the line's point that is
// nearest to its middle, or nearly so.
type nearestGrid struct {
	x, y   float64 // corner of the first cell [m]
	size   float64 // side of a cell [m]
	cells  float64 // 1 over size [1/m]
	nx, ny int
	index  []int32 // index of the line's point for each cell, row by row
}

// newNearestGrid builds the grid for a line's points, with a margin around them.
func newNearestGrid(points []Point) nearestGrid {
	const minCellSize, margin = 8.0, 60.0 // [m]
	const maxCells = 512                  // maximum number of cells along a side
	low, high := points[0].Pos, points[0].Pos
	for i := range points {
		p := points[i].Pos
		low.X, low.Y = min(low.X, p.X), min(low.Y, p.Y)
		high.X, high.Y = max(high.X, p.X), max(high.Y, p.Y)
	}
	h := nearestGrid{x: low.X - margin, y: low.Y - margin}
	h.size = max(minCellSize, (max(high.X-low.X, high.Y-low.Y)+2*margin)/maxCells)
	h.cells = 1 / h.size
	h.nx = 1 + int((high.X+margin-h.x)/h.size)
	h.ny = 1 + int((high.Y+margin-h.y)/h.size)
	h.index = make([]int32, h.nx*h.ny)
	for i := range h.index {
		h.index[i] = -1
	}
	for i := range points {
		cell := h.cellIndex(points[i].Pos.X, points[i].Pos.Y)
		h.offer(points, cell%h.nx, cell/h.nx, int32(i))
	}
	h.propagate(points)
	return h
}

// propagate gives every cell the best point of its neighbours, in sweeps from all four corners.
func (h *nearestGrid) propagate(points []Point) {
	for range 2 {
		for y := range h.ny {
			for x := range h.nx {
				h.offerNeighbors(points, x, y, [4][2]int{{-1, 0}, {0, -1}, {-1, -1}, {1, -1}})
			}
			for x := h.nx - 1; x >= 0; x-- {
				h.offerNeighbors(points, x, y, [4][2]int{{1, 0}})
			}
		}
		for y := h.ny - 1; y >= 0; y-- {
			for x := h.nx - 1; x >= 0; x-- {
				h.offerNeighbors(points, x, y, [4][2]int{{1, 0}, {0, 1}, {1, 1}, {-1, 1}})
			}
			for x := range h.nx {
				h.offerNeighbors(points, x, y, [4][2]int{{-1, 0}})
			}
		}
	}
}

// offerNeighbors offers a cell the points of neighbouring cells.
func (h *nearestGrid) offerNeighbors(points []Point, x, y int, beside [4][2]int) {
	for _, by := range beside {
		i, j := x+by[0], y+by[1]
		if by != [2]int{} && i >= 0 && j >= 0 && i < h.nx && j < h.ny {
			if p := h.index[j*h.nx+i]; p >= 0 {
				h.offer(points, x, y, p)
			}
		}
	}
}

// offer gives a cell the point p if p is nearer to its middle than its present point.
func (h *nearestGrid) offer(points []Point, x, y int, p int32) {
	current := &h.index[y*h.nx+x]
	if *current < 0 || h.squaredDistance(points, x, y, p) < h.squaredDistance(points, x, y, *current) {
		*current = p
	}
}

// squaredDistance returns the squared distance of point p from the middle of cell x, y [m²].
func (h *nearestGrid) squaredDistance(points []Point, x, y int, p int32) float64 {
	dx := h.x + (float64(x)+0.5)*h.size - points[p].Pos.X
	dy := h.y + (float64(y)+0.5)*h.size - points[p].Pos.Y
	return dx*dx + dy*dy
}

// cellIndex returns the index of the cell at x, y, or of the nearest one outside the grid.
func (h *nearestGrid) cellIndex(x, y float64) int {
	i := int(min(max((x-h.x)*h.cells, 0), float64(h.nx-1)))
	j := int(min(max((y-h.y)*h.cells, 0), float64(h.ny-1)))
	return min(max(j, 0), h.ny-1)*h.nx + min(max(i, 0), h.nx-1)
}

// nearest returns the index of a point of the line near x, y [m]; 0 for NaN.
func (h *nearestGrid) nearest(x, y float64) int32 {
	if math.IsNaN(x) || math.IsNaN(y) {
		return 0
	}
	return h.index[h.cellIndex(x, y)]
}
