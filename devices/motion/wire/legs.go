package wire

import "math"

// Axes is how many actuators a demand can name.
const Axes = 8

// Legs is one position per actuator as a share of its stroke: 0 is the lower
// end, 0.5 the centre, 1 the upper end.
type Legs [Axes]float64

// Finite reports whether no leg is NaN or Inf.
func (l *Legs) Finite() bool {
	for _, v := range l {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}

// All returns legs that all stand at v, as a share of the stroke.
func All(v float64) (l Legs) {
	for i := range l {
		l[i] = v
	}
	return l
}
