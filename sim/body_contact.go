package sim

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig/sim/tire"
)

// shell is the outside of the body: a box whose eight corners yield like
// springs with dampers and slide with Coulomb friction when they meet the
// ground. It is what a car that rolled over lies on.
type shell struct {
	middle  r3.Vec    // of the box [m, body]
	half    r3.Vec    // half its length, width and height [m]
	corners [8]r3.Vec // [m, body], a left one before its right one
	rate    float64   // of one corner [N/m]
	damping float64   // of one corner on its way in and out [N·s/m]
	drag    float64   // along the ground before a corner slides [N·s/m]
}

// bodyFriction is that of sheet metal on dry asphalt.
const bodyFriction = 0.45

// newShell places the box around the middle of the wheelbase, as the body is
// drawn; its underside is as high as leaves it free when the springs are at
// their end.
func newShell(p Params, tires [2]*tire.Tire, dt float64) shell {
	bottom := clearance(p, tires)
	sh := shell{
		middle: r3.Vec{X: p.CGToFront - p.Wheelbase/2, Y: -p.CGLeft, Z: (bottom+p.Height)/2 - p.CGHeight},
		half:   r3.Vec{X: p.Length / 2, Y: p.Width / 2, Z: (p.Height - bottom) / 2},
	}
	for i := range sh.corners {
		side := r3.Vec{X: sh.half.X, Y: sh.half.Y, Z: sh.half.Z}
		if i&1 != 0 {
			side.Y = -side.Y
		}
		if i&2 != 0 {
			side.X = -side.X
		}
		if i&4 != 0 {
			side.Z = -side.Z
		}
		sh.corners[i] = r3.Add(sh.middle, side)
	}
	// Four corners sag by 5 mm under the weight and come to rest without a
	// bounce, unless the time step is too long for so much.
	const perSag, perSwing = 500, 18 // [1/s²], [1/s]
	move := sh.mobility(p)
	most := 1 / (move * dt) // [N·s/m]
	sh.rate = min(perSag*p.Mass, 0.05*most/dt)
	sh.damping = min(perSwing*p.Mass, most)
	sh.drag = most
	return sh
}

// clearance returns the height of the body's underside above the ground at
// rest [m]: that of the hubs, and more for springs with a long way to go.
func clearance(p Params, tires [2]*tire.Tire) float64 {
	free := func(a Axle, t *tire.Tire, share float64) float64 {
		left := a.Travel - p.Mass*p.Gravity*share/2/a.SpringRate
		radius := a.spring(t).Radius
		return max(radius, left+radius/2)
	}
	rear := p.CGToFront / p.Wheelbase // lever rule
	return min(max(free(p.Front, tires[0], 1-rear), free(p.Rear, tires[1], rear)), 0.8*p.Height)
}

// mobility returns the most that four corners together answer to equal
// dampers [1/kg]: no motion of the body decays faster than by damping times
// mobility. It is the trace of the levers over the inertia, so eight corners
// reach at most twice of it, and a time step of less than 1/(damping·mobility)
// never turns a motion into a larger one.
func (sh *shell) mobility(p Params) float64 {
	h := r3.Add(sh.half, r3.Vec{X: math.Abs(sh.middle.X), Y: math.Abs(sh.middle.Y), Z: math.Abs(sh.middle.Z)})
	x, y, z := h.X*h.X, h.Y*h.Y, h.Z*h.Z
	t := newTensor(p)
	skew := 2 * (h.X*h.Y*math.Abs(t.ixy) + h.Y*h.Z*math.Abs(t.iyz))
	return 4 * (1/p.Mass + (y+z)*t.ixx + (x+z)*t.iyy + (x+y)*t.izz + skew)
}

// scrape adds to sum what the ground does to the body's corners.
//
// Left and right are summed first, as in tires.
func (c *Car) scrape(sum wrench, s *State, b axes) wrench {
	if c.clear(s, b) {
		return sum
	}
	spin := b.out(s.Rate)
	var ends wrench
	for i := 0; i < len(c.body.corners); i += 2 {
		left := c.bump(s, b.out(c.body.corners[i]), spin)
		right := c.bump(s, b.out(c.body.corners[i+1]), spin)
		ends = ends.plus(left.plus(right))
	}
	return sum.plus(ends)
}

// clear tells whether the whole box is above the ground, by its lowest corner
// and the ground below the centre of mass.
func (c *Car) clear(s *State, b axes) bool {
	const rough = 0.15 // [m] that the ground may rise within a car's length
	ground := c.ground.Touch(s.Pos)
	up := b.into(ground.Normal)
	m, h := &c.body.middle, &c.body.half
	reach := math.Abs(up.X)*h.X + math.Abs(up.Y)*h.Y + math.Abs(up.Z)*h.Z
	return up.X*m.X+up.Y*m.Y+up.Z*m.Z-reach-ground.Depth > rough
}

// bump returns what the ground does to one corner; arm leads to it from the
// centre of mass and spin is the body's angular velocity, both in the world.
func (c *Car) bump(s *State, arm, spin r3.Vec) wrench {
	ground := c.ground.Touch(r3.Add(s.Pos, arm))
	if !(ground.Depth > 0) {
		return wrench{}
	}
	v := r3.Add(s.Vel, r3.Cross(spin, arm))
	out := r3.Dot(v, ground.Normal)
	load := c.body.rate*ground.Depth - c.body.damping*out
	if !(load > 0) { // leaves faster than it springs back
		return wrench{}
	}
	slide := r3.Sub(v, r3.Scale(out, ground.Normal))
	speed := math.Sqrt(r3.Dot(slide, slide))
	drag := c.body.drag
	if most := bodyFriction * ground.Surface.Grip * load; drag*speed > most {
		drag = most / speed
	}
	force := r3.Sub(r3.Scale(load, ground.Normal), r3.Scale(drag, slide))
	return wrench{force, r3.Cross(arm, force)}
}
