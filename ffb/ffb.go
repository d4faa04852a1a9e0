// Package ffb turns what the front tires do to the steering column into the
// torque the driver feels at the rim.
//
// A torque passes these stages, each a part with its own state and delay:
// understeer cue and gain (none), effects (told with each), the rim's dynamics and
// the soft lock (told there), limit with its knee (none), slew limit (only where it
// holds), reconstruction to the device's rate (see rebuild). Trace has what is left
// after each.
//
// Torque and steering wheel angle are positive to the left, in N·m and rad.
package ffb

import (
	"errors"
	"fmt"
	"math"

	"rig/internal/valid"
	"rig/sim"
)

// Feel is the path from the column to the rim.
type Feel struct {
	cfg     Config
	slew    float64 // most change in a tick [N·m]
	gain    strength
	effects effects
	rim     rim
	rebuild rebuild
	clips   clipMeter
	trace   Trace
	given   float64 // of the last torque, what the rim was let have [N·m]
	tick    uint64  // of the car, when it was last seen
	begun   bool    // tick is from a call before
	clip    bool
	fault   bool
	fresh   *Feel // as it was made
}

// New returns a feel of a car that is asked every dt [s].
func New(cfg Config, car Car, dt float64) (*Feel, error) {
	err := errors.Join(cfg.Validate(), valid.InRange("dt", dt, 1e-5, 0.05), valid.InRange("lock", car.Lock, 0, 200))
	if err != nil {
		return nil, fmt.Errorf("ffb: %w", err)
	}
	f := Feel{
		cfg: cfg, slew: cfg.Slew * 1e3 * dt, gain: newStrength(cfg, dt), effects: newEffects(cfg.Effects, dt),
		rim: newRim(cfg.Rim, cfg.SoftLock, car, dt), rebuild: newRebuild(cfg.Rebuild, dt), clips: newClipMeter(dt),
	}
	fresh := f
	f.fresh = &fresh
	return &f, nil
}

// Torque returns the torque for the rim [N·m] of wheel w.
//
// It stays within the rating and the configured limit and changes no faster than the
// slew limit; a smaller rating holds at once. If the car's torque or speed or
// anything of the wheel is not a finite number, or the rating is negative, or the torque
// would be none, it is 0 at once, and Fault tells. It is part of the loop: no allocation.
func (f *Feel) Torque(s *sim.State, w Wheel) float64 {
	f.fault = false
	sent := f.trace.Sent
	f.trace = Trace{Slewed: f.trace.Slewed, Clipped: f.trace.Clipped, Peak: f.gain.peak.value}
	if !finite(s.ColumnTorque) || !finite(s.Speed) || !w.finite() {
		return f.fail()
	}
	most := min(w.Rated, f.cfg.MaxTorque)
	moved := f.moved(s)
	f.ask(s, w, most, moved)
	if !finite(f.trace.Asked) {
		return f.fail()
	}
	f.meter(most, moved)
	f.deliver(w.Rate, most, sent)
	if !finite(f.trace.Sent + f.memory()) {
		return f.fail()
	}
	f.given = f.trace.Sent
	return f.trace.Sent
}

// moved tells whether the car was stepped since the last call.
func (f *Feel) moved(s *sim.State) bool {
	moved := f.begun && s.Tick != f.tick
	f.tick, f.begun = s.Tick, true
	return moved
}

// ask sums up what the rim is to do.
func (f *Feel) ask(s *sim.State, w Wheel, most float64, moved bool) {
	t := &f.trace
	t.Column = s.ColumnTorque
	f.gain.step(s, moved)
	t.Peak, t.Scale = f.gain.peak.value, f.gain.scale(most)
	t.Gained = f.effects.understeer(s, t.Column) * t.Scale * f.fade(s.Speed)
	t.Felt = t.Gained + f.effects.step(s, &t.Effects)
	t.Asked = t.Felt + f.rim.step(w, s.Speed, t.Gained, t.Felt, f.given, t)
}

// meter tells whether more is asked for than the rim may give, and counts it. One that
// may give nothing, as a wheel that is gone, clips nothing.
func (f *Feel) meter(most float64, moved bool) {
	f.clip = most > 0 && math.Abs(f.trace.Asked) > most
	if moved {
		f.clips.add(f.clip)
	}
	f.trace.Clipped = f.clips.share()
}

// deliver limits what is asked for to most, makes it what the device can follow,
// and limits that again, because a filter overshoots.
func (f *Feel) deliver(rate, most, sent float64) {
	t := &f.trace
	t.Limited = soft(t.Asked, most, f.cfg.Knee)
	t.Slewed = f.within(t.Limited, t.Slewed, most)
	t.Sent = f.within(f.rebuild.next(t.Slewed, rate), sent, most)
	t.Delay = f.rebuild.delay
}

// fade returns the share of the tires' torque that is passed on. Parking takes more
// force than any bend, and rolling backward the tires turn the wheel away from the
// middle: who wants less of both has it here.
func (f *Feel) fade(speed float64) float64 {
	const full = 2 // [m/s], forward
	x := min(max(speed/full, 0), 1)
	return f.cfg.Standing + (1-f.cfg.Standing)*x*x*(3-2*x)
}

// memory is finite if all is that is remembered and would not show in the torque soon: what
// was learned, what notices a rim that swings, and the design of the reconstruction.
func (f *Feel) memory() float64 {
	g, r := &f.gain.peak, &f.rim
	return g.value + g.experience + f.gain.held + f.rebuild.g + f.rebuild.delay + r.slope.square + r.slope.felt.accel +
		r.lead.felt.accel + r.swing.sign + r.swing.since + r.swing.peak + r.swing.last
}

// fail takes the torque off at once, and forgets all but the driver's gain: whatever is not
// finite may have come from what was learned.
func (f *Feel) fail() float64 {
	gain, fresh := f.gain.gain, f.fresh
	*f = *fresh
	f.gain.gain, f.fresh, f.fault = gain, fresh, true
	return 0
}

// Gain returns the gain that is in force.
func (f *Feel) Gain() float64 { return f.gain.gain }

// Limit returns the most that the configuration lets the rim have [N·m].
func (f *Feel) Limit() float64 { return f.cfg.MaxTorque }

// Adjust changes the gain by step, within the limits of its key.
func (f *Feel) Adjust(step float64) {
	const grid = 1000 // so that steps there and back meet
	if to := math.Round((f.gain.gain+step)*grid) / grid; finite(to) {
		f.gain.gain = min(max(to, 0), mostGain)
	}
}

// Passed tells what the rim was let have of the last torque [N·m], where something after
// this holds it back: else a rim that does not follow it seems to be held.
func (f *Feel) Passed(torque float64) {
	if finite(torque) {
		f.given = torque
	}
}

// Trace returns what the last torque was after each stage. It changes with the next.
func (f *Feel) Trace() *Trace { return &f.trace }

// Clipping tells whether the last torque asked for was more than the rim may give.
func (f *Feel) Clipping() bool { return f.clip }

// Fault reports whether the last call met NaN or Inf, in what it was given or in what it remembers.
func (f *Feel) Fault() bool { return f.fault }

// Replaced forgets how the torque and the rim moved, for a car that was put elsewhere: a
// torque that steps for no physical reason must not be led. The torque goes on from where
// it is, by the slew limit.
func (f *Feel) Replaced() {
	f.effects.reset()
	f.rim.reset()
}

// Reset forgets the past: the next torque starts from 0. What was learned of the
// car's torque stays, and so does the count of what was clipped.
func (f *Feel) Reset() {
	f.effects.reset()
	f.rim.reset()
	f.rebuild.reset(0)
	f.trace = Trace{Peak: f.gain.peak.value, Clipped: f.clips.share()}
	f.begun, f.clip, f.fault, f.given = false, false, false, 0
}

// within returns the torque next to to that the slew limit allows after from, and ±most.
func (f *Feel) within(to, from, most float64) float64 {
	slewed := min(max(to, from-f.slew), from+f.slew)
	return min(max(slewed, -most), most)
}
