package wheel

import (
	"errors"
	"math"
)

// simStep is the time that a Step of a Sim advances [s].
const simStep = 1e-3

// SimConfig describes a simulated wheel.
type SimConfig struct {
	Inertia  float64 // of the rim [kg·m²], 0.005..1
	Friction float64 // dry, of the gears [N·m], 0..5
	Damping  float64 // viscous [N·m·s/rad], 0..5
	RangeDeg float64 // from lock to lock, 40..4000
	RatedNm  float64 // most torque, 0..50
}

// DefaultSimConfig is a geared wheel of the middle class.
func DefaultSimConfig() SimConfig {
	return SimConfig{Inertia: 0.04, Friction: 0.15, Damping: 0.05, RangeDeg: 900, RatedNm: 2.2}
}

// Validate reports every field that is out of range.
func (c SimConfig) Validate() error {
	return errors.Join(
		inRange("inertia", c.Inertia, 0.005, 1),
		inRange("friction", c.Friction, 0, 5),
		inRange("damping", c.Damping, 0, 5),
		inRange("range_deg", c.RangeDeg, 40, 4000),
		inRange("rated_nm", c.RatedNm, 0, 50),
	)
}

// Sim is a rim with a motor and hands on it. It moves only when it is stepped:
// the same calls give the same bits. It allocates nothing after NewSim.
type Sim struct {
	cfg       SimConfig
	lock      float64 // [rad]
	angle     float64 // [rad], positive left
	speed     float64 // [rad/s]
	torque    float64 // of the motor [N·m], positive left
	target    float64 // where the hands want the rim [rad]
	stiffness float64 // of the arms [N·m/rad]
}

// NewSim returns a rim at rest, straight ahead, without hands. cfg must be valid.
func NewSim(cfg SimConfig) *Sim {
	return &Sim{cfg: cfg, lock: cfg.RangeDeg / 2 * math.Pi / 180}
}

// Hands sets what the driver's hands want: an angle [rad], positive left, and
// how stiff the arms are [N·m/rad], 0 to let go. Relaxed arms have about 5,
// braced ones 40.
func (s *Sim) Hands(target, stiffness float64) {
	if math.IsNaN(target) || !(stiffness >= 0) {
		return
	}
	s.target = clamp(target, s.lock)
	// A step moves the rim by stiffness·dt²/inertia of the way: a tenth is stable.
	s.stiffness = min(stiffness, 0.1*s.cfg.Inertia/(simStep*simStep))
}

// Push sets the motor's torque [N·m], positive left, clamped to Rated. It
// holds until the next one; no number counts as 0.
func (s *Sim) Push(torqueNm float64) {
	if math.IsNaN(torqueNm) {
		torqueNm = 0
	}
	s.torque = clamp(torqueNm, s.cfg.RatedNm)
}

// Rated is the most torque the motor gives [N·m].
func (s *Sim) Rated() float64 { return s.cfg.RatedNm }

// Rate is how many torques a second the motor takes [1/s]: one with each Step.
func (s *Sim) Rate() float64 { return 1 / simStep }

// Poll writes where the rim is.
func (s *Sim) Poll(out *Sample) { *out = Sample{Angle: s.angle, Present: true} }

// Step advances the rim by 1 ms.
//
// Springs and motor are taken at the old angle, damping and dry friction at
// the new speed: that keeps friction from turning the rim round.
func (s *Sim) Step() {
	j, dt := s.cfg.Inertia, simStep
	damping := s.cfg.Damping + 2*math.Sqrt(s.stiffness*j) // the arms are critically damped
	push := s.torque + s.stiffness*(s.target-s.angle)
	speed := s.speed + dt*push/j
	stop := dt * s.cfg.Friction / j // what dry friction takes in a step, at most all
	s.speed = math.Copysign(max(0, math.Abs(speed)-stop), speed) / (1 + dt*damping/j)
	s.angle += dt * s.speed
	if math.Abs(s.angle) >= s.lock {
		s.angle, s.speed = clamp(s.angle, s.lock), 0
	}
}
