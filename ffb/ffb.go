// Package ffb turns what the front tires do to the steering column into the
// torque the driver feels at the rim.
//
// A torque passes these stages, each a part with its own parameters, state and delay:
// understeer cue and gain (none), effects (told with each), the rim's dynamics and
// the soft lock (told there), limit with its knee (none), slew limit (only where it
// holds), reconstruction to the device's rate (see rebuild). Trace has what is left
// after each.
//
// Torque and steering wheel angle are positive to the left, in N·m and rad.
//
// Feel never changes; all that it remembers is a State. Who holds a torque back after Feel says so with
// State.SetApplied, or the estimate of hands would err. A late rim is not damped but led (rim_lead.go says why);
// `rig ffb map` is the proof, and has to be run again after any change that makes the chain later or steeper.
package ffb

import (
	"errors"
	"fmt"
	"math"

	"rig.example/rig/internal/valid"
	"rig.example/rig/sim"
)

// Feel is the path from the column to the rim. It never changes after New: what it remembers
// is in a State.
type Feel struct {
	cfg      Config
	slew     float64 // most change in a tick [N·m]
	strength strength
	effects  effects
	rim      rim
	rebuild  rebuild
	clips    clipMeter
}

// New returns a feel of a car that is asked every dt [s].
func New(cfg Config, car Car, dt float64) (*Feel, error) {
	err := errors.Join(cfg.Validate(), valid.InRange("dt", dt, 1e-5, 0.05), valid.InRange("lock", car.Lock, 0, 200))
	if err != nil {
		return nil, fmt.Errorf("ffb: %w", err)
	}
	return &Feel{
		cfg: cfg, slew: cfg.Slew * 1e3 * dt, strength: newStrength(cfg, dt), effects: newEffects(cfg.Effects, dt),
		rim: newRim(cfg.Rim, cfg.SoftLock, car, dt), rebuild: newRebuild(cfg.Rebuild, dt), clips: newClipMeter(dt),
	}, nil
}

// Start returns the state before the first tick: nothing felt, nothing learned, and the
// configuration's gain.
func (f *Feel) Start() State { return State{strength: f.strength.start()} }

// Limit returns the most that the configuration lets the rim have [N·m].
func (f *Feel) Limit() float64 { return f.cfg.MaxTorque }

// Torque moves s by a tick and returns the torque for the rim [N·m] of wheel w.
//
// It stays within the rating and the configured limit and changes no faster than the
// slew limit; a smaller rating holds at once. If the car's torque or speed or
// anything of the wheel is NaN or Inf, or the rating is negative, or the torque
// would be NaN or Inf, it is 0 at once, and State.Fault reports that. It is part of the loop:
// no allocation.
func (f *Feel) Torque(s *State, car *sim.State, w Wheel) float64 {
	s.fault = false
	sent := s.trace.Sent
	s.trace = Trace{Slewed: s.trace.Slewed, Clipped: s.trace.Clipped, Peak: s.strength.peak.value}
	if !finite(car.ColumnTorque) || !finite(car.Speed) || !w.finite() {
		return f.fail(s)
	}
	most := min(w.Rated, f.cfg.MaxTorque)
	moved := s.moved(car.Tick)
	f.ask(s, car, w, most, moved)
	if !finite(s.trace.Asked) {
		return f.fail(s)
	}
	f.meter(s, most, moved)
	f.deliver(s, w.Rate, most, sent)
	if !finite(s.trace.Sent + s.memory()) {
		return f.fail(s)
	}
	s.applied = s.trace.Sent
	return s.trace.Sent
}

// ask sums up what the rim is to do.
func (f *Feel) ask(s *State, car *sim.State, w Wheel, most float64, moved bool) {
	t := &s.trace
	t.Column = car.ColumnTorque
	f.strength.step(&s.strength, car, moved)
	t.Peak, t.Scale = s.strength.peak.value, f.strength.scale(&s.strength, most)
	t.Gained = f.effects.understeer(&s.effects, car, t.Column) * t.Scale * f.fade(car.Speed)
	t.Felt = t.Gained + f.effects.step(&s.effects, car, &t.Effects)
	t.Asked = t.Felt + f.rim.step(&s.rim, w, car.Speed, t.Gained, t.Felt, s.applied, t)
}

// meter notes whether more is asked for than the rim may give, and counts it. One that
// may give nothing, as a wheel that is gone, clips nothing.
func (f *Feel) meter(s *State, most float64, moved bool) {
	s.clip = most > 0 && math.Abs(s.trace.Asked) > most
	if moved {
		f.clips.add(&s.clips, s.clip)
	}
	s.trace.Clipped = f.clips.share(&s.clips)
}

// deliver limits what is asked for to most, makes it what the device can follow,
// and limits that again, because a filter overshoots.
func (f *Feel) deliver(s *State, rate, most, sent float64) {
	t := &s.trace
	t.Limited = soft(t.Asked, most, f.cfg.Knee)
	t.Slewed = f.within(t.Limited, t.Slewed, most)
	t.Sent = f.within(f.rebuild.next(&s.rebuild, t.Slewed, rate), sent, most)
	t.Delay = s.rebuild.delay
}

// fade returns the share of the tires' torque that is passed on. Parking takes more
// force than any bend, and rolling backward the tires turn the wheel away from the
// middle: who wants less of both has it here.
func (f *Feel) fade(speed float64) float64 {
	const full = 2 // [m/s], forward
	x := min(max(speed/full, 0), 1)
	return f.cfg.Standing + (1-f.cfg.Standing)*x*x*(3-2*x)
}

// fail takes the torque off at once, and forgets all but the driver's gain: whatever is not
// finite may have come from what was learned.
func (f *Feel) fail(s *State) float64 {
	gain := s.strength.gain
	*s = f.Start()
	s.strength.gain, s.fault = gain, true
	return 0
}

// Teleported forgets how the torque and the rim moved, for a car that was put elsewhere: a
// torque that steps for no physical reason must not be led. The torque goes on from where
// it is, by the slew limit.
func (f *Feel) Teleported(s *State) {
	s.effects = effectsState{}
	s.rim = rimState{}
}

// Reset forgets the past: the next torque starts from 0. What was learned of the
// car's torque stays, and so does the count of what was clipped.
func (f *Feel) Reset(s *State) {
	f.Teleported(s)
	s.rebuild.reset(0)
	s.trace = Trace{Peak: s.strength.peak.value, Clipped: f.clips.share(&s.clips)}
	s.begun, s.clip, s.fault, s.applied = false, false, false, 0
}

// within returns the torque next to to that the slew limit allows after from, and ±most.
func (f *Feel) within(to, from, most float64) float64 {
	slewed := min(max(to, from-f.slew), from+f.slew)
	return min(max(slewed, -most), most)
}
