package sim

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/valid"
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/curve"
	"rig.example/rig/sim/driveline"
	"rig.example/rig/sim/steering"
	"rig.example/rig/sim/suspension"
	"rig.example/rig/sim/tire"
)

// ledger keeps the energy of a car from tick to tick. What cannot be had back
// from a potential is booked as work from outside: of the engine, of the air, of
// a bar that is no spring, of forces that act past the links.
type ledger struct {
	c     *Car
	spent float64 // energy less all work so far [J]
	least float64 // that it ever was
}

// frame is what a tick holds still while springs and tires work.
type frame struct {
	was   State
	steer steering.Angles
	yaw   [4]float64 // of the wheels about their kingpins [rad/s]
	stood stood
}

// step advances s and returns how much more energy there is than work explains,
// since it was least [J].
func (l *ledger) step(s *State, in Input) float64 {
	c := l.c
	c.clampInput(&in)
	before := *s
	f := frame{was: before, steer: c.steer(&before, in)}
	f.stood = c.stands(&f.was, &f.steer)
	for i := range f.yaw {
		f.yaw[i] = (f.was.Wheels[i].Steer - s.Wheels[i].Steer) / c.dt
	}
	drive := *s
	var o assist.Orders
	c.stepAssist(&drive, &in, &o)
	var shafts [4]driveline.Shaft
	c.stepDriveline(&drive, &o, &shafts)
	c.Step(s, in)
	l.spent += l.stored(&f, s) - l.stored(&f, &f.was)
	l.spent -= l.driven(&f, s, shafts) + l.blown(&f, s, in) + l.barred(&f, s) + l.moved(&f, s)
	for i := range s.Wheels {
		l.spent += c.wheels[i].bent(&f.was.Wheels[i], &s.Wheels[i])
	}
	l.least = min(l.least, l.spent)
	return l.spent - l.least
}

// stored returns the energy of motion, of height and of every spring [J], the
// tires' rate being what it was at the tick's start.
func (l *ledger) stored(f *frame, s *State) float64 {
	c, at := l.c, *s
	for i := range at.Wheels {
		w, was := &at.Wheels[i], &f.was.Wheels[i]
		w.Roll.Spin, w.FilteredFx, w.FilteredFy, w.Heat = was.Roll.Spin, was.FilteredFx, was.FilteredFy, was.Heat
	}
	e := c.p.Mass*c.p.Gravity*s.Pos.Z + c.kineticEnergy(s) + dented(c, s)
	b := chassis.AxesOf(s.Att)
	stood := c.stands(&at, &f.steer)
	for i := range stood.poses {
		k, w, a := &c.wheels[i], &s.Wheels[i], c.p.axle(i)
		e += k.inertia * w.Roll.Spin * w.Roll.Spin / 2
		e += sprungEnergy(a, &c.suspension, i, w.Travel) + a.UnsprungMass*c.p.Gravity*w.Travel*b.Z.Z // a wheel rises in the body
		e += k.squeezed(c, &stood.poses[i], &stood.contacts[i], at.Wheels[i].Roll.Spin)
	}
	for left := tire.FL; left <= tire.RL; left += 2 {
		e += barEnergy(c.p.axle(left), &f.was, s, &f.stood.contacts, left)
	}
	return e
}

// squeezed returns what a tire holds [J]: the integral of its force by Simpson's rule,
// fine enough for the corner where it meets its rim, and where the hub is in the ground
// that of a steady force.
func (k *wheel) squeezed(c *Car, p *suspension.Pose, on *suspension.Contact, spin float64) float64 {
	if !(on.Deflection > 0) {
		return 0
	}
	force := func(x float64) float64 { return k.vertical.Force(x, on.Running) }
	x, radius := on.Deflection, k.vertical.FreeRadius(spin)
	const parts = 32
	step, e := x/parts, 0.0
	for i := range parts {
		from := float64(i) * step
		e += step / 6 * (force(from) + 4*force(from+step/2) + force(from+step))
	}
	if x < radius {
		return e
	}
	lean := r3.Norm(r3.Cross(p.Axle, on.Normal))
	height := -c.ground.Touch(p.Hub).Depth
	deep := radius - height/lean
	const leastLean = 0.5 // below which a tire is pushed at its lowest point
	if lean < leastLean {
		deep = (radius*lean - height) / leastLean
	}
	return e + force(x)*(deep-x)
}

// bent returns the work in a tick on a carcass [J], which may give it back.
func (k *wheel) bent(was, is *WheelState) float64 {
	if _, dry := k.model.(*tire.Coulomb); dry {
		return 0
	}
	return -(is.Fx*(is.Roll.DeflX-was.Roll.DeflX) + is.Fy*(is.Roll.DeflY-was.Roll.DeflY))
}

// springForce returns the force of a wheel's spring and bump stop at a travel [N].
func springForce(sys *suspension.System, wheel int, travel float64) float64 {
	k := sys.BarState(wheel/2, &suspension.Coupling{}, travel, travel)
	return [2]float64{k.SpringForceLeft, k.SpringForceRight}[wheel%2]
}

// sprungEnergy returns the energy of a spring at a travel [J]: by Simpson's rule over the pieces that
// its law is made of, and apart for the bump stop.
func sprungEnergy(a *suspension.Params, sys *suspension.System, wheel int, travel float64) float64 {
	stop := max(0, travel-a.BumpStopTravel)
	force := func(x float64) float64 {
		return springForce(sys, wheel, x) - a.BumpStopRate*max(0, x-a.BumpStopTravel)
	}
	e, step := a.BumpStopRate*stop*stop/2, a.Travel/curve.TravelPieces
	for from := 0.0; from < travel; from += step {
		by := min(step, travel-from)
		e += by / 6 * (force(from) + 4*force(from+by/2) + force(from+by))
	}
	return e
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

// driven returns the work of the driveline on the wheels [J].
func (l *ledger) driven(f *frame, s *State, shafts [4]driveline.Shaft) (work float64) {
	for i := range shafts {
		w0, w1 := f.was.Wheels[i].Roll.Spin, s.Wheels[i].Roll.Spin
		work += l.c.dt * (shafts[i].Torque - shafts[i].Slope*(w1-w0)) * (w0 + w1) / 2
	}
	return work
}

// power returns the work in a tick of what acts on the body [J].
func (l *ledger) power(f *frame, s *State, on chassis.Wrench) float64 {
	was, is := chassis.AxesOf(f.was.Att), chassis.AxesOf(s.Att)
	turn := r3.Add(was.ToWorld(f.was.Rate), is.ToWorld(s.Rate))
	return l.c.dt / 2 * (r3.Dot(on.Force, r3.Add(f.was.Vel, s.Vel)) + r3.Dot(on.Moment, turn))
}

// blown returns the work of the air [J].
func (l *ledger) blown(f *frame, s *State, in Input) float64 {
	b, push := chassis.AxesOf(f.was.Att), chassis.Wrench{}
	l.c.chassis.AddAir(&push, &f.was.State, &b, f.was.Tick, in.Slipstream)
	return l.power(f, s, push)
}

// barred returns the work of bars that are no springs [J].
func (l *ledger) barred(f *frame, s *State) (work float64) {
	c := l.c
	for i := range s.Bars {
		left, right := 2*i, 2*i+1
		if c.p.axle(left).Bar.Mode == "stiffness" {
			k := &s.Bars[i]
			moved := springForce(&c.suspension, left, k.CompressionLeft)
			moved = k.SpringForceLeft - moved
			dl := s.Wheels[left].Travel - f.was.Wheels[left].Travel
			dr := s.Wheels[right].Travel - f.was.Wheels[right].Travel
			work -= moved * (dl - dr)
		}
	}
	was := f.was
	c.carries(&was, &f.stood)
	return work + l.power(f, s, c.pushes(&f.was, &f.stood))
}

// moved returns the work of tire forces that the body takes at another height
// than that of the ground [J], and of those that the links do not give the wheels.
func (l *ledger) moved(f *frame, s *State) (work float64) {
	for i := range f.stood.poses {
		p, on, w := &f.stood.poses[i], &f.stood.contacts[i], &s.Wheels[i]
		appX, appY := l.c.suspension.Corners[i].ForceApplication()
		flat := r3.Add(r3.Scale(w.Fx, on.Forward), r3.Scale(w.Fy, on.Left))
		up := r3.Add(r3.Scale(appX*w.Fx, on.Forward), r3.Scale(appY*w.Fy, on.Left))
		turn := r3.Scale(w.Mz, on.Normal) // a tire's moments are no part of its slip
		work += l.power(f, s, chassis.Wrench{Moment: r3.Add(r3.Cross(on.Normal, up), turn)})
		work -= l.c.dt * r3.Dot(flat, r3.Cross(r3.Scale(f.yaw[i], p.Pin), on.Lever)) // of who steers
		if l.c.p.axle(i).Kinematics.ApplyForceDirectly {
			work -= l.c.dt * r3.Dot(flat, p.DContact) * (f.was.Wheels[i].TravelSpeed + w.TravelSpeed) / 2
		}
	}
	return math.Max(work, 0)
}
