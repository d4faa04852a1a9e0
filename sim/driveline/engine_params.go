package driveline

import (
	"errors"
	"fmt"
	"slices"

	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/sim/curve"
)

// Engine describes a combustion engine beyond its full-throttle curve. For some keys, 0 means that the value
// follows from the rest of the driveline.
type Engine struct {
	// torque over throttle and engine speed, instead of `torque`, `engine_friction_nm` and `engine_drag_nms`:
	// points `{ throttle, rpm, nm }` for each throttle with each speed, in any order, throttle = 1 among them;
	// bilinear between them, constant outside
	Map []EnginePoint `toml:"map" count:"0..1024"`
	// throttle over pedal position: points `{ pedal, throttle }`; without points they are equal
	ThrottleCurve []ThrottlePoint `toml:"throttle_curve" count:"0..1000"`
	// cylinders of a four-stroke engine, half as many firings a turn: for its sound and its vibration
	Cylinders int `toml:"cylinders" range:"1..16"`

	// largest torque that idle control adds beyond the engine's friction, as a share of the full torque at
	// idle; a heavier load stalls the engine
	IdleAuthority float64 `toml:"idle_authority" range:"0..1"`
	// speed below which a running engine stops; 0 for 0.3 of idle_rpm; at most 0.9 of `idle_rpm`
	StallRPM float64 `toml:"stall_rpm" range:"0..5000"`
	// speed above which an engine that is turned starts to run; 0 for 0.35 of idle_rpm; from `stall_rpm` to
	// 0.95 of `idle_rpm`. Starter or wheels may turn it; it needs ignition and fuel
	CatchRPM float64 `toml:"catch_rpm" range:"0..5000"`
	// starter torque at the crank at standstill; 0 for a starter that suits the engine's friction
	StarterTorque float64 `toml:"starter_nm" range:"0..5000"`
	// engine speed at which the starter has no torque left; 0 for 2.2 of catch_rpm
	StarterRPM float64 `toml:"starter_rpm" range:"0..10000"`
	// torque by which compression holds a standing engine in addition to friction, as when parked in gear;
	// less while the engine turns slowly, nothing from 10 rad/s on
	CompressionTorque float64 `toml:"compression_nm" range:"0..1000"`
	// kind of the speed limiter. `hard` takes all torque above `limiter_rpm` until the speed is
	// `limiter_drop_rpm` lower and `limiter_cut_s` are over; `soft` lets it fade out over the last
	// `limiter_band_rpm`
	Limiter string `toml:"limiter" oneof:"hard,off,soft"`
	// speed of the limiter; 0 for 100 above the last point with torque, and above shift_up_rpm; at least 100
	// above `idle_rpm`
	LimiterRPM float64 `toml:"limiter_rpm" range:"0..30000"`
	// hard limiter: drop of the speed after which the torque returns
	LimiterDropRPM float64 `toml:"limiter_drop_rpm" range:"0..2000"`
	LimiterCutTime float64 `toml:"limiter_cut_s" range:"0..1"` // hard limiter: shortest time without torque
	// soft limiter: range below limiter_rpm over which the torque fades out
	LimiterBandRPM float64 `toml:"limiter_band_rpm" range:"10..2000"`
	OverrunCut     bool    `toml:"overrun_cut"` // fuel is cut while the throttle is released
	// speed above which the overrun cut begins; 0 for 700 above idle_rpm
	OverrunCutRPM float64 `toml:"overrun_cut_rpm" range:"0..20000"`
	// speed below which the overrun cut ends; 0 for 350 above idle_rpm; from `idle_rpm` to `overrun_cut_rpm`
	OverrunFeedRPM float64 `toml:"overrun_feed_rpm" range:"0..20000"`
}

// EnginePoint is a point of an engine's map.
type EnginePoint struct {
	Throttle float64 `toml:"throttle" range:"0..1"` // throttle 0..1, after the throttle curve
	RPM      float64 `toml:"rpm" range:"0..30000"`  // engine speed
	// torque at the crank, negative where the engine brakes
	Torque float64 `toml:"nm" range:"-2000..5000"`
}

// ThrottlePoint is a point of the throttle curve.
type ThrottlePoint struct {
	Pedal    float64 `toml:"pedal" range:"0..1" valid:"-"` // position of the pedal, 0 to 1
	Throttle float64 `toml:"throttle" range:"0..1"`        // opening of the throttle, 0 to 1
}

// Turbo describes a turbocharger, whose boost follows the throttle with a lag. The full-throttle curve is
// that with full boost.
type Turbo struct {
	// share of the full torque that needs boost; 0 for no turbo; `torque` holds with full boost
	BoostShare float64 `toml:"boost_share" range:"0..0.8"`
	LagTime    float64 `toml:"lag_s" range:"0.01..5"` // time constant of the boost at lag_rpm
	// engine speed at which the time constant is `lag_s`; it is half of that at twice the speed
	LagRPM float64 `toml:"lag_rpm" range:"100..20000"`
}

// DefaultEngine returns an engine of four cylinders without a map, with a hard limiter and overrun cut.
func DefaultEngine() Engine {
	return Engine{
		Cylinders: 4, IdleAuthority: 0.3, CompressionTorque: 140,
		Limiter: "hard", LimiterDropRPM: 120, LimiterCutTime: 0.04, LimiterBandRPM: 200,
		OverrunCut: true,
	}
}

// DefaultTurbo returns no turbo (BoostShare 0), with plausible values for the lag.
func DefaultTurbo() Turbo { return Turbo{LagTime: 0.35, LagRPM: 2500} }

// clone returns a deep copy.
func (e Engine) clone() Engine {
	e.Map, e.ThrottleCurve = slices.Clone(e.Map), slices.Clone(e.ThrottleCurve)
	return e
}

// Validate reports every parameter that is out of range.
func (t Turbo) Validate() error {
	return valid.Struct(t)
}

// Validate reports every parameter that is out of range.
func (e Engine) Validate() error {
	errs := []error{valid.Struct(e)}
	if len(e.Map) > 0 {
		errs = append(errs, curve.CheckGrid("map", "throttle", "rpm", e.points()), e.checkFullThrottle())
	}
	errs = append(errs, curve.CheckRising("throttle_curve", "pedal", e.ThrottleCurve, func(p ThrottlePoint) float64 { return p.Pedal }, 1e-3))
	return errors.Join(errs...)
}

// checkFullThrottle returns an error if the points at full throttle do not form a torque curve.
func (e Engine) checkFullThrottle() error {
	var errs []error
	n := 0
	for i, p := range e.Map {
		if p.Throttle == 1 {
			n++
			errs = append(errs, valid.InRange(fmt.Sprintf("map[%d].nm", i), p.Torque, 0, 5e3))
		}
	}
	if n < 1 || n > 64 {
		errs = append(errs, fmt.Errorf("map has %d points at throttle = 1: must be 1 to 64", n))
	}
	return errors.Join(errs...)
}

// points returns the engine map as points of a grid.
func (e Engine) points() (list []curve.MapPoint) {
	for _, p := range e.Map {
		list = append(list, curve.MapPoint{X: p.Throttle, Y: p.RPM, Z: p.Torque})
	}
	return list
}

// checkEngine returns an error if values of the engine contradict each other.
func (d Params) checkEngine() error {
	if d.Motor.Enabled || !(d.IdleRPM > 0) || valid.Fields(d, "engine", "turbo", "motor") != nil {
		return nil
	}
	e := d.resolvedEngine()
	if err := valid.WithPrefix("engine", errors.Join(
		valid.InRange("stall_rpm", e.StallRPM, 0, 0.9*d.IdleRPM),
		valid.InRange("catch_rpm", e.CatchRPM, e.StallRPM, 0.95*d.IdleRPM),
		valid.InRange("limiter_rpm", e.LimiterRPM, d.IdleRPM+100, 31e3),
		valid.InRange("limiter_drop_rpm", e.LimiterDropRPM, 0, e.LimiterRPM-d.IdleRPM),
		valid.InRange("overrun_feed_rpm", e.OverrunFeedRPM, d.IdleRPM, e.OverrunCutRPM),
	)); err != nil {
		return err
	}
	breakaway := d.EngineFriction + e.CompressionTorque
	atCatch := e.StarterTorque * (1 - e.CatchRPM/max(e.StarterRPM, 1))
	if friction := d.EngineFriction + d.EngineDrag*e.CatchRPM*PerRPM; e.StarterTorque <= breakaway || atCatch <= friction {
		return fmt.Errorf("engine.starter_nm = %g: leaves %.0f N·m at catch_rpm, where friction takes %.0f, and must break %.0f N·m loose: raise it or starter_rpm",
			e.StarterTorque, atCatch, friction, breakaway)
	}
	return nil
}

// resolvedEngine returns the engine with the default value in place of each 0 that means a default.
func (d Params) resolvedEngine() Engine {
	e := d.Engine
	fill := func(v *float64, by float64) {
		if *v == 0 {
			*v = by
		}
	}
	fill(&e.StallRPM, 0.3*d.IdleRPM)
	fill(&e.CatchRPM, max(0.35*d.IdleRPM, e.StallRPM))
	fill(&e.StarterRPM, 2.2*e.CatchRPM)
	fill(&e.StarterTorque, 1+2*d.EngineFriction+1.2*e.CompressionTorque+4*d.EngineDrag*e.CatchRPM*PerRPM)
	fill(&e.OverrunCutRPM, d.IdleRPM+700)
	fill(&e.OverrunFeedRPM, min(d.IdleRPM+350, e.OverrunCutRPM))
	lastSpeed := 0.0
	for _, p := range d.Curve() {
		if p.Torque > 0 {
			lastSpeed = p.RPM
		}
	}
	fill(&e.LimiterRPM, max(lastSpeed, d.ShiftUpRPM)+100)
	return e
}

// PeakTorque returns the highest torque of the full-throttle curve [N·m], at least 0.
func (d Params) PeakTorque() float64 {
	peak := 0.0
	for _, p := range d.Curve() {
		peak = max(peak, p.Torque)
	}
	return peak
}

// Curve returns the torque at full throttle over the speed: as given, by the engine's map, or that of
// the electric motor.
func (d Params) Curve() []TorquePoint {
	switch {
	case d.Motor.Enabled:
		return d.Motor.curve()
	case len(d.Engine.Map) == 0:
		return slices.Clone(d.TorqueCurve)
	}
	var list []TorquePoint
	for _, p := range d.Engine.Map {
		if p.Throttle == 1 {
			list = append(list, TorquePoint{p.RPM, p.Torque})
		}
	}
	slices.SortFunc(list, func(a, b TorquePoint) int {
		if a.RPM < b.RPM {
			return -1
		}
		return 1
	})
	return list
}
