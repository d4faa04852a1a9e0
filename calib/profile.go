// Package calib measures devices and keeps what it found: one profile, a TOML
// file, per device.
//
// Raw values are the device's own counts. Profiles turn them into the rig's
// units: steering positive to the left, pedals 0 released to 1 pressed.
package calib

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// Version is the layout of the profiles this package writes and reads.
const Version = 1

// MinTravel is the least part of its range a pedal must move to be usable.
const MinTravel = 0.10

// ErrNoTravel tells that an axis did not move far enough to be measured.
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
	RangeDeg float64   `toml:"range_deg"`  // from lock to lock, 40..4000
	Force    int       `toml:"force_sign"` // +1: a positive effect pushes left; -1: right; 0: not measured
	Samples  []int32   `toml:"samples"`    // the axis during the measurement [counts]

	MinLevel float64      `toml:"min_level,omitempty"`   // of full force: the rim feels nothing below, 0..0.5
	Gain     float64      `toml:"driver_gain,omitempty"` // of the driver while that was measured, 0..1; 0: it has none
	Motor    []MotorPoint `toml:"motor,omitempty"`       // rising, 2..64 points; none: torque is proportional to the level
}

// Angle returns the steering angle at raw [rad], positive to the left.
func (p *WheelProfile) Angle(raw int32) float64 {
	span := float64(p.Right) - float64(p.Left)
	return (float64(p.Center) - float64(raw)) / span * p.RangeDeg * math.Pi / 180
}

// Validate reports every field that cannot be used.
func (p *WheelProfile) Validate() error {
	return errors.Join(
		checkVersion(p.Version),
		checkAxisName("axis", p.Axis),
		check(p.Left != p.Right, "left and right are both %d: %w; turn the wheel to both locks and measure again", p.Left, ErrNoTravel),
		check(between(p.Center, p.Left, p.Right), "center = %d lies outside left..right; measure again", p.Center),
		check(p.RangeDeg >= 40 && p.RangeDeg <= 4000, "range_deg = %g is not in 40..4000", p.RangeDeg),
		check(p.Force >= -1 && p.Force <= 1, "force_sign = %d is not -1, 0 or 1", p.Force),
		p.validateMotor(),
	)
}

// PedalsProfile tells which axis is which pedal; nil where there is none.
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
	for _, name := range PedalNames {
		a := *p.pedal(name)
		if a == nil {
			continue
		}
		if e := a.Validate(); e != nil {
			err = errors.Join(err, fmt.Errorf("calib: %s: %w", name, e))
		}
		err = errors.Join(err, check(!used[a.Code], "%s is used for two pedals; measure again", a.Code))
		used[a.Code] = true
	}
	return errors.Join(err, check(len(used) > 0, "no pedal is described; measure again"))
}

// PedalNames are the pedals a profile may hold.
var PedalNames = []string{"throttle", "brake", "clutch", "handbrake"}

// pedal returns where the pedal called name is kept, nil for an unknown name.
func (p *PedalsProfile) pedal(name string) **Axis {
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

// Axis turns one pedal's counts into 0 (released) to 1 (fully pressed).
type Axis struct {
	Code     string  `toml:"code"`      // such as ABS_Z
	Rest     int32   `toml:"rest"`      // released [counts]
	Press    int32   `toml:"press"`     // fully pressed [counts]; may be below Rest
	DeadLow  float64 `toml:"dead_low"`  // share of the travel that still counts as released, 0..0.4
	DeadHigh float64 `toml:"dead_high"` // share of the travel that already counts as fully pressed, 0..0.4
	Samples  []int32 `toml:"samples"`   // at rest, during the measurement [counts]
}

// Value returns how far the pedal is pressed at raw, 0..1.
func (a *Axis) Value(raw int32) float64 {
	travel := (float64(raw) - float64(a.Rest)) / (float64(a.Press) - float64(a.Rest))
	v := (travel - a.DeadLow) / (1 - a.DeadLow - a.DeadHigh)
	if !(v > 0) { // also for an axis without travel
		return 0
	}
	return min(v, 1)
}

// Validate reports every field that cannot be used, without a prefix: the
// pedal's name comes before it.
func (a *Axis) Validate() error {
	var err error
	if a.Rest == a.Press {
		err = fmt.Errorf("rest and press are both %d: %w; press it fully and measure again", a.Rest, ErrNoTravel)
	}
	if e := axisNameProblem(a.Code); e != nil {
		err = errors.Join(err, fmt.Errorf("code: %w", e))
	}
	for _, d := range []struct {
		name  string
		value float64
	}{{"dead_low", a.DeadLow}, {"dead_high", a.DeadHigh}} {
		if !(d.value >= 0 && d.value <= 0.4) {
			err = errors.Join(err, fmt.Errorf("%s = %g is not in 0..0.4", d.name, d.value))
		}
	}
	return err
}

func checkVersion(v int) error {
	return check(v == Version, "version = %d, this rig reads %d; measure again", v, Version)
}

func check(ok bool, format string, args ...any) error {
	if ok {
		return nil
	}
	return fmt.Errorf("calib: "+format, args...)
}

func between(v, a, b int32) bool { return v >= min(a, b) && v <= max(a, b) }
