package road

import (
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/tire"
)

// Hit is where something that moves first meets a ground.
type Hit struct {
	At       float64      // share of the way until then; lengths of the direction for a ray
	Point    r3.Vec       // on the ground [m, world]
	Normal   r3.Vec       // unit, towards what comes
	Surface  tire.Surface // of the ground
	Material uint8        // in the ground's Surfaces
	Area     uint8        // whose grip changes, as of a Contact
	Triangle int          // of a mesh
}

// Caster is a ground that finds what a moving body meets first. A body that
// touches the ground from the start meets it at 0. The methods allocate nothing
// and depend on their arguments alone.
type Caster interface {
	// SweepSphere moves a sphere of a radius [m] from a place [m, world] by way [m].
	SweepSphere(from r3.Vec, radius float64, way r3.Vec) (Hit, bool)
	// SweepCylinder moves a cylinder of a radius and half a width [m] about axle, a
	// unit vector.
	SweepCylinder(from, axle r3.Vec, radius, half float64, way r3.Vec) (Hit, bool)
}

// CasterOf returns what casts on a ground, be it fenced, paved or a circuit's;
// nil if nothing does. It allocates nothing.
func CasterOf(g Ground) Caster {
	switch g := g.(type) {
	case Caster:
		return g
	case *Fenced:
		return CasterOf(g.Ground)
	case *Circuit:
		return CasterOf(g.Ground)
	case *Roadside:
		if CasterOf(g.Ground) != nil {
			return (*sideCaster)(g)
		}
	case *Pavement:
		if CasterOf(g.ground) != nil {
			return (*pavedCaster)(g)
		}
	}
	return nil
}

// sideCaster is a Roadside on a ground that casts: what is met is in its area.
type sideCaster Roadside

// SweepSphere implements Caster.
func (l *sideCaster) SweepSphere(from r3.Vec, radius float64, way r3.Vec) (Hit, bool) {
	h, ok := CasterOf(l.Ground).SweepSphere(from, radius, way)
	h.Area = (*Roadside)(l).area(h.Material, h.Area)
	return h, ok
}

// SweepCylinder implements Caster.
func (l *sideCaster) SweepCylinder(from, axle r3.Vec, radius, half float64, way r3.Vec) (Hit, bool) {
	h, ok := CasterOf(l.Ground).SweepCylinder(from, axle, radius, half, way)
	h.Area = (*Roadside)(l).area(h.Material, h.Area)
	return h, ok
}

// pavedCaster is a Pavement on a ground that casts: what is met is raised and tilted by
// what is laid there, as a contact is.
type pavedCaster Pavement

// SweepSphere implements Caster.
func (l *pavedCaster) SweepSphere(from r3.Vec, radius float64, way r3.Vec) (Hit, bool) {
	h, ok := CasterOf(l.ground).SweepSphere(from, radius, way)
	return l.lay(h, way), ok
}

// SweepCylinder implements Caster.
func (l *pavedCaster) SweepCylinder(from, axle r3.Vec, radius, half float64, way r3.Vec) (Hit, bool) {
	h, ok := CasterOf(l.ground).SweepCylinder(from, axle, radius, half, way)
	return l.lay(h, way), ok
}

func (l *pavedCaster) lay(h Hit, way r3.Vec) Hit {
	if int(h.Material) >= len(l.coats) {
		return h
	}
	k := &l.coats[h.Material]
	h.Surface = k.tire
	closing := -r3.Dot(way, h.Normal)
	if k.even() || !(h.At > 0 && closing > 0) {
		return h
	}
	z, rise := (*Pavement)(l).height(k, h.Point)
	c := Contact{Point: h.Point, Normal: h.Normal}
	c.raise(h.Point, z, rise)
	h.Point, h.Normal = c.Point, c.Normal
	const soon = 1e-9 // not from the start
	h.At = min(max(h.At-z/closing, soon), 1)
	return h
}
