package pedals

import "time"

// cover writes the pedals that are on converters to out, at a time since
// start. One that is lost is released.
func (a *Analog) cover(out *Sample, now time.Duration) (c coverage) {
	for i, x := range a.axes {
		if x == nil {
			continue
		}
		v, fresh := x.at(now)
		c.add(out, i, v, fresh)
	}
	return c
}

// at returns the pedal's position, 0 unless it is fresh.
func (x *analogAxis) at(now time.Duration) (position float64, fresh bool) {
	v, age, ok := x.newest.get(now)
	if !ok || age.Seconds() > x.adc.Stale {
		return 0, false
	}
	return v, true
}
