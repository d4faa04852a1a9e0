package steering

import "rig.example/rig/sim/tire"

// State is the state of the steering rack, and its forces in the last tick.
//
// The rack follows the steering wheel rigidly. A torsion bar between them would oscillate because of the
// delay of a real wheel's motor and sensor.
type State struct {
	Position  float64 // position of the rack [m], positive where the front wheels turn left
	Speed     float64 // low-pass filtered speed of the rack [m/s]
	Accel     float64 // low-pass filtered acceleration of the rack [m/s²]
	Bristle   float64 // deflection of the friction's bristle [m]
	TireForce float64 // force of the front tires along the rack [N], positive as Position
	Assist    float64 // torque of the power assist on the column [N·m], positive left
	Stop      float64 // torque of the end stop on the column [N·m], positive left; 0 within the lock
}

// rack holds everything of the steering rack that is constant in a run.
type rack struct {
	mass             float64 // equivalent mass of the rack [kg]
	stop             float64 // stiffness of the end stops [N/m]
	bristleStiffness float64 // friction for each metre of deflection [N/m]
	maxStrain        float64 // deflection at which the friction slides [m]
	dt               float64 // time step [s]
	filterGain       float64 // share of a change that passes the low-pass filter in a tick
}

func newRack(s Params, dt float64) rack {
	const lag = 0.005 // [s]; the measured angle of the rim has steps, whose second derivative would be felt as knocks
	return rack{mass: s.RackMass, stop: s.RackStop, bristleStiffness: s.RackFriction / s.FrictionTravel,
		maxStrain: s.FrictionTravel, dt: dt, filterGain: dt / (lag + dt)}
}

// move moves the rack to a position [m]. first must be true in the first tick of a run, when the rack has no
// position yet.
//
// Dry friction is modelled as a bristle that deflects with the rack and slides at its largest deflection. At
// rest it holds any force up to the friction, without chatter.
func (k *rack) move(r *State, to float64, first bool) {
	moved := to - r.Position
	if first {
		moved = 0
	}
	r.Position = to
	r.Bristle = min(max(r.Bristle+moved, -k.maxStrain), k.maxStrain)
	before := r.Speed
	r.Speed += k.filterGain * (moved/k.dt - r.Speed)
	r.Accel += k.filterGain * ((r.Speed-before)/k.dt - r.Accel)
}

// Step moves the rack by a tick and returns the torque at the steering wheel [N·m], positive left. In a left
// bend it is negative. left and right are the moments on the front wheels about their kingpins [N·m, positive
// left], a holds the angles of this tick, and speed is the car's [m/s]. first must be true in the first tick
// of a run, when the rack has no position yet.
//
// The torque follows from virtual work: the moment about each kingpin times the wheel's rotation for each
// radian of the steering wheel. Beyond the lock the end stop's spring adds to it; the assist does not help into it.
func (g *System) Step(r *State, left, right float64, a *Angles, speed float64, first bool) float64 {
	tires := left*a.Gain[tire.FL] + right*a.Gain[tire.FR]
	g.rack.move(r, a.Rack, first)
	r.TireForce = tires / a.RackGain
	load := tires - (g.rack.mass*r.Accel+g.rack.bristleStiffness*r.Bristle)*a.RackGain
	driver := g.assist.driverTorque(load, speed)
	r.Assist = driver - load
	r.Stop = -g.rack.stop * a.Overrun * a.RackGain
	return driver + r.Stop
}
