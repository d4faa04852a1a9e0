// Package ffb calculates the torque at the rim from the torque that the front tires apply to the
// steering column. Its inputs are the car's state and the wheel's angle and limits. It never returns NaN,
// Inf, or more than the wheel's rating and the configured limit.
//
// A torque passes these stages, each with its own parameters, state and delay: understeer cue and gain
// (no delay), effects (see each effect), the rim's dynamics and the soft lock, torque limit with its knee
// (no delay), slew limit (only while it limits), and reconstruction for the device's rate (see
// reconstruction). Trace holds the torque after each stage.
//
// Torque [N·m] and steering wheel angle [rad] are positive to the left.
//
// A Chain does not change; everything that it remembers is in a State. A caller that sends less torque
// than Chain.Torque returned must report that by State.SetApplied, because the estimate of hands on the
// rim depends on it. The wheel's delay is compensated by phase lead and not by damping, for the reason in
// rim_lead.go. `rig ffb map` shows the stability; run it again after a change that adds delay or gain.
package ffb

import (
	"errors"
	"fmt"
	"math"

	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/sim"
)

// Chain is the chain of stages from the column to the rim. It does not change after New; its state is a
// State.
type Chain struct {
	cfg            Config
	slew           float64 // largest change per tick [N·m]
	strength       strength
	effects        effects
	rim            rim
	reconstruction reconstruction
	clips          clipMeter
}

// New returns the force feedback for a car, to be called every dt [s].
func New(cfg Config, car Car, dt float64) (*Chain, error) {
	err := errors.Join(cfg.Validate(), valid.InRange("dt", dt, 1e-5, 0.05), valid.InRange("lock", car.Lock, 0, 200))
	if err != nil {
		return nil, fmt.Errorf("ffb: %w", err)
	}
	if cfg.Effects.Cylinders == 0 {
		cfg.Effects.Cylinders = car.Cylinders
	}
	return &Chain{
		cfg: cfg, slew: cfg.SlewRate * 1e3 * dt, strength: newStrength(cfg, dt), effects: newEffects(cfg.Effects, dt),
		rim: newRim(cfg.Rim, cfg.SoftLock, car, dt), reconstruction: newReconstruction(cfg.Reconstruction, dt), clips: newClipMeter(dt),
	}, nil
}

// Start returns the state before the first tick, with the configured gain.
func (f *Chain) Start() State { return State{strength: f.strength.start(), tuned: tuned{1, 1}} }

// ConfiguredGain returns the gain of the configuration.
func (f *Chain) ConfiguredGain() float64 { return f.cfg.Gain }

// Reconstructs reports whether the torque passes a low-pass for wheels that take fewer updates than there are ticks.
func (f *Chain) Reconstructs() bool { return f.cfg.Reconstruction > 0 }

// Limit returns the configured torque limit [N·m].
func (f *Chain) Limit() float64 { return f.cfg.MaxTorque }

// Torque advances s by a tick and returns the torque for the rim of wheel w [N·m].
//
// The torque stays within the wheel's rating and the configured limit, and changes no faster than the
// slew limit; a lower rating takes effect at once. If an input or the result is NaN or Inf, or the rating
// is negative, the torque is 0 at once and State.Fault returns true. Torque runs in every tick and
// allocates nothing.
func (f *Chain) Torque(s *State, car *sim.State, w Wheel) float64 {
	s.fault = false
	lastSent := s.trace.Sent
	s.trace = Trace{Slewed: s.trace.Slewed, Clipped: s.trace.Clipped, Peak: s.strength.peak.value}
	if !valid.Finite(columnTorque(car)) || !valid.Finite(car.Speed) || !w.valid() {
		return f.resetToZero(s)
	}
	limit := min(w.Rated, f.cfg.MaxTorque)
	moved := s.carStepped(car.Tick)
	f.sumRequest(s, car, w, limit, moved)
	if !valid.Finite(s.trace.Asked) {
		return f.resetToZero(s)
	}
	f.countClipping(s, limit, moved)
	f.limitTorque(s, w.Rate, limit, lastSent)
	if !valid.Finite(s.trace.Sent + s.hiddenStateSum()) {
		return f.resetToZero(s)
	}
	s.applied = s.trace.Sent
	return s.trace.Sent
}

// sumRequest sums the torques of all stages before the limits.
func (f *Chain) sumRequest(s *State, car *sim.State, w Wheel, limit float64, moved bool) {
	t := &s.trace
	t.Column = columnTorque(car)
	f.strength.step(&s.strength, car, moved)
	t.Peak, t.Scale = s.strength.peak.value, f.strength.scale(&s.strength, limit)
	t.Gained = f.effects.understeer(&s.effects, car, t.Column) * t.Scale * f.standstillGain(car.Speed)
	t.Felt = t.Gained + f.effects.step(&s.effects, car, s.tuned.effects, &t.Effects)
	t.Asked = t.Felt + f.rim.step(&s.rim, w, car.Speed, t.Gained, t.Felt, s.applied, t)
}

// columnTorque returns the torque on the steering column [N·m] without that of the end stop: the soft lock of the
// real wheel stands for it, and knows the wheel's delay.
func columnTorque(car *sim.State) float64 { return car.ColumnTorque - car.Steering.Stop }

// countClipping records whether the requested torque exceeds the limit. A limit of 0, as without a wheel,
// never clips.
func (f *Chain) countClipping(s *State, limit float64, moved bool) {
	s.clipping = limit > 0 && math.Abs(s.trace.Asked) > limit
	if moved {
		f.clips.add(&s.clips, s.clipping)
	}
	s.trace.Clipped = f.clips.share(&s.clips)
}

// limitTorque limits the requested torque, filters it for the device's rate, and limits the result
// again, because the filter overshoots.
func (f *Chain) limitTorque(s *State, rate, limit, lastSent float64) {
	t := &s.trace
	t.Limited = softLimit(t.Asked, limit, f.cfg.Knee)
	t.Slewed = f.slewAndClamp(t.Limited, t.Slewed, limit)
	t.Sent = f.slewAndClamp(f.reconstruction.next(&s.reconstruction, t.Slewed, rate, s.tuned.cutoff), lastSent, limit)
	t.Delay = s.reconstruction.delay
}

// standstillGain returns the gain of the tires' torque at the car's speed [m/s]. Parking needs more
// torque than any bend, and in reverse the tires turn the wheel away from the center: standing_gain
// reduces both.
func (f *Chain) standstillGain(speed float64) float64 {
	const fullSpeed = 2 // [m/s], forward
	x := min(max(speed/fullSpeed, 0), 1)
	return f.cfg.StandstillGain + (1-f.cfg.StandstillGain)*x*x*(3-2*x)
}

// resetToZero returns 0 and resets all state except what driver and operator have set, because NaN or Inf may have come
// from any of it.
func (f *Chain) resetToZero(s *State) float64 {
	gain, tuned := s.strength.gain, s.tuned
	*s = f.Start()
	s.strength.gain, s.tuned, s.fault = gain, tuned, true
	return 0
}

// Teleported resets effects and rim dynamics after the car was put elsewhere, because a torque step
// without a physical reason must get no phase lead. The torque continues from its present value, within
// the slew limit.
func (f *Chain) Teleported(s *State) {
	s.effects = effectsState{}
	s.rim = rimState{}
}

// Reset resets the signal path: the next torque starts from 0. The learned peak and the clipping count
// stay.
func (f *Chain) Reset(s *State) {
	f.Teleported(s)
	s.reconstruction.reset(0)
	s.trace = Trace{Peak: s.strength.peak.value, Clipped: f.clips.share(&s.clips)}
	s.tickKnown, s.clipping, s.fault, s.applied = false, false, false, 0
}

// slewAndClamp moves from towards to by at most the slew limit and clamps the result to ±limit.
func (f *Chain) slewAndClamp(to, from, limit float64) float64 {
	slewed := min(max(to, from-f.slew), from+f.slew)
	return min(max(slewed, -limit), limit)
}
