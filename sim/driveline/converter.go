package driveline

import (
	"errors"
	"fmt"
	"math"

	"rig.example/rig/internal/kit/valid"
)

// Converter describes the hydrodynamic torque converter of an automatic gearbox, with its lock-up clutch.
// Without a converter, an automatic gearbox has an automatic friction clutch.
type Converter struct {
	// a torque converter, with `kind = "automatic"` only; without it the gearbox has two clutches that the car
	// works
	Enabled bool `toml:"enabled"`
	// what the converter carries: points `{ speed_ratio, capacity_nms2, torque_ratio }`, speed ratio rising
	// from 0 to 1. The impeller takes capacity·speed². Capacity is 0 at 1, and torque ratio times speed ratio
	// is at most 1, between the points too
	Points []ConverterPoint `toml:"points" count:"2..32"`
	// share of the capacity while the turbine is faster than the impeller
	CoastShare float64 `toml:"coast_share" range:"0..1"`
	// inertia of the turbine, on the gearbox' input shaft
	TurbineInertia float64 `toml:"turbine_inertia_kgm2" range:"0.01..1"`
	// torque capacity of the lock-up clutch; 0 for none
	LockupCapacity float64 `toml:"lockup_capacity_nm" range:"0..10000"`
	// lowest gear in which the lock-up clutch closes
	LockupFromGear float64 `toml:"lockup_from_gear" range:"1..12"`
	// turbine speed over impeller speed above which the lock-up clutch closes
	LockupSpeedRatio float64 `toml:"lockup_speed_ratio" range:"0.5..1"`
	// turbine speed above which the lock-up clutch closes
	LockupRPM  float64 `toml:"lockup_rpm" range:"500..10000"`
	LockupTime float64 `toml:"lockup_s" range:"0.02..5"` // time in which the lock-up clutch closes
}

// ConverterPoint is a point of the converter's torques over the speed ratio, which is turbine speed over
// impeller speed. The impeller is connected to the engine; its torque is the capacity times the square of its
// speed.
type ConverterPoint struct {
	// turbine speed over impeller speed, 0..1, rising
	SpeedRatio float64 `toml:"speed_ratio" range:"0..1" valid:"-"`
	// impeller torque over the square of its speed, N·m for each (rad/s)²
	Capacity    float64 `toml:"capacity_nms2" range:"0..0.2" valid:"-"`
	TorqueRatio float64 `toml:"torque_ratio" range:"0.5..5" valid:"-"` // turbine torque over impeller torque
}

// DefaultConverter returns a converter for engines of 250 to 400 N·m. With a stopped turbine it takes 200 N·m
// at 2190 rpm and doubles them, as converters of passenger cars of the two-litre to three-litre class do.
func DefaultConverter() Converter {
	return Converter{
		Enabled: true,
		Points: []ConverterPoint{
			{0, 3.8e-3, 2.0}, {0.2, 3.85e-3, 1.76}, {0.4, 3.8e-3, 1.52}, {0.6, 3.6e-3, 1.27}, {0.7, 3.4e-3,
				1.15},
			{0.8, 3.0e-3, 1.04}, {0.85, 2.6e-3, 1}, {0.9, 2.0e-3, 1}, {0.95, 1.15e-3, 1}, {1, 0, 1},
		},
		CoastShare: 0.6, TurbineInertia: 0.05, LockupCapacity: 450, LockupFromGear: 2, LockupSpeedRatio: 0.85, LockupRPM: 1300, LockupTime: 0.5,
	}
}

// Validate reports every parameter that is out of range.
func (k Converter) Validate() error {
	errs := []error{valid.Struct(k)}
	minRatio := 0.0
	for i, at := range k.Points {
		minCapacity, maxCapacity := 1e-5, math.Inf(1) // the last point, at equal speeds, must have the capacity 0
		if i == len(k.Points)-1 {
			minRatio, minCapacity, maxCapacity = 1, 0, 0
		}
		errs = append(errs, valid.WithPrefix(fmt.Sprintf("points[%d]", i), errors.Join(
			valid.Between(at, "capacity_nms2", minCapacity, maxCapacity),
			valid.Between(at, "speed_ratio", minRatio, float64(i)),
			valid.AtMost(at, "torque_ratio", 1/max(at.SpeedRatio, 0.2)))))
		minRatio = at.SpeedRatio + 0.005
	}
	return errors.Join(append(errs, k.checkEfficiency())...)
}

// checkEfficiency returns an error if the turbine's power would exceed the impeller's at a point of the
// table, or on the line from the previous point.
func (k Converter) checkEfficiency() error {
	for i := 1; i < len(k.Points); i++ {
		from, to := k.Points[i-1], k.Points[i]
		slope := (from.TorqueRatio - to.TorqueRatio) / (to.SpeedRatio - from.SpeedRatio)
		if !(slope > 0) {
			continue // the efficiency is highest at a point, which Validate checks
		}
		bestRatio := min(max((from.TorqueRatio/slope+from.SpeedRatio)/2, from.SpeedRatio), to.SpeedRatio) // speed ratio of the highest efficiency
		if efficiency := bestRatio * (from.TorqueRatio - slope*(bestRatio-from.SpeedRatio)); efficiency > 1+1e-9 {
			return fmt.Errorf("points[%d].torque_ratio = %g: at speed_ratio %.2f, on the line from the point before, it gives %.2f times the power that it takes: lower the torque ratios or put a point between",
				i, to.TorqueRatio, bestRatio, efficiency)
		}
	}
	return nil
}

// hasConverter reports whether a torque converter connects engine and gearbox.
func (d Params) hasConverter() bool {
	return d.Gearbox.Kind == "automatic" && d.Converter.Enabled && !d.Motor.Enabled
}

// converterTorques returns the torques of the converter at the speeds of engine and turbine [rad/s].
//
// The impeller's torque is capacity·speed². If the turbine is faster than the engine, it drives the engine by
// the same law. Both torques are limited to those that equalize the speeds within the tick.
func (l *System) converterTorques(engine, turbine float64) coupling {
	g, engine := &l.box, max(engine, 0)
	const minSpeed = 1e-6 // [rad/s]
	if turbine <= engine {
		turbineSpeed := max(turbine, 0)
		ratio := turbineSpeed / max(engine, minSpeed)
		gain := g.torqueRatio.At(ratio)
		impellerTorque := min(g.capacity.At(ratio)*engine*engine,
			(engine-turbineSpeed)/(1/l.crankPerDt+gain/l.inputPerDt))
		return coupling{impeller: impellerTorque, turbine: impellerTorque * gain}
	}
	reverse := l.p.Converter.CoastShare * g.capacity.At(engine/turbine) * turbine * turbine
	reverse = min(reverse, (turbine-engine)/(1/l.crankPerDt+1/l.inputPerDt))
	return coupling{impeller: -reverse, turbine: -reverse}
}

// stepLockup moves the lock-up clutch of the converter by a tick. It closes when the turbine is nearly as
// fast as the impeller. It opens for changes of gear and below its lowest speed.
func (l *System) stepLockup(s *State) {
	b, k := &s.Gearbox, &l.p.Converter
	if !l.box.hasConverter || k.LockupCapacity == 0 {
		return
	}
	minSpeed := k.LockupRPM * PerRPM
	if b.Lockup > 0 {
		minSpeed *= 0.85
	}
	nearlyLocked := b.Lockup > 0 || b.InputSpeed > k.LockupSpeedRatio*s.EngineSpeed
	allowed := b.NextGear == 0 && float64(s.Gear) >= k.LockupFromGear && s.Engine.Running
	if allowed && nearlyLocked && b.InputSpeed > minSpeed {
		b.Lockup = min(b.Lockup+l.dt/k.LockupTime, 1)
		return
	}
	const openTime = 0.06 // [s]
	b.Lockup = max(b.Lockup-l.dt/openTime, 0)
}
