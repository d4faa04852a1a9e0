package motion

import (
	"math"

	"rig.example/rig/devices/motion/wire"
)

// history is where the path was lately, a demand a period.
type history struct {
	dt     float64 // [s]
	legs   [historySteps]wire.Legs
	newest int
	steps  int // known, at least one
}

// historySteps are 0.5 s at the fastest rate: the longest lag, its slack, and the age of
// what is told.
const historySteps = fastestRate/2 + 1

// begin has the path stand.
func (h *history) begin(at *wire.Legs) { h.legs[0], h.newest, h.steps = *at, 0, 1 }

// add has the path go on.
func (h *history) add(path *wire.Legs) {
	h.newest = (h.newest + 1) % historySteps
	h.legs[h.newest] = *path
	h.steps = min(h.steps+1, historySteps)
}

// back returns where the path was ago [s], or as long ago as is known.
func (h *history) back(axis int, ago float64) float64 { return h.at(axis, h.count(ago)) }

// count returns how many steps ago that was.
func (h *history) count(ago float64) int {
	return min(int(math.Round(ago/h.dt)), h.steps-1)
}

func (h *history) at(axis, back int) float64 {
	return h.legs[(h.newest-back+historySteps)%historySteps][axis]
}

// span returns between which places the path was in the last so many seconds.
func (h *history) span(axis int, seconds float64) (low, high float64) {
	low = h.at(axis, 0)
	high = low
	for i := range min(int(math.Ceil(seconds/h.dt))+1, h.steps) {
		v := h.at(axis, i)
		low, high = min(low, v), max(high, v)
	}
	return low, high
}
