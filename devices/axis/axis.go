// Package axis turns the counts of one axis of a pedal or lever into a position.
//
// In go counts, the calibration of the axis and its configuration; out comes a position, 0
// released to 1 fully pressed, filtered and shaped by a curve as configured, and 0 as long as the
// axis cannot be trusted. The package opens no device, reads no clock and allocates nothing once
// an axis is set up; devices/pedals decides what a lost pedal means for the car.
package axis

import (
	"slices"

	"rig.example/rig/calib"
	"rig.example/rig/internal/kit/humanmotion"
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
var Names = calib.PedalNames

// Index returns the index of the axis called name in all arrays, or -1 if there is none.
func Index(name string) int { return slices.Index(Names[:], name) }

// Limits are the limits of a pedal's movement [travel]. A foot needs at least 20 ms for the whole travel.
// Some pedals are switches, which jump at each press and release, but nobody presses one more than 5 times a
// second for long.
var Limits = humanmotion.Limits{MaxRate: 100, MaxJump: 0.5, MaxJumps: 10, JumpDecay: 10}

const (
	restZone             = 0.05 // share of the travel up to which a pedal counts as released
	uncalibratedDeadZone = 0.02 // share of the travel that is dead at each end of an axis without calibration
)

// Uncalibrated returns an axis between rest and press [counts] that was never calibrated: it has a
// dead zone at each end.
func Uncalibrated(rest, press int32) calib.Axis {
	return calib.Axis{Rest: rest, Press: press, DeadLow: uncalibratedDeadZone, DeadHigh: uncalibratedDeadZone}
}

// MeasuredAxis is an axis whose resting end is known.
//
// The kernel shows 0 for an axis that has never reported, and on an axis that counts down 0 is fully pressed.
// So the axis counts as released until it has reported or was at rest.
type MeasuredAxis struct {
	Ends          calib.Axis
	PositionKnown bool // it has reported, or was at rest; until then Value is 0
}

// Value returns the position at raw [counts], 0..1. reported reports whether the axis has reported since the
// device was opened; if it is false, only a position at rest makes it known.
func (m *MeasuredAxis) Value(raw int32, reported bool) float64 {
	v := m.Ends.Value(raw)
	if reported || v < restZone {
		m.PositionKnown = true
	}
	if !m.PositionKnown {
		return 0
	}
	return v
}

// Readings has the positions of the axes that are not on the set of pedals but on other devices, such as
// analog converters. The zero value has none.
type Readings struct {
	Assigned uint32         // axes that are on such a device, one bit each
	Valid    uint32         // axes whose positions are valid, one bit each
	Position [Count]float64 // 0..1
}

// Assign marks axis i as being on another device than the set of pedals. An i below 0 is ignored.
func (r *Readings) Assign(i int) {
	if i >= 0 {
		r.Assigned |= 1 << i
	}
}

// Set sets the position of axis i, 0..1, marks it as assigned, as Assign does, and as valid if valid is
// true; it never clears Valid.
func (r *Readings) Set(i int, position float64, valid bool) {
	r.Assign(i)
	if valid {
		r.Valid |= 1 << i
	}
	r.Position[i] = position
}
