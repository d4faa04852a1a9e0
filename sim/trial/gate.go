package trial

import "math"

// Gate is passed when a value first reaches a level.
type Gate struct {
	level float64
	At    float64 // time [s], NaN until then
}

// NewGate returns a gate at a level.
func NewGate(level float64) Gate { return Gate{level, math.NaN()} }

// Watch looks at a tick that ends now and in which the value changed along a straight
// line; it reports whether the gate is passed.
func (g *Gate) Watch(now, dt, before, after float64) bool {
	if math.IsNaN(g.At) && after >= g.level {
		part := 1.0
		if after > before {
			part = max((g.level-before)/(after-before), 0)
		}
		g.At = now - dt*(1-part)
	}
	return !math.IsNaN(g.At)
}
