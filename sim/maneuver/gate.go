package maneuver

import "math"

// gate is passed when a value first reaches a level.
type gate struct {
	level float64
	at    float64 // time [s], NaN until then
}

func newGate(level float64) gate { return gate{level, math.NaN()} }

// watch looks at a tick that ends now and in which the value changed along a straight
// line; it tells whether the gate is passed.
func (g *gate) watch(now, dt, before, after float64) bool {
	if math.IsNaN(g.at) && after >= g.level {
		part := 1.0
		if after > before {
			part = max((g.level-before)/(after-before), 0)
		}
		g.at = now - dt*(1-part)
	}
	return !math.IsNaN(g.at)
}
