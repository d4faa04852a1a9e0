// Package rim simulates the mechanics of an emulated wheel: a motor with a nonlinear characteristic, the
// rim with its friction, and the driver's hands.
package rim

import (
	"math"
	"time"
)

// step is the longest time step of the integration.
const step = 250 * time.Microsecond

// Motor converts a force level to a torque.
type Motor struct {
	Peak     float64 // torque at full force [N·m]
	DeadBand float64 // largest level without torque, 0..1
	// how much the torque flattens towards full level; 0: linear. Without a dead band the slope at level 0 is
	// (1+Saturation)·Peak.
	Saturation float64
	Lag        time.Duration // time constant with which the torque follows the level, first order; 0: none
}

// Torque returns the torque of the stalled motor at a level of -1..1 [N·m].
func (m Motor) Torque(level float64) float64 {
	x := max(0, math.Abs(level)-m.DeadBand) / (1 - m.DeadBand)
	return math.Copysign(m.Peak*x*(1+m.Saturation)/(1+m.Saturation*x), level)
}

// Hands hold the rim like a spring and a damper.
type Hands struct {
	Stiffness float64 // [N·m/rad]; relaxed arms have about 5, braced ones 40
	Damping   float64 // [N·m·s/rad]
	Target    float64 // angle to which they turn the rim [rad], positive to the left
}

// Rim is a steering wheel. A zero field means that the rim does not have that property, such as friction.
type Rim struct {
	Inertia     float64 // about the steering axis [kg·m²]
	Friction    float64 // Coulomb friction [N·m]
	Viscous     float64 // viscous friction [N·m·s/rad]
	Ripple      float64 // cogging torque, peak [N·m]
	CogsPerTurn float64 // periods of the cogging torque in one turn
	Motor       Motor
	Hands       Hands

	OnStep func(State) // if not nil, called after each step; must not block
}

// State is the state of a rim. Angles and torques are positive to the left.
type State struct {
	At          time.Duration // CLOCK_MONOTONIC
	Angle       float64       // from the middle [rad]
	Speed       float64       // [rad/s]
	Level       float64       // force level commanded to the motor, -1..1
	Lock        float64       // angle from the middle to a stop [rad]
	Torque      float64       // torque of the motor on the rim, with cogging torque [N·m]
	motorTorque float64       // torque of the motor without cogging torque [N·m]
}

// Advance simulates the rim up to the time to, with a constant level, -1..1, and returns its state.
func (r *Rim) Advance(s State, to time.Duration, level float64) State {
	for s.At < to {
		dt := min(step, to-s.At)
		s.At += dt
		s = r.step(s, level, dt.Seconds())
		if r.OnStep != nil {
			r.OnStep(s)
		}
	}
	return s
}

// step integrates one time step dt [s]. Motor and hands act with the old angle, friction and damping with the new
// speed: they reduce the speed and never reverse it. A stop ends the motion.
func (r *Rim) step(s State, level, dt float64) State {
	s.Level = level
	s.motorTorque += (r.Motor.Torque(level) - s.motorTorque) * r.Motor.followedFraction(dt)
	s.Torque = s.motorTorque + r.Ripple*math.Sin(r.CogsPerTurn*s.Angle)
	torque := s.Torque + r.Hands.Stiffness*(r.Hands.Target-s.Angle)
	speed := s.Speed + torque/r.Inertia*dt
	speedAfterFriction := max(0, math.Abs(speed)-r.Friction/r.Inertia*dt)
	s.Speed = math.Copysign(speedAfterFriction, speed) / (1 + (r.Viscous+r.Hands.Damping)/r.Inertia*dt)
	s.Angle += s.Speed * dt
	if math.Abs(s.Angle) > s.Lock {
		s.Angle, s.Speed = math.Copysign(s.Lock, s.Angle), 0
	}
	return s
}

// followedFraction returns the fraction of a change of level that the torque follows in the time dt [s].
func (m Motor) followedFraction(dt float64) float64 {
	if m.Lag <= 0 {
		return 1
	}
	return 1 - math.Exp(-dt/m.Lag.Seconds())
}

const middle = 0x8000 // raw value of the steering axis in the middle

// Steer returns the raw value of the steering axis, 16 bits: 0 is the left stop, 0xffff the right one.
func (s State) Steer() uint16 {
	return uint16(math.Round(max(0, min(0xffff, middle-s.Angle/s.Lock*middle))))
}

// WithSteer returns s with the rim at rest at the angle whose raw value (see Steer) is steer.
func (s State) WithSteer(steer uint16) State {
	s.Angle, s.Speed = (middle-float64(steer))/middle*s.Lock, 0
	return s
}
