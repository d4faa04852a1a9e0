package sim

import (
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/driveline"
	"rig.example/rig/sim/tire"
)

// stepDriveline moves the driveline by one tick. It stores the torque on each wheel in *out.
func (c *Car) stepDriveline(s *State, o *assist.Orders, out *[4]driveline.Shaft) {
	k := &s.Brakes.Wheels
	in := driveline.Input{
		Throttle: o.Throttle, TorqueCut: o.TorqueCut, Clutch: o.Clutch, AutoClutch: o.AutoClutch, AutoShift: o.AutoShift,
		Gear: o.Gear, Starter: o.Starter, IgnitionOff: o.IgnitionOff,
		Speed: s.Speed, Lateral: s.SpecificForce.Y,
		BrakeTorque: (k[tire.FL].Torque + k[tire.FR].Torque) + (k[tire.RL].Torque + k[tire.RR].Torque),
	}
	s.setSpins(&in.Spin)
	c.driveline.Step(&s.Driveline, &in, out)
}

// addDrivelineReaction adds to sum the moment on the body by the driveline, whose angular momentum was before at the
// start of the tick and is after now [N·m·s, body]. Its torques pass through the mounts of engine, gearbox and final
// drive, and all but the change of that momentum cancel there.
func (c *Car) addDrivelineReaction(sum *chassis.Wrench, b *chassis.Axes, before, after r3.Vec) {
	sum.Moment = r3.Add(sum.Moment, b.ToWorld(r3.Scale(c.perDt, r3.Sub(before, after))))
}

// twistShafts updates the twist of the half shafts with the wheels' speeds after the tick. drive is the
// output of stepDriveline in this tick.
func (c *Car) twistShafts(s *State, drive *[4]driveline.Shaft) {
	var spins [4]float64
	s.setSpins(&spins)
	c.driveline.TwistShafts(&s.Driveline, drive, &spins)
}

// setSpins sets spins to the wheels' angular speeds [rad/s], positive forward.
func (s *State) setSpins(spins *[4]float64) {
	for i := range spins {
		spins[i] = s.Wheels[i].Roll.Spin
	}
}

// axleWheel returns the data of wheel i that the driveline needs.
func (c *Car) axleWheel(i int) driveline.Wheel {
	k := &c.wheels[i]
	return driveline.Wheel{Inertia: k.inertia, Damping: c.p.axle(i).WheelDamping, Radius: k.radius()}
}
