package suspension

import (
	"errors"
	"slices"

	"rig.example/rig/internal/valid"
	"rig.example/rig/sim/tire"
)

// Params are the suspension, the wheels and the tires of one axle, for each side.
// Springs and dampers count at their own travel, bars and bump stops at the wheel's.
type Params struct {
	SpringRate   float64 `toml:"spring_rate_n_per_m"`
	BarRate      float64 `toml:"anti_roll_rate_n_per_m"` // moved between the sides for each metre of travel difference
	Bump         float64 `toml:"damper_bump_ns_per_m"`
	Rebound      float64 `toml:"damper_rebound_ns_per_m"`
	Travel       float64 `toml:"travel_m"`              // from full droop to metal
	StopStart    float64 `toml:"bump_stop_at_m"`        // travel at which the bump stop is met
	StopRate     float64 `toml:"bump_stop_n_per_m"`     // added to the spring from there on
	VerticalRate float64 `toml:"tire_vertical_n_per_m"` // stiffness of the standing tire, where the tire brings none
	TireDamping  float64 `toml:"tire_damping_ns_per_m"` // of the same

	Unsprung     float64 `toml:"unsprung_mass_kg"`          // of each wheel with what moves up and down with it
	WheelDamping float64 `toml:"wheel_damping_nms_per_rad"` // of each wheel's bearing

	Footing
	Spring     Spring           `toml:"spring"`
	Damper     Damper           `toml:"damper"`
	Kinematics Kinematics       `toml:"kinematics"`
	Wheel      tire.WheelParams `toml:"wheel"`
	Tire       TireChoice       `toml:"tire"`
	Bar        Bar              `toml:"bar"`
	Joint      Joint            `toml:"joint"`
}

// Validate reports every parameter that is out of range.
func (a Params) Validate() error {
	ratio := a.Kinematics.lowest()
	return errors.Join(
		valid.InRange("spring_rate_n_per_m", a.SpringRate, 5e3, 500e3),
		valid.InRange("anti_roll_rate_n_per_m", a.BarRate, -a.SpringRate*ratio*ratio/3, 500e3), // at the wheel, where it must not outdo the spring
		valid.InRange("damper_bump_ns_per_m", a.Bump, 100, 50e3),
		valid.InRange("damper_rebound_ns_per_m", a.Rebound, 100, 50e3),
		valid.InRange("travel_m", a.Travel, 0.02, 1),
		valid.InRange("bump_stop_at_m", a.StopStart, 0.01, a.Travel),
		valid.InRange("bump_stop_n_per_m", a.StopRate, 0, 2e6),
		valid.InRange("tire_vertical_n_per_m", a.VerticalRate, 50e3, 1e6),
		valid.InRange("tire_damping_ns_per_m", a.TireDamping, 0, 5e3),
		valid.InRange("unsprung_mass_kg", a.Unsprung, 0, 500),
		valid.InRange("wheel_damping_nms_per_rad", a.WheelDamping, 0, 20),
		a.Footing.Validate(),
		valid.Within("spring", a.Spring.Validate()),
		valid.Within("damper", a.Damper.Validate()),
		valid.Within("kinematics", a.Kinematics.Validate()),
		valid.Within("wheel", errors.Join(a.Wheel.Validate(), a.relaxes())),
		valid.Within("tire", a.Tire.Validate()),
		valid.Within("bar", a.Bar.Validate()),
		valid.Within("joint", a.Joint.Validate()),
	)
}

// Clone returns a with tables of its own.
func (a Params) Clone() Params {
	a.Spring.Table, a.Kinematics.Table = cloneRows(a.Spring.Table), cloneRows(a.Kinematics.Table)
	return a
}

func cloneRows(rows [][]float64) [][]float64 {
	rows = slices.Clone(rows)
	for i, row := range rows {
		rows[i] = slices.Clone(row)
	}
	return rows
}
