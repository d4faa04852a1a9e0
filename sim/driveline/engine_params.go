package driveline

import (
	"errors"
	"fmt"
	"slices"

	"rig.example/rig/internal/valid"
	"rig.example/rig/sim/curve"
)

// Engine is what a combustion engine has beside its full-throttle curve. Where a key's
// 0 says so, its value follows from the rest of the driveline.
type Engine struct {
	Map      []EnginePoint   `toml:"map" most:"1024"` // torque over throttle and speed, in place of the driveline's torque and friction
	Response []ThrottlePoint `toml:"throttle_curve"`  // what the pedal makes of the throttle; as pressed if empty

	IdleShare float64 `toml:"idle_authority"`   // what idle control adds at most beyond friction, as a share of the full torque at idle
	Stall     float64 `toml:"stall_rpm"`        // below it a running engine stops; 0: 0.3 of idle
	Catch     float64 `toml:"catch_rpm"`        // above it a turned engine runs; 0: 0.35 of idle
	Starter   float64 `toml:"starter_nm"`       // of the starter at the crank, standing; 0: more than what holds the engine
	StartFree float64 `toml:"starter_rpm"`      // where the starter pulls no more; 0: 2.2 of catch_rpm
	Hold      float64 `toml:"compression_nm"`   // what a standing engine holds beside its friction
	Limiter   string  `toml:"limiter"`          // hard, soft or off
	Limit     float64 `toml:"limiter_rpm"`      // 0: 100 above the last torque and shift_up_rpm
	LimitDrop float64 `toml:"limiter_drop_rpm"` // hard: how far speed falls before it pulls again
	LimitCut  float64 `toml:"limiter_cut_s"`    // hard: time without torque, at least
	LimitBand float64 `toml:"limiter_band_rpm"` // soft: torque fades over this, below limiter_rpm
	Overrun   bool    `toml:"overrun_cut"`      // a released throttle cuts the fuel
	CutAbove  float64 `toml:"overrun_cut_rpm"`  // that begins above it; 0: 700 above idle
	FeedBelow float64 `toml:"overrun_feed_rpm"` // and ends below it; 0: 350 above idle
}

// EnginePoint is a point of an engine's map.
type EnginePoint struct {
	Throttle float64 `toml:"throttle"` // 0..1, as the throttle curve leaves it
	RPM      float64 `toml:"rpm"`
	Torque   float64 `toml:"nm"` // at the crank, negative where the engine brakes
}

// ThrottlePoint is a point of the throttle curve.
type ThrottlePoint struct {
	Pedal    float64 `toml:"pedal"`
	Throttle float64 `toml:"throttle"`
}

// Turbo is a charger whose boost follows the throttle late. The full-throttle curve
// holds with all of it.
type Turbo struct {
	Share float64 `toml:"boost_share"` // of the full torque that needs boost; 0 is no turbo
	Lag   float64 `toml:"lag_s"`       // time constant of the boost at lag_rpm
	At    float64 `toml:"lag_rpm"`     // it falls as the engine's speed grows
}

// DefaultEngine is one without a map, with a hard limiter and fuel cut-off.
func DefaultEngine() Engine {
	return Engine{
		IdleShare: 0.3, Hold: 140,
		Limiter: "hard", LimitDrop: 120, LimitCut: 0.04, LimitBand: 200,
		Overrun: true,
	}
}

// DefaultTurbo is none, with plausible values for one.
func DefaultTurbo() Turbo { return Turbo{Lag: 0.35, At: 2500} }

// clone returns e with lists of its own.
func (e Engine) clone() Engine {
	e.Map, e.Response = slices.Clone(e.Map), slices.Clone(e.Response)
	return e
}

// Validate reports every parameter that is out of range.
func (t Turbo) Validate() error {
	return errors.Join(
		valid.InRange("boost_share", t.Share, 0, 0.8),
		valid.InRange("lag_s", t.Lag, 0.01, 5),
		valid.InRange("lag_rpm", t.At, 100, 20e3),
	)
}

// Validate reports every parameter that is out of range.
func (e Engine) Validate() error {
	errs := []error{
		valid.InRange("idle_authority", e.IdleShare, 0, 1),
		valid.InRange("stall_rpm", e.Stall, 0, 5000),
		valid.InRange("catch_rpm", e.Catch, 0, 5000),
		valid.InRange("starter_nm", e.Starter, 0, 5e3),
		valid.InRange("starter_rpm", e.StartFree, 0, 10e3),
		valid.InRange("compression_nm", e.Hold, 0, 1e3),
		valid.OneOf("limiter", e.Limiter, "hard", "off", "soft"),
		valid.InRange("limiter_rpm", e.Limit, 0, 30e3),
		valid.InRange("limiter_drop_rpm", e.LimitDrop, 0, 2e3),
		valid.InRange("limiter_cut_s", e.LimitCut, 0, 1),
		valid.InRange("limiter_band_rpm", e.LimitBand, 10, 2e3),
		valid.InRange("overrun_cut_rpm", e.CutAbove, 0, 20e3),
		valid.InRange("overrun_feed_rpm", e.FeedBelow, 0, 20e3),
	}
	grid := curve.MapRange{List: "map", X: "throttle", Y: "rpm", Z: "nm", Xs: [2]float64{0, 1}, Ys: [2]float64{0, 30e3}, Zs: [2]float64{-2e3, 5e3}, Most: 1024}
	errs = append(errs, grid.Check(e.points())...)
	if len(e.Map) > 0 {
		errs = append(errs, e.fullThrottle())
	}
	pedal := curve.LineRange{List: "throttle_curve", X: "pedal", Least: 0, Most: 1, Gap: 1e-3, Y: "throttle", Low: 0, High: 1}
	errs = append(errs, pedal.Check(len(e.Response), func(i int) (x, y float64) { return e.Response[i].Pedal, e.Response[i].Throttle })...)
	return errors.Join(errs...)
}

// fullThrottle reports a map whose points at full throttle make no curve.
func (e Engine) fullThrottle() error {
	var errs []error
	n := 0
	for i, p := range e.Map {
		if p.Throttle == 1 {
			n++
			errs = append(errs, valid.InRange(fmt.Sprintf("map[%d].nm", i), p.Torque, 0, 5e3))
		}
	}
	return errors.Join(append(errs, valid.InRange("number of map points at throttle = 1", float64(n), 1, 64))...)
}

func (e Engine) points() (list []curve.Point) {
	for _, p := range e.Map {
		list = append(list, curve.Point{X: p.Throttle, Y: p.RPM, Z: p.Torque})
	}
	return list
}

// validEngine reports what does not fit together in the engine of a driveline.
func (d Params) validEngine() error {
	err := errors.Join(valid.Within("engine", d.Engine.Validate()), valid.Within("turbo", d.Turbo.Validate()), valid.Within("motor", d.Motor.Validate()))
	if err != nil || d.Motor.Enabled || !(d.Idle > 0) {
		return err
	}
	e := d.speeds()
	if err := valid.Within("engine", errors.Join(
		valid.InRange("stall_rpm", e.Stall, 0, 0.9*d.Idle),
		valid.InRange("catch_rpm", e.Catch, e.Stall, 0.95*d.Idle),
		valid.InRange("limiter_rpm", e.Limit, d.Idle+100, 31e3),
		valid.InRange("limiter_drop_rpm", e.LimitDrop, 0, e.Limit-d.Idle),
		valid.InRange("overrun_feed_rpm", e.FeedBelow, d.Idle, e.CutAbove),
	)); err != nil {
		return err
	}
	held := d.Friction + e.Hold
	pull := e.Starter * (1 - e.Catch/max(e.StartFree, 1))
	if turns := d.Friction + d.Drag*e.Catch*PerRPM; e.Starter <= held || pull <= turns {
		return fmt.Errorf("engine.starter_nm = %g: leaves %.0f N·m at catch_rpm, where friction takes %.0f, and must break %.0f N·m loose: raise it or starter_rpm",
			e.Starter, pull, turns, held)
	}
	return nil
}

// speeds returns the engine of a driveline with a value for each 0 that stands for one.
func (d Params) speeds() Engine {
	e := d.Engine
	fill := func(v *float64, by float64) {
		if *v == 0 {
			*v = by
		}
	}
	fill(&e.Stall, 0.3*d.Idle)
	fill(&e.Catch, max(0.35*d.Idle, e.Stall))
	fill(&e.StartFree, 2.2*e.Catch)
	fill(&e.Starter, 1+2*d.Friction+1.2*e.Hold+4*d.Drag*e.Catch*PerRPM)
	fill(&e.CutAbove, d.Idle+700)
	fill(&e.FeedBelow, min(d.Idle+350, e.CutAbove))
	last := 0.0
	for _, p := range d.Curve() {
		if p.Torque > 0 {
			last = p.RPM
		}
	}
	fill(&e.Limit, max(last, d.ShiftUp)+100)
	return e
}

// PeakTorque returns the highest torque of the curve [N·m], or 0.
func (d Params) PeakTorque() float64 {
	peak := 0.0
	for _, p := range d.Curve() {
		peak = max(peak, p.Torque)
	}
	return peak
}

// Curve returns the torque at full throttle over the speed, whether it is given as such,
// by a map, or that of an electric motor.
func (d Params) Curve() []TorquePoint {
	switch {
	case d.Motor.Enabled:
		return d.Motor.curve()
	case len(d.Engine.Map) == 0:
		return slices.Clone(d.Torque)
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
