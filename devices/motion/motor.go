package motion

import "math"

// motor is one simulated actuator: a mass on a screw, driven by a bridge whose
// duty a position controller sets. Positions are shares of the stroke.
type motor struct {
	position float64
	velocity float64 // [strokes/s]
	target   float64
	duty     float64 // of the bridge, -1..1

	sum       float64 // of the controller's integral part, as duty
	kp, ki    float64 // duty per stroke of error; duty per stroke and second
	kd        float64 // duty per stroke a second
	power     float64 // share of the force that is available
	unpowered bool
}

// A small gear motor on a seat: full force accelerates by 40 strokes/s² from
// rest, and 1.8 strokes/s is all it reaches.
const (
	motorForce   = 40.0 // acceleration at full duty, without losses [strokes/s²]
	motorDrag    = 20.0 // lost to speed: back voltage and grease [1/s]
	motorRubbing = 4.0  // lost to dry friction [strokes/s²]
	integralBand = 0.02 // the integral part works this close to the target: on the way it would wind up [strokes]
)

// restart gives the motor's controller its state at power-on. The motor itself
// stays where it is.
func (m *motor) restart(target float64) {
	m.target, m.sum, m.power = target, 0, 1
	m.kp, m.ki, m.kd = 4.20*fullCounts/255, 10, 0.3
}

// step advances the motor by dt [s].
func (m *motor) step(dt float64) {
	m.control(dt)
	push := m.duty * m.power * motorForce
	if m.unpowered {
		push = 0
	}
	m.velocity += (push - motorDrag*m.velocity) * dt
	m.velocity = towards(m.velocity, 0, motorRubbing*dt)
	m.position += m.velocity * dt
	if m.position < 0 || m.position > 1 { // the end stops
		m.position = min(max(m.position, 0), 1)
		m.velocity = 0
	}
}

// control sets the duty: proportional, integral and on the measured speed.
func (m *motor) control(dt float64) {
	err := m.target - m.position
	if math.Abs(err) < integralBand {
		m.sum = min(max(m.sum+m.ki*err*dt, -0.3), 0.3)
	}
	m.duty = min(max(m.kp*err+m.sum-m.kd*m.velocity, -1), 1)
}

// towards returns v, closer to the goal by at most the step given.
func towards(v, goal, by float64) float64 {
	return min(max(goal, v-by), v+by)
}
