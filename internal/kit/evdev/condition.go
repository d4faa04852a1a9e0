package evdev

import (
	"math"
	"slices"
	"time"
)

// The kinds of condition: forces that depend on the position and the movement of the rim.
const (
	FFSpring   uint16 = 0x53 // toward the center
	FFFriction uint16 = 0x54 // against any movement
	FFDamper   uint16 = 0x55 // against the speed
)

// conditionAxis is struct ff_condition_effect: a condition along one axis.
type conditionAxis struct {
	rightSaturation, leftSaturation uint16
	rightCoeff, leftCoeff           int16
	deadband                        uint16
	center                          int16
}

// Condition is a force on one axis that the device computes by itself: struct ff_effect with its union
// laid out for FF_SPRING and the other conditions.
type Condition struct {
	effectHeader
	axes [2]conditionAxis
	_    [8]byte
	left LeftSaturation // for SetShare; the kernel does not read it
}

// LeftSaturation is the value that a driver reads as full saturation to the left.
type LeftSaturation uint16

// The saturations to the left.
const (
	FullLeftUnsigned LeftSaturation = math.MaxUint16 // the same as to the right, as linux/input.h defines it
	FullLeftSigned   LeftSaturation = math.MaxInt16  // for drivers that read it as a signed number
)

// NewCondition returns a condition of the given kind around the center. It has no strength until
// SetShare is called, and ends by itself after length.
func NewCondition(kind uint16, left LeftSaturation, length time.Duration) Condition {
	c := Condition{effectHeader: newHeader(kind, length), left: left}
	c.SetShare(0)
	return c
}

// SetShare sets the coefficients and the saturation for the next upload to a share of the device's full
// strength, 0..1. The saturation is never 0, because some drivers read 0 as no limit at all
// (t300rs_calculate_saturation in hid-tmff2).
func (c *Condition) SetShare(share float64) {
	share = min(max(share, 0), 1)
	coeff := int16(share * math.MaxInt16)
	scaled := func(of float64) uint16 { return uint16(max(share*of, 1)) }
	c.axes[0] = conditionAxis{scaled(math.MaxUint16), scaled(float64(c.left)), coeff, coeff, 0, 0}
}

// HasEffect reports whether the device offers a kind of effect.
func (i Info) HasEffect(kind uint16) bool { return slices.Contains(i.FFEffects, ffName(kind)) }
