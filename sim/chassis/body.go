package chassis

import (
	"errors"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/road"
	"rig.example/rig/sim/tire"
)

// Spec is what a body is made from.
type Spec struct {
	Params // without parts and offset
	Hull   Hull
	Air    Air
	Aero   []AeroSurface
	Tank   r3.Vec   // centre of the fuel from the centre of mass [m, body]
	Wheels [4]Mount // numbered as in tire
}

// Mount is what a body must know of a wheel that hangs on it.
type Mount struct {
	Mass       float64 // with all that moves up and down with it [kg]
	Hub        r3.Vec  // at rest from the centre of mass [m, body]
	Rim        r3.Vec  // lowest point of the wheel at full bump, its tire flat [m, body]
	Radius     float64 // of the tire [m]
	SpringRate float64 // [N/m]
	Travel     float64 // from full droop to metal [m]
}

// Body is what never changes during a run. It may be shared by goroutines.
type Body struct {
	p      Params
	ground road.Ground
	dt     float64
	perDt  float64 // 1/dt
	masses masses
	travel [4]float64 // of each wheel, from full droop to metal [m]
	shell  shell
	wind   wind
	vanes  []vane
	dense  float64 // density of the air [kg/m³]
	tank   r3.Vec  // from the centre of mass [m, body]
}

// New returns a body on a ground; dt is the time step [s]. It refuses wheels that leave it
// hardly a mass of its own, and a hull that is no solid.
func New(k Spec, g road.Ground, dt float64) (Body, error) {
	c := Body{
		p: k.Params, ground: g, dt: dt, perDt: 1 / dt, masses: newMasses(&k),
		wind: newWind(k.Air, dt), vanes: newVanes(&k), dense: k.Air.Density, tank: k.Tank,
	}
	if !c.masses.sound() {
		return c, errors.New("its wheels leave less than a twentieth of its mass and inertia to its body: raise mass_kg, inertia_xx_kgm2 and inertia_yy_kgm2, or lower unsprung_mass_kg")
	}
	for i := range k.Wheels {
		c.travel[i] = k.Wheels[i].Travel
	}
	var err error
	c.shell, err = newShell(&k, g, &c.masses, dt)
	return c, err
}

// Wheel is a wheel in a tick: a mass that slides along the body's z.
type Wheel struct {
	Travel float64 // compression of its suspension from full droop [m]
	Bump   float64 // speed of that [m/s]
	Gain   float64 // change of Bump while the body stands [m/s]
	End    float64 // travel that it must not pass [m], where Fixed
	Fixed  bool    // it is at an end of its travel
}

// Load is what acts on the whole car in a tick, and what moves within it.
type Load struct {
	Force  r3.Vec // without gravity [N, body]
	Moment r3.Vec // about the centre of mass [N·m, body]
	Fall   r3.Vec // acceleration by gravity [m/s², body]
	Aloft  bool   // nothing holds the car
	Sways  bool   // axles sway, as Sway says
	Sway   Momentum
	Gyro   r3.Vec // angular momentum of the wheels' turning [N·m·s, world], where gyroscopes count
}

// Fall returns the acceleration by gravity [m/s², body].
func (c *Body) Fall(b *Axes) r3.Vec {
	return r3.Scale(-c.p.Gravity, r3.Vec{X: b.X.Z, Y: b.Y.Z, Z: b.Z.Z})
}

// Step moves the body by one tick, and the wheels along their travel; b are its axes before.
//
// First what acts changes the velocities, all together: the body's, and those
// of the wheels, which the suspension has found for a body that stands. A wheel
// at an end of its travel moves on with the body, by a blow without a bounce.
// Then places change by the new velocities, which keeps springs from gaining
// energy; in the air they change by the mean of old and new, which is exact.
func (c *Body) Step(s *State, b *Axes, on *Load, ws *[4]Wheel) {
	m := &c.masses
	var d DeltaV
	for range len(ws) + 1 { // each time with the wheels that this brings to an end
		d = c.Response(on.Force, on.Moment, on.Fall.Z, ws)
		if !c.ends(ws, &d) {
			break
		}
	}
	acc := r3.Vec{X: on.Force.X*m.perMass + on.Fall.X, Y: on.Force.Y*m.perMass + on.Fall.Y, Z: d[0] * c.perDt}
	s.SpecificForce, s.Acc = r3.Sub(acc, on.Fall), acc
	was := s.Vel
	s.Vel = r3.Add(s.Vel, r3.Scale(c.dt, b.Out(acc)))
	by := s.Vel
	if on.Aloft {
		by = r3.Scale(0.5, r3.Add(was, s.Vel))
	}
	s.Pos = r3.Add(s.Pos, r3.Scale(c.dt, by))
	s.Rate = r3.Add(s.Rate, r3.Vec{X: d[1], Y: d[2], Z: d[3]})
	own := m.moving(ws)
	if on.Sways {
		own.Spin.X += on.Sway.Spin.X
		own.Spin.Z += on.Sway.Spin.Z
	}
	if c.p.Gyroscopes {
		own.Spin = r3.Add(own.Spin, b.Into(on.Gyro))
	}
	c.integrateRotation(s, own.Spin)
	// What moves along the body's axes turns with it, and the whole flies straight on.
	now := AxesOf(s.Att)
	s.Vel = r3.Sub(s.Vel, r3.Scale(own.Along*m.perMass, r3.Sub(now.Z, b.Z)))
	if on.Sways {
		s.Vel = r3.Sub(s.Vel, r3.Scale(on.Sway.Across*m.perMass, r3.Sub(now.Y, b.Y)))
	}
	s.Speed = r3.Dot(s.Vel, now.X)
}

// Response returns how the body's motion changes in a tick by what acts on the whole car
// [N, N·m, body] under gravity [m/s², along z], and on the wheels.
func (c *Body) Response(force, moment r3.Vec, fall float64, ws *[4]Wheel) DeltaV {
	m := &c.masses
	var own [4]float64 // what each wheel takes for itself [N·s]
	fixed := 0
	for i := range ws {
		w := &ws[i]
		own[i] = m.wheel[i] * w.Gain
		if w.Fixed {
			fixed |= 1 << i
			own[i] = m.wheel[i] * ((w.End-w.Travel)*c.perDt - w.Bump)
		}
	}
	at := func(i int) (x, y float64) { return own[i] * m.at[i].X, own[i] * m.at[i].Y }
	flx, fly := at(tire.FL)
	frx, fry := at(tire.FR)
	rlx, rly := at(tire.RL)
	rrx, rry := at(tire.RR)
	p := Impulse{
		c.dt*(force.Z+m.total*fall) - ((own[tire.FL] + own[tire.FR]) + (own[tire.RL] + own[tire.RR])),
		c.dt*moment.X - ((fly + fry) + (rly + rry)),
		c.dt*moment.Y + ((flx + frx) + (rlx + rrx)),
		c.dt * moment.Z,
	}
	return m.inverses[fixed].deltaV(&p)
}

// ends moves the wheels along their travel, as the body's change leaves them,
// and reports whether one came to an end that was not there yet.
func (c *Body) ends(ws *[4]Wheel, d *DeltaV) (more bool) {
	var bump [4]float64
	for i := range ws {
		w := &ws[i]
		if w.Fixed {
			bump[i] = (w.End - w.Travel) * c.perDt
			continue
		}
		bump[i] = w.Bump + w.Gain - c.masses.along(i, d)
		travel := w.Travel + c.dt*bump[i]
		w.End = min(max(travel, 0), c.travel[i])
		if w.End != travel {
			w.Fixed, more = true, true
		}
	}
	if more {
		return true
	}
	for i := range ws {
		ws[i].Bump, ws[i].Travel = bump[i], ws[i].End
	}
	return false
}

// integrateRotation turns the body for a tick on which nothing acts: by the implicit
// midpoint rule for Euler's equations and Cayley's map of the mean rate, which
// together keep angular momentum and energy (Simo and Wong, Unconditionally stable
// algorithms for rigid body dynamics that exactly preserve energy and momentum, 1991).
//
// spin is the angular momentum that the wheels have from moving and turning in
// the body [N·m·s, body]: wheels that turn are gyroscopes.
func (c *Body) integrateRotation(s *State, spin r3.Vec) {
	t, rate := &c.masses.inertia, s.Rate
	mean := rate
	for range 8 {
		gyro := r3.Cross(mean, r3.Add(t.momentum(mean), spin))
		next := r3.Sub(rate, r3.Scale(c.dt/2, t.accel(gyro)))
		moved := r3.Sub(next, mean)
		mean = next
		if r3.Dot(moved, moved) <= 1e-24*r3.Dot(mean, mean) {
			break
		}
	}
	s.Rate = r3.Sub(r3.Scale(2, mean), rate)
	s.Att = Turned(s.Att, r3.Scale(c.dt/2, mean))
}

// PushAlong adds to sum a force [N] along the body at the ground below its centre of mass.
func (c *Body) PushAlong(sum *Wrench, b *Axes, force float64) {
	if force == 0 {
		return
	}
	along := r3.Scale(force, b.X)
	*sum = sum.Plus(Wrench{Force: along, Moment: r3.Cross(r3.Scale(-c.p.CGHeight, b.Z), along)})
}

// Weigh adds to sum what a mass [kg] that is gone from the tank since the start no longer does
// to the car: it does not resist what accelerates its place, by what an accelerometer there
// showed in the last tick.
func (c *Body) Weigh(sum *Wrench, s *State, b *Axes, gone float64) {
	was := s.LastRate
	s.LastRate = s.Rate
	if gone == 0 {
		return
	}
	w, r := s.Rate, c.tank
	turn := r3.Scale(c.perDt, r3.Sub(w, was))
	felt := r3.Add(s.SpecificForce, r3.Add(r3.Cross(turn, r), r3.Cross(w, r3.Cross(w, r))))
	force := r3.Scale(gone, felt)
	sum.Force, sum.Moment = r3.Add(sum.Force, b.Out(force)), r3.Add(sum.Moment, b.Out(r3.Cross(r, force)))
}
