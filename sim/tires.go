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

// grip is what the ground does to one tire in a tick, and the tire to the car.
type grip struct {
	suspension.Grip
	mass  float64        // that this wheel has to stop [kg]
	shaft float64        // torque of the drive shaft less what speeds the wheel up [N·m]
	pull  chassis.Wrench // what the wheel does to the car
}

// touch finds how the wheels are held, and where they stand.
func (c *Car) touch(s *State, b *chassis.Axes, steer *steering.Angles, ps *[4]suspension.Pose, ts *[4]suspension.Contact) {
	spin := b.Out(s.Rate)
	for i := range ps {
		p, w, k := &ps[i], &s.Wheels[i], &c.suspension.Corners[i]
		var pin *steering.Kingpin
		if i < tire.RL {
			pin = c.steering.Kingpin(i)
		}
		k.Place(p, &w.State, s.Pos, b, pin, steer.Angle[i], steer.Sin[i], steer.Cos[i])
		if s.Tick > 0 { // a car that begins with its wheels turned has not just turned them
			p.Yaw = (p.Steer - w.Steer) * c.perDt
		}
		w.Hub, w.Steer = p.Hub, p.Steer
		k.Touch(&ts[i], p, &w.State, c.ground, c.wheels[i].vertical.FreeRadius(w.Roll.Spin), s.Pos, s.Vel, spin)
		c.wheels[i].warm(&ts[i], w)
	}
}

// corners returns the wheels as the suspension steps them.
func (s *State) corners(ps *[4]suspension.Pose, ts *[4]suspension.Contact, slides *[4]chassis.Wheel) (ws [4]suspension.Wheel) {
	for i := range ws {
		ws[i] = suspension.Wheel{State: &s.Wheels[i].State, Pose: &ps[i], Contact: &ts[i], Slides: &slides[i]}
	}
	return ws
}

// carry moves the wheels along their travel and finds their loads.
func (c *Car) carry(s *State, b *chassis.Axes, ws *[4]suspension.Wheel, bars *[2]suspension.Coupling) {
	c.suspension.Step(0, &ws[tire.FL], &ws[tire.FR], b.Z.Z, s.Vel, &bars[0])
	c.suspension.Step(1, &ws[tire.RL], &ws[tire.RR], b.Z.Z, s.Vel, &bars[1])
}

// tires turns the wheels, and sets gs and sum to what the road does to each and to the body.
//
// Left and right are summed before front and rear, so that a mirrored car adds
// the same numbers in the same order.
func (c *Car) tires(s *State, ws *[4]suspension.Wheel, shafts *[4]driveline.Shaft, gs *[4]grip, sum *chassis.Wrench) {
	c.share(s, gs)
	for i := range gs {
		c.tire(i, s, ws[i].Pose, ws[i].Contact, &shafts[i], &gs[i])
	}
	fl, fr, rl, rr := &gs[tire.FL].pull, &gs[tire.FR].pull, &gs[tire.RL].pull, &gs[tire.RR].pull
	sum.Force = r3.Add(r3.Add(fl.Force, fr.Force), r3.Add(rl.Force, rr.Force))
	sum.Moment = r3.Add(r3.Add(fl.Moment, fr.Moment), r3.Add(rl.Moment, rr.Moment))
}

// tire turns one wheel and finds what it does to the car.
func (c *Car) tire(i int, s *State, p *suspension.Pose, t *suspension.Contact, drive *driveline.Shaft, g *grip) {
	w, k, brake := &s.Wheels[i], &c.wheels[i], &s.Brakes.Wheels[i]
	radius := k.vertical.EffectiveRadius(w.Load, w.Roll.Spin)
	skid, was := w.Roll.Skid, w.Roll.Spin
	f := k.roller.Step(&w.Roll, tire.Drive{
		Vx: t.Vx, Vy: t.Vy,
		Radius:   radius,
		Yaw:      t.Yaw,
		Gamma:    t.Gamma, // the sine is within 1 % of the angle up to 14°
		Load:     w.Load,
		Mass:     g.mass,
		Surface:  t.Ground.Surface,
		Pressure: t.Running.Pressure,
		Torque:   drive.Torque,
		Slope:    drive.Slope,
		Braking:  brake.Torque,
	})
	w.Fx, w.Fy, w.Mz = f.Fx, f.Fy, f.Mz
	w.settleForces(c.dt)
	w.Rotation += c.dt * w.Roll.Spin
	w.slips(t, radius)
	if k.thermal != nil {
		k.heat(w, t, f.My, (w.Roll.Skid-skid)*c.perDt)
	}
	spun := k.inertia * (w.Roll.Spin - was) * c.perDt // [N·m]
	g.shaft = drive.Torque - drive.Slope*(w.Roll.Spin-was) - spun
	held := f.Fx*radius - g.shaft - f.My // by the brake, between wheel and hub carrier
	brake.Power = max(0, -held*(was+w.Roll.Spin)/2)
	g.pull.Moment = r3.Scale(-spun, p.Axle) // what turns the wheel turns the body the other way
	w.Links = 0
	if w.Load == 0 {
		return
	}
	flat := r3.Add(r3.Scale(f.Fx, t.Forward), r3.Scale(f.Fy, t.Left))
	g.Force, g.Side = r3.Add(flat, r3.Scale(w.Load, t.Normal)), f.Fy
	g.Moment = r3.Add(r3.Scale(f.Mx, t.Forward), r3.Scale(f.Mz, t.Normal))
	g.pull.Force = g.Force
	g.pull.Moment = r3.Add(r3.Add(g.Moment, g.pull.Moment), r3.Cross(t.Arm, g.Force))
	corner := &c.suspension.Corners[i]
	if appX, appY := corner.ForceApplication(); appX != 0 || appY != 0 {
		up := r3.Add(r3.Scale(appX*f.Fx, t.Forward), r3.Scale(appY*f.Fy, t.Left))
		g.pull.Moment = r3.Add(g.pull.Moment, r3.Cross(t.Normal, up))
	}
	w.Links = corner.Links(p, flat, g.Moment, held)
}

// settleForces follows the forces in the road plane as slowly as the carcass
// gives way to them. The tire's spring softens by these: by the forces of the last
// tick alone, load and grip would drive each other up and down every tick.
func (w *Wheel) settleForces(dt float64) {
	const lag = 0.01 // [s]
	const perLag = 1 / lag
	w.SlowX += (w.Fx - w.SlowX) * (dt * perLag)
	w.SlowY += (w.Fy - w.SlowY) * (dt * perLag)
}

// steering returns what turns the wheel about its kingpin [N·m], positive to the
// left: pin · (lever × force + the tire's moments).
//
// The tire's force acts at the contact, and so does that of a brake, which holds
// the wheel to its carrier. A drive shaft holds it to the car: its torque, less what
// only speeds the wheel up, turns the carrier by as much as axle and kingpin
// point the same way, which moves the drive's force up to the hub.
func (g *grip) steering(p *suspension.Pose, t *suspension.Contact) float64 {
	turning := r3.Add(r3.Cross(t.Lever, g.Force), g.Moment)
	return r3.Dot(p.Pin, r3.Add(turning, r3.Scale(g.shaft, p.Axle)))
}

// share gives every wheel its part of the mass that the contacts have to stop:
// by load, and less than the whole, for a push at the ground rolls, pitches and
// turns the body besides moving it.
func (c *Car) share(s *State, gs *[4]grip) {
	w := &s.Wheels
	whole := (w[tire.FL].Load + w[tire.FR].Load) + (w[tire.RL].Load + w[tire.RR].Load)
	if !(whole > 0) {
		return
	}
	share := c.stops / whole
	for i := range gs {
		gs[i].mass = share * w[i].Load
	}
}

// slips notes how the wheel moves, for those who look on.
func (w *Wheel) slips(t *suspension.Contact, radius float64) {
	if w.Load == 0 {
		w.Kappa, w.Alpha = 0, 0
		return
	}
	const slowest = 1 // [m/s]
	along := 1 / max(math.Abs(t.Vx), slowest)
	w.Kappa = (w.Roll.Spin*radius - t.Vx) * along
	w.Alpha = tire.SlipAngle(t.Vy * along)
}
