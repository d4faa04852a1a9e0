package driveline

import (
	"errors"
	"fmt"

	"rig.example/rig/internal/valid"
)

// Shafts are what turns between gearbox and wheels.
type Shafts struct {
	Stiffness float64 `toml:"stiffness_nm_per_rad"` // of each half shaft
	Damping   float64 `toml:"damping_nms_per_rad"`  // of its twist
	Inner     float64 `toml:"inner_inertia_kgm2"`   // of its inner end with the differential's side gear
	Carrier   float64 `toml:"carrier_inertia_kgm2"` // of a driven axle's differential with final drive and propeller shaft, as felt at the wheels
	Input     float64 `toml:"input_inertia_kgm2"`   // of the gearbox' input shaft with the clutch disc
}

// DefaultShafts are those of a car of 100 to 200 kW.
func DefaultShafts() Shafts {
	return Shafts{Stiffness: 8000, Damping: 25, Inner: 0.02, Carrier: 0.08, Input: 0.012}
}

// Validate reports every parameter that is out of range.
func (s Shafts) Validate() error {
	return errors.Join(
		valid.InRange("stiffness_nm_per_rad", s.Stiffness, 500, 200e3),
		valid.InRange("damping_nms_per_rad", s.Damping, 0, 2e3),
		valid.InRange("inner_inertia_kgm2", s.Inner, 0.002, 1),
		valid.InRange("carrier_inertia_kgm2", s.Carrier, 0.001, 10),
		valid.InRange("input_inertia_kgm2", s.Input, 0.001, 1),
	)
}

// turnable reports shafts too stiff for their wheels' inertia and the time step: the
// wheels' side is stepped with the speeds that the tick began with.
func (s Shafts) turnable(inertia, dt float64) error {
	const most = 0.5
	if stiff := (s.Stiffness*dt + s.Damping) * dt / inertia; stiff > most {
		return fmt.Errorf("driveline.shafts too stiff for wheels of %g kg·m² at steps of %g ms: lower stiffness_nm_per_rad and damping_nms_per_rad to %.0f %% or raise wheel.inertia_kgm2",
			inertia, dt*1e3, 100*most/stiff)
	}
	return nil
}

// ShaftState is one half shaft.
type ShaftState struct {
	Speed  float64 // of its inner end, at the differential [rad/s]
	Twist  float64 // of that end against the wheel [rad], positive when it drives forward
	Torque float64 // on the wheel [N·m], positive forward; found by the last tick
}

// halfShaft is the constant part of one. Its spring and damper work by the middle of
// the tick, which keeps the spring's energy, with the wheel as fast as at its start.
type halfShaft struct {
	stiffness float64 // [N·m/rad]
	grip      float64 // torque per speed of the twist's middle [N·m·s/rad]
	inert     float64 // inertia of the inner end over the time step
}

// newHalfShaft returns one whose inner end is as heavy as the step can follow at least: a
// lighter one would change its way every tick, and friction in a differential would drive it.
func newHalfShaft(s Shafts, dt float64) halfShaft {
	return halfShaft{s.Stiffness, s.Stiffness*dt/2 + s.Damping, max(s.Inner/dt, s.Stiffness*dt/4)}
}

// asks returns the torque that the inner end takes to turn.
func (k *halfShaft) asks(s *ShaftState, wheel float64) demand {
	start := k.stiffness*s.Twist + k.grip*(s.Speed/2-wheel)
	return demand{start - k.inert*s.Speed, k.grip/2 + k.inert}
}

// turn brings the inner end to a speed [rad/s] in out, and returns the power that it
// takes [W].
func (k *halfShaft) turn(s *ShaftState, out *Shaft, speed, wheel float64) float64 {
	was := s.Speed
	mean := (was + speed) / 2
	s.Speed, s.Torque = speed, k.stiffness*s.Twist+k.grip*(mean-wheel)
	out.Torque, out.mean, out.wheel = s.Torque, mean, wheel
	return (s.Torque + k.inert*(speed-was)) * mean
}

// Twist ends a tick: it twists the half shafts by what their wheels did, which have spins
// [rad/s] by now. drive is what Step left of this tick.
func (l *System) Twist(s *State, drive *[4]Shaft, spins *[4]float64) {
	k := &l.half
	var in, out float64
	for axle := range l.driven {
		if !l.driven[axle] {
			continue
		}
		left, right := 2*axle, 2*axle+1
		inLeft, outLeft := k.wind(&s.Shafts[left], &drive[left], spins[left], l.dt, l.perDt)
		inRight, outRight := k.wind(&s.Shafts[right], &drive[right], spins[right], l.dt, l.perDt)
		in, out = in+(inLeft+inRight), out+(outLeft+outRight)
	}
	s.Flow.Shafts, s.Flow.Wheels = in-out, out
}

// wind twists one, and returns the power that it takes and gives, less what its spring
// keeps [W].
func (k *halfShaft) wind(s *ShaftState, d *Shaft, spin, dt, perDt float64) (in, out float64) {
	wheel := (d.wheel + spin) / 2
	by := dt * (d.mean - wheel)
	held := k.stiffness * (s.Twist + by/2) * by
	s.Twist += by
	return s.Torque*d.mean - held*perDt, s.Torque * wheel
}
