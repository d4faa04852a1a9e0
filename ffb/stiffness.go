package ffb

// stiffness estimates the stiffness with which the car holds the rim [N·m/rad]: the slope of the felt
// torque over the rim's angle, by least squares of their rates over the last 0.25 s.
//
// It estimates the car's own damping, too: the slope of the rest of the torque's rate over the rim's
// acceleration. Tires with a carcass have next to none; contacts that stop all sliding at once have much.
//
// Before the rim has moved it assumes that 0.5 rad take all of the wheel's torque, and no damping.
type stiffness struct {
	felt     derivatives // derivatives of the felt torque, filtered so that they have the delay of the rim's speed
	newShare float64     // weight of a new value per tick
}

type stiffnessState struct {
	felt    derivativesState
	product float64 // mean of torque rate times angle rate [N·m·rad/s²]
	square  float64 // mean of the angle rate squared [rad²/s²]
	value   float64 // estimate [N·m/rad]
	known   bool    // false before the first tick

	speed        float64 // rim's speed in the last tick [rad/s]
	accelProduct float64 // mean of the rest of the torque's rate times the rim's acceleration [N·m·rad/s³]
	accelSquare  float64 // mean of the acceleration squared [rad²/s⁴]
	damping      float64 // estimate of the car's damping [N·m·s/rad]
}

func newStiffness(cutoff, dt float64) stiffness {
	const memory = 0.25 // [s]
	return stiffness{felt: newDerivatives(cutoff, dt), newShare: dt / (memory + dt)}
}

// next takes the rim's speed [rad/s] and the felt torque [N·m] of a wheel rated for rated N·m, and
// returns the stiffness, from 0 to all torque at 0.1 rad.
func (e *stiffness) next(s *stiffnessState, speed, felt, rated float64) float64 {
	const (
		initialStiffness = 1 / 0.5
		maxStiffness     = 1 / 0.1
		minSquare        = 0.04 * 0.04 // [rad²/s²]; less is noise
	)
	if !s.known {
		s.value, s.speed, s.known = initialStiffness*rated, speed, true
	}
	rate := e.felt.next(&s.felt, felt).speed
	s.product += e.newShare * (rate*speed - s.product)
	s.square += e.newShare * (speed*speed - s.square)
	if s.square > minSquare {
		s.value += e.newShare * (-s.product/s.square - s.value)
	}
	s.value = min(max(s.value, 0), maxStiffness*rated)
	e.learnDamping(s, rate, speed)
	return s.value
}

// learnDamping follows the car's damping. It falls to 0 while the rim hardly accelerates.
func (e *stiffness) learnDamping(s *stiffnessState, rate, speed float64) {
	const noise = 10 * 10 // [rad²/s⁴]
	accel := (speed - s.speed) * e.felt.rate
	s.speed = speed
	s.accelProduct += e.newShare * ((rate+s.value*speed)*accel - s.accelProduct)
	s.accelSquare += e.newShare * (accel*accel - s.accelSquare)
	s.damping = max(-s.accelProduct/(s.accelSquare+noise), 0)
}
