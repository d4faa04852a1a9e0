package sim

import (
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/driveline"
	"rig.example/rig/sim/tire"
)

// drive steps the driveline by the orders, and sets out to what reaches each wheel.
func (c *Car) drive(s *State, o *assist.Orders, out *[4]driveline.Shaft) {
	k := &s.Brakes.Wheels
	in := driveline.Input{
		Throttle: o.Throttle, Cut: o.Cut, Clutch: o.Clutch, AutoClutch: o.AutoClutch, AutoShift: o.AutoShift,
		Gear: o.Gear, Start: o.Start, Off: o.Off,
		Speed: s.Speed, Lateral: s.SpecificForce.Y,
		Braking: (k[tire.FL].Torque + k[tire.FR].Torque) + (k[tire.RL].Torque + k[tire.RR].Torque),
		Spins:   s.spins(),
	}
	c.driveline.Step(&s.Driveline, &in, out)
}

// twist twists the half shafts by what their wheels did in the tick.
func (c *Car) twist(s *State, drive *[4]driveline.Shaft) {
	spins := s.spins()
	c.driveline.Twist(&s.Driveline, drive, &spins)
}

// spins returns how fast the wheels turn [rad/s].
func (s *State) spins() [4]float64 {
	w := &s.Wheels
	return [4]float64{w[tire.FL].Roll.Spin, w[tire.FR].Roll.Spin, w[tire.RL].Roll.Spin, w[tire.RR].Roll.Spin}
}

// axleWheel returns what the driveline must know of wheel i.
func (c *Car) axleWheel(i int) driveline.Wheel {
	k := &c.wheels[i]
	return driveline.Wheel{Inertia: k.inertia, Damping: c.p.axle(i).WheelDamping, Radius: k.radius()}
}
