package rimlab

import "math"

// Wheel is a wheel as a machine: what turns, what turns it, and how it talks.
type Wheel struct {
	Name    string  `json:"name"`
	Rated   float64 `json:"rated_nm"`
	Rate    float64 `json:"rate_hz"`      // forces that it takes a second, and angles that it reports
	Inertia float64 `json:"inertia_kgm2"` // of motor, gears and rim, at the rim
	Dry     float64 `json:"dry_nm"`       // friction, the same at any speed
	Viscous float64 `json:"viscous_nms_per_rad"`
	Ripple  float64 `json:"ripple"`   // share of the motor's torque that comes and goes
	Poles   float64 `json:"poles"`    // how often the ripple comes in one turn of the rim
	Step    float64 `json:"step_rad"` // of the angle's sensor
	Levels  float64 `json:"levels"`   // of torque, to either side
}

// Wheels returns the two of the stability map: a small wheel with gears and a direct
// drive. Their inertia, friction and ripple are estimates.
func Wheels() []Wheel {
	return []Wheel{
		{Name: "gear-driven 2.2 N·m, 333 Hz", Rated: 2.2, Rate: 1000. / 3, Inertia: 0.03, Dry: 0.12, Viscous: 0.02, Ripple: 0.05, Poles: 40, Step: turn * 900 / 360 / 65536, Levels: 32767},
		{Name: "direct drive 8 N·m, 1 kHz", Rated: 8, Rate: 1000, Inertia: 0.03, Dry: 0.05, Viscous: 0.01, Ripple: 0.02, Poles: 21, Step: turn / 65536, Levels: 32767},
	}
}

const turn = 2 * math.Pi

// Hand is what a driver adds to the rim: mass, and a spring and a damper to where he
// sits. All three are estimates: firm hands are those of a driver who stiffens his arms.
type Hand struct {
	Name      string
	Inertia   float64 // [kg·m²]
	Damping   float64 // [N·m·s/rad]
	Stiffness float64 // [N·m/rad]
}

// Hands returns nobody, a light touch and a firm hold.
func Hands() []Hand {
	return []Hand{
		{Name: "free"},
		{"light", 0.02, 0.1, 1.5},
		{"firm", 0.08, 0.8, 20},
	}
}

// machine is the rim in motion.
type machine struct {
	w            Wheel
	h            Hand
	angle, speed float64 // [rad], [rad/s], positive left
}

// step moves the rim by dt [s] under the motor's torque and a push [N·m].
func (m *machine) step(motor, push, dt float64) {
	const parts = 4
	h := dt / parts
	for range parts {
		torque := motor*(1+m.w.Ripple*math.Sin(m.w.Poles*m.angle)) + push
		torque -= (m.w.Viscous+m.h.Damping)*m.speed + m.h.Stiffness*m.angle
		mass := m.w.Inertia + m.h.Inertia
		free := m.speed + torque/mass*h
		stop := m.w.Dry / mass * h // dry friction takes no more speed than there is
		m.speed = math.Copysign(max(math.Abs(free)-stop, 0), free)
		m.angle += m.speed * h
	}
}

// line hands on what was put in some ticks ago.
type line struct {
	held [64]float64
	at   int
	ago  int
}

func (l *line) next(v float64) float64 {
	l.held[l.at] = v
	old := l.held[(l.at-l.ago+len(l.held))%len(l.held)]
	l.at = (l.at + 1) % len(l.held)
	return old
}

// port is the wire between controller and wheel: it takes the newest force and reports
// the angle at the wheel's own rate, both in steps, and each late.
type port struct {
	w           Wheel
	beat        float64 // share of the device's period that has passed
	force, seen float64
	out, in     line
}

// newPort splits the delay [ticks] between the way to the motor and back.
func newPort(w Wheel, ticks int, angle float64) port {
	p := port{w: w, beat: 1, seen: angle}
	p.out.ago = (ticks*3 + 2) / 5 // the way out has the motor's current in it
	p.in.ago = ticks - p.out.ago
	for i := range p.in.held {
		p.in.held[i] = angle
	}
	return p
}

// step takes the torque [N·m] and the rim's angle [rad] of one tick and returns the
// motor's torque and the angle as they arrive.
func (p *port) step(torque, angle, dt float64) (motor, seen float64) {
	p.beat += dt * p.w.Rate
	if p.beat >= 1-1e-9 {
		p.beat -= math.Floor(p.beat + 1e-9)
		share := min(max(torque/p.w.Rated, -1), 1)
		p.force = math.Round(share*p.w.Levels) / p.w.Levels * p.w.Rated
		p.seen = math.Round(angle/p.w.Step) * p.w.Step
	}
	return p.out.next(p.force), p.in.next(p.seen)
}
