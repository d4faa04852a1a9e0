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
}

// NewCondition returns a condition of a kind around the middle, of a share of
// the device's strength, 0..1, that ends by itself after length.
func NewCondition(kind uint16, share float64, length time.Duration) Condition {
	share = min(max(share, 0), 1)
	coeff, most := int16(math.Round(share*math.MaxInt16)), uint16(math.Round(share*math.MaxUint16))
	return Condition{header: newHeader(kind, length), axes: [2]condition{{most, most, coeff, coeff, 0, 0}}}
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
