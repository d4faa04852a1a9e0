package pacing

import (
	"math"
	"slices"

	"rig.example/rig/internal/kit/valid"
)

// grid is the even grid of scan-outs, as a phase-locked loop finds it from the times at which swaps return. Returns
// jitter, and pictures miss refreshes; a grid that follows them slowly does neither.
type grid struct {
	mode     float64 // between two scan-outs by the display mode [s]; 0 if unknown
	interval float64 // between two scan-outs [s]; 0 until it is known
	at       float64 // time of the newest scan-out after which a swap returned [s]
	number   int64   // number of that scan-out
	lead     float64 // how much before their place on the grid returns come at most, of late [s]
	taken    int     // returns since interval was set
	distance float64 // mean distance of returns from the grid, as a share of interval
	locked   bool    // returns keep to the grid

	returned float64           // newest return [s]
	gaps     [gapCount]float64 // times between the newest returns [s]
	gapIndex int
	measures int // how often interval was set anew
}

const (
	gapCount    = 64
	minInterval = 1e-3 // [s]
	maxInterval = 0.1  // [s]

	phaseGain    = 0.03     // share of a return's lateness by which the grid moves: a step changes by 30 µs for 1 ms
	intervalGain = 0.00035  // and by which its interval changes; at the damping ratio 0.8
	distanceGain = 1.0 / 64 // of the mean distance
	leadDecay    = 0.999    // of the lead, with each return

	earlyShare = 0.35 // how much before a scan-out its return may come, as a share of interval
	maxShare   = 0.25 // largest lateness that moves the grid, as a share of interval
	longGap    = 30   // refreshes without a return, after which the phase is found anew

	maxMeasured = 2.5 // longest gap that counts for a new interval, as a multiple of the middle one

	// Returns at any time are at a mean distance of 0.25, those with a jitter of ±1 ms at 240 Hz at one of 0.12.
	noDistance     = 0.25
	lockDistance   = 0.18
	unlockDistance = 0.21
)

// newGrid returns a grid for a refresh rate [Hz], 0 if unknown.
func newGrid(rate float64) grid {
	g := grid{distance: noDistance}
	if rate > 0 {
		g.mode = valid.Clamp(1/rate, minInterval, maxInterval)
		g.interval = g.mode
	}
	return g
}

// take moves the grid by a swap that returned at now, after it had waited for a scan-out. It returns how many scan-outs later
// that was than the one before; 0 if the return before was so late that it counts as the next one.
func (g *grid) take(now float64) (steps int64) {
	g.collect(now)
	switch {
	case g.interval == 0:
		return 0
	case g.taken == 0:
		g.at, g.taken = now, 1
		return 0
	}
	gap := (now - g.at) / g.interval
	g.setDistance(math.Abs(gap - math.Round(gap)))
	steps = int64(math.Floor(gap + earlyShare))
	if steps > 0 {
		g.follow(now, steps)
	}
	return max(steps, 0)
}

// collect keeps the time since the return before, and sets the interval anew after a number of returns off the grid.
func (g *grid) collect(now float64) {
	if g.returned > 0 {
		g.gaps[g.gapIndex] = now - g.returned
		g.gapIndex++
	}
	g.returned = now
	if g.gapIndex == gapCount {
		g.gapIndex = 0
		if !g.locked {
			g.measure()
		}
	}
}

// setDistance takes the distance of a return from the grid, as a share of the interval.
func (g *grid) setDistance(share float64) {
	g.distance += distanceGain * (share - g.distance)
	g.locked = g.distance < lockDistance || g.locked && g.distance < unlockDistance
}

// follow moves the grid on by a number of scan-outs, the newest of which a swap that returned at now has waited for.
func (g *grid) follow(now float64, steps int64) {
	g.number += steps
	if steps > longGap {
		g.at, g.taken = now, 2
		return
	}
	g.taken++
	g.at += float64(steps) * g.interval
	lateness := valid.Clamp(now-g.at, -maxShare*g.interval, maxShare*g.interval)
	g.lead = math.Max(-lateness, leadDecay*g.lead)
	g.at += math.Max(phaseGain, 1/float64(g.taken)) * lateness
	g.interval = valid.Clamp(g.interval+intervalGain*lateness/float64(steps), minInterval, maxInterval)
}

// measure sets the interval anew, because returns do not keep to the grid: in turn to that of the display mode and to
// the one of the newest returns.
func (g *grid) measure() {
	g.taken, g.lead, g.distance = 0, 0, noDistance
	g.measures++
	if g.mode > 0 && g.measures%2 == 0 {
		g.interval = g.mode
		return
	}
	sorted := g.gaps
	slices.Sort(sorted[:])
	rough, sum, steps := math.Max(sorted[gapCount/2], minInterval), 0.0, 0.0
	for _, gap := range sorted {
		if gap < maxMeasured*rough { // that of a longer one would be rounded to a wrong number of refreshes
			sum += gap
			steps += math.Round(gap / rough)
		}
	}
	g.interval = valid.Clamp(sum/math.Max(steps, 1), minInterval, maxInterval)
}

// time returns when the scan-out of a number is [s].
func (g *grid) time(number int64) float64 { return g.at + float64(number-g.number)*g.interval }

// numberAt returns the number of the newest scan-out at now, but not one before that of the newest return. The scan-out
// itself is as early as the earliest returns.
func (g *grid) numberAt(now float64) int64 {
	if g.interval == 0 {
		return g.number
	}
	return g.number + int64(math.Max(0, math.Floor((now-g.at+g.lead)/g.interval)))
}
