package simulated

import "math"

// Motor is one simulated actuator: a mass on a screw, driven by a bridge whose
// duty a position controller sets. Positions are shares of the stroke.
type Motor struct {
	Position float64
	Velocity float64 // [strokes/s]
	Target   float64
	Duty     float64 // of the bridge, -1..1

	sum       float64 // of the controller's integral part, as duty
	kp, ki    float64 // duty per stroke of error; duty per stroke and second
	kd        float64 // duty per stroke a second
	Power     float64 // share of the force that is available
	Unpowered bool
}

// A small gear motor on a seat: full force accelerates by 40 strokes/s² from
// rest, and 1.8 strokes/s is all it reaches.
const (
	motorForce   = 40.0 // acceleration at full duty, without losses [strokes/s²]
	motorDrag    = 20.0 // lost to speed: back voltage and grease [1/s]
	motorRubbing = 4.0  // lost to dry friction [strokes/s²]
	integralBand = 0.02 // the integral part works this close to the target: on the way it would wind up [strokes]
)

// Restart gives the motor's controller its state at power-on. The motor itself
// stays where it is.
func (m *Motor) Restart(target float64) {
	m.Target, m.sum, m.Power = target, 0, 1
	m.kp, m.ki, m.kd = 4.20*1023/255, 10, 0.3
}

// Step advances the motor by dt [s].
func (m *Motor) Step(dt float64) {
	m.control(dt)
	push := m.Duty * m.Power * motorForce
	if m.Unpowered {
		push = 0
	}
	m.Velocity += (push - motorDrag*m.Velocity) * dt
	m.Velocity = towards(m.Velocity, 0, motorRubbing*dt)
	m.Position += m.Velocity * dt
	if m.Position < 0 || m.Position > 1 { // the end stops
		m.Position = min(max(m.Position, 0), 1)
		m.Velocity = 0
	}
}

// control sets the duty: proportional, integral and on the measured speed.
func (m *Motor) control(dt float64) {
	err := m.Target - m.Position
	if math.Abs(err) < integralBand {
		m.sum = min(max(m.sum+m.ki*err*dt, -0.3), 0.3)
	}
	m.Duty = min(max(m.kp*err+m.sum-m.kd*m.Velocity, -1), 1)
}

// towards returns v, closer to the goal by at most the step given.
func towards(v, goal, by float64) float64 {
	return min(max(goal, v-by), v+by)
}
