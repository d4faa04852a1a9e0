package pedals

import (
	"time"

	"rig.example/rig/internal/axis"
)

// cover writes the pedals that are on converters to c, at a time since
// start. One that is lost is released.
func (a *Analog) cover(c *axis.Coverage, now time.Duration) {
	for i, x := range a.axes {
		if x == nil {
			continue
		}
		v, fresh := x.at(now)
		c.Add(i, v, fresh)
	}
}

// at returns the pedal's position, 0 unless it is fresh.
func (x *analogAxis) at(now time.Duration) (position float64, fresh bool) {
	v, age, ok := x.newest.get(now)
	if !ok || age.Seconds() > x.adc.Stale {
		return 0, false
	}
	return v, true
}
