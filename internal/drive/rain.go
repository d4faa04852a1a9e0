package drive

import "rig.example/rig/internal/frame"

// rain takes grip from the whole road, in steps that the driver chooses in the window.
type rain struct{ Level uint8 }

// MostRain is the highest level of the rain.
const MostRain = 10

const rainStep = 0.05 // share of the grip that each level takes

// step obeys the keys that were not down a tick ago.
func (r *rain) step(fresh uint64) {
	if fresh&frame.KeyWetter != 0 && r.Level < MostRain {
		r.Level++
	}
	if fresh&frame.KeyDrier != 0 && r.Level > 0 {
		r.Level--
	}
}

// damp is the share of the grip that is lost, 0..1.
func (r *rain) damp() float64 { return rainStep * float64(r.Level) }
