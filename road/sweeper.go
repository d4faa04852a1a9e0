package road

import (
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/tire"
)

// Hit is where a ray or a moving body first meets a ground.
type Hit struct {
	Fraction   float64      // fraction of the motion before the hit, 0..1; for a ray, multiples of its direction vector
	Point      r3.Vec       // point of the ground that is hit [m, world]
	Normal     r3.Vec       // unit normal of the ground, on the side of the ray or body
	Surface    tire.Surface // surface of the ground at the point
	Material   uint8        // index into the ground's Surfaces
	AreaNumber uint8        // number of the area whose grip may change, as in Contact
	Triangle   int          // index of the triangle, if the ground is a mesh
}

// Sweeper is a ground that finds where a moving body first meets it. A body that touches the ground at its
// start meets it at fraction 0. The methods must not allocate, and their results must depend on their
// arguments alone.
type Sweeper interface {
	// SweepSphere moves a sphere of a radius [m] from a position [m, world] by motion [m]. It returns
	// false if the sphere meets nothing.
	SweepSphere(from r3.Vec, radius float64, motion r3.Vec) (Hit, bool)
	// SweepCylinder moves a cylinder around axle, a unit vector, with a radius and half its width
	// (half) [m]. It returns false if the cylinder meets nothing.
	SweepCylinder(from, axle r3.Vec, radius, half float64, motion r3.Vec) (Hit, bool)
}

// SweeperOf returns the Sweeper of a ground, also inside walls, a pavement or a circuit, or nil if there
// is none. It does not allocate.
func SweeperOf(g Ground) Sweeper {
	switch g := g.(type) {
	case Sweeper:
		return g
	case *GroundWithWalls:
		return SweeperOf(g.Ground)
	case *Circuit:
		return SweeperOf(g.Ground)
	case *GroundWithLine:
		if SweeperOf(g.Ground) != nil {
			return (*lineSweeper)(g)
		}
	case *Pavement:
		if SweeperOf(g.ground) != nil {
			return (*pavementSweeper)(g)
		}
	}
	return nil
}

// lineSweeper is a GroundWithLine on a Sweeper. It sets the area of hits.
type lineSweeper GroundWithLine

// SweepSphere implements Sweeper.
func (l *lineSweeper) SweepSphere(from r3.Vec, radius float64, motion r3.Vec) (Hit, bool) {
	h, ok := SweeperOf(l.Ground).SweepSphere(from, radius, motion)
	h.AreaNumber = (*GroundWithLine)(l).areaOf(h.Material, h.AreaNumber)
	return h, ok
}

// SweepCylinder implements Sweeper.
func (l *lineSweeper) SweepCylinder(from, axle r3.Vec, radius, half float64, motion r3.Vec) (Hit, bool) {
	h, ok := SweeperOf(l.Ground).SweepCylinder(from, axle, radius, half, motion)
	h.AreaNumber = (*GroundWithLine)(l).areaOf(h.Material, h.AreaNumber)
	return h, ok
}

// pavementSweeper is a Pavement on a Sweeper. It raises and tilts hits by the height of the surface, as
// Touch does with contacts.
type pavementSweeper Pavement

// SweepSphere implements Sweeper.
func (l *pavementSweeper) SweepSphere(from r3.Vec, radius float64, motion r3.Vec) (Hit, bool) {
	h, ok := SweeperOf(l.ground).SweepSphere(from, radius, motion)
	return l.raise(h, motion), ok
}

// SweepCylinder implements Sweeper.
func (l *pavementSweeper) SweepCylinder(from, axle r3.Vec, radius, half float64, motion r3.Vec) (Hit, bool) {
	h, ok := SweeperOf(l.ground).SweepCylinder(from, axle, radius, half, motion)
	return l.raise(h, motion), ok
}

// raise adds the height of the surface to a hit.
func (l *pavementSweeper) raise(h Hit, motion r3.Vec) Hit {
	if int(h.Material) >= len(l.contactSurfaces) {
		return h
	}
	k := &l.contactSurfaces[h.Material]
	h.Surface = k.tire
	closing := -r3.Dot(motion, h.Normal)
	if k.isSmooth() || !(h.Fraction > 0 && closing > 0) {
		return h
	}
	z, gradient := (*Pavement)(l).height(k, h.Point)
	c := Contact{Point: h.Point, Normal: h.Normal}
	c.raise(h.Point, z, gradient)
	h.Point, h.Normal = c.Point, c.Normal
	const minFraction = 1e-9 // above 0: only a body that touches the ground at its start has the fraction 0
	h.Fraction = min(max(h.Fraction-z/closing, minFraction), 1)
	return h
}
