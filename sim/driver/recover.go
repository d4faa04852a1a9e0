package driver

import (
	"math"

	"rig.example/rig/sim"
)

// turnAround is the state of turning the car back to the circuit's direction.
type turnAround struct {
	direction float64 // direction in which the heading turns: 1 left, -1 right, 0 not at all
	reverse   bool    // whether the car drives backward
}

// headingError returns the car's heading relative to the circuit's, positive to the left [rad].
func (d *Model) headingError(m *Memory, s *sim.State) float64 {
	return math.Remainder(s.Yaw()-d.circuit.At(m.Station).Heading, 2*math.Pi)
}

// watchHeading starts a turn when the heading error exceeds 75°, and ends it below 30°.
func (d *Model) watchHeading(m *Memory, s *sim.State) {
	const startAngle, endAngle = 75 * degree, 30 * degree
	headingError := d.headingError(m, s)
	switch {
	case m.turn.direction == 0 && math.Abs(headingError) > startAngle:
		m.turn = turnAround{direction: turnSide(headingError, m.LateralOffset)}
	case m.turn.direction != 0 && math.Abs(headingError) < endAngle:
		if m.turn.reverse = false; s.Speed > -0.3 {
			m.turn = turnAround{}
		}
	}
}

// turnSide returns the direction to turn, 1 left or -1 right: the one of the smaller angle or, if the car
// faces almost backward, towards the side with more road. lateral is the distance to the left of the
// center line [m].
func turnSide(headingError, lateral float64) float64 {
	const backward = 135 * degree
	if math.Abs(headingError) > backward {
		return math.Copysign(1, lateral)
	}
	return -math.Copysign(1, headingError)
}

// turnCarAround returns the input for a turn in several moves within the width of the road: at full lock
// and walking pace, forward and backward between the road's edges.
func (d *Model) turnCarAround(m *Memory, s *sim.State) sim.Input {
	const walkingPace, slideSpeed = 3.0, 5.0 // [m/s]
	if math.Hypot(s.Vel.X, s.Vel.Y) > slideSpeed {
		return sim.Input{Brake: 0.6}
	}
	if d.isBlocked(m, s) {
		m.turn.reverse = !m.turn.reverse
	}
	along := 1.0
	if m.turn.reverse {
		along = -1
	}
	in := sim.Input{Steer: d.steering.Lock * m.turn.direction * along}
	switch speed := s.Speed * along; {
	case speed < -0.3: // still rolling the other way
		in.Brake = 0.5
	case speed > walkingPace:
		in.Brake = min(0.3*(speed-walkingPace), 0.5)
	default:
		in.Throttle = min(0.15+0.2*(walkingPace-speed), 0.5)
	}
	return in
}

// isBlocked reports whether the leading end of the car has reached the road's edge and points outwards.
func (d *Model) isBlocked(m *Memory, s *sim.State) bool {
	const steep = 0.3
	sin := math.Sin(d.headingError(m, s))
	if m.turn.reverse {
		sin = -sin
	}
	endPosition := m.LateralOffset + sin*d.params.Length/2
	return math.Abs(sin) > steep && endPosition*sin > 0 && d.beyondEdge(m.Station, endPosition) > 0
}

// wantsReverse reports whether reverse gear should be engaged. The gear changes only at standstill.
func (m *Memory) wantsReverse(s *sim.State) bool {
	const maxSpeed = 0.3 // [m/s]
	if m.turn.direction != 0 && math.Abs(s.Speed) < maxSpeed {
		return m.turn.reverse
	}
	return m.Input.Gear < 0 && m.turn.direction != 0
}
