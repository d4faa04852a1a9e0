package sim

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/tire"
)

// newElectronics returns the electronics of a car whose corners, driveline and steering are built.
func newElectronics(c *Car) assist.Electronics {
	p := &c.p
	v := assist.Vehicle{
		Driveline: &c.driveline, Steering: &c.steering,
		Mass: p.Mass, InertiaZZ: p.InertiaZZ, Wheelbase: p.Wheelbase, Understeer: c.Understeer(), Lateral: math.Inf(1),
	}
	for axle, share := range [2]float64{p.Brakes.FrontShare, 1 - p.Brakes.FrontShare} {
		k := &c.wheels[2*axle]
		track, _, _ := p.station(2 * axle)
		v.Axles[axle] = assist.Axle{Track: track, Inertia: k.inertia, Braking: p.Brakes.Torque * share / 2, Slip: k.gripping()}
	}
	for i := range c.wheels {
		w := &c.wheels[i]
		v.Radius[i] = w.radius()
		can := w.model.Capacity(tire.Contact{Load: w.load, Surface: tire.Dry(), Pressure: w.pressure})
		if w.load > 0 {
			v.Lateral = min(v.Lateral, can.ForceY/w.load*p.Gravity)
		}
	}
	return assist.New(p.Assists, &p.Driveline, &v, c.dt)
}

// assist finds what the driver's wish becomes in the hands of the electronics.
func (c *Car) assist(s *State, in *Input, o *assist.Orders) {
	o.Throttle, o.Clutch, o.Gear, o.Start, o.Off = in.Throttle, in.Clutch, in.Gear, in.Start, in.Off
	if in.Assists == (assist.Switches{}) { // as Step would leave it
		s.Help = assist.State{}
		return
	}
	b := &s.Brakes.Wheels
	c.electronics.Step(&s.Help, &s.Driveline, &assist.Sensors{
		Switches: in.Assists, Steer: in.Steer, Brake: in.Brake, Handbrake: in.Handbrake,
		Spin:    s.spins(),
		Braking: [4]float64{b[tire.FL].Torque, b[tire.FR].Torque, b[tire.RL].Torque, b[tire.RR].Torque},
		YawRate: s.Rate.Z, AccelX: s.SpecificForce.X, AccelY: s.SpecificForce.Y,
		Accel: s.Acc.X, Speed: s.Speed, Vel: s.Vel,
	}, o)
}

// helped adds the moment and the drag of helpers that no car has, while a wheel stands on
// the ground. The drag acts at the rear axle against its sideways speed, so that it only
// ever takes energy, and nothing from a car that stands or rolls.
func (c *Car) helped(sum *chassis.Wrench, s *State, b *chassis.Axes, o *assist.Orders) {
	if o.Yaw == 0 && o.Drag == 0 || sum.Force == (r3.Vec{}) {
		return
	}
	arm := c.p.CGToFront - c.p.Wheelbase
	side := -o.Drag * (r3.Dot(s.Vel, b.Y) + s.Rate.Z*arm)
	sum.Force = r3.Add(sum.Force, r3.Scale(side, b.Y))
	sum.Moment = r3.Add(sum.Moment, r3.Scale(o.Yaw+side*arm, b.Z))
}

// DrivenSlip returns the largest longitudinal slip of the driven wheels; below 1 m/s its
// divisor stays at 1 m/s.
func (c *Car) DrivenSlip(s *State) float64 {
	most := 0.0
	for i := range s.Wheels {
		if c.driveline.Drives(i / 2) {
			most = max(most, math.Abs(s.Wheels[i].Kappa))
		}
	}
	return most
}
