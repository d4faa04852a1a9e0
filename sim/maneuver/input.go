package maneuver

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"rig.example/rig/internal/kit/valid"
)

// Input is one row of inputs for OpenLoop, measured or from another model. NaN is a missing value;
// values between two rows are interpolated linearly.
type Input struct {
	T          float64 // time [s], rising from row to row
	SteerWheel float64 // steering wheel angle [rad], positive left
	SteerRoad  float64 // alternative to SteerWheel: mean angle of the front road wheels [rad]
	Throttle   float64 // 0..1
	Brake      float64 // 0..1
	Gear       float64 // -1 reverse, 0 neutral, 1 and up; held until the next row
	Clutch     float64 // 0..1, 1 is disengaged
	Handbrake  float64 // 0..1
	Speed      float64 // speed along the car, held by an ideal controller [m/s]
	Ax         float64 // alternative to Speed: acceleration along the car [m/s²]
}

// Start is the initial state of an open-loop run.
type Start struct {
	Speed   float64 // speed along the car [m/s]
	Heading float64 // [rad], 0 along the world's x, positive left
	X, Y    float64 // position of the center of mass [m]
	Gear    int     // engaged gear, where the inputs have none
}

// validate returns an error for the first value out of range. gears is the number of forward gears.
func (st Start) validate(gears int) error {
	return cmp.Or(
		valid.InRange("start speed [m/s]", st.Speed, 0, fastest),
		valid.InRange("start heading [rad]", st.Heading, -100, 100),
		valid.InRange("start x [m]", st.X, -1e6, 1e6),
		valid.InRange("start y [m]", st.Y, -1e6, 1e6),
		valid.InRange("start gear", float64(st.Gear), -1, float64(gears)),
	)
}

// columns says which inputs are given.
type columns struct {
	wheel, road, throttle, brake, gear, clutch, handbrake, speed, ax bool
}

// field is one column of the inputs: its name for users and its range.
type field struct {
	name      string
	low, high float64
	value     func(in *Input) float64
	isGiven   *bool // its field of columns
}

// fields returns all columns of the inputs. Their isGiven points into c.
func (c *columns) fields() []field {
	return []field{
		{"steer_wheel_rad", -100, 100, func(in *Input) float64 { return in.SteerWheel }, &c.wheel},
		{"steer_road_rad", -1.5, 1.5, func(in *Input) float64 { return in.SteerRoad }, &c.road},
		{"throttle", 0, 1, func(in *Input) float64 { return in.Throttle }, &c.throttle},
		{"brake", 0, 1, func(in *Input) float64 { return in.Brake }, &c.brake},
		{"gear", -1, 12, func(in *Input) float64 { return in.Gear }, &c.gear},
		{"clutch", 0, 1, func(in *Input) float64 { return in.Clutch }, &c.clutch},
		{"handbrake", 0, 1, func(in *Input) float64 { return in.Handbrake }, &c.handbrake},
		{"speed_mps", 0, fastest, func(in *Input) float64 { return in.Speed }, &c.speed},
		{"ax_mps2", -50, 50, func(in *Input) float64 { return in.Ax }, &c.ax},
	}
}

// columnsOf returns which columns the inputs have, or an error.
func columnsOf(in []Input) (c columns, err error) {
	if err := checkTimes(in); err != nil {
		return c, err
	}
	for _, f := range c.fields() {
		*f.isGiven = !math.IsNaN(f.value(&in[0]))
		for i := range in {
			v := f.value(&in[i])
			if math.IsNaN(v) == *f.isGiven {
				return c, fmt.Errorf("input row %d: %s: give it in every row or in none", i+1, f.name)
			}
			if !*f.isGiven {
				continue
			}
			if err := valid.InRange(f.name, v, f.low, f.high); err != nil {
				return c, fmt.Errorf("input row %d: %w", i+1, err)
			}
		}
	}
	return c, c.checkExclusive()
}

// checkTimes returns an error unless the times of the inputs rise.
func checkTimes(in []Input) error {
	const maxTime = 3600.0 // [s]
	if len(in) < 2 {
		return fmt.Errorf("%d rows of input: give two or more", len(in))
	}
	for i := range in {
		if err := valid.InRange("t_s", in[i].T, -1e9, 1e9); err != nil {
			return fmt.Errorf("input row %d: %w", i+1, err)
		}
		if i > 0 && in[i].T <= in[i-1].T {
			return fmt.Errorf("input row %d: t_s = %g after %g: time must rise", i+1, in[i].T, in[i-1].T)
		}
	}
	return valid.InRange("duration of the inputs [s]", in[len(in)-1].T-in[0].T, 0, maxTime)
}

// checkExclusive returns an error for columns that exclude each other.
func (c columns) checkExclusive() error {
	pedals := c.throttle || c.brake || c.gear || c.clutch || c.handbrake
	switch {
	case c.wheel && c.road:
		return errors.New("steer_wheel_rad and steer_road_rad are both given: choose one")
	case c.speed && c.ax:
		return errors.New("speed_mps and ax_mps2 are both given: choose one")
	case (c.speed || c.ax) && pedals:
		return errors.New("speed_mps or ax_mps2 hold the speed without pedals and gears: leave those out")
	}
	return nil
}
