package suspension

import (
	"errors"
	"slices"

	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/sim/tire"
)

// Params describes the suspension, the wheels and the tires of one axle. Values are for each side. Springs
// and dampers count at their own travel, anti-roll bars and bump stops at the wheel's.
type Params struct {
	// rate of the spring at its own travel; at the wheel it is multiplied by the square of the motion ratio
	SpringRate float64 `toml:"spring_rate_n_per_m" range:"5000..500000"`
	// anti-roll bar: force moved from one side to the other for each metre of travel difference. With bar mode
	// `rate`. A negative one takes roll stiffness away, as a spring that joins both sides does: down to a
	// third of the spring's rate at the wheel
	BarRate float64 `toml:"anti_roll_rate_n_per_m" range:"-666667..500000" valid:"-"`
	// damping rate of the damper in bump
	BumpDamping float64 `toml:"damper_bump_ns_per_m" range:"100..50000"`
	// damping rate of the damper in rebound
	ReboundDamping float64 `toml:"damper_rebound_ns_per_m" range:"100..50000"`
	// travel of the wheel from full droop to full bump. The wheel stops there with the body, whatever hits it
	Travel float64 `toml:"travel_m" range:"0.02..1"`
	// travel at which the bump stop begins; at most `travel_m`
	BumpStopTravel float64 `toml:"bump_stop_at_m" range:"0.01..1" valid:"-"`
	// rate of the bump stop, in addition to the spring
	BumpStopRate float64 `toml:"bump_stop_n_per_m" range:"0..2000000"`
	// vertical stiffness of the standing tire, if the tire model has none of its own
	TireRate float64 `toml:"tire_vertical_n_per_m" range:"50000..1000000"`
	// vertical damping of the tire, if the tire model has none of its own
	TireDamping float64 `toml:"tire_damping_ns_per_m" range:"0..5000"`

	// mass of each wheel with all that moves up and down with it. It is part of `mass_kg` and of the inertias;
	// the body that is left must have a twentieth of each for itself. 0 lets the wheel follow spring and tire
	// without a delay
	UnsprungMass float64 `toml:"unsprung_mass_kg" range:"0..500"`
	// rotational damping of each wheel's bearing
	WheelDamping float64 `toml:"wheel_damping_nms_per_rad" range:"0..20"`

	Footing
	Spring     Spring           `toml:"spring"`
	Damper     Damper           `toml:"damper"`
	Kinematics Kinematics       `toml:"kinematics"`
	Compliance Compliance       `toml:"compliance"`
	Wheel      tire.WheelParams `toml:"wheel"`
	Tire       TireChoice       `toml:"tire"`
	Bar        Bar              `toml:"bar"`
	Joint      Joint            `toml:"joint"`
}

// Validate reports every parameter that is out of range.
func (a Params) Validate() error {
	ratio := a.Kinematics.lowestMotionRatio()
	return errors.Join(
		valid.Struct(a),
		valid.AtLeast(a, "anti_roll_rate_n_per_m", -a.SpringRate*ratio*ratio/3), // a negative rate must not exceed that of the springs at the wheel
		valid.AtMost(a, "bump_stop_at_m", a.Travel),
		valid.WithPrefix("wheel", a.checkRelaxation()),
	)
}

// Clone returns a deep copy.
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
