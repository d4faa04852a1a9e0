package rig

import (
	"rig.example/rig/ffb"
	"rig.example/rig/sim/road"
)

// ownEffects is a wheel that makes forces by itself: the real one, or a test's.
type ownEffects interface {
	Live(on bool) // they may work
	Shake(peakNm, hz float64)
	Allow(nm float64)
	Room() float64     // what they may add up to [N·m], which its rated torque leaves out
	Headroom() float64 // the part of it for the vibration's peak [N·m]
	Own() float64      // what they may add up to by now [N·m]
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
