package rig

import (
	"rig.example/rig/ffb"
	"rig.example/rig/sim/road"
)

// ownEffects is a wheel that plays effects by itself: the real wheel, or one of a test.
type ownEffects interface {
	EnableEffects(on bool)      // allows or stops all of its effects
	Vibrate(peakNm, hz float64) // sets amplitude [N·m] and frequency [Hz] of its vibration
	LimitEffects(nm float64)    // limits the sum of its effects [N·m]
	EffectReserve() float64     // highest sum of its effects [N·m], not part of its rated torque
	MaxVibration() float64      // part of EffectReserve for the vibration's amplitude [N·m]
	EffectTorque() float64      // sum that its effects may reach now [N·m]
}

// patterns returns the periodic unevenness of a ground's surfaces, for the wheel's vibration.
func patterns(g road.Ground) []ffb.Pattern {
	surfaces := road.SurfacesOf(g)
	list := make([]ffb.Pattern, len(surfaces))
	for i := range surfaces {
		if s := &surfaces[i]; s.Profile.IsPeriodic() {
			list[i] = ffb.Pattern{Pitch: s.Profile.Pitch, Strength: s.Texture.Amplitude}
		}
	}
	return list
}
