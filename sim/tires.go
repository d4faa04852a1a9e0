package sim

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/driveline"
	"rig.example/rig/sim/steering"
	"rig.example/rig/sim/suspension"
	"rig.example/rig/sim/tire"
)

// tireForces is the force and moment of the ground on one tire in a tick, and their effect on the car.
type tireForces struct {
	suspension.TireForces
	effectiveMass float64        // part of the car's mass that acts at this contact [kg]
	gyroscopic    r3.Vec         // moment of the spinning wheel against the turning of its axis [N·m, world]
	shaftTorque   float64        // torque of the drive shaft minus the part that accelerates the wheel [N·m]
	onBody        chassis.Wrench // force and moment on the body
}

// findContacts sets ps to the poses of the wheels and ts to their ground contacts.
func (c *Car) findContacts(s *State, b *chassis.Axes, steer *steering.Angles, ps *[4]suspension.Pose,
	ts *[4]suspension.Contact) {
	spin := b.ToWorld(s.Rate)
	for i := range ps {
		p, w, k := &ps[i], &s.Wheels[i], &c.suspension.Corners[i]
		k.Place(p, &w.State, s.Pos, b, c.kingpin(i), steer.Angle[i], steer.Sin[i], steer.Cos[i])
		if s.Tick > 0 { // in the first tick the wheels have no steering rate
			p.SteerRate = (p.Steer - w.Steer) * c.perDt
		}
		w.Hub, w.Steer = p.Hub, p.Steer
		k.Touch(&ts[i], p, &w.State, c.ground, c.wheels[i].vertical.FreeRadius(w.Roll.Spin), s.Pos, s.Vel, spin)
		c.wheels[i].applyHeat(&ts[i], w)
	}
}

// kingpin returns the kingpin of a front wheel, nil for a rear wheel.
func (c *Car) kingpin(i int) *steering.Kingpin {
	if i < tire.RL {
		return c.steering.Kingpin(i)
	}
	return nil
}

// suspensionWheels returns the wheels in the form that the suspension's Step needs.
func (s *State) suspensionWheels(ps *[4]suspension.Pose, ts *[4]suspension.Contact,
	slides *[4]chassis.Wheel) (ws [4]suspension.Wheel) {
	for i := range ws {
		ws[i] = suspension.Wheel{State: &s.Wheels[i].State, Pose: &ps[i], Contact: &ts[i], TravelMotion: &slides[i]}
	}
	return ws
}

// stepSuspension computes the wheels' travel speeds and loads, and the forces of the anti-roll bars.
func (c *Car) stepSuspension(s *State, b *chassis.Axes, ws *[4]suspension.Wheel, bars *[2]suspension.Coupling) {
	c.suspension.Step(0, &ws[tire.FL], &ws[tire.FR], b.Z.Z, s.Vel, &bars[0])
	c.suspension.Step(1, &ws[tire.RL], &ws[tire.RR], b.Z.Z, s.Vel, &bars[1])
}

// stepTires moves the wheels' spin by one tick, sets gs to the force and moment of each tire, and sum to their
// total on the body.
//
// Left and right are added first, then front and rear, so that a mirrored car adds the same numbers in the same
// order.
func (c *Car) stepTires(s *State, b *chassis.Axes, ws *[4]suspension.Wheel, shafts *[4]driveline.Shaft,
	gs *[4]tireForces, sum *chassis.Wrench) {
	c.setEffectiveMasses(s, gs)
	rate := b.ToWorld(s.Rate)
	for i := range gs {
		c.turnAxle(i, s, ws[i].Pose, rate, &gs[i])
		c.stepTire(i, s, ws[i].Pose, ws[i].Contact, &shafts[i], &gs[i])
		c.suspension.Corners[i].StepCompliance(ws[i].State, ws[i].Pose, ws[i].Contact, gs[i].Force,
			r3.Add(gs[i].Moment, gs[i].gyroscopic), c.axleMomentum(i, s))
	}
	fl, fr, rl, rr := &gs[tire.FL].onBody, &gs[tire.FR].onBody, &gs[tire.RL].onBody, &gs[tire.RR].onBody
	sum.Force = r3.Add(r3.Add(fl.Force, fr.Force), r3.Add(rl.Force, rr.Force))
	sum.Moment = r3.Add(r3.Add(fl.Moment, fr.Moment), r3.Add(rl.Moment, rr.Moment))
}

// stepTire moves the spin of wheel i by one tick and sets g to the force and moment of its tire.
func (c *Car) stepTire(i int, s *State, p *suspension.Pose, t *suspension.Contact, drive *driveline.Shaft,
	g *tireForces) {
	w, k, brake := &s.Wheels[i], &c.wheels[i], &s.Brakes.Wheels[i]
	var in tire.WheelInput
	c.setWheelInput(&in, i, s, t, drive, g)
	slipEnergy, spinBefore := w.Roll.SlipEnergy, w.Roll.Spin
	var f tire.Forces
	tire.StepWheel(k.rolling, &f, &w.Roll, &in)
	w.Fx, w.Fy, w.Mz = f.Fx, f.Fy, f.Mz
	w.filterForces(c.dt)
	w.Rotation += c.dt * w.Roll.Spin
	w.recordSlip(t, in.Radius)
	if k.thermal != nil {
		k.stepHeat(w, t, f.My, (w.Roll.SlipEnergy-slipEnergy)*c.perDt)
	}
	spinUpTorque := k.inertia * (w.Roll.Spin - spinBefore) * c.perDt // [N·m]
	g.shaftTorque = drive.Torque - drive.Slope*(w.Roll.Spin-spinBefore) - spinUpTorque
	brakeMoment := f.Fx*in.Radius - g.shaftTorque - f.My // moment of the brake between wheel and hub carrier [N·m]
	brake.Power = max(0, -brakeMoment*(spinBefore+w.Roll.Spin)/2)
	g.onBody.Moment = r3.Sub(g.onBody.Moment, r3.Scale(spinUpTorque, p.Axle)) // reaction to the wheel's angular acceleration
	w.LinkForce = 0
	if w.Load == 0 {
		return
	}
	inPlane := r3.Add(r3.Scale(f.Fx, t.Forward), r3.Scale(f.Fy, t.Left))
	g.Force, g.Lateral = r3.Add(inPlane, r3.Scale(w.Load, t.Normal)), f.Fy
	g.Moment = r3.Add(r3.Add(r3.Scale(f.Mx, t.Forward), r3.Scale(f.Mz, t.Normal)), r3.Scale(f.My, p.Axle))
	g.onBody.Force = g.Force
	g.onBody.Moment = r3.Add(r3.Add(g.Moment, g.onBody.Moment), r3.Cross(t.Arm, g.Force))
	corner := &c.suspension.Corners[i]
	if appX, appY := corner.ForceApplication(); appX != 0 || appY != 0 {
		offset := r3.Add(r3.Scale(appX*f.Fx, t.Forward), r3.Scale(appY*f.Fy, t.Left))
		g.onBody.Moment = r3.Add(g.onBody.Moment, r3.Cross(t.Normal, offset))
	}
	w.LinkForce = corner.LinkForce(p, inPlane, r3.Add(g.Moment, g.gyroscopic), brakeMoment)
}

// turnAxle sets the moments by which the spin of wheel i resists the turning of its axis. rate is the body's
// angular velocity [rad/s, world]; what that part of the turning does to the body, the body's own step has.
func (c *Car) turnAxle(i int, s *State, p *suspension.Pose, rate r3.Vec, g *tireForces) {
	if !c.p.Gyroscopes {
		return
	}
	momentum := c.axleMomentum(i, s)
	travelSpeed := s.Wheels[i].TravelSpeed
	steerRate := p.SteerRate - p.DSteer*travelSpeed // without the links' toe, which DAxle has
	turning := r3.Add(r3.Scale(steerRate, r3.Cross(p.Pin, p.Axle)), r3.Scale(travelSpeed, p.DAxle))
	if p.ElasticRate != (r3.Vec{}) {
		turning = r3.Add(turning, r3.Cross(p.ElasticRate, p.Axle))
	}
	g.onBody.Moment = r3.Scale(-momentum, turning)
	g.gyroscopic = r3.Scale(-momentum, r3.Add(turning, r3.Cross(rate, p.Axle)))
}

// axleMomentum returns the angular momentum of wheel i's spin about its axle [N·m·s], or 0 if wheels are no
// gyroscopes.
func (c *Car) axleMomentum(i int, s *State) float64 {
	if !c.p.Gyroscopes {
		return 0
	}
	return c.wheels[i].inertia * s.Wheels[i].Roll.Spin
}

// setWheelInput sets in, which must be zero, to what acts on the tire and the spin of wheel i in a tick.
func (c *Car) setWheelInput(in *tire.WheelInput, i int, s *State, t *suspension.Contact, drive *driveline.Shaft,
	g *tireForces) {
	w, k := &s.Wheels[i], &c.wheels[i]
	in.Vx, in.Vy, in.YawRate = t.Vx, t.Vy, t.YawRate
	in.Radius = k.vertical.EffectiveRadius(w.Load, w.Roll.Spin)
	in.Gamma = t.Gamma // its sine, which is within 1 % of the angle up to 14°
	in.Load, in.EffectiveMass = min(w.Load, k.mostGrip), g.effectiveMass
	in.Surface, in.Pressure = t.Ground.Surface, t.Running.Pressure
	in.Torque, in.TorqueSlope, in.BrakeTorque = drive.Torque, drive.Slope, s.Brakes.Wheels[i].Torque
}

// filterForces moves FilteredFx and FilteredFy by one tick. They follow Fx and Fy with the time constant of the
// carcass. They reduce the tire's vertical stiffness; with the unfiltered forces, load and grip would
// oscillate from tick to tick.
func (w *WheelState) filterForces(dt float64) {
	const lag = 0.01 // [s]
	const perLag = 1 / lag
	w.FilteredFx += (w.Fx - w.FilteredFx) * (dt * perLag)
	w.FilteredFy += (w.Fy - w.FilteredFy) * (dt * perLag)
}

// kingpinMoment returns the moment about the kingpin [N·m], positive left: pin · (lever × force + moment of the
// tire + gyroscopic moment).
//
// A braking force acts at the contact, because the brake connects the wheel with its carrier. A driving force
// acts at the hub, because the drive shaft connects the wheel with the body: the shaft's torque adds its
// component along the kingpin.
func (g *tireForces) kingpinMoment(p *suspension.Pose, t *suspension.Contact) float64 {
	moment := r3.Add(r3.Cross(t.Lever, g.Force), g.Moment)
	return r3.Dot(p.Pin, r3.Add(r3.Add(moment, g.gyroscopic), r3.Scale(g.shaftTorque, p.Axle)))
}

// setEffectiveMasses distributes the car's effective mass to the contacts, in proportion to their loads. The
// effective mass is what acts at all contacts together when they stop the car; it is less than the car's mass,
// because a force at the ground also rolls, pitches and yaws the body.
func (c *Car) setEffectiveMasses(s *State, gs *[4]tireForces) {
	w := &s.Wheels
	totalLoad := (w[tire.FL].Load + w[tire.FR].Load) + (w[tire.RL].Load + w[tire.RR].Load)
	if !(totalLoad > 0) {
		return
	}
	massPerLoad := c.effectiveMass / totalLoad
	for i := range gs {
		gs[i].effectiveMass = massPerLoad * w[i].Load
	}
}

// recordSlip sets Kappa and Alpha, which the display and force feedback read; radius is the rolling radius [m].
func (w *WheelState) recordSlip(t *suspension.Contact, radius float64) {
	if w.Load == 0 {
		w.Kappa, w.Alpha = 0, 0
		return
	}
	const minSpeed = 1 // [m/s]
	perSpeed := 1 / max(math.Abs(t.Vx), minSpeed)
	w.Kappa = (w.Roll.Spin*radius - t.Vx) * perSpeed
	w.Alpha = tire.SlipAngle(t.Vy * perSpeed)
}
