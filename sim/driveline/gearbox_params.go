package driveline

import (
	"errors"
	"fmt"

	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/sim/curve"
)

// Gearbox describes how gears are changed. Torques and speeds are those at its input shaft.
type Gearbox struct {
	// kind of the gearbox: synchro, dog, sequential, automatic or single
	Kind string `toml:"kind" oneof:"automatic,dog,sequential,single,synchro"`
	// synchro, single: torque of the synchronizer on the input shaft
	SynchroTorque float64 `toml:"synchro_nm" range:"5..1000"`
	// synchro, dog: shortest time for a change by hand
	LeverTime      float64 `toml:"lever_s" range:"0..2"`
	GrindingTorque float64 `toml:"grinding_nm" range:"0..100"` // drag torque of teeth that do not mesh
	// dog, sequential: largest speed difference at which the dogs mesh
	DogWindowRPM float64 `toml:"dog_window_rpm" range:"10..3000"`
	CutTime      float64 `toml:"cut_s" range:"0.01..1"`      // sequential: longest torque cut of an upshift
	BlipTime     float64 `toml:"blip_s" range:"0.01..1"`     // sequential: longest throttle blip of a downshift
	HandoverTime float64 `toml:"handover_s" range:"0.05..2"` // automatic: duration of a change
	// automatic: share of the torque that is cut during a change
	ShiftCutShare float64 `toml:"relief" range:"0..1"`
	// no electronics change down if the input shaft would turn faster; 0 for the last point of the torque
	// curve, or shift_up_rpm if that is higher
	OverRevRPM float64 `toml:"over_rev_rpm" range:"0 (automatic) or 500..30000"`

	// automatic shifting: shift speeds over the throttle; without points they follow from shift_up_rpm and
	// shift_down_rpm; points `{ throttle, up_rpm, down_rpm }`. Without them up goes from 1.35·`shift_down_rpm`
	// at a tenth of the throttle to `shift_up_rpm` at nine tenths, down from 0.6 to 1 times `shift_down_rpm`
	ShiftMap []ShiftPoint `toml:"map" count:"0..32"`
	// automatic shifting: throttle from which the lowest possible gear is chosen
	KickdownThrottle float64 `toml:"kickdown_throttle" range:"0.3..1"`
	MinGearTime      float64 `toml:"least_time_s" range:"0..10"` // automatic shifting: shortest time in a gear
	// automatic shifting: lateral acceleration above which the gear is held; 0 for never
	HoldGearAbove float64 `toml:"hold_gear_above_mps2" range:"0..100"`
}

// ShiftPoint is a point of the shift speeds of automatic shifting over the throttle. Speeds are those of the
// input shaft in the engaged gear.
type ShiftPoint struct {
	Throttle float64 `toml:"throttle" range:"0..1" valid:"-"` // throttle 0..1, rising
	// input shaft speed above which the gearbox changes up
	Up float64 `toml:"up_rpm" range:"200..30000" valid:"-"`
	// input shaft speed below which the gearbox changes down
	Down float64 `toml:"down_rpm" range:"100..20000"`
}

// DefaultGearbox returns a synchronized manual gearbox, with plausible values for the other kinds.
func DefaultGearbox() Gearbox {
	return Gearbox{
		Kind: "synchro", SynchroTorque: 60, LeverTime: 0.1, GrindingTorque: 8, DogWindowRPM: 400, CutTime: 0.08, BlipTime: 0.2,
		HandoverTime: 0.3, ShiftCutShare: 0.4, KickdownThrottle: 0.95, MinGearTime: 0.8,
	}
}

// Validate reports every parameter that is out of range.
func (g Gearbox) Validate() error {
	errs := []error{
		valid.Struct(g),
		curve.CheckRising("map", "throttle", g.ShiftMap, func(p ShiftPoint) float64 { return p.Throttle }, 0.001),
	}
	for i, at := range g.ShiftMap {
		errs = append(errs, valid.WithPrefix(fmt.Sprintf("map[%d]", i), valid.AtLeast(at, "up_rpm", at.Down+100)))
	}
	return errors.Join(errs...)
}

// Clutch describes the friction clutch between engine and gearbox, and its automatic control. Its largest
// torque is clutch_capacity_nm.
type Clutch struct {
	// pedal position below which the clutch begins to carry torque; 1 is fully pressed
	BitePoint float64 `toml:"bite_point" range:"0.1..1"`
	// pedal travel from the bite point to the full capacity; at most `bite_point`
	BiteWidth float64 `toml:"bite_width" range:"0.01..1" valid:"-"`
	OpenTime  float64 `toml:"open_s" range:"0.005..1"` // automatic clutch: time to open
	CloseTime float64 `toml:"close_s" range:"0.01..2"` // automatic clutch: time to close
	// automatic clutch: torque at standstill while the brakes are released
	CreepTorque float64 `toml:"creep_nm" range:"0..200"`
}

// DefaultClutch returns a clutch that bites in the middle of the pedal's travel.
func DefaultClutch() Clutch {
	return Clutch{BitePoint: 0.65, BiteWidth: 0.4, OpenTime: 0.06, CloseTime: 0.2}
}

// Validate reports every parameter that is out of range.
func (k Clutch) Validate() error {
	return errors.Join(
		valid.Struct(k),
		valid.AtMost(k, "bite_width", k.BitePoint),
	)
}
