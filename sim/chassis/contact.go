package chassis

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/road"
	"rig.example/rig/sim/tire"
)

// shell is the outside of the body: corners that yield like springs and slide
// with Coulomb friction where they meet the ground or a wall. It is what a car
// that rolled over lies on.
type shell struct {
	polytope               // corners and faces [m, body]
	middle, half r3.Vec    // of the box around them [m, body]
	levers       []float64 // of each corner: how it yields along x, y and z together [1/kg]
	rate         float64   // of one corner at rest [N/m]
	loss         float64   // share by which a corner pushes more on its way in, and less on its way out
	friction     float64
	level        bool // the ground is one plane, the floor
	floor        plane
	fence        *road.Fenced // nil without walls
	rims         [4]r3.Vec    // lowest points of the wheels at full bump, their tires flat
}

// crush is the depth from which a corner resists like metal with nowhere to go [m].
const crush = 0.4

// newShell places the outside of the body and finds how hard its corners are.
//
// A corner pushes by rate times depth, more by a share of loss when it goes in and
// less by it when it comes out: so it gives back (1-loss)/(1+loss) of the energy
// that it took, whatever is behind it, and a body leaves with the square root of
// that share of its speed (Walton and Braun, J. Rheol. 30, 1986).
func newShell(k *Spec, g road.Ground, m *masses, dt float64) (shell, error) {
	back := k.Hull.Restitution * k.Hull.Restitution
	sh := shell{loss: (1 - back) / (1 + back), friction: k.Hull.Friction, level: road.Level(g)}
	sh.fence = road.FenceOf(g)
	ground := g.Touch(r3.Vec{})
	sh.floor = plane{ground.Normal, r3.Dot(ground.Normal, ground.Point)}
	for i := range sh.rims {
		sh.rims[i] = k.Wheels[i].Rim
	}
	if len(k.Hull.Points) == 0 {
		sh.polytope = box(k)
	} else {
		var err error
		if sh.polytope, err = k.Hull.solid(); err != nil {
			return sh, fmt.Errorf("hull.%w", err)
		}
	}
	sh.move(r3.Vec{X: k.CGToFront, Y: -k.CGLeft, Z: -k.CGHeight}) // from the front axle, the middle and the ground
	sh.enclose()
	sh.harden(m, dt)
	return sh, nil
}

// box returns the corners of the body without a hull: around the middle of the
// wheelbase, as the body is drawn; its underside is as high as leaves it free when
// the springs are at their end.
func box(k *Spec) polytope {
	body := polytope{pairs: 8}
	for _, z := range [2]float64{k.Height, k.clearance()} {
		for _, x := range [2]float64{k.Length / 2, -k.Length / 2} {
			at := r3.Vec{X: x - k.Wheelbase/2, Y: k.Width / 2, Z: z}
			body.vertices = append(body.vertices, at, mirror(at))
		}
	}
	body.faces = body.planes()
	return body
}

// enclose finds the box around the corners.
func (sh *shell) enclose() {
	axis := func(n r3.Vec) (middle, half float64) {
		low, high := span(sh.vertices, n)
		return (low + high) / 2, (high - low) / 2
	}
	sh.middle.X, sh.half.X = axis(r3.Vec{X: 1})
	sh.middle.Y, sh.half.Y = axis(r3.Vec{Y: 1})
	sh.middle.Z, sh.half.Z = axis(r3.Vec{Z: 1})
}

// clearance returns the height of the box' underside above the ground at rest
// [m]: that of the hubs, and more for springs with a long way to go.
func (k *Spec) clearance() float64 {
	free := func(w *Mount, share float64) float64 {
		left := w.Travel - k.Mass*k.Gravity*share/2/w.SpringRate
		return max(w.Radius, left+w.Radius/2)
	}
	rear := k.CGToFront / k.Wheelbase // lever rule
	return min(max(free(&k.Wheels[tire.FL], 1-rear), free(&k.Wheels[tire.RL], rear)), 0.8*k.Height)
}

// harden chooses the spring of a corner: four sag by 5 mm under the weight, unless
// the time step is too long for so much. Springs of which half are pushed in at
// once turn no motion into a larger one while the sum of rate times yielding times
// dt² is well below 4.
func (sh *shell) harden(m *masses, dt float64) {
	const perSag, safe = 500, 0.4 // [1/s²], [1]
	all := 0.0
	for _, at := range sh.vertices {
		lever := m.pliant(at)
		sh.levers = append(sh.levers, lever)
		all += lever
	}
	sh.rate = min(perSag*m.total, safe/(dt*dt*all/2))
}

// yields returns the speed that an impulse of 1 along a unit vector gives to the
// place on the body that it acts on [1/kg], both in the body and with all wheels
// free to stay behind: no body is lighter.
func (m *masses) yields(at, along r3.Vec) float64 {
	arm := r3.Cross(at, along)
	u := Impulse{along.Z, arm.X, arm.Y, arm.Z}
	d := m.inverses[0].deltaV(&u)
	return m.perMass*(along.X*along.X+along.Y*along.Y) + (u[0]*d[0] + u[1]*d[1] + u[2]*d[2] + u[3]*d[3])
}

// pliant is what a place yields along x, y and z together [1/kg].
func (m *masses) pliant(at r3.Vec) float64 {
	return m.yields(at, r3.Vec{X: 1}) + m.yields(at, r3.Vec{Y: 1}) + m.yields(at, r3.Vec{Z: 1})
}

// touch is one corner in the ground or in a wall.
type touch struct {
	arm, normal r3.Vec  // from the centre of mass, and out of what it meets [world]
	depth       float64 // [m], 0 where it meets nothing
	grip        float64
	rim         bool // of a wheel: it stops, the tire carries
}

// yielding is how the touching corners move for equal impulses, summed up: along
// their normals and across [1/kg].
type yielding struct{ along, across float64 }

func (a yielding) plus(o yielding) yielding { return yielding{a.along + o.along, a.across + o.across} }

// Contact adds to sum what ground and walls do to the body's corners, and to wheels at full
// bump; slick is what the ground's areas have lost of their grip. It notes the sum in s.Blow.
//
// Left and right are summed first, so that a mirrored car adds the same numbers.
func (c *Body) Contact(sum *Wrench, s *State, at *Axes, ws *[4]Wheel, slick *road.Slick) {
	b := *at
	s.Blow = Blow{}
	walls, clear := c.besides(s, b), c.clear(s, b)
	if clear && walls == nil && !c.bottoms(ws) {
		return
	}
	var rims [4]touch
	all := c.bottomed(&rims, s, b, ws, slick)
	var found [mostVertices][2]touch
	n := len(c.shell.vertices)
	for i := 0; i < n; i++ {
		a := c.meet(&found[i], i, s, b, slick, clear, walls)
		if i < c.shell.pairs {
			i++
			a = a.plus(c.meet(&found[i], i, s, b, slick, clear, walls))
		}
		all = all.plus(a)
	}
	var edge touch
	all = all.plus(c.edge(&edge, s, b, walls))
	if all.along == 0 {
		return
	}
	spin := b.Out(s.Rate)
	ends := c.push(&edge, s, spin, all)
	for left := tire.FL; left <= tire.RL; left += 2 {
		ends = ends.Plus(c.push(&rims[left], s, spin, all).Plus(c.push(&rims[left+1], s, spin, all)))
	}
	for i := 0; i < n; i++ {
		w := c.rub(&found[i], s, spin, all)
		if i < c.shell.pairs {
			i++
			w = w.Plus(c.rub(&found[i], s, spin, all))
		}
		ends = ends.Plus(w)
	}
	s.Blow = Blow{Force: b.Into(ends.Force), Yaw: b.Into(ends.Moment).Z}
	*sum = sum.Plus(ends)
}

// bottoms reports whether any wheel is at full bump.
func (c *Body) bottoms(ws *[4]Wheel) bool {
	for i := range ws {
		if !(ws[i].Travel < c.travel[i]) { // also true for NaN
			return true
		}
	}
	return false
}

// bottomed finds the wheels that are on their rims at full bump. They stop the body
// within some ticks and give nothing back.
func (c *Body) bottomed(rims *[4]touch, s *State, b Axes, ws *[4]Wheel, slick *road.Slick) yielding {
	var own [4]yielding
	for i := range own {
		if ws[i].Travel < c.travel[i] {
			continue
		}
		arm := b.Out(c.shell.rims[i])
		ground := c.ground.Touch(r3.Add(s.Pos, arm))
		if !(ground.Depth > 0) {
			continue
		}
		rims[i] = touch{arm, ground.Normal, ground.Depth, slick.Left(ground.Area) * ground.Surface.Grip, true}
		along := c.masses.yields(c.shell.rims[i], b.Into(ground.Normal))
		own[i] = yielding{along, c.masses.pliant(c.shell.rims[i]) - along}
	}
	return own[tire.FL].plus(own[tire.FR]).plus(own[tire.RL].plus(own[tire.RR]))
}

// clear reports whether the whole body is above the ground, by the box around it
// and, where the ground is not one plane, by the four corners that face down.
func (c *Body) clear(s *State, b Axes) bool {
	sh := &c.shell
	if sh.level {
		return sh.above(b.Into(sh.floor.normal), r3.Dot(sh.floor.normal, s.Pos)-sh.floor.offset)
	}
	ground := c.ground.Touch(s.Pos)
	up := b.Into(ground.Normal)
	return sh.above(up, -ground.Depth) && c.overhangs(s, b, up)
}

// above reports whether the box is clear of a plane that the centre of mass is at a
// height above [m]; up is the plane's normal in the body.
func (sh *shell) above(up r3.Vec, height float64) bool {
	const rounding = 1e-3 // [m]
	gap := height + r3.Dot(up, sh.middle) - sh.reach(up)
	return gap > rounding // false for NaN
}

// overhangs reports whether the corners of the side that faces down are all so high
// above a rough ground that none of it reaches up between them.
func (c *Body) overhangs(s *State, b Axes, up r3.Vec) bool {
	const rough = 0.15 // [m] that the ground may rise between two places
	m, h := c.shell.middle, c.shell.half
	x, y, z := r3.Vec{X: h.X}, r3.Vec{Y: h.Y}, r3.Vec{Z: math.Copysign(h.Z, up.Z)}
	if math.Abs(up.X) > math.Abs(up.Z) && math.Abs(up.X) >= math.Abs(up.Y) {
		x, z = r3.Vec{Z: h.Z}, r3.Vec{X: math.Copysign(h.X, up.X)}
	} else if math.Abs(up.Y) > math.Abs(up.Z) {
		y, z = r3.Vec{Z: h.Z}, r3.Vec{Y: math.Copysign(h.Y, up.Y)}
	}
	face := r3.Sub(m, z)
	for _, at := range [4]r3.Vec{
		r3.Add(face, r3.Add(x, y)), r3.Add(face, r3.Sub(x, y)), r3.Sub(face, r3.Sub(x, y)), r3.Sub(face, r3.Add(x, y)),
	} {
		if !(c.ground.Touch(r3.Add(s.Pos, b.Out(at))).Depth < -rough) {
			return false
		}
	}
	return true
}

// besides returns the walls about the body, none if the box around it is clear
// of them all.
func (c *Body) besides(s *State, b Axes) []road.Block {
	walls := c.shell.fence.Near(s.Pos)
	if len(walls) == 0 {
		return nil
	}
	if _, in := c.shell.out(walls, s, b); !in {
		return nil
	}
	return walls
}

// out returns the shortest level way for the box out of the first wall that it is in.
func (sh *shell) out(walls []road.Block, s *State, b Axes) (r3.Vec, bool) {
	middle := r3.Add(s.Pos, b.Out(sh.middle))
	for i := range walls {
		along, out := walls[i].Axes()
		if way, in := walls[i].Out(middle, sh.reach(b.Into(along)), sh.reach(b.Into(out))); in {
			return way, true
		}
	}
	return r3.Vec{}, false
}

// reach returns how far the box extends from its middle in a direction [m].
func (sh *shell) reach(n r3.Vec) float64 {
	return math.Abs(n.X)*sh.half.X + math.Abs(n.Y)*sh.half.Y + math.Abs(n.Z)*sh.half.Z
}

// meet finds what corner i is in: the ground, and the wall that it is deepest in.
func (c *Body) meet(found *[2]touch, i int, s *State, b Axes, slick *road.Slick, clear bool, walls []road.Block) (a yielding) {
	arm := b.Out(c.shell.vertices[i])
	at := r3.Add(s.Pos, arm)
	if !clear {
		ground := c.ground.Touch(at)
		ground.Surface.Grip *= slick.Left(ground.Area)
		a = c.enter(&found[0], i, arm, b, ground)
	}
	var deepest road.Contact
	for k := range walls {
		if hit, ok := walls[k].Hit(at); ok && hit.Depth > deepest.Depth {
			deepest = hit
		}
	}
	if deepest.Depth > 0 {
		a = a.plus(c.enter(&found[1], i, arm, b, deepest))
	}
	return a
}

// enter notes that corner i is in something, and returns how it yields.
func (c *Body) enter(t *touch, i int, arm r3.Vec, b Axes, in road.Contact) yielding {
	if !(in.Depth > 0) {
		return yielding{}
	}
	*t = touch{arm, in.Normal, in.Depth, in.Surface.Grip, false}
	along := c.masses.yields(c.shell.vertices[i], b.Into(in.Normal))
	return yielding{along, c.shell.levers[i] - along}
}

// rub returns what ground and wall do to one corner.
func (c *Body) rub(found *[2]touch, s *State, spin r3.Vec, all yielding) Wrench {
	return c.push(&found[0], s, spin, all).Plus(c.push(&found[1], s, spin, all))
}

// push returns what one touch does to the body; spin is its angular velocity
// in the world.
//
// Where all touches resist a speed by share/(dt·yields), a tick takes at most that
// share of any motion: up to 1.67 go to the loads, 0.3 to the drags, and what is
// below 2 never turns a motion into a larger one.
func (c *Body) push(t *touch, s *State, spin r3.Vec, all yielding) Wrench {
	const share = 0.3
	if t.depth == 0 {
		return Wrench{}
	}
	v := r3.Add(s.Vel, r3.Cross(spin, t.arm))
	out := r3.Dot(v, t.normal)
	load := c.shell.load(t, out, all.along, c.dt)
	slide := r3.Sub(v, r3.Scale(out, t.normal))
	speed := math.Sqrt(r3.Dot(slide, slide))
	drag := share / (c.dt * all.across)
	if most := c.shell.friction * t.grip * load; drag*speed > most {
		drag = most / speed
	}
	force := r3.Sub(r3.Scale(load, t.normal), r3.Scale(drag, slide))
	return Wrench{Force: force, Moment: r3.Cross(t.arm, force)}
}

// load returns the push of a touching corner that moves out at a speed
// [m/s]; yields is how all touching corners move for equal impulses [1/kg].
//
// The depth is that half way through the tick, or springs would gain energy. The
// push goes from more to less over a range of speeds that one tick of it does not
// leap, from just before a blow ends: so a car comes to rest as with a damper. A
// blow at town speed without restitution ends at up to 0.8 m/s.
func (sh *shell) load(t *touch, out, yields, dt float64) float64 {
	const creeping, settled = 0.1, 0.2 // [m/s]
	if t.rim {
		const share = 0.3
		return share * max(0, -out) / (dt * yields)
	}
	push := sh.rate * max(0, t.depth-out*dt/2)
	leap := push * yields * dt // [m/s]
	turn := (out + max(0, 0.4*leap-settled)) / (creeping + 0.6*sh.loss*leap)
	load := push * (1 - sh.loss*min(max(turn, -1), 1))
	if t.depth > crush && out < 0 {
		load -= min(t.depth/crush-1, 1) * out / (dt * yields)
	}
	return load
}

// WayOut returns the shortest level way for the box around the body out of the first wall
// that it is in [m, world], and whether it is in one.
func (c *Body) WayOut(s *State) (r3.Vec, bool) {
	return c.shell.out(c.shell.fence.Near(s.Pos), s, AxesOf(s.Att))
}

// Corners returns the corners of the body's outside [m, body], which must not be changed.
func (c *Body) Corners() []r3.Vec { return c.shell.vertices }

// Dents is how deep a body is in what it meets.
type Dents struct {
	Wall   float64 // its deepest corner in walls [m]
	Edge   float64 // the deepest edge of a wall in it [m]
	Energy float64 // of all its corners' springs, those in the ground too [J]
}

// Dents returns how deep the body is in ground and walls. It is for those who check a run, and
// looks at every corner.
func (c *Body) Dents(s *State) (d Dents) {
	b := AxesOf(s.Att)
	var edge touch
	c.edge(&edge, s, b, c.shell.fence.Near(s.Pos))
	d.Edge = edge.depth
	sum := edge.depth * edge.depth
	for _, at := range c.shell.vertices {
		place, wall := r3.Add(s.Pos, b.Out(at)), 0.0
		for _, block := range c.shell.fence.Near(place) {
			if hit, ok := block.Hit(place); ok {
				wall = max(wall, hit.Depth)
			}
		}
		ground := max(0, c.ground.Touch(place).Depth)
		sum += ground*ground + wall*wall
		d.Wall = max(d.Wall, wall)
	}
	d.Energy = c.shell.rate * sum / 2
	return d
}
