package chassis

import (
	"errors"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/sim/tire"
)

// Spec describes a body: its parameters and the data of the rest of the car on which it depends.
type Spec struct {
	Params // as Resolved returns them
	Hull   Hull
	Air    Air
	Aero   []AeroSurface
	Tank   r3.Vec   // center of the fuel from the center of mass [m, body]
	Wheels [4]Mount // in the order of tire.FL
}

// Mount holds the data of a wheel that the body needs.
type Mount struct {
	Mass       float64 // unsprung mass [kg]
	Hub        r3.Vec  // position at rest, from the center of mass [m, body]
	RimBottom  r3.Vec  // lowest point of the rim at full bump, where the flat tire touches the ground [m, body]
	Radius     float64 // radius of the tire [m]
	SpringRate float64 // rate of the spring [N/m]
	Travel     float64 // travel from full droop to full bump [m]
}

// Body holds everything of a body that is constant after New; State holds what changes. Goroutines may share
// it.
type Body struct {
	p          Params
	ground     road.Ground
	dt         float64
	perDt      float64 // 1/dt
	masses     masses
	travel     [4]float64 // of each wheel, from full droop to full bump [m]
	shell      shell
	wind       wind
	surfaces   []surface
	airDensity float64 // density of the air [kg/m³]
	tank       r3.Vec  // center of the fuel from the center of mass [m, body]
}

// New returns a body on the ground g; dt is the time step [s]. It returns an error if the body without its
// wheels has less than a twentieth of the mass or inertia, or if the hull is not a solid.
func New(k Spec, g road.Ground, dt float64) (Body, error) {
	c := Body{
		p: k.Params, ground: g, dt: dt, perDt: 1 / dt, masses: newMasses(&k),
		wind: newWind(k.Air, dt), surfaces: newSurfaces(&k), airDensity: k.Air.Density, tank: k.Tank,
	}
	if !c.masses.hasSprungMass() {
		return c, errors.New("its wheels leave less than a twentieth of its mass and inertia to its body: raise mass_kg, inertia_xx_kgm2 and inertia_yy_kgm2, or lower unsprung_mass_kg")
	}
	for i := range k.Wheels {
		c.travel[i] = k.Wheels[i].Travel
	}
	var err error
	c.shell, err = newShell(&k, g, &c.masses, dt)
	return c, err
}

// Wheel is the motion of a wheel along the body's z in a tick.
type Wheel struct {
	Travel      float64 // compression of its suspension from full droop [m]
	TravelSpeed float64 // rate of Travel, positive in bump [m/s]
	SpeedChange float64 // change of TravelSpeed in the tick if the body did not move [m/s]
	StopTravel  float64 // end of the travel that the wheel reaches [m]; counts if Fixed
	Fixed       bool    // the wheel reaches an end of its travel in this tick
}

// Load is what acts on the whole car in a tick, with the momentum of the masses that move in it.
type Load struct {
	Force    r3.Vec   // total force without gravity [N, body]
	Moment   r3.Vec   // total moment about the center of mass [N·m, body]
	Gravity  r3.Vec   // acceleration by gravity [m/s², body]
	Airborne bool     // no tire or corner touches anything
	HasSway  bool     // an axle is on a joint, so that Sway counts
	Sway     Momentum // momentum of the axles' lateral motion on their joints
	// angular momentum of the wheels' spin [N·m·s, world]; counts if Params.Gyroscopes is set
	SpinMomentum r3.Vec
}

// Gravity returns the acceleration by gravity [m/s², body] of a body with these axes.
func (b *Body) Gravity(axes *Axes) r3.Vec {
	return r3.Scale(-b.p.Gravity, r3.Vec{X: axes.X.Z, Y: axes.Y.Z, Z: axes.Z.Z})
}

// Step moves the body and the wheels' travel by one tick. axes must be those of s.Att.
//
// First all velocities change: that of the body by the loads, and those of the wheels by ws, which the
// suspension has computed for a body at rest. A wheel that reaches an end of its travel moves on with the body,
// as after an inelastic impact. Then the positions change by the new velocities (semi-implicit Euler), so that
// springs gain no energy. In the air they change by the mean of the old and the new velocity, which is exact.
func (b *Body) Step(s *State, axes *Axes, on *Load, ws *[4]Wheel) {
	m := &b.masses
	var d DeltaV
	for range len(ws) + 1 { // repeated while further wheels reach an end of their travel
		b.setResponse(&d, on.Force, on.Moment, on.Gravity.Z, ws)
		if !b.moveWheels(ws, &d) {
			break
		}
	}
	acc := r3.Vec{X: on.Force.X*m.inverseMass + on.Gravity.X, Y: on.Force.Y*m.inverseMass + on.Gravity.Y,
		Z: d[0] * b.perDt}
	s.SpecificForce, s.Acc = r3.Sub(acc, on.Gravity), acc
	velBefore := s.Vel
	s.Vel = r3.Add(s.Vel, r3.Scale(b.dt, axes.ToWorld(acc)))
	meanVel := s.Vel
	if on.Airborne {
		meanVel = r3.Scale(0.5, r3.Add(velBefore, s.Vel))
	}
	s.Pos = r3.Add(s.Pos, r3.Scale(b.dt, meanVel))
	s.Rate = r3.Add(s.Rate, r3.Vec{X: d[1], Y: d[2], Z: d[3]})
	wheelMomentum := m.wheelMomentum(ws)
	if on.HasSway {
		wheelMomentum.Angular.X += on.Sway.Angular.X
		wheelMomentum.Angular.Z += on.Sway.Angular.Z
	}
	if b.p.Gyroscopes {
		wheelMomentum.Angular = r3.Add(wheelMomentum.Angular, axes.ToBody(on.SpinMomentum))
	}
	b.integrateRotation(s, wheelMomentum.Angular)
	// The momentum of moving wheels and axles turns with the body; the body's velocity keeps the total
	// constant.
	var axesAfter Axes
	axesAfter.Set(s.Att)
	s.Vel = r3.Sub(s.Vel, r3.Scale(wheelMomentum.Vertical*m.inverseMass, r3.Sub(axesAfter.Z, axes.Z)))
	if on.HasSway {
		s.Vel = r3.Sub(s.Vel, r3.Scale(on.Sway.Lateral*m.inverseMass, r3.Sub(axesAfter.Y, axes.Y)))
	}
	s.Speed = r3.Dot(s.Vel, axesAfter.X)
}

// Response returns the change of the body's motion in a tick by a force [N, body] and a moment [N·m, body] on
// the whole car. gravity is the acceleration by gravity along the body's z [m/s²]; ws is the wheels' motion.
func (b *Body) Response(force, moment r3.Vec, gravity float64, ws *[4]Wheel) (d DeltaV) {
	b.setResponse(&d, force, moment, gravity, ws)
	return d
}

// setResponse sets d to what Response returns.
func (b *Body) setResponse(d *DeltaV, force, moment r3.Vec, gravity float64, ws *[4]Wheel) {
	m := &b.masses
	var impulse [4]float64 // impulse that accelerates each wheel [N·s]
	fixed := 0
	for i := range ws {
		w := &ws[i]
		impulse[i] = m.unsprung[i] * w.SpeedChange
		if w.Fixed {
			fixed |= 1 << i
			impulse[i] = m.unsprung[i] * ((w.StopTravel-w.Travel)*b.perDt - w.TravelSpeed)
		}
	}
	moments := func(i int) (x, y float64) { return impulse[i] * m.hubs[i].X, impulse[i] * m.hubs[i].Y }
	flx, fly := moments(tire.FL)
	frx, fry := moments(tire.FR)
	rlx, rly := moments(tire.RL)
	rrx, rry := moments(tire.RR)
	p := Impulse{
		b.dt*(force.Z+m.total*gravity) - ((impulse[tire.FL] + impulse[tire.FR]) + (impulse[tire.RL] + impulse[tire.RR])),
		b.dt*moment.X - ((fly + fry) + (rly + rry)),
		b.dt*moment.Y + ((flx + frx) + (rlx + rrx)),
		b.dt * moment.Z,
	}
	m.inverses[fixed].setDeltaV(d, &p)
}

// moveWheels moves the wheels along their travel, given the change d of the body's motion. If a further wheel
// reaches an end of its travel, it marks that wheel as Fixed and returns true; d must then be computed again.
func (b *Body) moveWheels(ws *[4]Wheel, d *DeltaV) (more bool) {
	var speed [4]float64
	for i := range ws {
		w := &ws[i]
		if w.Fixed {
			speed[i] = (w.StopTravel - w.Travel) * b.perDt
			continue
		}
		speed[i] = w.TravelSpeed + w.SpeedChange - b.masses.hubSpeed(i, d)
		travel := w.Travel + b.dt*speed[i]
		w.StopTravel = min(max(travel, 0), b.travel[i])
		if w.StopTravel != travel {
			w.Fixed, more = true, true
		}
	}
	if more {
		return true
	}
	for i := range ws {
		ws[i].TravelSpeed, ws[i].Travel = speed[i], ws[i].StopTravel
	}
	return false
}

// integrateRotation rotates the body by a tick without external moments. spin is the angular momentum of the
// wheels relative to the body, by their travel and their spin [N·m·s, body].
//
// It uses the implicit midpoint rule for Euler's equations and Cayley's map of the mean rate, which together
// conserve angular momentum and energy (Simo and Wong, Unconditionally stable algorithms for rigid body
// dynamics that exactly preserve energy and momentum, 1991).
func (b *Body) integrateRotation(s *State, spin r3.Vec) {
	t, rate := &b.masses.inertia, s.Rate
	mean := rate
	for range 8 {
		gyro := r3.Cross(mean, r3.Add(t.momentum(mean), spin))
		next := r3.Sub(rate, r3.Scale(b.dt/2, t.accel(gyro)))
		change := r3.Sub(next, mean)
		mean = next
		if r3.Dot(change, change) <= 1e-24*r3.Dot(mean, mean) {
			break
		}
	}
	s.Rate = r3.Sub(r3.Scale(2, mean), rate)
	s.Att = Rotated(s.Att, r3.Scale(b.dt/2, mean))
}

// AddPush adds to sum a force [N] along the body's x. It acts at ground level below the center of mass.
func (b *Body) AddPush(sum *Wrench, axes *Axes, force float64) {
	if force == 0 {
		return
	}
	along := r3.Scale(force, axes.X)
	*sum = sum.Plus(Wrench{Force: along, Moment: r3.Cross(r3.Scale(-b.p.CGHeight, axes.Z), along)})
}

// AddBurnedFuel adds to sum the effect of the fuel that was burned since the start, which no longer resists
// acceleration. The force is the burned mass [kg] times the specific force in the tank in the last tick.
func (b *Body) AddBurnedFuel(sum *Wrench, s *State, axes *Axes, burned float64) {
	rateBefore := s.LastRate
	s.LastRate = s.Rate
	if burned == 0 {
		return
	}
	w, r := s.Rate, b.tank
	angularAccel := r3.Scale(b.perDt, r3.Sub(w, rateBefore))
	specificForce := r3.Add(s.SpecificForce, r3.Add(r3.Cross(angularAccel, r), r3.Cross(w, r3.Cross(w, r))))
	force := r3.Scale(burned, specificForce)
	sum.Force, sum.Moment = r3.Add(sum.Force, axes.ToWorld(force)), r3.Add(sum.Moment,
		axes.ToWorld(r3.Cross(r, force)))
}
