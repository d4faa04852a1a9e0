package chassis

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/sim/tire"
)

// shell is the outside of the body, which touches the ground and walls. Each corner is a spring with Coulomb
// friction. A car that has rolled over lies on it.
type shell struct {
	polytope                // corners and faces [m, body]
	middle, half  r3.Vec    // of the bounding box [m, body]
	mobilities    []float64 // sum of the mobilities of each corner along x, y and z [1/kg]
	stiffness     float64   // stiffness of one corner, the mean of loading and unloading [N/m]
	hysteresis    float64   // relative increase of a corner's force in loading, and decrease in unloading
	friction      float64   // friction coefficient
	weight        float64   // of the car [N]
	clingPerLoad  float64   // tangential stiffness of a contact for each newton of its load [1/m]
	reach         float64   // distance of the farthest point of the bounding box from the center of mass [m]
	steepest      float64   // slope of the ground at its steepest; Inf if unknown
	groundIsPlane bool      // the whole ground is one plane: floor
	floor         plane
	walls         *road.GroundWithWalls // walls around the track; nil without walls
	rimBottoms    [4]r3.Vec             // lowest points of the rims at full bump [m, body]
}

// crushDepth is the depth of a corner beyond which its force also stops motion further in [m].
const crushDepth = 0.4

// newShell returns the outside of the body with the stiffness of its corners.
//
// A corner's force is stiffness times depth, multiplied by 1+hysteresis in loading and by 1-hysteresis in
// unloading. So it returns (1-hysteresis)/(1+hysteresis) of the energy, whatever the mass, and the body leaves
// with the square root of that share of its speed (Walton and Braun, J. Rheol. 30, 1986).
func newShell(k *Spec, g road.Ground, m *masses, dt float64) (shell, error) {
	energyReturn := k.Hull.Restitution * k.Hull.Restitution
	sh := shell{hysteresis: (1 - energyReturn) / (1 + energyReturn), friction: k.Hull.Friction,
		weight: k.Mass * k.Gravity, groundIsPlane: road.IsPlane(g)}
	sh.walls, sh.steepest = road.WallsOf(g), road.Steepest(g)
	contact := g.Touch(r3.Vec{})
	sh.floor = plane{contact.Normal, r3.Dot(contact.Normal, contact.Point)}
	for i := range sh.rimBottoms {
		sh.rimBottoms[i] = k.Wheels[i].RimBottom
	}
	if len(k.Hull.Points) == 0 {
		sh.polytope = box(k)
	} else {
		var err error
		if sh.polytope, err = k.Hull.polytope(); err != nil {
			return sh, fmt.Errorf("hull.%w", err)
		}
	}
	sh.translate(r3.Vec{X: k.CGToFront, Y: -k.CGLeft, Z: -k.CGHeight}) // hull points count from the front axle, the middle and the ground
	sh.findBox()
	sh.chooseStiffness(m, dt)
	return sh, nil
}

// box returns the outside of a body without hull points: a box of length_m, width_m and height_m around the
// middle of the wheelbase, as the display draws it. Its underside stays above the ground at full bump.
func box(k *Spec) polytope {
	body := polytope{mirrorPairs: 8}
	for _, z := range [2]float64{k.Height, k.undersideHeight()} {
		for _, x := range [2]float64{k.Length / 2, -k.Length / 2} {
			at := r3.Vec{X: x - k.Wheelbase/2, Y: k.Width / 2, Z: z}
			body.vertices = append(body.vertices, at, mirror(at))
		}
	}
	body.faces = body.planes()
	return body
}

// findBox sets middle and half to the bounding box of the corners.
func (sh *shell) findBox() {
	axis := func(n r3.Vec) (middle, half float64) {
		low, high := extent(sh.vertices, n)
		return (low + high) / 2, (high - low) / 2
	}
	sh.middle.X, sh.half.X = axis(r3.Vec{X: 1})
	sh.middle.Y, sh.half.Y = axis(r3.Vec{Y: 1})
	sh.middle.Z, sh.half.Z = axis(r3.Vec{Z: 1})
	sh.reach = r3.Norm(sh.middle) + r3.Norm(sh.half)
}

// undersideHeight returns the height of the box' underside above the ground at rest [m]: the height of the
// hubs, or more if the springs have much bump travel left.
func (k *Spec) undersideHeight() float64 {
	clearance := func(w *Mount, share float64) float64 {
		bumpTravel := w.Travel - k.Mass*k.Gravity*share/2/w.SpringRate
		return max(w.Radius, bumpTravel+w.Radius/2)
	}
	rear := k.CGToFront / k.Wheelbase // lever rule
	return min(max(clearance(&k.Wheels[tire.FL], 1-rear), clearance(&k.Wheels[tire.RL], rear)), 0.8*k.Height)
}

// chooseStiffness sets the stiffnesses of a corner: four corners deflect by 5 mm under the weight, unless the
// time step is too long for that. The integration is stable while the sum of stiffness·mobility·dt² over the
// corners in contact, at most half of all, is well below 4.
func (sh *shell) chooseStiffness(m *masses, dt float64) {
	const perSag, stable = 500, 0.4 // [1/s²], [-]
	sum := 0.0
	for _, at := range sh.vertices {
		pointMobility := m.mobilityTrace(at)
		sh.mobilities = append(sh.mobilities, pointMobility)
		sum += pointMobility
	}
	sh.stiffness = min(perSag*m.total, stable/(dt*dt*sum/2))
	sh.clingPerLoad = clingPerLoad(sh.weight, sum/2, dt)
}

// mobilityAlong returns the mobility of a point of the body along a unit vector [1/kg], both in body axes:
// the speed that an impulse of 1 N·s gives to the point, the inverse of the effective mass. No wheel is at an
// end of its travel, which gives the largest mobility.
func (m *masses) mobilityAlong(at, along r3.Vec) float64 {
	arm := r3.Cross(at, along)
	u := Impulse{along.Z, arm.X, arm.Y, arm.Z}
	d := m.inverses[0].deltaV(&u)
	return m.inverseMass*(along.X*along.X+along.Y*along.Y) + (u[0]*d[0] + u[1]*d[1] + u[2]*d[2] + u[3]*d[3])
}

// mobilityTrace returns the sum of the mobilities of a point along x, y and z [1/kg]: the same for any three
// perpendicular axes.
func (m *masses) mobilityTrace(at r3.Vec) float64 {
	return m.mobilityAlong(at, r3.Vec{X: 1}) + m.mobilityAlong(at, r3.Vec{Y: 1}) + m.mobilityAlong(at,
		r3.Vec{Z: 1})
}

// contactPoint is one corner in contact with the ground or a wall.
type contactPoint struct {
	arm, normal r3.Vec  // vector from the center of mass [m], and unit normal of the ground or wall [world]
	depth       float64 // [m], 0 without contact
	grip        float64 // factor of the surface on friction
	rim         bool    // it is a rim at full bump, which only stops the body; the tire carries the load
}

// mobility is the sum of the mobilities of contacts along their normals, and in their tangential planes [1/kg].
type mobility struct{ normal, tangential float64 }

func (a mobility) plus(o mobility) mobility {
	return mobility{a.normal + o.normal, a.tangential + o.tangential}
}

// AddContact adds to sum the forces of ground and walls on the body's corners and on rims at full bump. It sets
// s.Impact to their total. slick holds the loss of grip of each area of the ground.
//
// Left and right are added first, so that a mirrored car adds the same numbers.
func (b *Body) AddContact(sum *Wrench, s *State, at *Axes, ws *[4]Wheel, slick *road.GripLoss) {
	s.Impact = Impact{}
	walls, aboveGround := b.wallsNear(s, at), b.isAboveGround(s, at)
	if aboveGround && walls == nil && !b.anyAtFullBump(ws) {
		s.Cling = Cling{}
		return
	}
	b.addTouching(sum, s, *at, ws, slick, walls, aboveGround)
}

// addTouching is AddContact where something may touch. walls are those near the body, and aboveGround tells that no
// corner touches the ground.
func (b *Body) addTouching(sum *Wrench, s *State, axes Axes, ws *[4]Wheel, slick *road.GripLoss, walls []road.WallBox,
	aboveGround bool) {
	var rims [4]contactPoint
	totalMobility := b.findRimContacts(&rims, s, axes, ws, slick)
	var found [maxVertices][2]contactPoint
	n := len(b.shell.vertices)
	for i := 0; i < n; i++ {
		a := b.findCornerContacts(&found[i], i, s, axes, slick, aboveGround, walls)
		if i < b.shell.mirrorPairs {
			i++
			a = a.plus(b.findCornerContacts(&found[i], i, s, axes, slick, aboveGround, walls))
		}
		totalMobility = totalMobility.plus(a)
	}
	var edge contactPoint
	totalMobility = totalMobility.plus(b.findEdgeContact(&edge, s, axes, walls))
	if totalMobility.normal == 0 {
		s.Cling = Cling{}
		return
	}
	spin := axes.ToWorld(s.Rate)
	s.Cling.move(b.dt, s.Vel, spin)
	all := b.contactForce(&edge, s, spin, totalMobility)
	for left := tire.FL; left <= tire.RL; left += 2 {
		all = all.plus(b.contactForce(&rims[left], s, spin,
			totalMobility).plus(b.contactForce(&rims[left+1], s, spin, totalMobility)))
	}
	for i := 0; i < n; i++ {
		r := b.cornerForce(&found[i], s, spin, totalMobility)
		if i < b.shell.mirrorPairs {
			i++
			r = r.plus(b.cornerForce(&found[i], s, spin, totalMobility))
		}
		all = all.plus(r)
	}
	s.Cling.limit(&all)
	s.Impact = Impact{Force: axes.ToBody(all.Force), YawMoment: axes.ToBody(all.Moment).Z}
	*sum = sum.Plus(all.Wrench)
}

// anyAtFullBump reports whether any wheel is at full bump.
func (b *Body) anyAtFullBump(ws *[4]Wheel) bool {
	for i := range ws {
		if !(ws[i].Travel < b.travel[i]) { // also true for NaN
			return true
		}
	}
	return false
}

// findRimContacts sets rims to the contacts of wheels that stand on their rims at full bump, and returns the
// sum of their mobilities. These contacts stop the body within some ticks and return no energy.
func (b *Body) findRimContacts(rims *[4]contactPoint, s *State, axes Axes, ws *[4]Wheel,
	slick *road.GripLoss) mobility {
	var mobilities [4]mobility
	for i := range mobilities {
		if ws[i].Travel < b.travel[i] {
			continue
		}
		arm := axes.ToWorld(b.shell.rimBottoms[i])
		ground := b.ground.Touch(r3.Add(s.Pos, arm))
		if !(ground.Depth > 0) {
			continue
		}
		rims[i] = contactPoint{arm, ground.Normal, ground.Depth,
			slick.Remaining(ground.AreaNumber) * ground.Surface.Grip, true}
		along := b.masses.mobilityAlong(b.shell.rimBottoms[i], axes.ToBody(ground.Normal))
		mobilities[i] = mobility{along, b.masses.mobilityTrace(b.shell.rimBottoms[i]) - along}
	}
	return mobilities[tire.FL].plus(mobilities[tire.FR]).plus(mobilities[tire.RL].plus(mobilities[tire.RR]))
}

// wallsNear returns the walls around the body, or nil if its bounding box touches none of them.
func (b *Body) wallsNear(s *State, axes *Axes) []road.WallBox {
	walls := b.shell.walls.Near(s.Pos)
	if len(walls) == 0 {
		return nil
	}
	if _, in := b.shell.pushOut(walls, s, axes); !in {
		return nil
	}
	return walls
}

// pushOut returns the shortest horizontal displacement that moves the bounding box out of the first wall that
// it is in [m, world], and whether it is in a wall.
func (sh *shell) pushOut(walls []road.WallBox, s *State, axes *Axes) (r3.Vec, bool) {
	middle := r3.Add(s.Pos, axes.ToWorld(sh.middle))
	for i := range walls {
		along, out := walls[i].Axes()
		if push, in := walls[i].PushOut(middle, sh.halfExtent(axes.ToBody(along)),
			sh.halfExtent(axes.ToBody(out))); in {
			return push, true
		}
	}
	return r3.Vec{}, false
}

// halfExtent returns how far the bounding box extends from its middle along the unit vector n [m].
func (sh *shell) halfExtent(n r3.Vec) float64 {
	return math.Abs(n.X)*sh.half.X + math.Abs(n.Y)*sh.half.Y + math.Abs(n.Z)*sh.half.Z
}

// findCornerContacts sets found to the contacts of corner i with the ground and with the wall in which it is
// deepest. It returns the sum of their mobilities.
func (b *Body) findCornerContacts(found *[2]contactPoint, i int, s *State, axes Axes, slick *road.GripLoss,
	aboveGround bool, walls []road.WallBox) (a mobility) {
	arm := axes.ToWorld(b.shell.vertices[i])
	at := r3.Add(s.Pos, arm)
	if !aboveGround {
		ground := b.ground.Touch(at)
		ground.Surface.Grip *= slick.Remaining(ground.AreaNumber)
		a = b.setCornerContact(&found[0], i, arm, axes, ground)
	}
	var deepest road.Contact
	for k := range walls {
		if hit, ok := walls[k].Contact(at); ok && hit.Depth > deepest.Depth {
			deepest = hit
		}
	}
	if deepest.Depth > 0 {
		a = a.plus(b.setCornerContact(&found[1], i, arm, axes, deepest))
	}
	return a
}

// setCornerContact sets t to the contact of corner i with the surface in, and returns its mobility. Without a
// contact it leaves t as it is and returns 0.
func (b *Body) setCornerContact(t *contactPoint, i int, arm r3.Vec, axes Axes, in road.Contact) mobility {
	if !(in.Depth > 0) {
		return mobility{}
	}
	*t = contactPoint{arm, in.Normal, in.Depth, in.Surface.Grip, false}
	along := b.masses.mobilityAlong(b.shell.vertices[i], axes.ToBody(in.Normal))
	return mobility{along, b.shell.mobilities[i] - along}
}

// cornerForce returns the force of ground and wall on one corner.
func (b *Body) cornerForce(found *[2]contactPoint, s *State, spin r3.Vec, totalMobility mobility) reaction {
	return b.contactForce(&found[0], s, spin, totalMobility).plus(b.contactForce(&found[1], s, spin, totalMobility))
}

// contactForce returns the force of one contact on the body. spin is the body's angular velocity [rad/s,
// world], totalMobility the sum of the mobilities of all contacts.
//
// Normal forces remove up to 1.67 of any motion in a tick and friction up to 0.5; the integration is stable while
// what they remove along each direction is below 2.
func (b *Body) contactForce(t *contactPoint, s *State, spin r3.Vec, totalMobility mobility) reaction {
	if t.depth == 0 {
		return reaction{}
	}
	v := r3.Add(s.Vel, r3.Cross(spin, t.arm))
	separation := r3.Dot(v, t.normal)
	load := b.shell.normalForce(t, separation, totalMobility.normal, b.dt)
	slip := r3.Sub(v, r3.Scale(separation, t.normal))
	friction, pull, hold := b.friction(t, s, load, slip, totalMobility)
	force := r3.Add(r3.Scale(load, t.normal), friction)
	return reaction{Wrench{Force: force, Moment: r3.Cross(t.arm, force)}, pull, hold}
}

// normalForce returns the normal force of a contact [N]. separation is the speed at which it moves out [m/s],
// contactMobility the normal mobility of all contacts [1/kg].
//
// It uses the depth in the middle of the tick, because springs would gain energy otherwise. The change from
// loading to unloading is spread over a range of speeds that one tick cannot cross, so that a car comes to rest
// as with a damper. An impact at town speed without restitution ends at up to 0.8 m/s.
func (sh *shell) normalForce(t *contactPoint, separation, contactMobility, dt float64) float64 {
	const minRange, maxRest = 0.1, 0.2 // [m/s]
	if t.rim {
		const share = 0.3
		return share * max(0, -separation) / (dt * contactMobility)
	}
	springForce := sh.stiffness * max(0, t.depth-separation*dt/2) // [N]
	tickSpeed := springForce * contactMobility * dt               // [m/s]
	direction := (separation + max(0, 0.4*tickSpeed-maxRest)) / (minRange + 0.6*sh.hysteresis*tickSpeed)
	load := springForce * (1 - sh.hysteresis*min(max(direction, -1), 1))
	if t.depth > crushDepth && separation < 0 {
		load -= min(t.depth/crushDepth-1, 1) * separation / (dt * contactMobility)
	}
	return load
}

// PushOut returns the shortest horizontal displacement that moves the body's bounding box out of the first wall
// that it is in [m, world], and whether it is in a wall.
func (b *Body) PushOut(s *State) (r3.Vec, bool) {
	axes := AxesOf(s.Att)
	return b.shell.pushOut(b.shell.walls.Near(s.Pos), s, &axes)
}

// Corners returns the corners of the body's outside [m, body]. The caller must not change them.
func (b *Body) Corners() []r3.Vec { return b.shell.vertices }

// Penetration is how deep a body is in ground and walls.
type Penetration struct {
	Wall   float64 // depth of the deepest corner in a wall [m]
	Edge   float64 // depth of the deepest wall edge in the body [m]
	Energy float64 // energy of the springs of all corners in walls and ground [J]
}

// Penetration returns how deep the body is in ground and walls. It checks every corner and is slow; use it to
// check a run, not in a tick.
func (b *Body) Penetration(s *State) (d Penetration) {
	axes := AxesOf(s.Att)
	var edge contactPoint
	b.findEdgeContact(&edge, s, axes, b.shell.walls.Near(s.Pos))
	d.Edge = edge.depth
	sum := edge.depth * edge.depth
	for _, at := range b.shell.vertices {
		pos, wall := r3.Add(s.Pos, axes.ToWorld(at)), 0.0
		for _, wallBox := range b.shell.walls.Near(pos) {
			if hit, ok := wallBox.Contact(pos); ok {
				wall = max(wall, hit.Depth)
			}
		}
		ground := max(0, b.ground.Touch(pos).Depth)
		sum += ground*ground + wall*wall
		d.Wall = max(d.Wall, wall)
	}
	d.Energy = b.shell.stiffness * sum / 2
	return d
}
