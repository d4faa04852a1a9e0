package rig

import "rig/internal/frame"

// rain takes grip from the whole road, in steps that the driver chooses in the window.
type rain struct{ level uint8 }

const (
	mostRain = 10
	rainStep = 0.05 // share of the grip that each level takes
)

// step obeys the keys that were not down a tick ago.
func (r *rain) step(fresh uint64) {
	if fresh&frame.KeyWetter != 0 && r.level < mostRain {
		r.level++
	}
	if fresh&frame.KeyDrier != 0 && r.level > 0 {
		r.level--
	}
}

// damp is the share of the grip that is lost, 0..1.
func (r *rain) damp() float64 { return rainStep * float64(r.level) }
