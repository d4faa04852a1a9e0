package sim

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/driveline"
	"rig.example/rig/sim/steering"
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
	patch [4]patch
}

// step advances s and returns how much more energy there is than work explains,
// since it was least [J].
func (l *ledger) step(s *State, in Input) float64 {
	c := l.c
	c.sane(&in)
	before := *s
	f := frame{was: before, steer: c.steer(&before, in)}
	b := chassis.AxesOf(s.Att)
	c.touch(&f.was, &b, &f.steer, &f.patch)
	for i := range f.yaw {
		f.yaw[i] = (f.was.Wheels[i].Steer - s.Wheels[i].Steer) / c.dt
	}
	drive := *s
	var o assist.Orders
	c.assist(&drive, &in, &o)
	var shafts [4]driveline.Shaft
	c.drive(&drive, &o, &shafts)
	c.Step(s, in)
	l.spent += l.stored(&f, s) - l.stored(&f, &f.was)
	l.spent -= l.driven(&f, s, shafts) + l.blown(&f, s, in) + l.barred(&f, s) + l.moved(&f, s)
	for i := range s.Wheels {
		l.spent += c.corners[i].bent(&f.was.Wheels[i], &s.Wheels[i])
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
		w.Roll.Spin, w.SlowX, w.SlowY, w.Heat = was.Roll.Spin, was.SlowX, was.SlowY, was.Heat
	}
	e := c.p.Mass*c.p.Gravity*s.Pos.Z + c.moving(s) + dented(c, s)
	b := chassis.AxesOf(s.Att)
	var ps [4]patch
	c.touch(&at, &b, &f.steer, &ps)
	for i := range ps {
		k, w := &c.corners[i], &s.Wheels[i]
		e += k.axle.Wheel.Inertia * w.Roll.Spin * w.Roll.Spin / 2
		e += k.law.held(w.Travel) + k.mass*c.p.Gravity*w.Travel*b.Z.Z // a wheel rises in the body
		e += k.squeezed(c, &ps[i], at.Wheels[i].Hub, at.Wheels[i].Roll.Spin)
	}
	for i := range c.bars {
		e += c.bars[i].held(&f.was, s, &f.patch, 2*i)
	}
	return e
}

// squeezed returns what a tire holds [J]: the integral of its force by Simpson's rule,
// fine enough for the corner where it meets its rim, and where the hub is in the ground
// that of a steady force.
func (k *corner) squeezed(c *Car, p *patch, hub r3.Vec, spin float64) float64 {
	if !(p.squeeze > 0) {
		return 0
	}
	force := func(x float64) float64 { return k.vertical.Force(x, p.running) }
	x, radius := p.squeeze, k.vertical.FreeRadius(spin)
	const parts = 32
	step, e := x/parts, 0.0
	for i := range parts {
		from := float64(i) * step
		e += step / 6 * (force(from) + 4*force(from+step/2) + force(from+step))
	}
	if x < radius {
		return e
	}
	lean := r3.Norm(r3.Cross(p.axle, p.normal))
	height := -c.ground.Touch(hub).Depth
	deep := radius - height/lean
	if lean < leastLean {
		deep = (radius*lean - height) / leastLean
	}
	return e + force(x)*(deep-x)
}

// bent returns the work in a tick on a carcass [J], which may give it back.
func (k *corner) bent(was, is *Wheel) float64 {
	if _, dry := k.model.(*tire.Coulomb); dry {
		return 0
	}
	return -(is.Fx*(is.Roll.DeflX-was.Roll.DeflX) + is.Fy*(is.Roll.DeflY-was.Roll.DeflY))
}

// held returns the energy of a spring at a travel [J]: of a line, or of pieces
// of second order.
func (l *springLaw) held(travel float64) float64 {
	stop := max(0, travel-l.stop)
	e := l.stiffer * stop * stop / 2
	if l.curved == nil {
		return e + travel*(l.start+l.rate*travel/2)
	}
	last, d := l.grid.Find(travel)
	piece := func(i int, d float64) float64 {
		q := &l.curved[i]
		return d * (q.Value + d*(q.Slope/2+d*q.Bend/3))
	}
	for i := range last {
		e += piece(i, l.grid.Step)
	}
	return e + piece(last, d)
}

// held returns the energy of a bar that is a spring [J]; which wheels it holds
// on to, and how stiff it is at the speed, it knows from the tick's start.
func (b *bar) held(was, s *State, ps *[4]patch, left int) float64 {
	l, r := s.Wheels[left].Travel, s.Wheels[left+1].Travel
	if b.grounded && ps[left].squeeze <= 0 {
		l = 0
	}
	if b.grounded && ps[left+1].squeeze <= 0 {
		r = 0
	}
	return b.part(was.Vel) * b.rate * (l - r) * (l - r) / 2
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
	turn := r3.Add(was.Out(f.was.Rate), is.Out(s.Rate))
	return l.c.dt / 2 * (r3.Dot(on.Force, r3.Add(f.was.Vel, s.Vel)) + r3.Dot(on.Moment, turn))
}

// blown returns the work of the air [J].
func (l *ledger) blown(f *frame, s *State, in Input) float64 {
	b, push := chassis.AxesOf(f.was.Att), chassis.Wrench{}
	l.c.body.Air(&push, &f.was.State, &b, f.was.Tick, in.Shelter)
	return l.power(f, s, push)
}

// barred returns the work of bars that are no springs [J].
func (l *ledger) barred(f *frame, s *State) (work float64) {
	c := l.c
	ps := f.patch
	for i := range c.bars {
		left, right := 2*i, 2*i+1
		if b := &c.bars[i]; b.beside > 0 {
			b.lift(b.part(f.was.Vel), &f.was, &ps, left)
		}
		if c.bars[i].share > 0 {
			k := &s.Bars[i]
			moved, _ := c.corners[left].law.at(k.CompressionLeft)
			moved = k.SpringLeft - moved
			dl := s.Wheels[left].Travel - f.was.Wheels[left].Travel
			dr := s.Wheels[right].Travel - f.was.Wheels[right].Travel
			work -= moved * (dl - dr)
		}
	}
	b, push := chassis.AxesOf(f.was.Att), chassis.Wrench{}
	c.barsOnBody(&push, &f.was, &b, &ps)
	return work + l.power(f, s, push)
}

// moved returns the work of tire forces that the body takes at another height
// than that of the ground [J], and of those that the links do not give the wheels.
func (l *ledger) moved(f *frame, s *State) (work float64) {
	for i := range f.patch {
		k, p, w := &l.c.corners[i], &f.patch[i], &s.Wheels[i]
		flat := r3.Add(r3.Scale(w.Fx, p.forward), r3.Scale(w.Fy, p.left))
		up := r3.Add(r3.Scale(k.appX*w.Fx, p.forward), r3.Scale(k.appY*w.Fy, p.left))
		turn := r3.Scale(w.Mz, p.normal) // a tire's moments are no part of its slip
		work += l.power(f, s, chassis.Wrench{Moment: r3.Add(r3.Cross(p.normal, up), turn)})
		work -= l.c.dt * r3.Dot(flat, r3.Cross(r3.Scale(f.yaw[i], p.pin), p.lever)) // of who steers
		if k.axle.Kinematics.ForceApp {
			work -= l.c.dt * r3.Dot(flat, p.scrub) * (f.was.Wheels[i].Bump + w.Bump) / 2
		}
	}
	return math.Max(work, 0)
}
