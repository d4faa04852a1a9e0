package ffb

// slope learns how stiff the car holds the rim [N·m/rad]: the slope of what is felt
// over the rim's angle, by least squares of their speeds over the last moments.
//
// Before the rim has moved it is that of a car that takes all of the wheel's torque at
// half a radian.
type slope struct {
	felt  motion  // whose speed is as late as the rim's
	share float64 // of what is new, in a tick
}

type slopeState struct {
	felt    motionState
	product float64 // of the speeds of torque and angle
	square  float64 // of the speed of the angle
	now     float64 // [N·m/rad]
	known   bool
}

func newSlope(cutoff, dt float64) slope {
	const memory = 0.25 // [s]
	return slope{felt: newMotion(cutoff, dt), share: dt / (memory + dt)}
}

// next takes the rim's speed [rad/s] and the torque felt [N·m] of a wheel rated for
// rated N·m. It stays between 0 and what would take all torque at a tenth of a radian.
func (e *slope) next(s *slopeState, speed, felt, rated float64) float64 {
	const (
		first = 1 / 0.5
		most  = 1 / 0.1
		still = 0.04 * 0.04 // [rad²/s²]; less tells nothing
	)
	if !s.known {
		s.now, s.known = first*rated, true
	}
	rise := e.felt.next(&s.felt, felt).speed
	s.product += e.share * (rise*speed - s.product)
	s.square += e.share * (speed*speed - s.square)
	if s.square > still {
		s.now += e.share * (-s.product/s.square - s.now)
	}
	s.now = min(max(s.now, 0), most*rated)
	return s.now
}
