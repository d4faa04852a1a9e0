package axis

import (
	"errors"
	"fmt"
	"math"

	"rig.example/rig/calib"
)

// Config says what becomes of one axis' counts after the calibration.
type Config struct {
	Invert bool `toml:"invert"` // the device counts the other way

	FilterConfig
	CurveConfig

	FullForce      float64 `toml:"full_braking_n"`   // force on a load cell that counts as fully pressed [N]; 0 takes the calibration's, 20..3000
	NewtonPerCount float64 `toml:"newton_per_count"` // of the load cell [N]; needed with full_braking_n, 1e-7..100
}

// Validate reports every value that cannot be used, without a prefix: the
// axis' name comes before it.
func (c Config) Validate() error {
	err := errors.Join(c.FilterConfig.Validate(), c.CurveConfig.Validate())
	switch {
	case c.FullForce == 0 && c.NewtonPerCount != 0:
		return errors.Join(err, fmt.Errorf("newton_per_count = %g does nothing without full_braking_n; set both", c.NewtonPerCount))
	case c.FullForce == 0:
		return err
	}
	if e := InRange("full_braking_n", c.FullForce, 20, 3000); e != nil {
		return errors.Join(err, e)
	}
	return errors.Join(err, InRange("newton_per_count", c.NewtonPerCount, 1e-7, 100))
}

// Shapes holds what becomes of each axis.
type Shapes struct {
	Throttle  Config `toml:"throttle"`
	Brake     Config `toml:"brake"`
	Clutch    Config `toml:"clutch"`
	Handbrake Config `toml:"handbrake"`
}

// Validate reports every axis that cannot be used.
func (s Shapes) Validate() error {
	var err error
	for i, a := range s.All() {
		if e := a.Validate(); e != nil {
			err = errors.Join(err, fmt.Errorf("pedals: shape.%s: %w", Names[i], e))
		}
	}
	return err
}

// All returns the configurations in the order of all arrays.
func (s Shapes) All() [Count]Config {
	return [Count]Config{s.Throttle, s.Brake, s.Clutch, s.Handbrake}
}

// Orient turns a calibrated axis round and sets its full force, as the
// configuration wants. Inverting counts and not positions keeps a pedal that is
// not trusted, whose position is 0, released.
func (c Config) Orient(a calib.Axis) calib.Axis {
	if c.Invert {
		a.Rest, a.Press = a.Press, a.Rest
		a.DeadLow, a.DeadHigh = a.DeadHigh, a.DeadLow
	}
	if c.FullForce == 0 {
		return a
	}
	counts := c.FullForce / c.NewtonPerCount
	if a.Press < a.Rest {
		counts = -counts
	}
	press := min(max(float64(a.Rest)+counts, math.MinInt32), math.MaxInt32)
	a.Press, a.DeadHigh = int32(math.Round(press)), 0
	return a
}

// Shape is filter and curve of one axis: what comes after the calibration.
type Shape struct {
	filter Filter
	curve  Curve
}

// NewShape returns the shape for positions that come every period [s]. cfg must be valid.
func NewShape(cfg Config, period float64) Shape {
	return Shape{NewFilter(cfg.FilterConfig, period), NewCurve(cfg.CurveConfig)}
}

// Step takes the next position, 0..1, and returns what it means, 0..1. It allocates nothing.
func (s *Shape) Step(position float64) float64 { return s.curve.Value(s.filter.Step(position)) }

// Reset forgets all positions, as after a gap.
func (s *Shape) Reset() { s.filter.Reset() }

// Delay returns how late a steady movement arrives [s].
func (s *Shape) Delay() float64 { return s.filter.Delay() }
