package driveline

// PowerFlow holds where the engine's power went in the last tick [W]. The rest went into stored energy: see Energy.
type PowerFlow struct {
	Engine        float64 // power of the engine at the crank [W]
	Clutch        float64 // power lost in clutch and converter [W]
	Gearbox       float64 // power lost in gearbox, bearings and oil, and by friction while gears engage [W]
	Differentials float64 // power lost in the differentials [W]
	Shafts        float64 // power lost in the damping of the half shafts [W]
	Wheels        float64 // power that the half shafts give to the wheels [W]
}

// recordPower sets s.Flow from the engine to the gearbox, with the power into the differentials in
// s.Flow.Differentials, and takes the fuel of the tick. outputBefore is the speed of the gearbox' output at
// the tick's start [rad/s], torque the torque on the differentials [N·m].
func (l *System) recordPower(s *State, k *clutchResult, outputBefore, torque float64) {
	engine, input := (s.EngineSpeed+k.engine)/2, (s.Gearbox.InputSpeed+k.input)/2
	crankTorque := l.crankPerDt*(k.engine-s.EngineSpeed) + k.clutchTorque + k.impeller
	inputTorque := k.clutchTorque + k.turbine
	outputPower := torque * (outputBefore + k.output) / 2
	s.Flow = PowerFlow{
		Engine:        crankTorque * engine,
		Clutch:        (k.clutchTorque+k.impeller)*engine - inputTorque*input,
		Gearbox:       (inputTorque-l.inputPerDt*(k.input-s.Gearbox.InputSpeed))*input - outputPower,
		Differentials: outputPower,
	}
	s.Engine.Torque = crankTorque
	l.takeFuel(s, crankTorque, engine)
}

// Energy returns the kinetic energy of everything that turns from the engine to the half shafts, and the
// energy stored in the twist of the half shafts [J].
func (l *System) Energy(s *State) float64 {
	e := (l.crankPerDt*s.EngineSpeed*s.EngineSpeed + l.inputPerDt*s.Gearbox.InputSpeed*s.Gearbox.InputSpeed) * l.dt / 2
	for i := range s.Shafts {
		h := &s.Shafts[i]
		e += l.halfShaft.inertiaPerDt*l.dt*h.Speed*h.Speed/2 + l.halfShaft.stiffness*h.Twist*h.Twist/2
	}
	for axle := range l.driven {
		speed := (s.Shafts[2*axle].Speed + s.Shafts[2*axle+1].Speed) / 2
		e += l.carrierPerDt * l.dt * speed * speed / 2
	}
	return e
}
