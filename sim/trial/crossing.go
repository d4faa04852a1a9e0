package trial

import "math"

// LevelCrossing measures when a value first reaches a level.
type LevelCrossing struct {
	level float64
	Time  float64 // time [s], NaN until the level is reached
}

// NewLevelCrossing returns a measurement of when a value first reaches level, in the unit of the value.
func NewLevelCrossing(level float64) LevelCrossing { return LevelCrossing{level, math.NaN()} }

// Update takes in a tick that ends at now [s], lasts dt [s], and in which the value changes linearly
// from before to after. It reports whether the level has been reached.
func (g *LevelCrossing) Update(now, dt, before, after float64) bool {
	if math.IsNaN(g.Time) && after >= g.level {
		share := 1.0
		if after > before {
			share = max((g.level-before)/(after-before), 0)
		}
		g.Time = now - dt*(1-share)
	}
	return !math.IsNaN(g.Time)
}
