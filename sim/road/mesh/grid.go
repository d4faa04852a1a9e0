package mesh

import "math"

// grid says for each cell of the ground seen from above which node holds all
// triangles there, so that a look straight down begins near the leaves.
type grid struct {
	x, y  float64 // where it begins [m, from the origin]
	per   float64 // cells a metre
	nx    int
	ny    int
	cells []uint32
}

// nothing is the entry of a cell without triangles.
const nothing = math.MaxUint32

const trianglesPerCell = 4

func newGrid(nodes []node, triangles int, parallel Parallel) grid {
	root := &nodes[0]
	g := grid{x: float64(root.low[0]), y: float64(root.low[1])}
	wide, long := float64(root.high[0])-g.x, float64(root.high[1])-g.y
	cells := float64(triangles/trianglesPerCell + 1)
	size := max(math.Sqrt(wide*long/cells), wide/cells, long/cells, 1e-6)
	g.per = 1 / size
	g.nx, g.ny = int(wide*g.per)+1, int(long*g.per)+1
	g.cells = make([]uint32, g.nx*g.ny)
	parallel.spans(g.ny, 64, func(from, to int) {
		for iy := from; iy < to; iy++ {
			for ix := range g.nx {
				g.cells[iy*g.nx+ix] = g.enter(nodes, ix, iy)
			}
		}
	})
	return g
}

// enter returns the lowest node with all triangles of a cell.
func (g *grid) enter(nodes []node, ix, iy int) uint32 {
	const more = 1e-3 // of a cell, for rounding
	size := 1 / g.per
	x, y := g.x+size*float64(ix), g.y+size*float64(iy)
	lowX, lowY, highX, highY := x-more*size, y-more*size, x+(1+more)*size, y+(1+more)*size
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
			return nothing
		}
	}
}

// entry returns the node to begin with below a place, or nothing.
func (g *grid) entry(x, y float64) uint32 {
	fx, fy := (x-g.x)*g.per, (y-g.y)*g.per
	if !(fx >= 0 && fy >= 0 && fx < float64(g.nx) && fy < float64(g.ny)) { // also true for NaN
		return nothing
	}
	return g.cells[int(fy)*g.nx+int(fx)]
}
