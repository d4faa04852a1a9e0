package sim

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/tire"
)

// newElectronics returns the electronics of a car whose wheels, driveline and steering are built.
func newElectronics(c *Car) assist.Electronics {
	p := &c.p
	v := assist.Vehicle{
		Driveline: &c.driveline, Steering: &c.steering,
		Mass: p.Mass, InertiaZZ: p.InertiaZZ, Wheelbase: p.Wheelbase, Understeer: c.Understeer(), MaxLateral: math.Inf(1),
	}
	for axle, share := range [2]float64{p.Brakes.FrontShare, 1 - p.Brakes.FrontShare} {
		k := &c.wheels[2*axle]
		track, _, _ := p.axleGeometry(2 * axle)
		v.Axles[axle] = assist.Axle{Track: track, Inertia: k.inertia,
			BrakeTorque: p.Brakes.Torque * share / 2, PeakSlip: k.peakDrivingSlip()}
	}
	for i := range c.wheels {
		w := &c.wheels[i]
		v.Radius[i] = w.radius()
		capacity := w.model.Capacity(tire.Contact{Load: w.load, Surface: tire.Dry(), Pressure: w.pressure})
		if w.load > 0 {
			v.MaxLateral = min(v.MaxLateral, capacity.ForceY/w.load*p.Gravity)
		}
	}
	return assist.New(p.Assists, &p.Driveline, &v, c.dt)
}

// stepAssist sets o to the driver's commands, and then lets the electronics change them.
func (c *Car) stepAssist(s *State, in *Input, o *assist.Orders) {
	o.Throttle, o.Clutch, o.Gear, o.Starter, o.IgnitionOff = in.Throttle, in.Clutch, in.Gear, in.Starter, in.IgnitionOff
	if in.Assists == (assist.Switches{}) { // nothing is on: Step would give the same result
		s.Assist = assist.State{}
		return
	}
	b := &s.Brakes.Wheels
	sensors := assist.Sensors{
		Switches: in.Assists, Steer: in.Steer, Brake: in.Brake, Handbrake: in.Handbrake,
		BrakeTorque: [4]float64{b[tire.FL].Torque, b[tire.FR].Torque, b[tire.RL].Torque, b[tire.RR].Torque},
		YawRate:     s.Rate.Z, AccelX: s.SpecificForce.X, AccelY: s.SpecificForce.Y,
		Accel: s.Acc.X, Speed: s.Speed, Vel: s.Vel,
	}
	s.setSpins(&sensors.Spin)
	c.assist.Step(&s.Assist, &s.Driveline, &sensors, o)
}

// addArcadeAids adds the arcade aids' yaw moment and drag to sum while anything touches the ground. The
// drag acts at the rear axle against that axle's sideways speed. So it only removes energy, and it removes
// none from a car that stands still or rolls straight.
func (c *Car) addArcadeAids(sum *chassis.Wrench, s *State, b *chassis.Axes, o *assist.Orders) {
	if o.YawMoment == 0 && o.SideDrag == 0 || sum.Force == (r3.Vec{}) {
		return
	}
	arm := c.p.CGToFront - c.p.Wheelbase
	side := -o.SideDrag * (r3.Dot(s.Vel, b.Y) + s.Rate.Z*arm)
	sum.Force = r3.Add(sum.Force, r3.Scale(side, b.Y))
	sum.Moment = r3.Add(sum.Moment, r3.Scale(o.YawMoment+side*arm, b.Z))
}

// DrivenSlip returns the largest absolute longitudinal slip of the driven wheels.
func (c *Car) DrivenSlip(s *State) float64 {
	largest := 0.0
	for i := range s.Wheels {
		if c.driveline.DrivesAxle(i / 2) {
			largest = max(largest, math.Abs(s.Wheels[i].Kappa))
		}
	}
	return largest
}
