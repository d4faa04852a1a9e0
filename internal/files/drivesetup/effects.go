package drivesetup

import (
	"fmt"
	"slices"

	"rig.example/rig/ffb"
	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/road"
)

// Forces are the force chains of a drive's presets: what each is configured as, and which of them a preset has.
type Forces struct {
	Configs       []ffb.Config     // of each chain in drive.Setup.ForceChains
	IndexByPreset map[string]uint8 // index of a preset's chain; "" is no preset
}

// AddForces adds the force chains of all presets to a drive, whose only one is that of the configuration. Memory that is
// allocated during a drive is never freed, and locking it delays the loop.
func AddForces(s *drive.Setup, cfg config.Config) (*Forces, error) {
	f := &Forces{Configs: []ffb.Config{cfg.FFB}, IndexByPreset: map[string]uint8{}}
	for _, preset := range append(config.Presets(), "") {
		force, err := cfg.Force(preset)
		if err != nil {
			return nil, err
		}
		i := slices.Index(f.Configs, force)
		if i < 0 {
			if err := AddForce(s, force); err != nil {
				return nil, fmt.Errorf("preset %s: %w", preset, err)
			}
			i, f.Configs = len(f.Configs), append(f.Configs, force)
		}
		f.IndexByPreset[preset] = uint8(i)
	}
	return f, nil
}

// AddForce adds a force chain to a drive.
func AddForce(s *drive.Setup, c ffb.Config) error {
	chain, err := ffb.New(c, ffb.CarOf(s.Car), s.Dt)
	if err == nil {
		s.ForceChains = append(s.ForceChains, chain)
	}
	return err
}

// EnableOwnEffects enables the effects that the wheel plays by itself.
func EnableOwnEffects(d *drive.Drive) {
	d.EnableOwnEffects(ffb.NewVibration(d.Setup.Dt, Patterns(d.Setup.Circuit.Ground)))
}

// Patterns returns the periodic unevenness of a ground's surfaces, for the wheel's vibration.
func Patterns(g road.Ground) []ffb.Pattern {
	surfaces := road.SurfacesOf(g)
	list := make([]ffb.Pattern, len(surfaces))
	for i := range surfaces {
		if s := &surfaces[i]; s.Profile.IsPeriodic() {
			list[i] = ffb.Pattern{Pitch: s.Profile.Pitch, Strength: s.Texture.Amplitude}
		}
	}
	return list
}
