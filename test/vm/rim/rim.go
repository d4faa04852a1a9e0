// Package rim is what turns behind an emulated wheel's electronics: a motor that is not
// straight, the rim with its friction, and the hands on it.
package rim

import (
	"math"
	"time"
)

// step is the longest time that is taken at once.
const step = 250 * time.Microsecond

// Motor makes torque of a level.
type Motor struct {
	Peak float64       // at full force [N·m]
	Dead float64       // of full force: nothing comes of less, 0..1
	Bend float64       // how much it saturates, 0 is straight
	Lag  time.Duration // of the torque behind the level, first order; 0: none
}

// Torque is what the stalled motor gives at a level of -1..1 [N·m].
func (m Motor) Torque(level float64) float64 {
	x := max(0, math.Abs(level)-m.Dead) / (1 - m.Dead)
	return math.Copysign(m.Peak*x*(1+m.Bend)/(1+m.Bend*x), level)
}

// Hands hold the rim by a spring and a damper.
type Hands struct {
	Stiffness float64 // [N·m/rad]; relaxed arms have about 5, braced ones 40
	Damping   float64 // [N·m·s/rad]
	Target    float64 // where they want it [rad], positive left
}

// Rim is a steering wheel. The zero value of what it does not need is none of it.
type Rim struct {
	Inertia  float64 // about the axis [kg·m²]
	Friction float64 // Coulomb friction [N·m]
	Viscous  float64 // [N·m·s/rad]
	Ripple   float64 // cogging torque, peak [N·m]
	Cogs     float64 // its periods in a turn
	Motor    Motor
	Hands    Hands

	Watch func(State) // if not nil, called after each step; must not block
}

// State is where a rim is. Angles and torques are positive to the left.
type State struct {
	At     time.Duration // CLOCK_MONOTONIC
	Angle  float64       // from the middle [rad]
	Speed  float64       // [rad/s]
	Level  float64       // of the motor's order, -1..1
	Lock   float64       // angle of the stops to both sides [rad]
	Torque float64       // that the motor gives the rim, ripple included [N·m]
	motor  float64       // without ripple [N·m]
}

// Advance moves the rim to a time with the motor at a level of -1..1.
func (r *Rim) Advance(s State, to time.Duration, level float64) State {
	for s.At < to {
		dt := min(step, to-s.At)
		s.At += dt
		s = r.step(s, level, dt.Seconds())
		if r.Watch != nil {
			r.Watch(s)
		}
	}
	return s
}

// step is one small time [s]. Motor and hands act at the old angle, what slows the rim at
// its new speed: friction takes speed away and never adds any; the stops take all of it.
func (r *Rim) step(s State, level, dt float64) State {
	s.Level = level
	s.motor += (r.Motor.Torque(level) - s.motor) * r.Motor.reaches(dt)
	s.Torque = s.motor + r.Ripple*math.Sin(r.Cogs*s.Angle)
	push := s.Torque + r.Hands.Stiffness*(r.Hands.Target-s.Angle)
	speed := s.Speed + push/r.Inertia*dt
	slowed := max(0, math.Abs(speed)-r.Friction/r.Inertia*dt)
	s.Speed = math.Copysign(slowed, speed) / (1 + (r.Viscous+r.Hands.Damping)/r.Inertia*dt)
	s.Angle += s.Speed * dt
	if math.Abs(s.Angle) > s.Lock {
		s.Angle, s.Speed = math.Copysign(s.Lock, s.Angle), 0
	}
	return s
}

// reaches is the share of a change that the motor follows in a time [s].
func (m Motor) reaches(dt float64) float64 {
	if m.Lag <= 0 {
		return 1
	}
	return 1 - math.Exp(-dt/m.Lag.Seconds())
}

const middle = 0x8000

// Steer is the raw axis of 16 bits at that angle: it falls to the left.
func (s State) Steer() uint16 {
	return uint16(math.Round(max(0, min(0xffff, middle-s.Angle/s.Lock*middle))))
}

// Turned is s turned to where the raw axis is steer, and at rest.
func (s State) Turned(steer uint16) State {
	s.Angle, s.Speed = (middle-float64(steer))/middle*s.Lock, 0
	return s
}
