package chassis

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/road"
)

// edge finds the upright edge of a wall that is deepest in the body, as where a
// wall ends beside a door: there are no corners to meet it.
func (c *Body) edge(t *touch, s *State, b Axes, walls []road.Block) yielding {
	var at, face r3.Vec // in the body
	up := b.Into(r3.Vec{Z: 1})
	for i := range walls {
		feet, top := walls[i].Edges()
		for _, foot := range feet {
			foot.Z = s.Pos.Z
			q := b.Into(r3.Sub(foot, s.Pos))
			if p, n, depth := c.shell.pierced(q, up, top-s.Pos.Z); depth > t.depth {
				at, face, t.depth = p, n, depth
			}
		}
	}
	if t.depth == 0 {
		return yielding{}
	}
	t.arm, t.normal, t.grip = b.Out(at), b.Out(r3.Scale(-1, face)), 1
	along := c.masses.yields(at, face)
	return yielding{along, c.masses.pliant(at) - along}
}

// pierced returns the middle of what a straight edge has in the body, the normal
// of the nearest face there and how deep it is [m]; 0 if the edge is outside.
// The edge runs through q along the unit vector up, no further than top.
func (sh *shell) pierced(q, up r3.Vec, top float64) (at, normal r3.Vec, depth float64) {
	low, high := math.Inf(-1), top
	for i := range sh.faces {
		f := &sh.faces[i]
		over, climb := r3.Dot(f.normal, q)-f.offset, r3.Dot(f.normal, up)
		switch {
		case climb > 0:
			high = min(high, -over/climb)
		case climb < 0:
			low = max(low, -over/climb)
		case over > 0:
			return at, normal, 0
		}
		if !(low < high) {
			return at, normal, 0
		}
	}
	at = r3.Add(q, r3.Scale((low+high)/2, up))
	depth = math.Inf(1)
	for i := range sh.faces {
		f := &sh.faces[i]
		if d := f.offset - r3.Dot(f.normal, at); d < depth {
			normal, depth = f.normal, d
		}
	}
	return at, normal, max(depth, 0)
}
