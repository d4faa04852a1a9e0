package wheel

import (
	"errors"
	"math"

	"rig.example/rig/internal/kit/valid"
)

// simStep is the time that a Step of a Sim advances [s].
const simStep = 1e-3

// SimConfig describes a simulated wheel.
type SimConfig struct {
	Inertia  float64 // of the rim [kg·m²], 0.005..1
	Friction float64 // dry friction of the gears [N·m], 0..5
	Damping  float64 // viscous damping [N·m·s/rad], 0..5
	RangeDeg float64 // rotation from lock to lock [deg], 40..4000
	RatedNm  float64 // highest torque [N·m], 0..50
}

// DefaultSimConfig describes a typical geared wheel.
func DefaultSimConfig() SimConfig {
	return SimConfig{Inertia: 0.04, Friction: 0.15, Damping: 0.05, RangeDeg: 900, RatedNm: 2.2}
}

// Validate reports every field that is out of range.
func (c SimConfig) Validate() error {
	return errors.Join(
		valid.InRange("inertia", c.Inertia, 0.005, 1),
		valid.InRange("friction", c.Friction, 0, 5),
		valid.InRange("damping", c.Damping, 0, 5),
		valid.InRange("range_deg", c.RangeDeg, 40, 4000),
		valid.InRange("rated_nm", c.RatedNm, 0, 50),
	)
}

// Sim is a simulated rim with a motor, and hands on it. It moves only in Step, so the same calls give the
// same bits. It allocates nothing after NewSim.
type Sim struct {
	cfg       SimConfig
	maxAngle  float64 // [rad]
	angle     float64 // [rad], positive left
	speed     float64 // [rad/s]
	torque    float64 // of the motor [N·m], positive left
	target    float64 // where the hands want the rim [rad]
	before    float64 // target of the step before [rad]
	stiffness float64 // of the arms [N·m/rad]
}

// NewSim returns a rim at rest, straight ahead, without hands. cfg must be valid.
func NewSim(cfg SimConfig) *Sim {
	return &Sim{cfg: cfg, maxAngle: cfg.RangeDeg / 2 * math.Pi / 180}
}

// Hands sets the angle to which the driver's hands turn the rim [rad], positive left, and the stiffness of
// the arms [N·m/rad]. Relaxed arms have about 5, tensed arms 40; 0 lets go.
func (s *Sim) Hands(target, stiffness float64) {
	if math.IsNaN(target) || !(stiffness >= 0) {
		return
	}
	s.target = clamp(target, s.maxAngle)
	// One step covers the share stiffness·dt²/inertia of the distance to target. 0.1 is stable.
	s.stiffness = min(stiffness, 0.1*s.cfg.Inertia/(simStep*simStep))
}

// Push sets the motor's torque [N·m], positive left, clamped to Rated. It holds until the next Push. NaN
// counts as 0.
func (s *Sim) Push(torqueNm float64) {
	if math.IsNaN(torqueNm) {
		torqueNm = 0
	}
	s.torque = clamp(torqueNm, s.cfg.RatedNm)
}

// Rated returns the highest torque of the motor [N·m].
func (s *Sim) Rated() float64 { return s.cfg.RatedNm }

// UpdateRate returns the rate at which the motor accepts torques [1/s]: one per Step.
func (s *Sim) UpdateRate() float64 { return 1 / simStep }

// Poll writes the present state of the rim to out.
func (s *Sim) Poll(out *Sample) { *out = Sample{Angle: s.angle, Present: true} }

// Step advances the rim by 1 ms.
//
// The torques of arms and motor are those at the old angle, damping and dry friction those at the new
// speed, so that friction never reverses the motion. The arms damp the rim's motion relative to the hands: if they damped
// all of it, the rim would follow by 2·√(inertia/stiffness), 0.1 s, later than the hands mean it to, and a driver who
// steers a fast car would weave.
func (s *Sim) Step() {
	const fastest = 12.0 // speed of hands [rad/s]
	j, dt := s.cfg.Inertia, simStep
	arms := 2 * math.Sqrt(s.stiffness*j) // critical damping
	damping := s.cfg.Damping + arms
	torque := s.torque + s.stiffness*(s.target-s.angle) + arms*clamp((s.target-s.before)/dt, fastest)
	s.before = s.target
	speed := s.speed + dt*torque/j
	frictionLimit := dt * s.cfg.Friction / j // highest loss of speed by dry friction in one step [rad/s]
	s.speed = math.Copysign(max(0, math.Abs(speed)-frictionLimit), speed) / (1 + dt*damping/j)
	s.angle += dt * s.speed
	if math.Abs(s.angle) >= s.maxAngle {
		s.angle, s.speed = clamp(s.angle, s.maxAngle), 0
	}
}
