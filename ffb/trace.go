package ffb

import (
	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/sim"
)

// Wheel is the measured angle of the rim, and the limits of its device.
type Wheel struct {
	Angle   float64 // [rad], positive left; may exceed the car's steering lock
	Present bool    // a wheel is connected
	Rated   float64 // highest torque that it may give now [N·m]
	Rate    float64 // torque updates that it accepts per second; 0 is unknown
	Delay   float64 // delay from a torque update to the rim plus from the rim to Angle [s]; 0 is unknown
}

// valid reports whether all values are finite and the rating is not negative.
func (w *Wheel) valid() bool {
	return valid.Finite(w.Angle) && valid.Finite(w.Rated) && valid.Finite(w.Rate) && valid.Finite(w.Delay) && w.Rated >= 0
}

// Car holds the constants of the car that the force needs.
type Car struct {
	Lock      float64 // steering wheel angle at the steering lock, to either side [rad]; 0 is no lock
	Cylinders int     // of a four-stroke engine; 0 for a car without one
}

// CarOf returns the constants of a car.
func CarOf(c *sim.Car) Car {
	car := Car{Lock: c.Lock()}
	if p := c.Params().Driveline; !p.Motor.Enabled {
		car.Cylinders = p.Engine.Cylinders
	}
	return car
}

// Trace holds the torque of one tick after each stage from the column to the rim [N·m at the rim,
// positive left, unless stated otherwise]. In a fault all torques are 0.
type Trace struct {
	Column   float64              // torque at the real car's steering wheel, sim.State.ColumnTorque, without that of the end stop [N·m]
	Gained   float64              // after understeer cue and gain
	Effects  [EffectCount]float64 // torque of each effect
	Felt     float64              // sum of Gained and Effects
	Lead     float64              // phase lead against the wheel's delay, and reduction of Felt while the rim oscillates
	Damping  float64              // damping of the rim, and reduction while it turns too fast
	Friction float64              // added dry friction of the rim
	Inertia  float64              // added inertia of the rim
	Lock     float64              // soft lock
	Asked    float64              // requested torque: sum of all the above, before limits
	Limited  float64              // after the torque limit with its knee
	Slewed   float64              // after the slew limit
	Sent     float64              // after reconstruction: the result of Chain.Torque
	Peak     float64              // learned peak of the torque at the column [N·m]
	Scale    float64              // torque at the rim per torque at the column
	Clipped  float64              // fraction of the last 10 s of driving in which Asked exceeded the limit, 0..1
	RimSpeed float64              // filtered speed of the rim [rad/s], positive left
	HandsOn  float64              // estimate of hands on the rim, 0 (nobody) to 1 (surely somebody)
	Delay    float64              // delay of the reconstruction for slow changes [s]
}
