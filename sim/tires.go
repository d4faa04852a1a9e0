package sim

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/brakes"
	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/driveline"
	"rig.example/rig/sim/tire"
)

// tires turns the wheels and returns what the road does to the body.
//
// Left and right are summed before front and rear, so that a mirrored car adds
// the same numbers in the same order.
func (c *Car) tires(s *State, ps *[4]patch, drive *[4]driveline.Shaft, sum *chassis.Wrench) {
	c.share(ps)
	for i := range ps {
		c.tire(&s.Wheels[i], &ps[i], &c.corners[i], &drive[i], &s.Brakes.Wheels[i])
	}
	fl, fr, rl, rr := &ps[tire.FL].pull, &ps[tire.FR].pull, &ps[tire.RL].pull, &ps[tire.RR].pull
	sum.Force = r3.Add(r3.Add(fl.Force, fr.Force), r3.Add(rl.Force, rr.Force))
	sum.Moment = r3.Add(r3.Add(fl.Moment, fr.Moment), r3.Add(rl.Moment, rr.Moment))
}

// tire turns one wheel and finds what it does to the car.
func (c *Car) tire(w *Wheel, p *patch, k *corner, drive *driveline.Shaft, brake *brakes.WheelState) {
	radius := k.vertical.EffectiveRadius(p.load, w.Roll.Spin)
	skid, was := w.Roll.Skid, w.Roll.Spin
	f := k.wheel.Step(&w.Roll, tire.Drive{
		Vx: p.vx, Vy: p.vy,
		Radius:   radius,
		Yaw:      p.yaw,
		Gamma:    p.gamma, // the sine is within 1 % of the angle up to 14°
		Load:     p.load,
		Mass:     p.mass,
		Surface:  p.surface,
		Pressure: p.running.Pressure,
		Torque:   drive.Torque,
		Slope:    drive.Slope,
		Braking:  brake.Torque,
	})
	w.Fx, w.Fy, w.Mz = f.Fx, f.Fy, f.Mz
	w.settleForces(c.dt)
	w.Rotation += c.dt * w.Roll.Spin
	w.slips(p, radius)
	if k.thermal != nil {
		k.heat(w, p, f.My, (w.Roll.Skid-skid)*c.perDt)
	}
	spun := k.axle.Wheel.Inertia * (w.Roll.Spin - was) * c.perDt // [N·m]
	p.shaft = drive.Torque - drive.Slope*(w.Roll.Spin-was) - spun
	held := f.Fx*radius - p.shaft - f.My // by the brake, between wheel and hub carrier
	brake.Power = max(0, -held*(was+w.Roll.Spin)/2)
	p.pull.Moment = r3.Scale(-spun, p.axle) // what turns the wheel turns the body the other way
	w.Links = 0
	if p.load == 0 {
		return
	}
	flat := r3.Add(r3.Scale(f.Fx, p.forward), r3.Scale(f.Fy, p.left))
	p.force = r3.Add(flat, r3.Scale(p.load, p.normal))
	p.moment = r3.Add(r3.Scale(f.Mx, p.forward), r3.Scale(f.Mz, p.normal))
	p.pull.Force = p.force
	p.pull.Moment = r3.Add(r3.Add(p.moment, p.pull.Moment), r3.Cross(p.arm, p.force))
	if k.appX != 0 || k.appY != 0 {
		up := r3.Add(r3.Scale(k.appX*f.Fx, p.forward), r3.Scale(k.appY*f.Fy, p.left))
		p.pull.Moment = r3.Add(p.pull.Moment, r3.Cross(p.normal, up))
	}
	if !k.links.still && !k.axle.Kinematics.ForceApp {
		turned := r3.Dot(p.moment, r3.Cross(p.axle, p.swing)) // with the hub carrier, by camber and toe
		w.Links = r3.Dot(flat, p.scrub) + held*p.caster + turned
	}
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
func (p *patch) steering() float64 {
	turning := r3.Add(r3.Cross(p.lever, p.force), p.moment)
	return r3.Dot(p.pin, r3.Add(turning, r3.Scale(p.shaft, p.axle)))
}

// share gives every wheel its part of the mass that the contacts have to stop:
// by load, and less than the whole, for a push at the ground rolls, pitches and
// turns the body besides moving it.
func (c *Car) share(ps *[4]patch) {
	whole := (ps[tire.FL].load + ps[tire.FR].load) + (ps[tire.RL].load + ps[tire.RR].load)
	if !(whole > 0) {
		return
	}
	share := c.stops / whole
	for i := range ps {
		ps[i].mass = share * ps[i].load
	}
}

// slips notes how the wheel moves, for those who look on.
func (w *Wheel) slips(p *patch, radius float64) {
	if p.load == 0 {
		w.Kappa, w.Alpha = 0, 0
		return
	}
	const slowest = 1 // [m/s]
	along := 1 / max(math.Abs(p.vx), slowest)
	w.Kappa = (w.Roll.Spin*radius - p.vx) * along
	w.Alpha = tire.SlipAngle(p.vy * along)
}
