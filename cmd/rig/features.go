package main

import (
	"rig.example/rig/internal/connect/games"
	"rig.example/rig/internal/connect/outputs"
	"rig.example/rig/internal/connect/session/member"
	"rig.example/rig/internal/connect/soundplayer"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/tools/check"
)

// features lists what the features of rig check, and the devices that they use.
func features() []check.Feature {
	return []check.Feature{
		{Part: "other programs", Checks: []func(*config.Config, func(check, where, what, remedy string)){outputs.Check, member.Check, games.Check}},
		{Part: string(check.Sound), Checks: []func(*config.Config, func(check, where, what, remedy string)){soundplayer.Check}, Devices: soundplayer.Devices, Summary: soundplayer.Output},
	}
}
