package axis

import (
	"errors"
	"fmt"
	"math"

	"rig.example/rig/calib"
	"rig.example/rig/internal/kit/valid"
)

// Config describes how one axis turns calibrated counts into a position: inversion, filters, curve and, for
// a load cell, the force of a full press.
type Config struct {
	// exchanges the released and the pressed end, for a device that counts the other way
	Invert bool `toml:"invert"`

	FilterConfig
	CurveConfig

	// force on a load cell that counts as fully pressed [N]; 0 uses the end of the calibration
	FullPressForce float64 `toml:"full_braking_n" range:"0 (off) or 20..3000"`
	// force of one count of the load cell [N]; needed with `full_braking_n`
	NewtonPerCount float64 `toml:"newton_per_count" range:"1e-7..100" valid:"-"`
}

// Validate reports every value that cannot be used.
func (c Config) Validate() error {
	err := valid.Struct(c)
	switch {
	case c.FullPressForce != 0:
		return errors.Join(err, valid.Fields(c, "newton_per_count"))
	case c.NewtonPerCount != 0:
		return errors.Join(err, fmt.Errorf("newton_per_count = %g does nothing without full_braking_n; set both", c.NewtonPerCount))
	}
	return err
}

// Shapes has the configuration of each axis.
type Shapes struct {
	Throttle  Config `toml:"throttle"`
	Brake     Config `toml:"brake"`
	Clutch    Config `toml:"clutch"`
	Handbrake Config `toml:"handbrake"`
}

// Validate reports every value of an axis that cannot be used.
func (s Shapes) Validate() error { return valid.Struct(s) }

// All returns the configurations of all axes in the order of all arrays.
func (s Shapes) All() [Count]Config {
	return [Count]Config{s.Throttle, s.Brake, s.Clutch, s.Handbrake}
}

// Orient returns a calibrated axis with the configured changes: it inverts the axis and sets its pressed end
// by FullPressForce. It inverts counts and not positions, so that an axis that is not trusted, and therefore
// has the position 0, stays released.
func (c Config) Orient(a calib.Axis) calib.Axis {
	if c.Invert {
		a.Rest, a.Press = a.Press, a.Rest
		a.DeadLow, a.DeadHigh = a.DeadHigh, a.DeadLow
	}
	if c.FullPressForce == 0 {
		return a
	}
	counts := c.FullPressForce / c.NewtonPerCount
	if a.Press < a.Rest {
		counts = -counts
	}
	pressCounts := min(max(float64(a.Rest)+counts, math.MinInt32), math.MaxInt32)
	a.Press, a.DeadHigh = int32(math.Round(pressCounts)), 0
	return a
}

// Shape is the filter and the curve of one axis, which are applied after the calibration.
type Shape struct {
	filter Filter
	curve  Curve
}

// NewShape returns the shape for positions that come every period [s]. cfg must be valid.
func NewShape(cfg Config, period float64) Shape {
	return Shape{NewFilter(cfg.FilterConfig, period), NewCurve(cfg.CurveConfig)}
}

// Step takes the next position, 0..1, and returns the filtered output of the curve, 0..1. It allocates
// nothing.
func (s *Shape) Step(position float64) float64 { return s.curve.Value(s.filter.Step(position)) }

// Reset forgets all positions. It is called after a gap between positions.
func (s *Shape) Reset() { s.filter.Reset() }

// Delay returns the delay of a steady movement [s].
func (s *Shape) Delay() float64 { return s.filter.Delay() }
