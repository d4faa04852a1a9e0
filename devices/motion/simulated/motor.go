package simulated

import "math"

// Motor is one simulated actuator: a mass on a screw, driven by an H-bridge whose duty cycle
// a position controller sets. Positions are fractions of the stroke.
type Motor struct {
	Position float64 // fraction of the stroke
	Velocity float64 // [strokes/s]
	Target   float64 // fraction of the stroke
	Duty     float64 // duty of the motor's H-bridge, -1..1, positive extends

	integral  float64 // integral part of the controller, as duty
	kp, ki    float64 // proportional gain [duty/stroke], integral gain [duty/(stroke·s)]
	kd        float64 // derivative gain [duty/(strokes/s)]
	Power     float64 // available fraction of the motor's force
	Unpowered bool    // the motor has no power: it moves only until friction stops it
}

// A small gear motor on a seat: full force accelerates it by 40 strokes/s² from rest, and its
// top speed is 1.8 strokes/s.
const (
	motorForce    = 40.0 // acceleration at full duty, without losses [strokes/s²]
	motorDrag     = 20.0 // deceleration per speed, from back EMF and viscous friction [1/s]
	motorFriction = 4.0  // deceleration by dry friction [strokes/s²]
	integralBand  = 0.02 // the integral part is updated only within this distance from the target, so that it does not wind up [strokes]
)

// Restart resets the motor's controller to its state at power-on, with a target. The motor
// keeps its position.
func (m *Motor) Restart(target float64) {
	m.Target, m.integral, m.Power = target, 0, 1
	m.kp, m.ki, m.kd = 4.20*1023/255, 10, 0.3
}

// Step advances the motor by dt [s].
func (m *Motor) Step(dt float64) {
	m.control(dt)
	force := m.Duty * m.Power * motorForce
	if m.Unpowered {
		force = 0
	}
	m.Velocity += (force - motorDrag*m.Velocity) * dt
	m.Velocity = moveTowards(m.Velocity, 0, motorFriction*dt)
	m.Position += m.Velocity * dt
	if m.Position < 0 || m.Position > 1 { // the end stops
		m.Position = min(max(m.Position, 0), 1)
		m.Velocity = 0
	}
}

// control sets the duty by a PID controller with the derivative of the measured position.
func (m *Motor) control(dt float64) {
	err := m.Target - m.Position
	if math.Abs(err) < integralBand {
		m.integral = min(max(m.integral+m.ki*err*dt, -0.3), 0.3)
	}
	m.Duty = min(max(m.kp*err+m.integral-m.kd*m.Velocity, -1), 1)
}

// moveTowards returns v moved towards goal by at most maxStep.
func moveTowards(v, goal, maxStep float64) float64 {
	return min(max(goal, v-maxStep), v+maxStep)
}
