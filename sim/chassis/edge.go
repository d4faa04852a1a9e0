package chassis

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
)

// findEdgeContact sets t to the contact of the vertical wall edge that is deepest in the body, and returns its
// mobility. An example is the end of a wall in a door, which the contacts of the body's corners miss.
func (b *Body) findEdgeContact(t *contactPoint, s *State, axes Axes, walls []road.WallBox) mobility {
	var at, face r3.Vec // in the body
	up := axes.ToBody(r3.Vec{Z: 1})
	for i := range walls {
		bottoms, top := walls[i].Edges()
		for _, bottom := range bottoms {
			bottom.Z = s.Pos.Z
			q := axes.ToBody(r3.Sub(bottom, s.Pos))
			if p, n, depth := b.shell.edgeInside(q, up, top-s.Pos.Z); depth > t.depth {
				at, face, t.depth = p, n, depth
			}
		}
	}
	if t.depth == 0 {
		return mobility{}
	}
	t.arm, t.normal, t.grip = axes.ToWorld(at), axes.ToWorld(r3.Scale(-1, face)), 1
	along := b.masses.mobilityAlong(at, face)
	return mobility{along, b.masses.mobilityTrace(at) - along}
}

// edgeInside returns the middle of the part of a straight edge that is inside the body, the normal of the
// nearest face there, and the depth below that face [m], which is 0 if the edge is outside. The edge passes
// through q along the unit vector up and ends at the distance top from q [m]; all in body axes.
func (sh *shell) edgeInside(q, up r3.Vec, top float64) (at, normal r3.Vec, depth float64) {
	low, high := math.Inf(-1), top
	for i := range sh.faces {
		f := &sh.faces[i]
		outside, slope := r3.Dot(f.normal, q)-f.offset, r3.Dot(f.normal, up)
		switch {
		case slope > 0:
			high = min(high, -outside/slope)
		case slope < 0:
			low = max(low, -outside/slope)
		case outside > 0:
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
