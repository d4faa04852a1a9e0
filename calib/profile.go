// Package calib calibrates steering wheels and pedals, and stores the result of each device in a profile, a
// TOML file.
//
// The counts of a device and the answers of the operator go in; profiles come out, which turn counts into
// the rig's units: a steering angle [rad], positive to the left, and pedal positions, 0 released to 1
// pressed. The package never pushes the rim without the operator's consent.
package calib

import (
	"errors"
	"fmt"
	"math"
	"time"

	"rig.example/rig/internal/kit/evdev"
)

// ProfileVersion is the version of the profile format that this package writes and reads.
const ProfileVersion = 1

// MinTravel is the smallest share of its declared range that a pedal must use.
const MinTravel = 0.10

// ErrNoTravel is returned when an axis did not move far enough to be measured.
var ErrNoTravel = errors.New("too little travel")

// WheelProfile turns a wheel's counts into an angle.
type WheelProfile struct {
	Version  int       `toml:"version"`
	Date     time.Time `toml:"date"`
	Device   Identity  `toml:"device"`
	Axis     string    `toml:"axis"`       // such as ABS_X
	Left     int32     `toml:"left"`       // at the left lock [counts]
	Right    int32     `toml:"right"`      // at the right lock [counts]
	Center   int32     `toml:"center"`     // straight ahead [counts]
	RangeDeg float64   `toml:"range_deg"`  // rotation from lock to lock [deg], 40..4000
	Force    int       `toml:"force_sign"` // +1: a positive effect pushes left; -1: right; 0: not measured
	Samples  []int32   `toml:"samples"`    // samples of the axis during the measurement [counts]

	MinLevel float64      `toml:"min_level,omitempty"`   // lowest share of full force that has an effect, 0..0.5
	Gain     float64      `toml:"driver_gain,omitempty"` // gain of the driver during the measurement, 0..1; 0: it has none
	Motor    []MotorPoint `toml:"motor,omitempty"`       // rising, 2..64 points; none: torque is proportional to the level
}

// Angle returns the steering angle [rad], positive to the left, at the value raw of the axis [counts].
func (p *WheelProfile) Angle(raw int32) float64 {
	span := float64(p.Right) - float64(p.Left)
	return (float64(p.Center) - float64(raw)) / span * p.RangeDeg * math.Pi / 180
}

// minRangeDeg and maxRangeDeg bound a rotation from lock to lock [deg].
const minRangeDeg, maxRangeDeg = 40, 4000

// Validate reports every field that cannot be used.
func (p *WheelProfile) Validate() error {
	return errors.Join(
		checkVersion(p.Version),
		validateAxisName(p.Axis),
		errorUnless(p.Left != p.Right, "left and right are both %d: %w; turn the wheel to both locks and measure again", p.Left, ErrNoTravel),
		errorUnless(between(p.Center, p.Left, p.Right), "center = %d lies outside left..right; measure again", p.Center),
		errorUnless(p.RangeDeg >= minRangeDeg && p.RangeDeg <= maxRangeDeg, "range_deg = %g: must be %d to %d", p.RangeDeg, minRangeDeg, maxRangeDeg),
		errorUnless(p.Force >= -1 && p.Force <= 1, "force_sign = %d: must be -1, 0 or 1", p.Force),
		p.validateMotor(),
	)
}

// PedalsProfile has the axis of each pedal, or nil for a pedal that does not exist.
type PedalsProfile struct {
	Version   int       `toml:"version"`
	Date      time.Time `toml:"date"`
	Device    Identity  `toml:"device"`
	Throttle  *Axis     `toml:"throttle,omitempty"`
	Brake     *Axis     `toml:"brake,omitempty"`
	Clutch    *Axis     `toml:"clutch,omitempty"`
	Handbrake *Axis     `toml:"handbrake,omitempty"`
}

// Validate reports every pedal that cannot be used.
func (p *PedalsProfile) Validate() error {
	err := checkVersion(p.Version)
	used := map[string]bool{}
	for i, a := range p.Axes() {
		name := PedalNames[i]
		if a == nil {
			continue
		}
		if e := a.Validate(); e != nil {
			err = errors.Join(err, fmt.Errorf("calib: %s: %w", name, e))
		}
		err = errors.Join(err, errorUnless(!used[a.Code], "%s is used for two pedals; measure again", a.Code))
		used[a.Code] = true
	}
	return errors.Join(err, errorUnless(len(used) > 0, "no pedal is described; measure again"))
}

// PedalNames are the names of the pedals that a profile may have, in the order of PedalsProfile.Axes.
var PedalNames = [...]string{"throttle", "brake", "clutch", "handbrake"}

// Axes returns the axes of the pedals in the order of PedalNames, with nil for a pedal that does not exist.
func (p *PedalsProfile) Axes() [len(PedalNames)]*Axis {
	return [...]*Axis{p.Throttle, p.Brake, p.Clutch, p.Handbrake}
}

// axis returns the field of the pedal called name, or nil for an unknown name.
func (p *PedalsProfile) axis(name string) **Axis {
	switch name {
	case "throttle":
		return &p.Throttle
	case "brake":
		return &p.Brake
	case "clutch":
		return &p.Clutch
	case "handbrake":
		return &p.Handbrake
	}
	return nil
}

// Axis turns the counts of one pedal into a position, 0 released to 1 fully pressed.
type Axis struct {
	Code     string  `toml:"code"`      // such as ABS_Z
	Rest     int32   `toml:"rest"`      // released [counts]
	Press    int32   `toml:"press"`     // fully pressed [counts]; may be below Rest
	DeadLow  float64 `toml:"dead_low"`  // share of the travel that still counts as released, 0..0.4
	DeadHigh float64 `toml:"dead_high"` // share of the travel that already counts as fully pressed, 0..0.4
	Samples  []int32 `toml:"samples"`   // samples at rest during the measurement [counts]
}

// Value returns the position of the pedal, 0..1, at the value raw of its axis [counts].
func (a *Axis) Value(raw int32) float64 {
	travel := (float64(raw) - float64(a.Rest)) / (float64(a.Press) - float64(a.Rest))
	v := (travel - a.DeadLow) / (1 - a.DeadLow - a.DeadHigh)
	if !(v > 0) { // also for an axis without travel
		return 0
	}
	return min(v, 1)
}

// Validate reports every field that cannot be used. The errors do not name the pedal; the caller adds it.
func (a *Axis) Validate() error {
	var err error
	if a.Rest == a.Press {
		err = fmt.Errorf("rest and press are both %d: %w; press it fully and measure again", a.Rest, ErrNoTravel)
	}
	if _, e := evdev.AbsCode(a.Code); e != nil {
		err = errors.Join(err, fmt.Errorf("code: %w", e))
	}
	for _, d := range []struct {
		name  string
		value float64
	}{{"dead_low", a.DeadLow}, {"dead_high", a.DeadHigh}} {
		if !(d.value >= 0 && d.value <= 0.4) {
			err = errors.Join(err, fmt.Errorf("%s = %g: must be 0 to 0.4", d.name, d.value))
		}
	}
	return err
}

func checkVersion(v int) error {
	return errorUnless(v == ProfileVersion, "version = %d, this rig reads %d; measure again", v, ProfileVersion)
}

func validateAxisName(name string) error {
	if _, err := evdev.AbsCode(name); err != nil {
		return fmt.Errorf("calib: axis: %w", err)
	}
	return nil
}

// errorUnless returns the formatted error unless ok is true.
func errorUnless(ok bool, format string, args ...any) error {
	if ok {
		return nil
	}
	return fmt.Errorf("calib: "+format, args...)
}

func between(v, a, b int32) bool { return v >= min(a, b) && v <= max(a, b) }
