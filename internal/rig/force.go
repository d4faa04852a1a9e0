package rig

import (
	"fmt"
	"log/slog"
	"slices"
	"sync/atomic"

	"rig.example/rig/ffb"
	"rig.example/rig/internal/config"
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
