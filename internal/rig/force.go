package rig

import (
	"log/slog"
	"math"
	"sync/atomic"

	"rig/ffb"
	"rig/internal/config"
	"rig/internal/frame"
	"rig/internal/guard"
	"rig/sim"
)

// rimTorque is the torque for the rim [N·m] in this tick.
func (r *Rig) rimTorque() float64 {
	there, _ := r.driver.present()
	return r.feel.Torque(&r.force, &r.state, ffb.Wheel{Angle: r.in.Steer, Present: there, Rated: r.rated(), Rate: r.wheel.Rate(), Delay: r.wheel.Delay()})
}

// fitter makes the feel that suits a wheel, beside the loop, when one is found.
type fitter struct {
	car    ffb.Car
	log    *slog.Logger
	forces map[string]ffb.Config    // by the wheel's preset
	last   ffb.Config               // of the newest feel
	next   atomic.Pointer[ffb.Feel] // not yet taken over
}

// newFitter reads all presets now: read during a drive they would be garbage that stays,
// in memory whose locking holds up the machine.
func newFitter(cfg config.Config, car ffb.Car, log *slog.Logger) (*fitter, error) {
	f := &fitter{car: car, log: log, forces: map[string]ffb.Config{}, last: cfg.FFB}
	for _, preset := range append(config.Presets(), "") {
		force, err := cfg.Force(preset)
		if err != nil {
			return nil, err
		}
		f.forces[preset] = force
	}
	return f, nil
}

// found prepares the feel for a wheel whose table names a preset. The same wheel again
// keeps its feel, with what that has learned.
func (f *fitter) found(preset string) {
	cfg := f.forces[preset]
	if cfg == f.last {
		return
	}
	feel, err := ffb.New(cfg, f.car, sim.Dt)
	if err != nil {
		f.log.Warn("force feedback stays as it was", "preset", preset, "err", err)
		return
	}
	f.log.Info("force feedback", "preset", cfg.Preset, "strength", cfg.Strength)
	f.last = cfg
	f.next.Store(feel)
}

// refit takes over the feel for a wheel that was found, as soon as nobody can notice:
// while there is no torque, or in the very tick in which the wheel appears.
func (r *Rig) refit() {
	if r.fitter == nil {
		return
	}
	next := r.fitter.next.Load()
	if next == nil || r.held && pushes(r.guard.State()) {
		return
	}
	r.feel, r.force = next, next.Start()
	r.fitter.next.CompareAndSwap(next, nil) // or a newer one comes with the next tick
}

// pushes tells whether the rim may get torque in a state of the guard.
func pushes(s guard.State) bool { return s.Moves() || s == guard.Releasing }

// A frame has room for all effects.
var _ [frame.MaxEffects - ffb.EffectCount]struct{}

// showForce tells how the torque came to be.
func (r *Rig) showForce(f *frame.Frame) {
	t := r.force.Trace()
	f.RimTorque, f.AskedTorque, f.RatedTorque = r.torque, t.Asked, min(r.wheel.Rated(), r.guard.Most()-r.room())
	f.Force = frame.Force{
		Column: t.Column, Gained: t.Gained, Felt: t.Felt, Lead: t.Lead, Damping: t.Damping, Friction: t.Friction, Inertia: t.Inertia,
		Lock: t.Lock, Limited: t.Limited, Slewed: t.Slewed, Sent: t.Sent, Peak: t.Peak, Scale: t.Scale, Clipped: t.Clipped,
		RimSpeed: t.RimSpeed, HandsOn: t.HandsOn, Delay: t.Delay, Rate: r.wheel.Rate(),
		Own: r.total() - math.Abs(r.torque), Total: r.total(),
	}
	copy(f.Force.Effects[:], t.Effects[:])
}

// ForceNow is a torque on its way from the steering column to the rim, for scripts.
type ForceNow struct {
	Column   float64            `json:"column_nm"`
	Gained   float64            `json:"gained_nm"`
	Effects  map[string]float64 `json:"effects_nm"`
	Felt     float64            `json:"felt_nm"`
	Lead     float64            `json:"lead_nm"`
	Damping  float64            `json:"damping_nm"`
	Friction float64            `json:"friction_nm"`
	Inertia  float64            `json:"inertia_nm"`
	Lock     float64            `json:"soft_lock_nm"`
	Asked    float64            `json:"asked_nm"`
	Limited  float64            `json:"limited_nm"`
	Slewed   float64            `json:"slewed_nm"`
	Sent     float64            `json:"sent_nm"`
	Rated    float64            `json:"rated_nm"`
	Peak     float64            `json:"learned_peak_nm"` // at the column
	Scale    float64            `json:"scale"`           // rim N·m for each N·m at the column
	Clipped  float64            `json:"clipped_share"`   // of the last 10 s of driving
	RimSpeed float64            `json:"rim_deg_per_s"`
	HandsOn  float64            `json:"hands_on"` // 0..1
	Delay    float64            `json:"reconstruction_delay_ms"`
	Rate     float64            `json:"rate_hz"`        // forces the wheel takes a second; 0 is unknown
	Own      float64            `json:"own_effects_nm"` // what the wheel's own effects may add
	Total    float64            `json:"total_nm"`       // the most that the rim may feel
}

func forceNow(f *frame.Frame) ForceNow {
	v := &f.Force
	effects := map[string]float64{}
	for e := range ffb.Effect(ffb.EffectCount) {
		effects[e.String()] = v.Effects[e]
	}
	return ForceNow{
		Column: v.Column, Gained: v.Gained, Effects: effects, Felt: v.Felt, Lead: v.Lead, Damping: v.Damping, Friction: v.Friction, Inertia: v.Inertia,
		Lock: v.Lock, Asked: f.AskedTorque, Limited: v.Limited, Slewed: v.Slewed, Sent: v.Sent, Rated: f.RatedTorque,
		Peak: v.Peak, Scale: v.Scale, Clipped: v.Clipped, RimSpeed: v.RimSpeed * degrees, HandsOn: v.HandsOn, Delay: v.Delay * 1e3, Rate: v.Rate, Own: v.Own, Total: v.Total,
	}
}
