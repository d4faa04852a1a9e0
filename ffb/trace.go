package ffb

// Wheel is the rim as its device measures it, and what the device can do.
type Wheel struct {
	Angle   float64 // [rad], positive left; may be beyond the car's lock
	Present bool
	Rated   float64 // the most it may give now [N·m]
	Rate    float64 // forces it takes a second [1/s]; 0 is unknown
	Delay   float64 // from a push to the rim's torque and back from the rim to Angle, together [s]; 0 is unknown
}

// finite tells whether w is made of numbers that a wheel may have.
func (w *Wheel) finite() bool {
	return finite(w.Angle) && finite(w.Rated) && finite(w.Rate) && finite(w.Delay) && w.Rated >= 0
}

// Car is what the force must know once of the car.
type Car struct {
	Lock float64 // steering wheel angle at the lock, to either side [rad]; 0 is none
}

// Trace is a torque on its way from the column to the rim, of one tick: the value
// after each stage [N·m at the rim, positive left] unless told otherwise. In a
// fault all torques are 0.
type Trace struct {
	Column   float64              // of the real car's steering wheel: sim.State.ColumnTorque
	Gained   float64              // after understeer cue and gain
	Effects  [EffectCount]float64 // each effect of its own
	Felt     float64              // gained and effects
	Lead     float64              // part of the rim's dynamics: of the delay's lead, and what is taken from a late rim that swings
	Damping  float64              // the same: against the rim's speed, and what is taken from torque that drives a rim which is too fast
	Friction float64              // the same
	Inertia  float64              // the same
	Lock     float64              // of the soft lock
	Asked    float64              // all together, before limits
	Limited  float64              // after knee and limit
	Slewed   float64              // after the slew limit
	Sent     float64              // after reconstruction: what is handed on
	Peak     float64              // of the car's torque, as learned at the column [N·m]
	Scale    float64              // rim N·m for each N·m at the column now
	Clipped  float64              // share of the last 10 s of driving that asked for more than the rim may give, 0..1
	RimSpeed float64              // filtered [rad/s], positive left
	HandsOn  float64              // estimate, 0 nobody holds the rim .. 1
	Delay    float64              // of the reconstruction, for slow changes [s]
}
