package rig

import (
	"fmt"

	"rig/ffb"
	"rig/internal/config"
	"rig/sim/road"
)

// shaker is a wheel that can vibrate by itself: the real one, or a test's.
type shaker interface {
	Shake(peakNm, hz float64)
	Headroom() float64 // the highest peak [N·m], which its rated torque leaves out
}

// rated returns the most torque that the force may have [N·m]. Room for the vibration is
// left by the wheel, by the feel's limit and by the guard.
func (r *Rig) rated() float64 {
	room := r.room()
	r.guard.Keep(room)
	rated := min(r.wheel.Rated(), r.guard.Most()-room)
	if room > 0 {
		rated = min(rated, r.feel.Limit()-room)
	}
	return rated
}

// room is the highest peak of the wheel's own vibration [N·m].
func (r *Rig) room() float64 {
	const share = 0.25 // of what feel and guard let pass
	if r.shaker == nil {
		return 0
	}
	return min(r.shaker.Headroom(), share*min(r.feel.Limit(), r.guard.Most()))
}

// vibrate hands the wheel its own vibration, which the gain weakens with the force.
func (r *Rig) vibrate() {
	if r.shaker == nil {
		return
	}
	share, hz := r.shake.Step(&r.state)
	r.shaker.Shake(r.guard.GateShake(share*min(r.feel.Gain(), 1)*r.room()), hz)
}

// checkShakes tells of what would be felt twice.
func checkShakes(cfg config.Config, add func(level, where, what, remedy string)) {
	if e := &cfg.FFB.Effects; cfg.Wheel.Vibration > 0 && (e.ABS > 0 || e.Limiter > 0) {
		add("warning", "ffb.effects", fmt.Sprintf("abs_nm = %g and limiter_nm = %g shake the rim for what wheel.vibration shakes it for, too", e.ABS, e.Limiter),
			"set both to 0, or wheel.vibration")
	}
}

// patterns are the regular ones of a ground's surfaces.
func patterns(g road.Ground) []ffb.Pattern {
	surfaces := road.SurfacesOf(g)
	list := make([]ffb.Pattern, len(surfaces))
	for i := range surfaces {
		if s := &surfaces[i]; s.Profile.Regular() {
			list[i] = ffb.Pattern{Pitch: s.Profile.Pitch, Strength: s.Texture.Amplitude}
		}
	}
	return list
}
