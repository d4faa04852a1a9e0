package rig

import (
	"fmt"
	"math"

	"rig/ffb"
	"rig/internal/config"
	"rig/sim/road"
)

// ownEffects is a wheel that makes forces by itself: the real one, or a test's.
type ownEffects interface {
	Shake(peakNm, hz float64)
	Allow(nm float64)
	Room() float64     // what they may add up to [N·m], which its rated torque leaves out
	Headroom() float64 // the part of it for the vibration's peak [N·m]
	Own() float64      // what they may add up to by now [N·m]
}

// rated returns the most torque that the force may have [N·m]. Room for the wheel's own
// effects is left by the wheel, by the feel's limit and by the guard.
func (r *Rig) rated() float64 {
	room := r.room()
	r.guard.Keep(room)
	rated := min(r.wheel.Rated(), r.guard.Most()-room)
	if room > 0 {
		rated = min(rated, r.feel.Limit()-room)
	}
	return rated
}

// room is what the wheel's own effects may add up to, without any fade [N·m]: their part of
// what feel and guard let pass, as large as the wheel itself has made it.
func (r *Rig) room() float64 {
	if r.own == nil {
		return 0
	}
	room := r.own.Room()
	if room <= 0 {
		return 0
	}
	part := room / (room + r.wheel.Rated())
	return min(room, part*min(r.feel.Limit(), r.guard.Most()))
}

// permit hands the wheel what its own effects may add up to in this tick, and its
// vibration, which the gain weakens with the force.
func (r *Rig) permit() {
	if r.own == nil {
		return
	}
	room, peak := r.room(), 0.0
	if r.gap.stale {
		room = 0
	}
	share, hz := r.shake.Step(&r.vibrated, &r.state)
	if all := r.own.Room(); all > 0 {
		peak = r.own.Headroom() / all * room
	}
	r.own.Allow(r.guard.GateOwn(room))
	r.own.Shake(r.guard.GateOwn(share*min(r.force.Gain(), 1)*peak), hz)
}

// total is the most that the rim may feel in this tick [N·m], whatever the wheel's own
// effects do: the torque handed to it and all that they may add up to.
func (r *Rig) total() float64 {
	if r.own == nil {
		return math.Abs(r.torque)
	}
	return math.Abs(r.torque) + r.own.Own()
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
