package main

import (
	"rig.example/rig/internal/connect/games"
	"rig.example/rig/internal/connect/outputs"
	"rig.example/rig/internal/connect/session/member"
	"rig.example/rig/internal/connect/soundplayer"
	"rig.example/rig/internal/tools/check"
)

// features lists what the features of rig check, and the devices that they use.
func features() []check.Feature {
	return []check.Feature{
		{Part: "other programs", Checks: []check.FeatureCheck{outputs.Check, member.Check, games.Check}},
		{Part: string(check.Sound), Checks: []check.FeatureCheck{soundplayer.Check}, Devices: soundplayer.Devices, Summary: soundplayer.Output},
	}
}
