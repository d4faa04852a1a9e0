package cueing

import (
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim"
	"rig.example/rig/sim/tire"
)

// Inputs are what the driver's head feels, and what direct mode and the extra cues are made
// of. Vectors are in the car's axes: forward, left, up.
type Inputs struct {
	Force [3]float64 // specific force at the head [m/s²]: what an accelerometer there shows, (0, 0, g) at rest
	Rate  [3]float64 // angular velocity [rad/s]

	Roll, Pitch float64    // of the chassis against the level [rad]
	Travel      [4]float64 // compression of each suspension [m]
	RearSlip    float64    // slip angle of the rear axle [rad], positive when the rear moves to the left
	Speed       float64    // along the car [m/s]
	Gear        int8       // engaged; 0 in neutral, and while gears change
}

// finite tells whether all inputs are numbers, and of a size that something may have.
func (in *Inputs) finite() bool {
	const most = 1e9
	f, r, t := &in.Force, &in.Rate, &in.Travel
	sum := f[0]*f[0] + f[1]*f[1] + f[2]*f[2] + r[0]*r[0] + r[1]*r[1] + r[2]*r[2] +
		t[0]*t[0] + t[1]*t[1] + t[2]*t[2] + t[3]*t[3] +
		in.Roll*in.Roll + in.Pitch*in.Pitch + in.RearSlip*in.RearSlip + in.Speed*in.Speed
	return sum <= most*most // false for NaN
}

// sense brings the car's motion to the driver's head.
type sense struct {
	head  r3.Vec // from the centre of mass [m, body]
	perDt float64
}

type senseState struct {
	last  r3.Vec // angular velocity a tick ago [rad/s, body]
	known bool   // whether last is one
}

func newSense(head [3]float64, dt float64) sense {
	return sense{head: r3.Vec{X: head[0], Y: head[1], Z: head[2]}, perDt: 1 / dt}
}

// Sense returns what the driver feels in a car: the specific force of the
// centre of mass, and what a body that turns adds at the head, ω̇×r + ω×(ω×r). ω̇ is the
// change of the angular velocity since the last call, 0 at the first. It is part of the
// loop, called once a tick: no allocation.
func (c *Cue) Sense(s *State, car *sim.State) Inputs {
	f := r3.Add(car.SpecificForce, c.sense.turning(&s.sense, car.Rate))
	in := Inputs{
		Force: [3]float64{f.X, f.Y, f.Z},
		Rate:  [3]float64{car.Rate.X, car.Rate.Y, car.Rate.Z},
		Roll:  car.Roll(), Pitch: car.Pitch(),
		RearSlip: (car.Wheels[tire.RL].Alpha + car.Wheels[tire.RR].Alpha) / 2,
		Speed:    car.Speed, Gear: car.Driveline.Gear,
	}
	for i := range car.Wheels {
		in.Travel[i] = car.Wheels[i].Travel
	}
	return in
}

// turning returns the acceleration of the head against the centre of mass [m/s², body].
func (n *sense) turning(s *senseState, rate r3.Vec) r3.Vec {
	var change r3.Vec // [rad/s²]
	if s.known {
		change = r3.Scale(n.perDt, r3.Sub(rate, s.last))
	}
	s.last, s.known = rate, finite(rate.X+rate.Y+rate.Z)
	return r3.Add(r3.Cross(change, n.head), r3.Cross(rate, r3.Cross(rate, n.head)))
}
