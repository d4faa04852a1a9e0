package rig

import (
	"fmt"
	"log/slog"
	"slices"
	"sync/atomic"

	"rig.example/rig/ffb"
	"rig.example/rig/internal/config"
	"rig.example/rig/internal/frame"
)

// presetSwitcher chooses the feel that suits a wheel, beside the loop, when one is found.
type presetSwitcher struct {
	log    *slog.Logger
	feels  map[string]uint8 // by the wheel's preset: which of the drive's
	forces []ffb.Config     // of each feel
	wanted atomic.Uint32    // the feel of the newest wheel
}

// switchPresets makes the feels of all presets now: made during a drive they would be garbage that
// stays, in memory whose locking holds up the machine.
func (r *Rig) switchPresets(cfg config.Config, log *slog.Logger) error {
	setup := &r.drive.Setup
	p := &presetSwitcher{log: log, feels: map[string]uint8{}, forces: []ffb.Config{cfg.FFB}}
	for _, preset := range append(config.Presets(), "") {
		force, err := cfg.Force(preset)
		if err != nil {
			return err
		}
		i := slices.Index(p.forces, force)
		if i < 0 {
			feel, err := ffb.New(force, ffb.Car{Lock: setup.Car.Lock()}, setup.Dt)
			if err != nil {
				return fmt.Errorf("preset %s: %w", preset, err)
			}
			i, p.forces, setup.Feels = len(p.forces), append(p.forces, force), append(setup.Feels, feel)
		}
		p.feels[preset] = uint8(i)
	}
	r.presets = p
	return nil
}

// found asks for the feel of a wheel whose table names a preset. The same wheel again keeps its
// feel, with what that has learned.
func (p *presetSwitcher) found(preset string) {
	feel := uint32(p.feels[preset])
	if p.wanted.Swap(feel) == feel {
		return
	}
	cfg := p.forces[feel]
	p.log.Info("force feedback", "preset", cfg.Preset, "strength", cfg.Strength)
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
