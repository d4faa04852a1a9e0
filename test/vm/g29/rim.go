package g29

import (
	"math"
	"time"
)

// Rim is a steering wheel that turns by its motor alone: hands off.
type Rim struct {
	Inertia  float64 // about the axis [kg·m²]
	Friction float64 // Coulomb friction of the gears [N·m]
	Peak     float64 // torque of the motor at full force [N·m]
}

// DefaultRim has the size of a small belt- or gear-driven wheel: about 2 N·m
// and a rim of 1 kg.
func DefaultRim() Rim { return Rim{Inertia: 0.02, Friction: 0.15, Peak: 2.1} }

// rimState is where a rim is.
type rimState struct {
	angle float64 // from the middle [rad], positive left
	speed float64 // [rad/s]
	force byte    // the motor's order
	lock  float64 // angle of the stops to both sides [rad]
}

// torque is the motor's [N·m], positive left.
//
// A force byte above NoForce pushes to the left: hid-lg4ff adds a positive
// level in direction 0x4000 to it, and input.h calls that direction left.
func (r Rim) torque(force byte) float64 {
	return r.Peak * (float64(force) - NoForce) / NoForce
}

// step moves the rim by dt. Friction takes speed away and never adds any; the
// stops take all of it.
func (r Rim) step(s rimState, dt time.Duration) rimState {
	seconds := dt.Seconds()
	s.speed += r.torque(s.force) / r.Inertia * seconds
	slowed := math.Max(0, math.Abs(s.speed)-r.Friction/r.Inertia*seconds)
	s.speed = math.Copysign(slowed, s.speed)
	s.angle += s.speed * seconds
	if math.Abs(s.angle) > s.lock {
		s.angle, s.speed = math.Copysign(s.lock, s.angle), 0
	}
	return s
}

// steer is the raw axis at that angle: it falls to the left.
func (s rimState) steer() uint16 {
	const middle = 0x8000
	raw := middle - s.angle/s.lock*middle
	return uint16(math.Round(math.Max(0, math.Min(0xffff, raw))))
}

// at returns s turned to where the raw axis is steer, and at rest.
func (s rimState) at(steer uint16) rimState {
	const middle = 0x8000
	s.angle, s.speed = (middle-float64(steer))/middle*s.lock, 0
	return s
}
