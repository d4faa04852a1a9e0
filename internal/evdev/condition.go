package evdev

import (
	"math"
	"time"
)

// The kinds of condition: forces by where the rim is and how it moves.
const (
	Spring   uint16 = 0x53 // towards the middle
	Friction uint16 = 0x54 // against any movement
	Damper   uint16 = 0x55 // against the speed
)

// condition is struct ff_condition_effect.
type condition struct {
	rightSaturation, leftSaturation uint16
	rightCoeff, leftCoeff           int16
	deadband                        uint16
	center                          int16
}

// Condition is a force on one axis that the device finds by itself: struct
// ff_effect with its union laid out for FF_SPRING and its like.
type Condition struct {
	header
	axes [2]condition
	_    [8]byte
	left LeftSaturation // beyond what the kernel reads
}

// LeftSaturation is what a driver takes for all of a condition's saturation to the left.
type LeftSaturation uint16

// The saturations to the left.
const (
	LeftFull LeftSaturation = math.MaxUint16 // as to the right, and as input.h has it
	LeftHalf LeftSaturation = math.MaxInt16  // of drivers that take it for a number with a sign
)

// NewCondition returns a condition of a kind around the middle, which has no strength yet
// and ends by itself after length.
func NewCondition(kind uint16, left LeftSaturation, length time.Duration) Condition {
	c := Condition{header: newHeader(kind, length), left: left}
	c.SetShare(0)
	return c
}

// SetShare sets for the next upload how much of the device's strength, 0..1, the condition
// may give: where its coefficients ask for more, it saturates. Its saturation is never 0,
// which some drivers take for no bound at all (t300rs_calculate_saturation in hid-tmff2).
func (c *Condition) SetShare(share float64) {
	share = min(max(share, 0), 1)
	coeff := int16(share * math.MaxInt16)
	part := func(of float64) uint16 { return uint16(max(share*of, 1)) }
	c.axes[0] = condition{part(math.MaxUint16), part(float64(c.left)), coeff, coeff, 0, 0}
}

// HasEffect tells whether the device offers a kind of effect.
func (i Info) HasEffect(kind uint16) bool {
	for _, name := range i.FFEffects {
		if name == ffName(kind) {
			return true
		}
	}
	return false
}
