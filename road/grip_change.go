package road

import (
	"cmp"
	"slices"
)

// GripChange is one change of the grip of some areas during a run.
type GripChange struct {
	Areas [AreaCount]bool // areas that change
	At    float64         // when it begins, in driven time [s]
	Over  float64         // duration of the linear change [s]
	Grip  float64         // grip afterwards, as a fraction of that of the surfaces, 0..1
}

// Forecast is how the grip of a ground's areas changes over time. It depends on time alone. The zero value
// changes nothing.
type Forecast struct{ changes []GripChange }

// NewForecast returns the forecast that consists of these changes, in any order. A change that begins while
// another one runs replaces it.
func NewForecast(changes []GripChange) Forecast {
	list := slices.Clone(changes)
	slices.SortStableFunc(list, func(a, b GripChange) int { return cmp.Compare(a.At, b.At) })
	return Forecast{list}
}

// GripLoss returns the fraction of its grip that each area has lost after t seconds of driving. damp is
// the fraction that all areas lose in addition, 0..1, as in rain.
func (f *Forecast) GripLoss(t, damp float64) (lost [AreaCount]float64) {
	for area := range lost {
		lost[area] = 1 - f.gripAt(area, t)*(1-damp)
	}
	return lost
}

// gripAt returns the fraction of its grip that an area has at time t [s].
func (f *Forecast) gripAt(area int, t float64) float64 {
	grip := 1.0
	last := -1
	for i := range f.changes {
		c := &f.changes[i]
		if !c.Areas[area] || !(t >= c.At) {
			continue
		}
		if last >= 0 { // the grip that the previous change had reached
			grip = f.changes[last].gripAt(grip, c.At)
		}
		last = i
	}
	if last >= 0 {
		grip = f.changes[last].gripAt(grip, t)
	}
	return grip
}

// gripAt returns the grip at time t [s] of the linear change that starts from the grip before.
func (c *GripChange) gripAt(before, t float64) float64 {
	if !(t < c.At+c.Over) {
		return c.Grip
	}
	return before + (c.Grip-before)*(t-c.At)/c.Over
}

// GripLoss is the fraction of its grip that each area of a ground has lost, 0..1.
type GripLoss [AreaCount]float64

// Remaining returns the fraction of its grip that an area still has.
func (s *GripLoss) Remaining(area uint8) float64 {
	if int(area) < len(s) {
		return 1 - s[area]
	}
	return 1
}
