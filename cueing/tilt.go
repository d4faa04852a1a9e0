package cueing

// Tilt returns the roll and pitch that a seat mover has with its legs there
// [rad]: what Legs does, backwards, as far as the legs reach.
func (g Geometry) Tilt(l Legs) (roll, pitch float64) {
	left, right := (l[0]-0.5)*g.Stroke, (l[1]-0.5)*g.Stroke
	return (left - right) / g.Spacing, (left + right) / 2 / g.Arm
}
