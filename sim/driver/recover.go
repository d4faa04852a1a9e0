package driver

import (
	"math"

	"rig.example/rig/sim"
)

// turn is what a driver keeps of turning the car back to the circuit's direction.
type turn struct {
	side float64 // 1 to the left, -1 to the right, 0 when the car faces the right way
	back bool    // in reverse
}

// astray returns how far the car's heading is to the left of the circuit's [rad].
func (d *Model) astray(m *Memory, s *sim.State) float64 {
	return math.Remainder(s.Yaw()-d.circuit.At(m.Station).Heading, 2*math.Pi)
}

// look begins to turn the car back where it faces the wrong way, and ends it.
func (d *Model) look(m *Memory, s *sim.State) {
	const lost, found = 75 * degree, 30 * degree
	off := d.astray(m, s)
	switch {
	case m.turn.side == 0 && math.Abs(off) > lost:
		m.turn = turn{side: shorter(off, m.Lateral)}
	case m.turn.side != 0 && math.Abs(off) < found:
		if m.turn.back = false; s.Speed > -0.3 {
			m.turn = turn{}
		}
	}
}

// shorter returns the side to turn to: the shorter way, or from straight backward the
// one with more road.
func shorter(off, lateral float64) float64 {
	const backward = 135 * degree
	if math.Abs(off) > backward {
		return math.Copysign(1, lateral)
	}
	return -math.Copysign(1, off)
}

// turnBack turns the car on the spot, as a driver does on a road that is too narrow
// for a circle: full lock, at walking pace, to and fro between the road's edges.
func (d *Model) turnBack(m *Memory, s *sim.State) sim.Input {
	const pace, sliding = 3.0, 5.0 // [m/s]
	if math.Hypot(s.Vel.X, s.Vel.Y) > sliding {
		return sim.Input{Brake: 0.6}
	}
	if d.blocked(m, s) {
		m.turn.back = !m.turn.back
	}
	along := 1.0
	if m.turn.back {
		along = -1
	}
	in := sim.Input{Steer: d.hands.Lock * m.turn.side * along}
	switch speed := s.Speed * along; {
	case speed < -0.3: // still rolling the other way
		in.Brake = 0.5
	case speed > pace:
		in.Brake = min(0.3*(speed-pace), 0.5)
	default:
		in.Throttle = min(0.15+0.2*(pace-speed), 0.5)
	}
	return in
}

// blocked tells whether the end of the car that leads has come to the road's edge and
// points outwards.
func (d *Model) blocked(m *Memory, s *sim.State) bool {
	const steep = 0.3
	sin := math.Sin(d.astray(m, s))
	if m.turn.back {
		sin = -sin
	}
	end := m.Lateral + sin*d.p.Length/2
	return math.Abs(sin) > steep && end*sin > 0 && d.beyond(m.Station, end) > 0
}

// reverse tells whether the gearbox is to be in reverse: a gear is changed when the car
// stands.
func (m *Memory) reverse(s *sim.State) bool {
	const stands = 0.3 // [m/s]
	if m.turn.side != 0 && math.Abs(s.Speed) < stands {
		return m.turn.back
	}
	return m.Wish.Gear < 0 && m.turn.side != 0
}
