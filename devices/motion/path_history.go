package motion

import (
	"math"

	"rig.example/rig/devices/motion/wire"
)

// pathHistory holds the newest positions of the path in a ring, one for each period.
type pathHistory struct {
	dt     float64 // period [s]
	legs   [historySteps]wire.Legs
	newest int // index of the newest
	steps  int // number of positions held, at least one
}

// historySteps is the number of positions held: 0.5 s at the highest rate, enough for the longest
// lag, lagSlack and the age of a reported position together.
const historySteps = maxRate/2 + 1

// reset makes the path one that stands at a position.
func (h *pathHistory) reset(at *wire.Legs) { h.legs[0], h.newest, h.steps = *at, 0, 1 }

// add appends the path's position of now.
func (h *pathHistory) add(path *wire.Legs) {
	h.newest = (h.newest + 1) % historySteps
	h.legs[h.newest] = *path
	h.steps = min(h.steps+1, historySteps)
}

// valueAgo returns where the path was so long ago [s], or its oldest position held.
func (h *pathHistory) valueAgo(axis int, ago float64) float64 {
	return h.value(axis, min(int(math.Round(ago/h.dt)), h.steps-1))
}

// value returns the position of the path a number of steps ago.
func (h *pathHistory) value(axis, stepsAgo int) float64 {
	return h.legs[(h.newest-stepsAgo+historySteps)%historySteps][axis]
}

// extremes returns the lowest and the highest position of the path within the newest seconds.
func (h *pathHistory) extremes(axis int, seconds float64) (low, high float64) {
	low = h.value(axis, 0)
	high = low
	for i := range min(int(math.Ceil(seconds/h.dt))+1, h.steps) {
		v := h.value(axis, i)
		low, high = min(low, v), max(high, v)
	}
	return low, high
}
