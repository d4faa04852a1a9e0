package sim

// Flow is where the engine's power went in the last tick [W]. What is neither lost nor at
// the wheels is stored: see Car.DrivelineEnergy.
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
func (c *Car) account(s *State, k *clutching, start, torque float64) {
	l := &c.line
	engine, input := (s.Driveline.Engine+k.engine)/2, (s.Driveline.Box.Shaft+k.input)/2
	given := l.crank*(k.engine-s.Driveline.Engine) + k.carried + k.impeller
	taken := k.carried + k.turbine
	out := torque * (start + k.output) / 2
	s.Driveline.Flow = Flow{
		Engine:        given * engine,
		Clutch:        (k.carried+k.impeller)*engine - taken*input,
		Gearbox:       (taken-l.input*(k.input-s.Driveline.Box.Shaft))*input - out,
		Differentials: out,
	}
	s.Driveline.Power.Torque = given
	c.burn(s, given, engine)
}

// DrivelineEnergy returns what turns and twists between engine and wheels holds [J].
func (c *Car) DrivelineEnergy(s *State) float64 {
	l := &c.line
	e := (l.crank*s.Driveline.Engine*s.Driveline.Engine + l.input*s.Driveline.Box.Shaft*s.Driveline.Box.Shaft) * c.dt / 2
	for i := range s.Driveline.Shafts {
		h := &s.Driveline.Shafts[i]
		e += l.half.inert*c.dt*h.Speed*h.Speed/2 + l.half.stiffness*h.Twist*h.Twist/2
	}
	for axle := range l.driven {
		speed := (s.Driveline.Shafts[2*axle].Speed + s.Driveline.Shafts[2*axle+1].Speed) / 2
		e += l.carrier * c.dt * speed * speed / 2
	}
	return e
}
