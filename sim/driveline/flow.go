package driveline

// Flow is where the engine's power went in the last tick [W]. What is neither lost nor at
// the wheels is stored: see Energy.
type Flow struct {
	Engine        float64 // of the crank
	Clutch        float64 // lost in clutch and converter
	Gearbox       float64 // lost in gearbox, bearings and oil, and as gears engage
	Differentials float64 // lost in them
	Shafts        float64 // lost as half shafts twist
	Wheels        float64 // to the wheels
}

// account notes what power reaches the differentials, and takes the engine's fuel; start
// is the output's speed at the tick's start, torque what it carries on [N·m].
func (l *System) account(s *State, k *clutching, start, torque float64) {
	engine, input := (s.Engine+k.engine)/2, (s.Box.Shaft+k.input)/2
	given := l.crank*(k.engine-s.Engine) + k.carried + k.impeller
	taken := k.carried + k.turbine
	out := torque * (start + k.output) / 2
	s.Flow = Flow{
		Engine:        given * engine,
		Clutch:        (k.carried+k.impeller)*engine - taken*input,
		Gearbox:       (taken-l.input*(k.input-s.Box.Shaft))*input - out,
		Differentials: out,
	}
	s.Power.Torque = given
	l.burn(s, given, engine)
}

// Energy returns what turns and twists between engine and wheels holds, without them [J].
func (l *System) Energy(s *State) float64 {
	e := (l.crank*s.Engine*s.Engine + l.input*s.Box.Shaft*s.Box.Shaft) * l.dt / 2
	for i := range s.Shafts {
		h := &s.Shafts[i]
		e += l.half.inert*l.dt*h.Speed*h.Speed/2 + l.half.stiffness*h.Twist*h.Twist/2
	}
	for axle := range l.driven {
		speed := (s.Shafts[2*axle].Speed + s.Shafts[2*axle+1].Speed) / 2
		e += l.carrier * l.dt * speed * speed / 2
	}
	return e
}
