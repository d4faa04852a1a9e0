package wire

import "rig.example/rig/internal/kit/valid"

// Axes is the largest number of actuators that a platform can have.
const Axes = 8

// Legs has one position for each actuator, as a fraction of its stroke: 0 is the lower end, 0.5
// the center, 1 the upper end.
type Legs [Axes]float64

// Finite reports whether no leg is NaN or Inf.
func (l *Legs) Finite() bool {
	for _, v := range l {
		if !valid.Finite(v) {
			return false
		}
	}
	return true
}

// AllAt returns legs that are all at v, a fraction of the stroke.
func AllAt(v float64) (l Legs) {
	for i := range l {
		l[i] = v
	}
	return l
}
