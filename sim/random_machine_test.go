package sim

import (
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/suspension"
)

// machine draws gearbox, clutch, engine or motor, fuel, brakes and electronics of a car.
func (l lot) machine(p *Params) {
	d := &p.Driveline
	d.Gearbox.Kind = pick(l, "synchro", "dog", "sequential", "automatic", "automatic", "single")
	d.Converter.Enabled = l.chance(0.6)
	d.Gearbox.HandoverTime, d.Gearbox.ShiftCutShare = l.span(0.1, 0.6), l.Float64()
	d.Gearbox.SynchroTorque, d.Gearbox.DogWindowRPM = l.span(20, 200), l.span(50, 800)
	d.Clutch.CreepTorque = l.maybe(0.3, l.span(0, 60))
	d.Turbo.BoostShare, d.Turbo.LagTime = l.maybe(0.4, l.span(0, 0.8)), l.span(0.1, 1)
	d.Engine.Limiter = pick(l, "hard", "soft", "off")
	d.Efficiency, d.SpinLoss = l.span(0.8, 1), l.span(0, 30)
	p.Fuel.Level = l.ratio(0.1, 200)
	if l.chance(0.2) {
		l.motor(p)
	}
	b := &p.Brakes
	b.Lag, b.HandbrakeAxle = l.maybe(0.8, l.span(0, 0.1)), pick(l, "front", "rear", "rear", "both")
	b.LimiterPressure, b.LimiterSlope = l.maybe(0.3, l.span(10, 60)), l.Float64()
	b.Pedal.InputKind = pick(l, "force", "travel")
}

// joints draws how the engine lies, how wheels give way, and what the steering has of friction, mass and assist.
func (l lot) joints(p *Params) {
	p.Driveline.CrankAxis = pick(l, "longitudinal", "transverse")
	l.yielding(&p.Front.Compliance)
	l.yielding(&p.Rear.Compliance)
	p.Steering.RackFriction, p.Steering.RackMass = l.maybe(0.3, l.span(0, 500)), l.maybe(0.3, l.span(0, 20))
	p.Steering.Assist.Enabled = l.chance(0.3)
}

// yielding draws how a wheel gives way to forces and moments.
func (l lot) yielding(c *suspension.Compliance) {
	if l.chance(0.4) {
		c.ToeByAligning, c.CamberBySideForce = l.ratio(0.05, 2), l.span(0, 0.5)
		c.ToeBySideForce = l.sym(0.5) * c.ToeByAligning
	}
}

// motor puts an electric motor into a car, behind whatever gearbox it has.
func (l lot) motor(p *Params) {
	m := &p.Driveline.Motor
	m.Enabled = true
	m.Torque, m.Power = l.ratio(100, 800)*p.Mass/1500, l.ratio(50, 400)*p.Mass/1500
	m.Regen, m.RegenPower = l.span(0, 1)*m.Torque, l.span(0, 1)*m.Power
	m.Charge = l.Float64()
	if l.chance(0.7) {
		d := &p.Driveline
		d.Gears, d.Gearbox.Kind = []float64{1}, "single"
		d.FinalDrive, d.EngineInertia = l.span(5, 12), l.span(0.02, 0.1)
	}
}

// electronics switches those of a car on and off, and its ignition.
func (l lot) electronics(in *Input) {
	level := func() uint8 { return uint8(max(l.IntN(16)-5, 0)) }
	in.Assists = assist.Switches{
		ABS: level(), Traction: level(), Stability: level(),
		AutoClutch: l.chance(0.6), AutoShift: l.chance(0.4), Launch: l.chance(0.2), PitLimiter: l.chance(0.1),
		LowSpeedAid: l.maybe(0.2, l.Float64()),
	}
	in.Starter, in.IgnitionOff = l.chance(0.3), l.chance(0.05)
}
