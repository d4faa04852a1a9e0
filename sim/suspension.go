package sim

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/curve"
	"rig.example/rig/sim/road"
	"rig.example/rig/sim/steering"
	"rig.example/rig/sim/tire"
)

// patch is where and how one tire stands during a tick.
type patch struct {
	arm     r3.Vec  // centre of mass to contact [m, world]
	normal  r3.Vec  // out of the ground
	forward r3.Vec  // the wheel's heading in the ground
	left    r3.Vec  //
	vx, vy  float64 // velocity of the contact along forward and left [m/s]
	gamma   float64 // sine of the wheel's inclination, top to the right
	squeeze float64 // vertical deflection of the tire [m], negative in the air
	axle    r3.Vec  // the wheel's axis, unit, to the left [world]
	scrub   r3.Vec  // way of the contact in the body for each metre of travel, less that along its z [world]
	caster  float64 // turn of the hub carrier for the same, top backward [rad/m]
	way     r3.Vec  // of the hub for the same [world]
	swing   r3.Vec  // change of the wheel's axis for the same [1/m, world]
	ratio   float64 // motion ratio
	lift    float64 // how much squeeze falls for each metre of travel
	perLean float64 // 1 over the cosine of the wheel's inclination, that no less than leastLean
	closing float64 // speed at which squeeze grows while the suspension stands [m/s]
	yaw     float64 // rate of the wheel about normal [rad/s]
	stuff
	running tire.Running   // what changes the tire's spring
	load    float64        // normal force [N]
	mass    float64        // that this wheel has to stop [kg]
	pin     r3.Vec         // axis of the kingpin, unit, up [world]
	lever   r3.Vec         // its foot on the ground to the contact [m, world]
	shaft   float64        // torque of the drive shaft less what speeds the wheel up [N·m]
	force   r3.Vec         // of the road on the tire at the contact [N, world]
	pull    chassis.Wrench // what the wheel does to the car
	moment  r3.Vec         // and what comes beside it [N·m, world]
	bar     float64        // push of a bar on the body beside the spring [N, along the body's z]
}

// touch finds the contact of every wheel at its present travel.
func (c *Car) touch(s *State, b *chassis.Axes, steer *steering.Angles, ps *[4]patch) {
	spin := b.Out(s.Rate)
	for i := range ps {
		c.place(&ps[i], s, b, i, steer)
		w, p, k := &s.Wheels[i], &ps[i], &c.corners[i]
		radius := k.vertical.FreeRadius(w.Roll.Spin)
		ground := c.ground.Touch(w.Hub)
		if k.footing.looks() {
			ground = k.footing.feel(c.ground, ground, w.Hub, p.axle, radius)
		}
		c.stand(p, &ground, b, radius)
		k.warm(p, w)
		p.lever = r3.Add(p.lever, p.arm)
		p.arm = r3.Add(p.arm, r3.Sub(w.Hub, s.Pos))
		v := r3.Add(s.Vel, r3.Cross(spin, p.arm))
		if p.yaw != 0 {
			turning := r3.Scale(p.yaw, p.pin)
			p.yaw = r3.Dot(turning, p.normal)
			v = r3.Add(v, r3.Cross(turning, p.lever))
		}
		p.yaw += r3.Dot(spin, p.normal)
		p.closing = -r3.Dot(v, p.normal) * p.perLean
		if !k.links.still {
			v = r3.Add(v, r3.Scale(w.Bump, p.scrub))
		}
		p.vx, p.vy = r3.Dot(v, p.forward), r3.Dot(v, p.left)
	}
}

// place puts a wheel where steering and links hold it in the body.
func (c *Car) place(p *patch, s *State, b *chassis.Axes, i int, steer *steering.Angles) {
	w, k := &s.Wheels[i], &c.corners[i]
	var st stance
	p.ratio = k.ratio
	axle, swing := r3.Vec{Y: 1}, r3.Vec{}
	angle := steer.Angle[i]
	p.way = b.Z
	if !k.links.still {
		k.links.at(&st, w.Travel)
		angle -= k.side * st.toe
		toe, across := curve.SinCos(k.side * st.toe)
		tilt, upright := curve.SinCos(-k.side * st.camber)
		axle = r3.Vec{X: upright * toe, Y: upright * across, Z: tilt}
		p.scrub = r3.Add(r3.Scale(st.along, b.X), r3.Scale(k.side*st.scrub, b.Y))
		if k.axle.Joint.Rate == 0 { // else the joint holds the wheel sideways, not the links
			swing = st.swing(k.side, toe, across, tilt, upright)
			p.way = r3.Add(b.Z, r3.Add(r3.Scale(st.along, b.X), r3.Scale(k.side*st.outward, b.Y)))
		}
		p.caster, p.ratio = st.caster, st.ratio
	}
	local := k.held(w.Travel, &st)
	sin, cos := steer.Sin[i], steer.Cos[i]
	if i < tire.RL {
		pin := c.steering.Kingpin(i)
		moved := pin.Hub(sin, cos)
		local = r3.Add(local, moved)
		p.pin, p.lever = b.Out(pin.Axis), b.Out(r3.Add(pin.Foot, moved))
		p.axle = b.Out(pin.Turn(axle, sin, cos))
		if !k.links.still {
			p.swing = b.Out(pin.Turn(swing, sin, cos))
		}
	} else {
		p.pin = b.Z
		p.axle = b.Out(r3.Vec{X: cos*axle.X - sin*axle.Y, Y: sin*axle.X + cos*axle.Y, Z: axle.Z})
		if !k.links.still {
			p.swing = b.Out(r3.Vec{X: cos*swing.X - sin*swing.Y, Y: sin*swing.X + cos*swing.Y, Z: swing.Z})
		}
	}
	w.Hub = r3.Add(s.Pos, b.Out(local))
	if s.Tick > 0 { // a car that begins with its wheels turned has not just turned them
		p.yaw = (angle - w.Steer) * c.perDt // of the wheel about its kingpin, so far
	}
	w.Steer = angle
}

// leastLean is the lean below which a wheel counts as no more inclined: an
// inclination of 60°. It keeps the division by the lean bounded when the car
// rolls over.
const leastLean = 0.5

// stand puts a wheel, a thin disc, on the ground below its hub; p.arm becomes
// the way from the hub to the contact.
//
// A tire deflects in its own plane, by its lowest point's depth over the lean.
// A tire further over than leastLean keeps the stiffness it has there and is
// pushed at its lowest point. Both are the force of a potential, in any
// attitude, so that a tumbling car gains nothing from its tires.
func (c *Car) stand(p *patch, ground *road.Contact, b *chassis.Axes, radius float64) {
	n, axle := ground.Normal, p.axle
	forward := r3.Cross(axle, n)
	lean := math.Sqrt(r3.Dot(forward, forward))
	const flat = 1e-6
	if lean < flat { // lies on its face: no way it could roll
		p.normal, p.perLean, p.squeeze = n, 1, -radius
		return
	}
	tilt := r3.Dot(axle, n)
	down := r3.Sub(r3.Scale(tilt, axle), n)
	p.normal = n
	perLean := 1 / lean
	p.forward = r3.Scale(perLean, forward)
	p.left = r3.Cross(n, p.forward)
	p.gamma = tilt
	p.stuff = stuffOf(ground)
	height := -ground.Depth
	reach := height * perLean * perLean
	if lean >= leastLean {
		p.squeeze = radius - height*perLean
		p.perLean = perLean
	} else {
		reach = radius * perLean
		p.squeeze = (radius*lean - height) / leastLean
		p.perLean = 1 / leastLean
	}
	p.arm = r3.Scale(reach, down)
	p.squeeze = min(p.squeeze, radius) // a hub in the ground is pushed no harder than one on it
	p.lift = (r3.Dot(p.way, n) + reach*tilt*r3.Dot(p.swing, n)) * p.perLean
}

// suspension moves the wheels and finds their loads.
//
// Each wheel is driven by tire, spring, damper, bar and its weight; the body
// counts as what it is at the start of the tick, and answers in integrate. The
// travel speeds are solved linearly implicitly, both sides of an axle at once,
// as the bar joins them: stable with any stiffness and with wheels without mass.
func (c *Car) suspension(s *State, b *chassis.Axes, ps *[4]patch, ws *[4]chassis.Wheel, joins *[2]joined) {
	for axle := range joins {
		left, right := 2*axle, 2*axle+1
		var l, r strut
		c.balance(&l, &c.corners[left], &s.Wheels[left], &ps[left], b.Z.Z)
		c.balance(&r, &c.corners[right], &s.Wheels[right], &ps[right], b.Z.Z)
		bar, k := &c.bars[axle], &joins[axle]
		part := bar.part(s.Vel)
		if bar.beside > 0 {
			bar.lift(part, s, ps, left)
		}
		bar.link(k, c.dt, part, &l, &r)
		join := c.dt * k.join
		kl, kr := l.resist+c.dt*k.ownLeft, r.resist+c.dt*k.ownRight
		fl, fr := l.force-k.left, r.force-k.right
		whole := 1 / (kl*kr - join*join)
		c.settle(s, ps, ws, left, (fl*kr+fr*join)*whole)
		c.settle(s, ps, ws, right, (fr*kl+fl*join)*whole)
	}
}

// strut is the force that compresses a suspension and what resists its speed.
type strut struct {
	force   float64 // [N]
	resist  float64 // [N·s/m]
	travel  float64 // before the tick [m]
	touches bool    // its tire is on the ground
}

// balance finds what drives a wheel along its travel; up is the share of gravity along the body's z.
func (c *Car) balance(out *strut, k *corner, w *Wheel, p *patch, up float64) {
	spring, rate := k.law.at(w.Travel)
	inert := k.mass * c.perDt
	push := inert*w.Bump - k.mass*c.p.Gravity*up - spring
	resist := inert
	// A tire that leaves the ground faster than it springs back does not pull.
	if lift := k.vertical.Force(p.squeeze, p.running) + k.vertical.Damping()*p.closing; p.squeeze > 0 && lift > 0 {
		hold := k.hold(w, p)
		push += p.lift*lift + w.Links + hold*w.Bump
		resist += hold
		rate += p.lift * p.lift * k.vertical.Rate(p.squeeze, p.running)
		resist += p.lift * p.lift * k.vertical.Damping()
	}
	resist += c.dt * rate
	slope, offset := k.damper.against(push, resist, p.ratio)
	out.force, out.resist, out.travel, out.touches = push-offset, resist+slope, w.Travel, p.squeeze > 0
}

// hold returns how the links' force on a wheel answers to a change of its speed
// within a tick [N·s/m]: as the contact holds on, but no more than it can.
//
// Links holds the force of the last tick, which alone would drive a light wheel
// on steep links to and fro.
func (k *corner) hold(w *Wheel, p *patch) float64 {
	const least = 1e-3 // [m/s]
	square := r3.Dot(p.scrub, p.scrub)
	if square == 0 || k.axle.Kinematics.ForceApp {
		return 0
	}
	slides := math.Sqrt(square) * math.Abs(w.Bump)
	return square * min(k.firm, w.Load/(slides+least))
}

// settle moves one wheel by its speed [m/s] and finds the load it then carries.
func (c *Car) settle(s *State, ps *[4]patch, ws *[4]chassis.Wheel, i int, speed float64) {
	w, p, k := &s.Wheels[i], &ps[i], &c.corners[i]
	travel := w.Travel + c.dt*speed
	end := min(max(travel, 0), k.axle.Travel)
	ws[i] = chassis.Wheel{Travel: w.Travel, Bump: w.Bump, Gain: speed - w.Bump, End: end, Fixed: end != travel}
	moved := p.lift * (end - w.Travel)
	p.load = 0
	if squeeze := p.squeeze - moved; squeeze > 0 {
		load := k.vertical.Force(squeeze, p.running) + k.vertical.Damping()*(p.closing-moved*c.perDt)
		p.load = max(0, load*p.perLean)
	}
	w.Load = p.load
}
