package mesh

import "math"

// entryGrid is a grid seen from above. Each cell holds the lowest node of the hierarchy that contains all
// triangles there, at which a vertical search starts.
type entryGrid struct {
	x, y          float64 // corner of the first cell [m, relative to the origin]
	cellsPerMetre float64
	nx            int      // number of cells along x
	ny            int      // number of cells along y
	cells         []uint32 // index of a node for each cell, or noNode
}

// noNode is the entry of a cell without triangles.
const noNode = math.MaxUint32

// trianglesPerCell is the mean number of triangles per cell that the size of a cell is chosen for.
const trianglesPerCell = 4

// newEntryGrid builds the grid over a hierarchy.
func newEntryGrid(nodes []node, triangles int, parallel Parallel) entryGrid {
	root := &nodes[0]
	g := entryGrid{x: float64(root.low[0]), y: float64(root.low[1])}
	width, length := float64(root.high[0])-g.x, float64(root.high[1])-g.y
	cells := float64(triangles/trianglesPerCell + 1)
	size := max(math.Sqrt(width*length/cells), width/cells, length/cells, 1e-6)
	g.cellsPerMetre = 1 / size
	g.nx, g.ny = int(width*g.cellsPerMetre)+1, int(length*g.cellsPerMetre)+1
	g.cells = make([]uint32, g.nx*g.ny)
	parallel.spans(g.ny, 64, func(from, to int) {
		for iy := from; iy < to; iy++ {
			for ix := range g.nx {
				g.cells[iy*g.nx+ix] = g.lowestNode(nodes, ix, iy)
			}
		}
	})
	return g
}

// lowestNode returns the lowest node that contains all triangles of a cell, or noNode.
func (g *entryGrid) lowestNode(nodes []node, ix, iy int) uint32 {
	const margin = 1e-3 // is added to the sides of a cell for rounding, as a fraction of its size
	size := 1 / g.cellsPerMetre
	x, y := g.x+size*float64(ix), g.y+size*float64(iy)
	lowX, lowY, highX, highY := x-margin*size, y-margin*size, x+(1+margin)*size, y+(1+margin)*size
	meets := func(n *node) bool {
		return float64(n.low[0]) <= highX && float64(n.high[0]) >= lowX &&
			float64(n.low[1]) <= highY && float64(n.high[1]) >= lowY
	}
	for at := uint32(0); ; {
		n := &nodes[at]
		if n.count > 0 {
			return at
		}
		left, right := meets(&nodes[n.first]), meets(&nodes[n.first+1])
		switch {
		case left && right:
			return at
		case left:
			at = n.first
		case right:
			at = n.first + 1
		default:
			return noNode
		}
	}
}

// entry returns the node at which a search at x, y starts, or noNode.
func (g *entryGrid) entry(x, y float64) uint32 {
	fx, fy := (x-g.x)*g.cellsPerMetre, (y-g.y)*g.cellsPerMetre
	if !(fx >= 0 && fy >= 0 && fx < float64(g.nx) && fy < float64(g.ny)) { // also true for NaN
		return noNode
	}
	return g.cells[int(fy)*g.nx+int(fx)]
}
