package road

import "slices"

// Change is a change of the grip of some areas during a run.
type Change struct {
	Areas [Areas]bool // that it changes
	At    float64     // when it begins, in driven time [s]
	Over  float64     // how long it takes, evenly [s]
	Grip  float64     // of the areas afterwards, over that of their surfaces, 0..1
}

// Forecast is how the grip of a ground's areas changes with the time. It is a function
// of the time alone. The zero value is weather that stays.
type Forecast struct{ changes []Change }

// NewForecast returns what changes do. One that begins while another works takes over.
func NewForecast(changes []Change) Forecast {
	list := slices.Clone(changes)
	slices.SortStableFunc(list, func(a, b Change) int {
		switch {
		case a.At < b.At:
			return -1
		case a.At > b.At:
			return 1
		}
		return 0
	})
	return Forecast{list}
}

// Slick returns the share of its grip that each area has lost after so much driven
// time [s]. damp is what all have lost besides, 0..1: of rain over all of them.
func (f *Forecast) Slick(t, damp float64) (lost [Areas]float64) {
	for area := range lost {
		lost[area] = 1 - f.grip(area, t)*(1-damp)
	}
	return lost
}

// grip returns what is left of an area's grip.
func (f *Forecast) grip(area int, t float64) float64 {
	grip := 1.0
	last := -1
	for i := range f.changes {
		c := &f.changes[i]
		if !c.Areas[area] || !(t >= c.At) {
			continue
		}
		if last >= 0 { // as far as the one before came
			grip = f.changes[last].toward(grip, c.At)
		}
		last = i
	}
	if last >= 0 {
		grip = f.changes[last].toward(grip, t)
	}
	return grip
}

// toward returns the grip on its way from another one.
func (c *Change) toward(from, t float64) float64 {
	if !(t < c.At+c.Over) {
		return c.Grip
	}
	return from + (c.Grip-from)*(t-c.At)/c.Over
}

// Slick is the share of its grip that each area of a ground has lost, 0..1.
type Slick [Areas]float64

// Left returns the share of its grip that an area still has.
func (s *Slick) Left(area uint8) float64 {
	if int(area) < len(s) {
		return 1 - s[area]
	}
	return 1
}
