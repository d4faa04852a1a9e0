// Package axis makes a position of what one axis of a pedal or lever counts.
//
// In go counts, the calibration of the axis and its configuration; out comes a position, 0
// released to 1 fully pressed, filtered and bent as configured, and 0 for as long as the axis
// cannot be trusted. The package opens no device, knows no clock and allocates nothing once
// an axis is set up; what a lost pedal means for the car is decided in devices/pedals.
package axis

import (
	"slices"

	"rig.example/rig/calib"
	"rig.example/rig/internal/plausible"
)

// The axes that a driver has, in the order of all arrays.
const (
	Throttle = iota
	Brake
	Clutch
	Handbrake
	Count
)

// Names are what configurations and messages call the axes.
var Names = [Count]string{"throttle", "brake", "clutch", "handbrake"}

// Index returns the place of the axis called name in all arrays, or -1 if there is none.
func Index(name string) int { return slices.Index(Names[:], name) }

// Limits are what a pedal can do [travel]. A foot needs 20 ms and more for its whole travel. Some
// pedals are switches, and jump; but nobody presses one more than 5 times a second for long.
var Limits = plausible.Limits{Rate: 100, Jump: 0.5, Jumps: 10, Forget: 10}

const (
	atRest    = 0.05 // of the travel: that little counts as released
	guessDead = 0.02 // of the travel, at either end, without calibration
)

// Uncalibrated returns an axis between rest and press [counts] that nobody measured: some of
// its travel is dead at either end.
func Uncalibrated(rest, press int32) calib.Axis {
	return calib.Axis{Rest: rest, Press: press, DeadLow: guessDead, DeadHigh: guessDead}
}

// Measured is an axis whose resting end is known.
//
// A driver may hold 0 for an axis that never reported, and on an axis that counts down 0 is
// fully pressed. So it is released until it was seen at rest or has reported.
type Measured struct {
	Ends calib.Axis
	Seen bool // it was at rest, or has reported
}

// Value returns the position at raw, 0..1. moved reports whether the axis has reported since the
// device was opened.
func (m *Measured) Value(raw int32, moved bool) float64 {
	v := m.Ends.Value(raw)
	if moved || v < atRest {
		m.Seen = true
	}
	if !m.Seen {
		return 0
	}
	return v
}

// Coverage is what devices besides the set of pedals say: which axes are on them, which of
// these can be trusted, one bit each, and where they are. The zero value covers nothing.
type Coverage struct {
	Owned, Fresh uint32
	Position     [Count]float64
}

// Mark says that axis i is on another device. An i below 0 is no axis.
func (c *Coverage) Mark(i int) {
	if i >= 0 {
		c.Owned |= 1 << i
	}
}

// Add says that axis i is on another device and at v, 0..1; fresh that it can be trusted.
func (c *Coverage) Add(i int, v float64, fresh bool) {
	c.Mark(i)
	if fresh {
		c.Fresh |= 1 << i
	}
	c.Position[i] = v
}
