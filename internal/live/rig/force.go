package rig

import (
	"log/slog"
	"sync/atomic"

	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/files/drivesetup"
)

// presetSwitcher selects the force preset when a wheel is found. It runs outside of the loop.
type presetSwitcher struct {
	log        *slog.Logger
	forces     *drivesetup.Forces
	chainIndex atomic.Uint32 // index of the force chain for the latest connected wheel
}

// switchPresets creates the force chains of all presets in advance.
func (r *Rig) switchPresets(cfg config.Config, log *slog.Logger) error {
	forces, err := drivesetup.AddForces(&r.drive.Setup, cfg)
	r.presets = &presetSwitcher{log: log, forces: forces}
	return err
}

// wheelFound requests the force chain for the preset of a wheel that was connected. If that chain is
// active already, it keeps its state.
func (p *presetSwitcher) wheelFound(preset string) {
	feel := uint32(p.forces.IndexByPreset[preset])
	if p.chainIndex.Swap(feel) == feel {
		return
	}
	cfg := p.forces.Configs[feel]
	p.log.Info("force feedback", "preset", cfg.Preset, "strength", cfg.Strength)
}
