package driveline

import (
	"errors"
	"fmt"

	"rig.example/rig/internal/valid"
	"rig.example/rig/sim/curve"
)

// Converter is the hydrodynamic torque converter before an automatic gearbox, with the
// clutch that bridges it. Without it such a gearbox has a clutch that the car works.
type Converter struct {
	Enabled bool             `toml:"enabled"`
	Points  []ConverterPoint `toml:"points" most:"32"`
	Coast   float64          `toml:"coast_share"`          // of its capacity where the turbine is the faster one
	Turbine float64          `toml:"turbine_inertia_kgm2"` // on the gearbox' input shaft
	LockUp  float64          `toml:"lockup_capacity_nm"`   // of the clutch that bridges it; 0 is none
	From    float64          `toml:"lockup_from_gear"`     // gear from which on that closes
	Ratio   float64          `toml:"lockup_speed_ratio"`   // turbine's speed over the impeller's, the same
	Least   float64          `toml:"lockup_rpm"`           // of the turbine, the same
	Time    float64          `toml:"lockup_s"`             // from open to closed
}

// ConverterPoint is what the converter does at a speed ratio: its turbine's speed over
// that of its impeller, on the engine. The impeller takes capacity times its speed squared.
type ConverterPoint struct {
	Ratio    float64 `toml:"speed_ratio"`   // 0..1, rising
	Capacity float64 `toml:"capacity_nms2"` // N·m for each (rad/s)²
	Torque   float64 `toml:"torque_ratio"`  // turbine's torque over the impeller's
}

// DefaultConverter is one for 250 to 400 N·m: stalled it takes 200 N·m at 2190 rpm and
// doubles them, as those of passenger cars of the two-litre to three-litre class do.
func DefaultConverter() Converter {
	return Converter{
		Enabled: true,
		Points: []ConverterPoint{
			{0, 3.8e-3, 2.0}, {0.2, 3.85e-3, 1.76}, {0.4, 3.8e-3, 1.52}, {0.6, 3.6e-3, 1.27}, {0.7, 3.4e-3, 1.15},
			{0.8, 3.0e-3, 1.04}, {0.85, 2.6e-3, 1}, {0.9, 2.0e-3, 1}, {0.95, 1.15e-3, 1}, {1, 0, 1},
		},
		Coast: 0.6, Turbine: 0.05, LockUp: 450, From: 2, Ratio: 0.85, Least: 1300, Time: 0.5,
	}
}

// Validate reports every parameter that is out of range.
func (k Converter) Validate() error {
	errs := []error{
		valid.InRange("number of points", float64(len(k.Points)), 2, curve.MostPoints),
		valid.InRange("coast_share", k.Coast, 0, 1),
		valid.InRange("turbine_inertia_kgm2", k.Turbine, 0.01, 1),
		valid.InRange("lockup_capacity_nm", k.LockUp, 0, 10e3),
		valid.InRange("lockup_from_gear", k.From, 1, 12),
		valid.InRange("lockup_speed_ratio", k.Ratio, 0.5, 1),
		valid.InRange("lockup_rpm", k.Least, 500, 10e3),
		valid.InRange("lockup_s", k.Time, 0.02, 5),
	}
	least := 0.0
	for i, at := range k.Points {
		thin, thick := 1e-5, 0.2 // at the same speed nothing is carried
		if i == len(k.Points)-1 {
			least, thin, thick = 1, 0, 0
		}
		errs = append(errs,
			valid.InRange(fmt.Sprintf("points[%d].capacity_nms2", i), at.Capacity, thin, thick),
			valid.InRange(fmt.Sprintf("points[%d].speed_ratio", i), at.Ratio, least, min(float64(i), 1)),
			valid.InRange(fmt.Sprintf("points[%d].torque_ratio", i), at.Torque, 0.5, 1/max(at.Ratio, 0.2)))
		least = at.Ratio + 0.005
	}
	return errors.Join(append(errs, k.gives())...)
}

// gives reports a torque ratio that has the turbine give more power than the impeller takes
// on the straight line from the point before.
func (k Converter) gives() error {
	for i := 1; i < len(k.Points); i++ {
		from, to := k.Points[i-1], k.Points[i]
		falls := (from.Torque - to.Torque) / (to.Ratio - from.Ratio)
		if !(falls > 0) {
			continue // then the points themselves tell
		}
		best := min(max((from.Torque/falls+from.Ratio)/2, from.Ratio), to.Ratio) // where the efficiency is highest
		if efficiency := best * (from.Torque - falls*(best-from.Ratio)); efficiency > 1+1e-9 {
			return fmt.Errorf("points[%d].torque_ratio = %g: at speed_ratio %.2f, on the line from the point before, it gives %.2f times the power that it takes: lower the torque ratios or put a point between",
				i, to.Torque, best, efficiency)
		}
	}
	return nil
}

// fluid reports whether a converter joins engine and gearbox.
func (d Params) fluid() bool {
	return d.Gearbox.Kind == "automatic" && d.Converter.Enabled && !d.Motor.Enabled
}

// fluid returns what the converter puts on engine and turbine at their speeds [rad/s].
//
// The impeller's torque is capacity·speed², as of every machine that moves a fluid; where
// the turbine is the faster one it drives the engine by the same law. Neither is ever more
// than what makes both turn as one within the tick, however large a capacity is for them.
func (l *System) fluid(engine, turbine float64) coupling {
	g, engine := &l.box, max(engine, 0)
	const none = 1e-6 // [rad/s]
	if turbine <= engine {
		follows := max(turbine, 0)
		ratio := follows / max(engine, none)
		gain := g.gain.At(ratio)
		taken := min(g.capacity.At(ratio)*engine*engine, (engine-follows)/(1/l.crank+gain/l.input))
		return coupling{impeller: taken, turbine: taken * gain}
	}
	back := l.p.Converter.Coast * g.capacity.At(engine/turbine) * turbine * turbine
	back = min(back, (turbine-engine)/(1/l.crank+1/l.input))
	return coupling{impeller: -back, turbine: -back}
}

// workLock moves the clutch that bridges the converter: it closes where the turbine nearly
// follows, and opens for changes, below its least speed, and when it is asked for power.
func (l *System) workLock(s *State) {
	b, k := &s.Box, &l.p.Converter
	if !l.box.fluid || k.LockUp == 0 {
		return
	}
	least := k.Least * PerRPM
	if b.Lock > 0 {
		least *= 0.85
	}
	follows := b.Lock > 0 || b.Shaft > k.Ratio*s.Engine
	calm := b.Next == 0 && float64(s.Gear) >= k.From && s.Power.Running
	if calm && follows && b.Shaft > least {
		b.Lock = min(b.Lock+l.dt/k.Time, 1)
		return
	}
	const opens = 0.06 // [s]
	b.Lock = max(b.Lock-l.dt/opens, 0)
}
