package levers

// combined is one axis that is throttle on one side of its middle and brake on
// the other, as wheels report in their compatibility modes.
type combined struct {
	middle, full float64 // at rest and at full throttle [counts]; full braking is as far on the other side
	dead         float64 // share of one side that counts as the middle
	seen         bool    // it was in the middle, or has reported
}

// nearMiddle is the share of one side that is believed to be the middle before the first report.
const nearMiddle = 0.1

// split returns throttle and brake at raw, each 0..1. moved tells whether the
// axis has reported since it was opened: before, it may show the kernel's 0,
// which can be an end, and only the middle is believed.
func (c *combined) split(raw int32, moved bool) (gas, braking float64) {
	v := (float64(raw) - c.middle) / (c.full - c.middle)
	if moved || v > -nearMiddle && v < nearMiddle {
		c.seen = true
	}
	if !c.seen || v != v {
		return 0, 0
	}
	return c.side(v), c.side(-v)
}

// side is how far one side is pressed.
func (c *combined) side(v float64) float64 {
	v = (v - c.dead) / (1 - c.dead)
	return min(max(v, 0), 1)
}
