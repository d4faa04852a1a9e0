package rig

// ownEffects is a wheel that plays effects by itself: the real wheel, or one of a test.
type ownEffects interface {
	EnableEffects(on bool)      // allows or stops all of its effects
	Vibrate(peakNm, hz float64) // sets amplitude [N·m] and frequency [Hz] of its vibration
	LimitEffects(nm float64)    // limits the sum of its effects [N·m]
	EffectReserve() float64     // highest sum of its effects [N·m], not part of its rated torque
	MaxVibration() float64      // part of EffectReserve for the vibration's amplitude [N·m]
	EffectTorque() float64      // sum that its effects may reach now [N·m]
}
