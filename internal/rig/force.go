package rig

import (
	"fmt"
	"log/slog"
	"slices"
	"sync/atomic"

	"rig.example/rig/ffb"
	"rig.example/rig/internal/config"
)

// presetSwitcher selects the force preset when a wheel is found. It runs outside of the loop.
type presetSwitcher struct {
	log                *slog.Logger
	chainIndexByPreset map[string]uint8 // index in drive.Setup.ForceChains, by name of the preset
	configs            []ffb.Config     // configuration of each force chain
	chainIndex         atomic.Uint32    // index of the force chain for the latest connected wheel
}

// switchPresets creates the force chains of all presets in advance. Memory that is allocated during a
// drive is never freed, and locking it delays the loop.
func (r *Rig) switchPresets(cfg config.Config, log *slog.Logger) error {
	setup := &r.drive.Setup
	p := &presetSwitcher{log: log, chainIndexByPreset: map[string]uint8{}, configs: []ffb.Config{cfg.FFB}}
	for _, preset := range append(config.Presets(), "") {
		force, err := cfg.Force(preset)
		if err != nil {
			return err
		}
		i := slices.Index(p.configs, force)
		if i < 0 {
			feel, err := ffb.New(force, ffb.Car{Lock: setup.Car.Lock()}, setup.Dt)
			if err != nil {
				return fmt.Errorf("preset %s: %w", preset, err)
			}
			i, p.configs, setup.ForceChains = len(p.configs), append(p.configs, force), append(setup.ForceChains, feel)
		}
		p.chainIndexByPreset[preset] = uint8(i)
	}
	r.presets = p
	return nil
}

// wheelFound requests the force chain for the preset of a wheel that was connected. If that chain is
// active already, it keeps its state.
func (p *presetSwitcher) wheelFound(preset string) {
	feel := uint32(p.chainIndexByPreset[preset])
	if p.chainIndex.Swap(feel) == feel {
		return
	}
	cfg := p.configs[feel]
	p.log.Info("force feedback", "preset", cfg.Preset, "strength", cfg.Strength)
}
