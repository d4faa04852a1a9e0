package sim

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/driveline"
	"rig.example/rig/sim/steering"
	"rig.example/rig/sim/suspension"
	"rig.example/rig/sim/tire"
)

// ledger keeps the accounts of a car from tick to tick. Every force counts at the point on which it acts, along
// the path that this point goes: the path of a contact is measured from where hub and wheel axis are before and
// after the tick, not taken from what the suspension says of its links.
type ledger struct {
	c         *Car
	totalOnly bool // keep only the last account, which needs no tire force and takes a fraction of the time

	// energy of body, wheels, springs and bars, plus what dampers and brakes took, less the work on them:
	// 0, but for the error of the integration and what impacts take
	car account
	// work of the tires' forces in the road plane, plus what bends their carcasses and what slip takes: 0
	slip account
	// change of angular momentum about the center of mass that no external moment explains, and the sum of the
	// magnitudes of their impulses [N·m·s]
	missed  r3.Vec
	impulse float64
	// energy of the whole car with its tires, less the work from outside: never rises
	total account

	steer steering.Angles // of the last tick
}

// parts are the works of a tick [J] from which the accounts are made.
type parts struct {
	stored, squeezed, bent                        float64 // increase of the energy in the car, in the tires' springs, in their carcasses
	plane, normal, moments                        float64 // on the car, by the tires' forces in the road plane and along its normal, and by their moments
	shafts, outside, steered, bars, dampers, held float64 // by the driveline, by air and push, into the steering, by anti-roll bars, into dampers, into brakes
	slip                                          float64 // lost in slip
}

// account adds up what a balance is off by.
type account struct {
	sum, least, most float64 // now, and at its lowest and highest
	flow             float64 // sum of the magnitudes of all that was counted
}

func (a *account) add(off, flow float64) {
	a.sum += off
	a.least, a.most = min(a.least, a.sum), max(a.most, a.sum)
	a.flow += flow
}

// gain returns how far the sum rose from its lowest.
func (a *account) gain() float64 { return a.sum - a.least }

// swing returns how far apart the lowest and the highest sum are, over the flow.
func (a *account) swing() float64 { return (a.most - a.least) / max(a.flow, 1) }

// frame is a tick: the states around it, and what its stages found.
type frame struct {
	was      State // state at the tick's start
	before   steering.Angles
	steer    steering.Angles
	from, to stood // wheels before the tick, with the last tick's steering, and after it
	stood    stood // wheels of the tick itself
	shafts   [4]driveline.Shaft
	grips    [4]tireForces
	forces   [4]tire.Forces
}

// step advances s and returns how far the energy of the whole car has risen from its lowest [J], the work from
// outside not counted.
func (l *ledger) step(s *State, in Input) float64 {
	c := l.c
	c.clampInput(&in)
	f := frame{was: *s, steer: c.steer(s, in), before: l.steer}
	if s.Tick == 0 || l.steer == (steering.Angles{}) {
		f.before = f.steer
	}
	f.stages(c, in, !l.totalOnly || len(c.p.Steering.RearSteer) > 0)
	c.Step(s, in)
	l.steer = f.steer
	after := *s
	for i := range after.Wheels { // a tire's radius and rate are those of the tick's start
		after.Wheels[i].Roll.Spin = f.was.Wheels[i].Roll.Spin
	}
	f.to = c.stands(&after, &f.steer)
	was := f.was
	f.from = c.stands(&was, &f.before)
	l.post(&f, s, in)
	return l.total.gain()
}

// stages computes what the stages of a tick find, on a copy of its state; the tires' forces only if they are asked for.
func (f *frame) stages(c *Car, in Input, forces bool) {
	s := f.was
	b := chassis.AxesOf(s.Att)
	var o assist.Orders
	c.stepAssist(&s, &in, &o)
	steer := f.steer
	c.findContacts(&s, &b, &steer, &f.stood.poses, &f.stood.contacts)
	c.applyMaterials(&s, &in, &f.stood.contacts)
	c.carries(&s, &f.stood)
	c.stepDriveline(&s, &o, &f.shafts)
	if !forces {
		return
	}
	c.stepBrakes(&s, &in, &o)
	ws := s.suspensionWheels(&f.stood.poses, &f.stood.contacts, &f.stood.slides)
	c.setEffectiveMasses(&s, &f.grips)
	for i := range f.forces {
		roll, w := s.Wheels[i].Roll, &s.Wheels[i]
		var in tire.WheelInput
		c.setWheelInput(&in, i, &s, ws[i].Contact, &f.shafts[i], &f.grips[i])
		f.forces[i] = c.wheels[i].rolling.Step(&roll, in)
		if w.Load == 0 {
			f.forces[i] = tire.Forces{}
		}
	}
	var sum chassis.Wrench
	c.stepTires(&s, &b, &ws, &f.shafts, &f.grips, &sum)
}

// post enters a tick into the accounts.
func (l *ledger) post(f *frame, s *State, in Input) {
	p := parts{stored: l.stored(s) - l.stored(&f.was), steered: l.steered(f, s), outside: l.worked(f, s, l.outside(f, in))}
	for i := range s.Wheels {
		p.shafts += l.driven(f, s, i)
		p.stored += l.sprung(f, s, i) + l.yielded(s, i) - l.yielded(&f.was, i)
		p.squeezed += l.squeezed(f, i)
		p.bent += bent(&l.c.wheels[i], &f.was.Wheels[i], &s.Wheels[i])
		p.slip += s.Wheels[i].Roll.SlipEnergy - f.was.Wheels[i].Roll.SlipEnergy
	}
	_, spin := f.mean(s)
	before := chassis.AxesOf(f.was.Att)
	reaction := before.ToWorld(r3.Sub(l.c.driveline.Momentum(&f.was.Driveline), l.c.driveline.Momentum(&s.Driveline)))
	p.shafts += r3.Dot(reaction, spin)
	p.bars = l.barred(f, s)
	l.total.add(p.stored+p.squeezed+p.bent-p.shafts-p.outside+p.steered-p.bars, 0)
	if l.totalOnly {
		return
	}
	for i := range s.Wheels {
		l.tireWork(&p, f, s, i)
		p.held += l.held(f, s, i)
		p.dampers += l.damped(f, s, i) + l.eased(f, s, i)
	}
	flow := math.Abs(p.plane) + math.Abs(p.normal) + math.Abs(p.moments) + math.Abs(p.shafts)
	l.car.add(p.stored-p.plane-p.normal-p.moments-p.shafts-p.outside+p.steered+p.held+p.dampers-p.bars, flow)
	l.slip.add(p.plane+p.bent+p.slip, math.Abs(p.bent)+p.slip)
	l.turn(f, s, in)
}

// mean returns the mean velocity of the center of mass [m/s] and the mean angular velocity in a tick [rad/s,
// world].
func (f *frame) mean(s *State) (vel, spin r3.Vec) {
	was, is := chassis.AxesOf(f.was.Att), chassis.AxesOf(s.Att)
	return r3.Scale(0.5, r3.Add(f.was.Vel, s.Vel)),
		r3.Scale(0.5, r3.Add(was.ToWorld(f.was.Rate), is.ToWorld(s.Rate)))
}

// carried returns the path of the contact of wheel i with its hub carrier in the body [m, world], and the rotation
// of the carrier in the body [rad, world].
func (f *frame) carried(s *State, i int) (path, turned r3.Vec) {
	was, is := chassis.AxesOf(f.was.Att), chassis.AxesOf(s.Att)
	p, q, at := &f.from.poses[i], &f.to.poses[i], &f.stood.poses[i]
	hub := r3.Sub(is.ToBody(r3.Sub(q.Hub, s.Pos)), was.ToBody(r3.Sub(p.Hub, f.was.Pos)))
	axle := was.ToBody(p.Axle)
	turn := r3.Cross(axle, is.ToBody(q.Axle))
	alongPin := r3.Dot(was.ToBody(at.Pin), axle) * (f.steer.Angle[i] - f.before.Angle[i])
	turned = was.ToWorld(r3.Add(turn, r3.Scale(alongPin, axle)))
	fromHub := r3.Sub(f.stood.contacts[i].Arm, r3.Sub(at.Hub, f.was.Pos))
	return r3.Add(was.ToWorld(hub), r3.Cross(turned, fromHub)), turned
}

// tireWork adds the work of a tire on the car. Its forces in the road plane act on the body at the heights that the
// car's parameters say, and on the wheel's spin at its rolling radius.
func (l *ledger) tireWork(p *parts, f *frame, s *State, i int) {
	c, on, w, force := l.c, &f.stood.contacts[i], &s.Wheels[i], &f.forces[i]
	if w.Load == 0 {
		return
	}
	vel, spin := f.mean(s)
	path, turned := f.carried(s, i)
	at := func(height float64) r3.Vec {
		arm := r3.Add(on.Arm, r3.Scale(height, on.Normal))
		return r3.Add(r3.Scale(c.dt, r3.Add(vel, r3.Cross(spin, arm))), path)
	}
	x, y := l.heights(i)
	rolled := c.dt * (f.was.Wheels[i].Roll.Spin + w.Roll.Spin) / 2
	radius := c.wheels[i].vertical.EffectiveRadius(w.Load, f.was.Wheels[i].Roll.Spin)
	p.plane += force.Fx*(r3.Dot(on.Forward, at(x))-radius*rolled) + force.Fy*r3.Dot(on.Left, at(y))
	p.normal += w.Load * r3.Dot(on.Normal, at(0))
	turned = r3.Add(turned, r3.Scale(c.dt, spin))
	p.moments += force.Mx*r3.Dot(on.Forward, turned) + force.Mz*r3.Dot(on.Normal, turned)
	p.moments += force.My * (r3.Dot(f.stood.poses[i].Axle, turned) + rolled)
}

// heights returns the heights above the ground at which the forces of wheel i act on the body [m], as the
// parameters say.
func (l *ledger) heights(i int) (x, y float64) {
	k := &l.c.p.axle(i).Kinematics
	if k.ApplyForceDirectly {
		x, y = k.ForceHeight, k.ForceHeight
	}
	return x, y + k.RollReduction*(l.c.p.CGHeight-y)
}

// stored returns the energy of motion, of height, and of the hull's dents [J].
func (l *ledger) stored(s *State) float64 {
	c := l.c
	e := c.p.Mass*c.p.Gravity*s.Pos.Z + c.kineticEnergy(s) + dented(c, s)
	b := chassis.AxesOf(s.Att)
	for i := range s.Wheels {
		k, w, a := &c.wheels[i], &s.Wheels[i], c.p.axle(i)
		e += k.inertia*w.Roll.Spin*w.Roll.Spin/2 + a.UnsprungMass*c.p.Gravity*w.Travel*b.Z.Z // a wheel rises in the body
	}
	return e
}

// steered returns the work of the tires into rack and actuators [J].
func (l *ledger) steered(f *frame, s *State) float64 {
	work := s.Steering.TireForce * (f.steer.Rack - f.before.Rack)
	for i := tire.RL; i <= tire.RR; i++ {
		on, p, g := &f.stood.contacts[i], &f.stood.poses[i], &f.grips[i]
		work += r3.Dot(p.Pin, r3.Add(r3.Cross(on.Lever, g.Force), g.Moment)) * (f.steer.Angle[i] - f.before.Angle[i])
	}
	return work
}

// driven returns the work of the driveline between the body and wheel i [J].
func (l *ledger) driven(f *frame, s *State, i int) float64 {
	w0, w1, shaft := f.was.Wheels[i].Roll.Spin, s.Wheels[i].Roll.Spin, &f.shafts[i]
	_, spin := f.mean(s)
	return l.c.dt * (shaft.Torque - shaft.Slope*(w1-w0)) * ((w0+w1)/2 - r3.Dot(f.stood.poses[i].Axle, spin))
}

// held returns what the brake of wheel i takes [J]: all of its torque while the wheel turns, and none in a tick in
// which it stops, where it need not take all. It acts between the wheel and its carrier, which turns with the travel.
func (l *ledger) held(f *frame, s *State, i int) float64 {
	w0, w1 := f.was.Wheels[i].Roll.Spin, s.Wheels[i].Roll.Spin
	if !(w0*w1 > 0) {
		return 0
	}
	rolled := math.Abs(w0+w1) / 2 * l.c.dt
	carried := f.stood.poses[i].DSpin * (s.Wheels[i].Travel - f.was.Wheels[i].Travel)
	brake := s.Brakes.Wheels[i].Torque
	return brake*rolled + math.Copysign(brake, w0)*carried
}

// damped returns what the damper of wheel i takes [J], by its rates and its motion.
func (l *ledger) damped(f *frame, s *State, i int) float64 {
	a, ratio := l.c.p.axle(i), f.stood.poses[i].Ratio
	moved := ratio * (s.Wheels[i].Travel - f.was.Wheels[i].Travel)
	rate, fast := a.BumpDamping, a.Damper.FastBump
	if moved < 0 {
		rate, fast = a.ReboundDamping, a.Damper.FastRebound
	}
	speed := math.Abs(moved) / l.c.dt
	force := rate * speed
	if knee := a.Damper.KneeSpeed; knee > 0 && speed > knee {
		force = rate*knee + fast*(speed-knee)
	}
	return force * math.Abs(moved)
}

// elastic returns how far the links of wheel i give way in toe and in camber for a moment [rad/(N·m)], as the
// parameters say.
func (l *ledger) elastic(i int) (toe, camber float64) {
	const degree = math.Pi / 180
	k, hub := &l.c.p.axle(i).Compliance, &l.c.suspension.Corners[i]
	height := hub.HubAt(hub.RestTravel).Z + l.c.p.CGHeight
	return k.ToeByAligning * degree / 100, k.CamberBySideForce * degree / 1000 / height
}

// yielded returns the energy in the elastic angles of wheel i [J].
func (l *ledger) yielded(s *State, i int) (energy float64) {
	e := &s.Wheels[i].Compliance
	toe, camber := l.elastic(i)
	if toe > 0 {
		energy += e.Toe * e.Toe / (2 * toe)
	}
	if camber > 0 {
		energy += e.Camber * e.Camber / (2 * camber)
	}
	return energy
}

// eased returns what the dampers beside the springs of wheel i's elastic angles take [J]: they hold with 8 ms.
func (l *ledger) eased(f *frame, s *State, i int) (lost float64) {
	const lag = 0.008
	was, is := &f.was.Wheels[i].Compliance, &s.Wheels[i].Compliance
	toe, camber := l.elastic(i)
	if toe > 0 {
		lost += lag / toe * (is.Toe - was.Toe) * (is.Toe - was.Toe) / l.c.dt
	}
	if camber > 0 {
		lost += lag / camber * (is.Camber - was.Camber) * (is.Camber - was.Camber) / l.c.dt
	}
	return lost
}

// work returns the work against a force that depends on a length, from one length to another, by Simpson's rule.
func work(force func(length float64) float64, from, to float64) float64 {
	return (to - from) / 6 * (force(from) + 4*force((from+to)/2) + force(to))
}

// sprung returns the work of a tick on the spring of wheel i [J].
func (l *ledger) sprung(f *frame, s *State, i int) float64 {
	force := func(travel float64) float64 { return springForce(&l.c.suspension, i, travel) }
	return work(force, f.was.Wheels[i].Travel, s.Wheels[i].Travel)
}

// squeezed returns the work of a tick on the spring of tire i [J], its rate being what it was at the tick's start.
func (l *ledger) squeezed(f *frame, i int) float64 {
	k, on := &l.c.wheels[i], &f.stood.contacts[i]
	force := func(deflection float64) float64 { return k.vertical.Force(max(deflection, 0), on.Running) }
	squeeze := func(at *stood) float64 {
		p, c := &at.poses[i], &at.contacts[i]
		radius := k.vertical.FreeRadius(f.was.Wheels[i].Roll.Spin)
		if c.Deflection < radius {
			return c.Deflection
		}
		lean := r3.Norm(r3.Cross(p.Axle, c.Normal)) // the hub is in the ground, where the force stays what it is
		height := -l.c.ground.Touch(p.Hub).Depth
		const minLean = 0.5 // below which a tire is pushed at its lowest point
		if lean < minLean {
			return (radius*lean - height) / minLean
		}
		return radius - height/lean
	}
	return work(force, squeeze(&f.from), squeeze(&f.to))
}

// outside returns the force of air and push on the body, and their moment.
func (l *ledger) outside(f *frame, in Input) (on chassis.Wrench) {
	b, before := chassis.AxesOf(f.was.Att), f.was
	l.c.chassis.AddAir(&on, &before.State, &b, before.Tick, in.Slipstream)
	l.c.chassis.AddPush(&on, &b, in.PushForce)
	return on
}

// worked returns the work of a force on the body and its moment in a tick [J].
func (l *ledger) worked(f *frame, s *State, on chassis.Wrench) float64 {
	vel, spin := f.mean(s)
	return l.c.dt * (r3.Dot(on.Force, vel) + r3.Dot(on.Moment, spin))
}

// barred returns the work of the anti-roll bars on the car [J].
func (l *ledger) barred(f *frame, s *State) (work float64) {
	c := l.c
	for left := tire.FL; left <= tire.RL; left += 2 {
		a := c.p.axle(left)
		work += barEnergy(a, &f.was, &f.was, &f.stood.contacts, left) - barEnergy(a, &f.was, s, &f.stood.contacts, left)
		if a.Bar.Mode == "stiffness" {
			k := &s.Bars[left/2]
			moved := k.SpringForceLeft - springForce(&c.suspension, left, k.CompressionLeft)
			dl := s.Wheels[left].Travel - f.was.Wheels[left].Travel
			dr := s.Wheels[left+1].Travel - f.was.Wheels[left+1].Travel
			work -= moved * (dl - dr)
		}
	}
	return work + l.worked(f, s, c.pushes(&f.was, &f.stood))
}

// turn enters a tick into the account of angular momentum [N·m·s].
func (l *ledger) turn(f *frame, s *State, in Input) {
	c, on := l.c, l.outside(f, in)
	for i := range f.forces {
		at, force, load := &f.stood.contacts[i], &f.forces[i], s.Wheels[i].Load
		if load == 0 {
			continue
		}
		x, y := l.heights(i)
		ahead, aside := r3.Scale(force.Fx, at.Forward), r3.Scale(force.Fy, at.Left)
		on.Moment = r3.Add(on.Moment, r3.Cross(r3.Add(at.Arm, r3.Scale(x, at.Normal)), ahead))
		on.Moment = r3.Add(on.Moment, r3.Cross(r3.Add(at.Arm, r3.Scale(y, at.Normal)), aside))
		on.Moment = r3.Add(on.Moment, r3.Cross(at.Arm, r3.Scale(load, at.Normal)))
		on.Moment = r3.Add(on.Moment, r3.Add(r3.Scale(force.Mx, at.Forward), r3.Scale(force.Mz, at.Normal)))
		on.Moment = r3.Add(on.Moment, r3.Scale(force.My, f.stood.poses[i].Axle))
	}
	change := r3.Sub(r3.Sub(l.spun(s, &f.to), l.spun(&f.was, &f.from)), r3.Scale(c.dt, on.Moment))
	l.missed, l.impulse = r3.Add(l.missed, change), l.impulse+c.dt*r3.Norm(on.Moment)
}

// spun returns the angular momentum of the car about its center of mass [N·m·s, world].
func (l *ledger) spun(s *State, at *stood) r3.Vec {
	ws := s.wheelTravels()
	_, sum := l.c.chassis.Momentum(&s.State, &ws)
	for i := range s.Wheels {
		sum = r3.Add(sum, r3.Scale(l.c.wheels[i].inertia*s.Wheels[i].Roll.Spin, at.poses[i].Axle))
	}
	b := chassis.AxesOf(s.Att)
	return r3.Add(sum, b.ToWorld(l.c.driveline.Momentum(&s.Driveline)))
}

// springForce returns the force of a wheel's spring and bump stop at a travel [N].
func springForce(sys *suspension.System, wheel int, travel float64) float64 {
	var k suspension.BarState
	sys.SetBarState(&k, wheel/2, &suspension.Coupling{}, travel, travel)
	return [2]float64{k.SpringForceLeft, k.SpringForceRight}[wheel%2]
}

// barRate returns the rate of a bar that is a spring between the wheels [N/m], and whether it holds on
// to wheels that touch alone.
func barRate(a *suspension.Params) (rate float64, grounded bool) {
	b := &a.Bar
	switch {
	case b.Apply == "body":
		return 0, false
	case b.Mode == "rate":
		return a.BarRate, false
	case b.Mode == "force":
		return b.Force / a.Travel, true
	case b.Mode == "legacy":
		return b.Force / a.Travel, false
	case b.Mode == "torsion":
		d, lever := b.Diameter*1e-3, b.MotionRatio/b.ArmLength
		return b.ShearModulus * 1e9 * math.Pi * d * d * d * d / 32 / b.Length * lever * lever, false
	}
	return 0, false
}

// barEnergy returns the energy of a bar that is a spring [J]; which wheels it holds
// on to, and how stiff it is at the speed, it knows from the tick's start.
func barEnergy(a *suspension.Params, was, s *State, on *[4]suspension.Contact, left int) float64 {
	l, r := s.Wheels[left].Travel, s.Wheels[left+1].Travel
	rate, grounded := barRate(a)
	if grounded && on[left].Deflection <= 0 {
		l = 0
	}
	if grounded && on[left+1].Deflection <= 0 {
		r = 0
	}
	if a.Bar.Auto {
		from, full := a.Bar.AutoFrom/3.6, a.Bar.AutoFull/3.6
		rate *= a.Bar.AutoMinShare + (1-a.Bar.AutoMinShare)*valid.Clamp((r3.Norm(was.Vel)-from)/(full-from), 0, 1)
	}
	return rate * (l - r) * (l - r) / 2
}

// bent returns the work in a tick on a carcass [J], which may give it back.
func bent(k *wheel, was, is *WheelState) float64 {
	if _, dry := k.model.(*tire.Coulomb); dry {
		return 0
	}
	return -(is.Fx*(is.Roll.DeflX-was.Roll.DeflX) + is.Fy*(is.Roll.DeflY-was.Roll.DeflY))
}
