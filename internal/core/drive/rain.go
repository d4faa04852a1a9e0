package drive

import "rig.example/rig/internal/core/frame"

// rain reduces the grip of the whole road, in levels that the driver sets in the window.
type rain struct{ Level uint8 }

// MaxRain is the highest level of the rain.
const MaxRain = 10

const rainStep = 0.05 // fraction of the grip that each level takes away

// step applies the keys that were just pressed.
func (r *rain) step(justPressed uint64) {
	if justPressed&frame.KeyWetter != 0 && r.Level < MaxRain {
		r.Level++
	}
	if justPressed&frame.KeyDrier != 0 && r.Level > 0 {
		r.Level--
	}
}

// gripLoss returns the fraction of the grip that is lost, 0..1.
func (r *rain) gripLoss() float64 { return rainStep * float64(r.Level) }
