// Package sections lists the tables of rig.toml that belong to the features which connect a rig to other programs, to other
// rigs and to ears.
package sections

import (
	"rig.example/rig/internal/connect/games"
	"rig.example/rig/internal/connect/outputs"
	"rig.example/rig/internal/connect/session/member"
	"rig.example/rig/internal/connect/soundplayer"
	"rig.example/rig/internal/files/config"
)

// All returns the sections of rig.toml, in their order in the file.
func All() []config.Section {
	return []config.Section{outputs.Section(), games.Section(), soundplayer.Section(), member.Section(), soundplayer.ShakerSection()}
}
