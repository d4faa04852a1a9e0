package cueing

import (
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/sim"
	"rig.example/rig/sim/tire"
)

// Inputs has the motion at the driver's head, and the signals that direct mode and the extra cues
// need. Vectors are in the car's axes: forward, left, up.
type Inputs struct {
	Force [3]float64 // specific force at the head [m/s²]: what an accelerometer there shows, (0, 0, g) at rest
	Rate  [3]float64 // angular velocity [rad/s]

	Roll, Pitch float64    // of the chassis relative to the horizontal [rad]
	Travel      [4]float64 // compression of each suspension [m]
	RearSlip    float64    // slip angle of the rear axle [rad], positive when the rear moves to the left
	Speed       float64    // longitudinal [m/s], positive forward
	Gear        int8       // engaged; 0 in neutral, and while gears change
}

// isFinite reports whether no input is NaN, Inf or impossibly large.
func (in *Inputs) isFinite() bool {
	const maxMagnitude = 1e9
	f, r, t := &in.Force, &in.Rate, &in.Travel
	sum := f[0]*f[0] + f[1]*f[1] + f[2]*f[2] + r[0]*r[0] + r[1]*r[1] + r[2]*r[2] +
		t[0]*t[0] + t[1]*t[1] + t[2]*t[2] + t[3]*t[3] +
		in.Roll*in.Roll + in.Pitch*in.Pitch + in.RearSlip*in.RearSlip + in.Speed*in.Speed
	return sum <= maxMagnitude*maxMagnitude // false for NaN
}

// headSensor computes the motion of the driver's head from the car's.
type headSensor struct {
	position       r3.Vec  // from the center of mass [m, body]
	ticksPerSecond float64 // [1/s]
}

type headState struct {
	lastRate r3.Vec // angular velocity a tick ago [rad/s, body]
	hasRate  bool   // lastRate is set
}

func newHeadSensor(head [3]float64, dt float64) headSensor {
	return headSensor{position: r3.Vec{X: head[0], Y: head[1], Z: head[2]}, ticksPerSecond: 1 / dt}
}

// Sense returns the motion at the driver's head: the specific force at the center of mass plus the
// acceleration that rotation causes at the head, ω̇×r + ω×(ω×r). ω̇ is computed from the change of
// the angular velocity since the last call, and is 0 at the first. Sense is called once a tick and
// does not allocate.
func (c *Cue) Sense(s *State, car *sim.State) Inputs {
	f := r3.Add(car.SpecificForce, c.headSensor.headAcceleration(&s.headState, car.Rate))
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

// headAcceleration returns the acceleration of the head relative to the center of mass [m/s², body].
func (h *headSensor) headAcceleration(s *headState, rate r3.Vec) r3.Vec {
	var angularAccel r3.Vec // [rad/s²]
	if s.hasRate {
		angularAccel = r3.Scale(h.ticksPerSecond, r3.Sub(rate, s.lastRate))
	}
	s.lastRate, s.hasRate = rate, valid.Finite(rate.X+rate.Y+rate.Z)
	return r3.Add(r3.Cross(angularAccel, h.position), r3.Cross(rate, r3.Cross(rate, h.position)))
}
