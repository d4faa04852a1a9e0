package rimlab

import "math"

// Wheel describes a wheel base and its rim: inertia, friction, motor and interface.
type Wheel struct {
	Name           string  `json:"name"`
	RatedTorque    float64 `json:"rated_nm"`            // rated torque of the motor, at the rim
	Rate           float64 `json:"rate_hz"`             // torque commands accepted and angles reported per second
	Inertia        float64 `json:"inertia_kgm2"`        // moment of inertia of motor, gears and rim, at the rim
	DryFriction    float64 `json:"dry_nm"`              // constant friction torque
	Viscous        float64 `json:"viscous_nms_per_rad"` // viscous friction
	Ripple         float64 `json:"ripple"`              // torque ripple, as a share of the motor's torque
	RipplesPerTurn float64 `json:"poles"`               // ripple periods per turn of the rim
	AngleStep      float64 `json:"step_rad"`            // resolution of the angle sensor
	TorqueLevels   float64 `json:"levels"`              // number of torque steps from 0 to the rated torque, in each direction
}

// Wheels returns the two wheels of the stability map: a small gear-driven one and a direct drive. Their
// inertia, friction and ripple are estimates.
func Wheels() []Wheel {
	return []Wheel{
		{Name: "gear-driven 2.2 N·m, 333 Hz", RatedTorque: 2.2, Rate: 1000. / 3, Inertia: 0.03, DryFriction: 0.12, Viscous: 0.02, Ripple: 0.05, RipplesPerTurn: 40, AngleStep: turn * 900 / 360 / 65536, TorqueLevels: 32767},
		{Name: "direct drive 8 N·m, 1 kHz", RatedTorque: 8, Rate: 1000, Inertia: 0.03, DryFriction: 0.05, Viscous: 0.01, Ripple: 0.02, RipplesPerTurn: 21, AngleStep: turn / 65536, TorqueLevels: 32767},
	}
}

// turn is a full turn [rad].
const turn = 2 * math.Pi

// Hand is what a driver's hands add to the rim: inertia, and a spring and a damper towards the center.
// All three are estimates: firm hands are those of a driver who stiffens the arms.
type Hand struct {
	Name      string
	Inertia   float64 // [kg·m²]
	Damping   float64 // [N·m·s/rad]
	Stiffness float64 // [N·m/rad]
}

// Hands returns no hands, a light touch and a firm hold.
func Hands() []Hand {
	return []Hand{
		{Name: "free"},
		{"light", 0.02, 0.1, 1.5},
		{"firm", 0.08, 0.8, 20},
	}
}

// rimModel is the state of the rim.
type rimModel struct {
	wheel        Wheel
	hand         Hand
	angle, speed float64 // angle [rad] and speed [rad/s], positive to the left
}

// step advances the rim by dt [s] under the motor's torque and a disturbance [N·m].
func (m *rimModel) step(motor, disturbance, dt float64) {
	const parts = 4
	sub := dt / parts
	for range parts {
		torque := motor*(1+m.wheel.Ripple*math.Sin(m.wheel.RipplesPerTurn*m.angle)) + disturbance
		torque -= (m.wheel.Viscous+m.hand.Damping)*m.speed + m.hand.Stiffness*m.angle
		inertia := m.wheel.Inertia + m.hand.Inertia
		freeSpeed := m.speed + torque/inertia*sub
		frictionStop := m.wheel.DryFriction / inertia * sub // dry friction stops the rim at most
		m.speed = math.Copysign(max(math.Abs(freeSpeed)-frictionStop, 0), freeSpeed)
		m.angle += m.speed * sub
	}
}

// delayLine delays values by a number of ticks.
type delayLine struct {
	values [64]float64
	index  int
	delay  int // [ticks]
}

// next takes in a value and returns the delayed one.
func (l *delayLine) next(v float64) float64 {
	l.values[l.index] = v
	delayed := l.values[(l.index-l.delay+len(l.values))%len(l.values)]
	l.index = (l.index + 1) % len(l.values)
	return delayed
}

// deviceLink is the connection between rig and wheel: torque commands and angles are sampled at the
// wheel's rate, quantized and delayed.
type deviceLink struct {
	wheel           Wheel
	phase           float64   // elapsed share of the device's period
	torque, angle   float64   // last torque taken [N·m] and last angle reported [rad]
	toMotor, toHost delayLine // delays of command and report
}

// newDeviceLink splits the delay [ticks] between command and report.
func newDeviceLink(w Wheel, ticks int, angle float64) deviceLink {
	p := deviceLink{wheel: w, phase: 1, angle: angle}
	p.toMotor.delay = (ticks*3 + 2) / 5 // the command includes the response of the motor's current
	p.toHost.delay = ticks - p.toMotor.delay
	for i := range p.toHost.values {
		p.toHost.values[i] = angle
	}
	return p
}

// step takes the torque [N·m] and the rim's angle [rad] of one tick and returns the motor's torque and
// the reported angle, both delayed.
func (p *deviceLink) step(torque, angle, dt float64) (motor, seen float64) {
	p.phase += dt * p.wheel.Rate
	if p.phase >= 1-1e-9 {
		p.phase -= math.Floor(p.phase + 1e-9)
		share := min(max(torque/p.wheel.RatedTorque, -1), 1)
		p.torque = math.Round(share*p.wheel.TorqueLevels) / p.wheel.TorqueLevels * p.wheel.RatedTorque
		p.angle = math.Round(angle/p.wheel.AngleStep) * p.wheel.AngleStep
	}
	return p.toMotor.next(p.torque), p.toHost.next(p.angle)
}
