package levers

import "math"

// combinedAxis is one axis that is throttle on one side of its middle and brake on the other, as wheels
// report it in their compatibility modes.
type combinedAxis struct {
	middle     float64 // at rest [counts]
	full       float64 // at full throttle [counts]; full braking is at 2*middle - full
	deadMiddle float64 // share of each side that counts as the middle
}

// split returns throttle and brake at raw [counts], each 0..1.
func (c *combinedAxis) split(raw int32) (throttle, brake float64) {
	v := (float64(raw) - c.middle) / (c.full - c.middle)
	if math.IsNaN(v) {
		return 0, 0
	}
	return c.sideTravel(v), c.sideTravel(-v)
}

// sideTravel returns how far one side is pressed, 0..1, for v, the distance from the middle as a share of
// the side.
func (c *combinedAxis) sideTravel(v float64) float64 {
	v = (v - c.deadMiddle) / (1 - c.deadMiddle)
	return min(max(v, 0), 1)
}
