package chassis

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// Cling is how far the hull has moved from where it clings to ground and walls by dry friction: 0 without contact.
type Cling struct {
	Shift r3.Vec // of the center of mass [m, world]
	Turn  r3.Vec // of the body, as a small rotation [rad, world]
}

// clingShare is the largest share of any motion that the bristles of all contacts take away in a tick.
const clingShare = 0.2

// clingPerLoad returns the tangential stiffness of a contact for each newton of its load [1/m]: at a friction of 0.45
// a hull yields by 2 mm before it slides, and by more where the time step is too long for that. The stiffness grows
// with the load, so that all contacts of a hull that slides reach their limit together. totalMobility is that of the
// corners in contact [1/kg], weight the car's [N].
func clingPerLoad(weight, totalMobility, dt float64) float64 {
	return min(200, clingShare/(dt*dt*weight*totalMobility))
}

// move adds the motion of a tick.
func (c *Cling) move(dt float64, vel, spin r3.Vec) {
	c.Shift = r3.Add(c.Shift, r3.Scale(dt, vel))
	c.Turn = r3.Add(c.Turn, r3.Scale(dt, spin))
}

// at returns the displacement in the plane of a contact [m, world].
func (c *Cling) at(t *contactPoint) r3.Vec {
	shift := r3.Add(c.Shift, r3.Cross(c.Turn, t.arm))
	return r3.Sub(shift, r3.Scale(r3.Dot(shift, t.normal), t.normal))
}

// limit lets the hull slide where its contacts pull with more than their friction: it brings what they pull with back
// to what they hold.
func (c *Cling) limit(r *reaction) {
	if r.pull > r.hold {
		share := r.hold / r.pull
		c.Shift, c.Turn = r3.Scale(share, c.Shift), r3.Scale(share, c.Turn)
	}
}

// reaction is the force of contacts on the body, and the sum of what they pull with and could hold by friction [N].
type reaction struct {
	Wrench
	pull, hold float64
}

func (a reaction) plus(o reaction) reaction {
	return reaction{a.Wrench.Plus(o.Wrench), a.pull + o.pull, a.hold + o.hold}
}

// friction returns the friction force of a contact that carries a load [N], and what its displacement pulls with and
// what friction holds [N]. slip is the velocity in its plane [m/s], totalMobility the sum of the mobilities of all
// contacts.
//
// A bristle of the stiffness that clingPerLoad gives pulls against the hull's displacement, so that a hull at rest stands
// still, and a damper against its velocity. The bristle fades out up to 0.2 m/s, so that none is loaded and let go by the
// changing loads of a crash, but not below the speed at which the damper alone pulls with all that friction holds under
// the car's weight: between the two, the hull would slide for ever on a slope that can hold it. If all contacts damp with
// share/(dt·mobility), a tick removes at most that share of any motion; the bristles are kept as soft in a crash.
func (b *Body) friction(t *contactPoint, s *State, load float64, slip r3.Vec, totalMobility mobility) (force r3.Vec, pull, hold float64) {
	const share = 0.3
	perMobility := b.perDt / totalMobility.tangential
	hold = b.shell.friction * t.grip * load
	fadeOut := max(0.2, b.shell.friction*t.grip*min(load, b.shell.weight)/(share*perMobility)) // [m/s]
	bristle := r3.Scale(min(b.shell.clingPerLoad*load, clingShare*perMobility*b.perDt), s.Cling.at(t))
	held := max(0, 1-r3.Dot(slip, slip)/(fadeOut*fadeOut))
	force = r3.Scale(-1, r3.Add(r3.Scale(held, bristle), r3.Scale(share*perMobility, slip)))
	if size := math.Sqrt(r3.Dot(force, force)); size > hold {
		force = r3.Scale(hold/size, force)
	}
	return force, math.Sqrt(r3.Dot(bristle, bristle)), hold
}
