package steering

import "rig.example/rig/sim/tire"

// State is the steering rack and what was felt at it in the last tick.
//
// It follows the steering wheel without give. A torsion bar between them would be
// a spring across the delay of a real wheel's motor and sensor, and swing.
type State struct {
	Position float64 // [m], positive the way that turns the front wheels left
	Speed    float64 // [m/s], through a low-pass
	Accel    float64 // [m/s²], through a low-pass
	Bristle  float64 // how far dry friction is strained [m]
	Force    float64 // of the front tires along the rack [N], positive the way of Position
	Assist   float64 // torque of the power assist on the column [N·m], positive left
}

// rack is the constant part of a Rack.
type rack struct {
	mass   float64 // [kg]
	grip   float64 // friction for each metre of strain [N/m]
	give   float64 // most strain [m]
	dt     float64 // [s]
	smooth float64 // share of a change that passes the low-pass in a tick
}

func newRack(s Params, dt float64) rack {
	const lag = 0.005 // [s]; the rim's angle comes in steps, which a second derivative would make knocks of
	return rack{mass: s.RackMass, grip: s.Friction / s.Give, give: s.Give, dt: dt, smooth: dt / (lag + dt)}
}

// follow moves the rack to where the steering wheel has it.
//
// Friction is a bristle that bends with the rack and slides when it is bent as far
// as it goes: at rest it holds any force up to that and nothing changes sign.
func (k *rack) follow(r *State, to float64, first bool) {
	moved := to - r.Position
	if first {
		moved = 0
	}
	r.Position = to
	r.Bristle = min(max(r.Bristle+moved, -k.give), k.give)
	was := r.Speed
	r.Speed += k.smooth * (moved/k.dt - r.Speed)
	r.Accel += k.smooth * ((r.Speed-was)/k.dt - r.Accel)
}

// Torque moves the rack on by a tick and returns the torque at the steering wheel [N·m],
// positive left: in a left bend it is negative. left and right are what turns the front wheels
// about their kingpins [N·m, positive left], a how they are steered, speed the car's [m/s]. In
// the first tick the rack has not moved from anywhere.
//
// By virtual work the rack's force is that moment about each kingpin times the
// wheel's turn for each metre of rack, and the column's torque the same for
// each radian of the steering wheel.
func (g *System) Torque(r *State, left, right float64, a *Angles, speed float64, first bool) float64 {
	tires := left*a.Gain[tire.FL] + right*a.Gain[tire.FR]
	g.rack.follow(r, a.Rack, first)
	r.Force = tires / a.Lever
	load := tires - (g.rack.mass*r.Accel+g.rack.grip*r.Bristle)*a.Lever
	felt := g.assist.felt(load, speed)
	r.Assist = felt - load
	return felt
}
