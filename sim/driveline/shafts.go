package driveline

import (
	"fmt"

	"rig.example/rig/internal/kit/valid"
)

// Shafts describes the half shafts, and the inertias of final drive and input shaft.
type Shafts struct {
	// torsional stiffness of each half shaft; a shaft so stiff that its wheel would not follow at the time
	// step is refused
	Stiffness float64 `toml:"stiffness_nm_per_rad" range:"500..200000"`
	Damping   float64 `toml:"damping_nms_per_rad" range:"0..2000"` // torsional damping of each half shaft
	// inertia of a half shaft's inner end with the differential's side gear; it counts as what the time step
	// can follow at least, `stiffness_nm_per_rad`·dt²/4
	InnerInertia float64 `toml:"inner_inertia_kgm2" range:"0.002..1"`
	// inertia of a driven axle's differential with final drive and propeller shaft, as it acts at the wheels
	CarrierInertia float64 `toml:"carrier_inertia_kgm2" range:"0.001..10"`
	// inertia of the gearbox' input shaft with the clutch disc
	InputInertia float64 `toml:"input_inertia_kgm2" range:"0.001..1"`
}

// DefaultShafts returns the shafts of a car of 100 to 200 kW.
func DefaultShafts() Shafts {
	return Shafts{Stiffness: 8000, Damping: 25, InnerInertia: 0.02, CarrierInertia: 0.08, InputInertia: 0.012}
}

// Validate reports every parameter that is out of range.
func (s Shafts) Validate() error {
	return valid.Struct(s)
}

// checkStiffness returns an error if the half shafts are too stiff for a wheel's inertia [kg·m²] and the time
// step [s]. There is a limit because the shafts use the wheels' speeds at the tick's start.
func (s Shafts) checkStiffness(inertia, dt float64) error {
	const maxRatio = 0.5
	if ratio := (s.Stiffness*dt + s.Damping) * dt / inertia; ratio > maxRatio {
		return fmt.Errorf("driveline.shafts too stiff for wheels of %g kg·m² at steps of %g ms: lower stiffness_nm_per_rad and damping_nms_per_rad to %.0f %% or raise wheel.inertia_kgm2",
			inertia, dt*1e3, 100*maxRatio/ratio)
	}
	return nil
}

// ShaftState is the state of one half shaft.
type ShaftState struct {
	Speed  float64 // speed of the inner end, at the differential [rad/s]
	Twist  float64 // rotation of the inner end relative to the wheel [rad], positive when driving forward
	Torque float64 // torque on the wheel in the last tick [N·m], positive forward
}

// halfShaft holds everything of a half shaft that is constant in a run. The torques of spring and damper are
// those in the middle of the tick, which conserves the spring's energy. They use the wheel's speed at the
// tick's start.
type halfShaft struct {
	stiffness float64 // torsional stiffness [N·m/rad]
	// torque for each rad/s between inner end and wheel, with half a tick of the spring [N·m·s/rad]
	damping      float64
	inertiaPerDt float64 // inertia of the inner end over the time step [kg·m²/s]
}

// newHalfShaft returns a half shaft. If its inner end is too light for the time step, a larger inertia is
// used: with a lighter one, friction in the differential would excite an oscillation from tick to tick.
func newHalfShaft(s Shafts, dt float64) halfShaft {
	return halfShaft{s.Stiffness, s.Stiffness*dt/2 + s.Damping, max(s.InnerInertia/dt, s.Stiffness*dt/4)}
}

// demand returns the torque demand at the inner end; wheel is the wheel's speed [rad/s].
func (k *halfShaft) demand(s *ShaftState, wheel float64) demand {
	start := k.stiffness*s.Twist + k.damping*(s.Speed/2-wheel)
	return demand{start - k.inertiaPerDt*s.Speed, k.damping/2 + k.inertiaPerDt}
}

// setSpeed sets the speed of the inner end [rad/s] and the torque in out. It returns the power that the shaft
// takes at its inner end [W]. wheel is the wheel's speed [rad/s].
func (k *halfShaft) setSpeed(s *ShaftState, out *Shaft, speed, wheel float64) float64 {
	before := s.Speed
	mean := (before + speed) / 2
	s.Speed, s.Torque = speed, k.stiffness*s.Twist+k.damping*(mean-wheel)
	out.Torque, out.mean, out.wheel = s.Torque, mean, wheel
	return (s.Torque + k.inertiaPerDt*(speed-before)) * mean
}

// TwistShafts ends a tick. It updates the twist of the half shafts with the wheels' speeds after the tick
// [rad/s]. drive must be the output of Step in this tick.
func (l *System) TwistShafts(s *State, drive *[4]Shaft, spins *[4]float64) {
	k := &l.halfShaft
	var in, out float64
	for axle := range l.driven {
		if !l.driven[axle] {
			continue
		}
		left, right := 2*axle, 2*axle+1
		inLeft, outLeft := k.stepTwist(&s.Shafts[left], &drive[left], spins[left], l.dt, l.perDt)
		inRight, outRight := k.stepTwist(&s.Shafts[right], &drive[right], spins[right], l.dt, l.perDt)
		in, out = in+(inLeft+inRight), out+(outLeft+outRight)
	}
	s.Flow.Shafts, s.Flow.Wheels = in-out, out
}

// stepTwist updates the twist of one half shaft. It returns the power into the shaft without the part that its
// spring stores, and the power out of it [W].
func (k *halfShaft) stepTwist(s *ShaftState, d *Shaft, spin, dt, perDt float64) (powerIn, powerOut float64) {
	wheel := (d.wheel + spin) / 2
	delta := dt * (d.mean - wheel)
	stored := k.stiffness * (s.Twist + delta/2) * delta
	s.Twist += delta
	return s.Torque*d.mean - stored*perDt, s.Torque * wheel
}
