package chassis

import (
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
)

// isAboveGround reports whether the whole bounding box of the body is above the ground. If the ground is not
// one plane, it also looks at the ground below the four lower corners of the box, and again when they have moved so far
// that one could have come near it.
func (b *Body) isAboveGround(s *State, axes *Axes) bool {
	sh := &b.shell
	if sh.groundIsPlane {
		return sh.isAbovePlane(axes.ToBody(sh.floor.normal), r3.Dot(sh.floor.normal, s.Pos)-sh.floor.offset)
	}
	if s.Clearance.holds(s, sh) {
		return true
	}
	var ground road.Contact
	road.Touch(b.ground, &ground, s.Pos)
	up := axes.ToBody(ground.Normal)
	if !sh.isAbovePlane(up, -ground.Depth) {
		return false
	}
	const rough, reserve = 0.15, 0.05 // how far the ground may rise between two corners, and what is left to a corner [m]
	height := b.heightOfCorners(s, axes, up)
	if !(height > rough) {
		return false
	}
	s.Clearance = Clearance{Pos: s.Pos, Att: s.Att, Room: height - reserve}
	return true
}

// Clearance is where the body was when all of it was found above the ground.
type Clearance struct {
	Pos  r3.Vec      // [m, world]
	Att  quat.Number // unit quaternion, as State.Att
	Room float64     // how much lower above the ground a corner can become without coming near it [m]
}

// holds reports whether no point of the body has used up its room: by what it sinks, and by what the ground can rise
// on its way.
func (c *Clearance) holds(s *State, sh *shell) bool {
	if !(c.Room > 0) {
		return false
	}
	turned := quat.Sub(s.Att, c.Att) // for a turn by an angle φ, its length is 2·sin(φ/4)
	square := turned.Real*turned.Real + turned.Imag*turned.Imag + turned.Jmag*turned.Jmag + turned.Kmag*turned.Kmag
	turn := 2 * sh.reach * math.Sqrt(square) // how far it moves a point at most [m]
	move := r3.Sub(s.Pos, c.Pos)
	return turn-move.Z+sh.steepest*(turn+math.Sqrt(move.X*move.X+move.Y*move.Y)) < c.Room
}

// isAbovePlane reports whether the bounding box is above a plane, given the height of the center
// of mass above it [m] and its normal up [body].
func (sh *shell) isAbovePlane(up r3.Vec, height float64) bool {
	const rounding = 1e-3 // [m]
	gap := height + r3.Dot(up, sh.middle) - sh.halfExtent(up)
	return gap > rounding // false for NaN
}

// heightOfCorners returns the height of the lowest of the four lower corners of the bounding box above the ground [m].
// up is the ground's normal [body].
func (b *Body) heightOfCorners(s *State, axes *Axes, up r3.Vec) float64 {
	m, h := b.shell.middle, b.shell.half
	x, y, z := r3.Vec{X: h.X}, r3.Vec{Y: h.Y}, r3.Vec{Z: math.Copysign(h.Z, up.Z)}
	if math.Abs(up.X) > math.Abs(up.Z) && math.Abs(up.X) >= math.Abs(up.Y) {
		x, z = r3.Vec{Z: h.Z}, r3.Vec{X: math.Copysign(h.X, up.X)}
	} else if math.Abs(up.Y) > math.Abs(up.Z) {
		y, z = r3.Vec{Z: h.Z}, r3.Vec{Y: math.Copysign(h.Y, up.Y)}
	}
	face, lowest := r3.Sub(m, z), math.Inf(1)
	for _, at := range [4]r3.Vec{
		r3.Add(face, r3.Add(x, y)), r3.Add(face, r3.Sub(x, y)), r3.Sub(face, r3.Sub(x, y)), r3.Sub(face,
			r3.Add(x, y)),
	} {
		var ground road.Contact
		road.Touch(b.ground, &ground, r3.Add(s.Pos, axes.ToWorld(at)))
		lowest = min(lowest, -ground.Depth)
	}
	return lowest
}
