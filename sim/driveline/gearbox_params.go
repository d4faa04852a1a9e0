package driveline

import (
	"errors"
	"fmt"

	"rig.example/rig/internal/valid"
	"rig.example/rig/sim/curve"
)

// Gearbox is how gears change. Torques and speeds count at its input shaft.
type Gearbox struct {
	Kind     string  `toml:"kind"`           // synchro, dog, sequential, automatic or single
	Synchro  float64 `toml:"synchro_nm"`     // synchro, single: torque of the cones that bring the input shaft to a gear's speed
	Lever    float64 `toml:"lever_s"`        // synchro, dog: from gear to gear by hand, at least
	Grinding float64 `toml:"grinding_nm"`    // drag of teeth that do not mesh
	Window   float64 `toml:"dog_window_rpm"` // dog, sequential: difference of speed at which teeth mesh
	Cut      float64 `toml:"cut_s"`          // sequential: for how long a change up takes the torque away
	Blip     float64 `toml:"blip_s"`         // sequential: for how long, at most, a change down opens the throttle
	Handover float64 `toml:"handover_s"`     // automatic: from gear to gear
	Relief   float64 `toml:"relief"`         // automatic: share of the torque that is taken away meanwhile, 0..1
	OverRev  float64 `toml:"over_rev_rpm"`   // no electronics change down beyond it; 0 is the last point of the torque, or shift_up_rpm if that is higher

	Map      []ShiftPoint `toml:"map" most:"32"`        // automatic shifting; none follows shift_up_rpm and shift_down_rpm
	Kickdown float64      `toml:"kickdown_throttle"`    // from there on the lowest gear that lasts
	Dwell    float64      `toml:"least_time_s"`         // automatic shifting: in a gear
	Lateral  float64      `toml:"hold_gear_above_mps2"` // automatic shifting: keeps the gear in bends of more; 0 never does
}

// ShiftPoint is where automatic shifting changes gear at a throttle, by the speed of the
// input shaft in the gear engaged.
type ShiftPoint struct {
	Throttle float64 `toml:"throttle"` // 0..1, rising
	Up       float64 `toml:"up_rpm"`
	Down     float64 `toml:"down_rpm"`
}

// DefaultGearbox is a synchronized one that a driver shifts, with plausible values for the
// other kinds.
func DefaultGearbox() Gearbox {
	return Gearbox{
		Kind: "synchro", Synchro: 60, Lever: 0.1, Grinding: 8, Window: 400, Cut: 0.08, Blip: 0.2,
		Handover: 0.3, Relief: 0.4, Kickdown: 0.95, Dwell: 0.8,
	}
}

// Validate reports every parameter that is out of range.
func (g Gearbox) Validate() error {
	errs := []error{
		valid.OneOf("kind", g.Kind, "automatic", "dog", "sequential", "single", "synchro"),
		valid.InRange("synchro_nm", g.Synchro, 5, 1e3),
		valid.InRange("lever_s", g.Lever, 0, 2),
		valid.InRange("grinding_nm", g.Grinding, 0, 100),
		valid.InRange("dog_window_rpm", g.Window, 10, 3e3),
		valid.InRange("cut_s", g.Cut, 0.01, 1),
		valid.InRange("blip_s", g.Blip, 0.01, 1),
		valid.InRange("handover_s", g.Handover, 0.05, 2),
		valid.InRange("relief", g.Relief, 0, 1),
		valid.InRange("kickdown_throttle", g.Kickdown, 0.3, 1),
		valid.InRange("least_time_s", g.Dwell, 0, 10),
		valid.InRange("hold_gear_above_mps2", g.Lateral, 0, 100),
		valid.InRange("number of map points", float64(len(g.Map)), 0, curve.MostPoints),
	}
	if g.OverRev != 0 {
		errs = append(errs, valid.InRange("over_rev_rpm", g.OverRev, 500, 30e3))
	}
	least := 0.0
	for i, at := range g.Map {
		errs = append(errs,
			valid.InRange(fmt.Sprintf("map[%d].throttle", i), at.Throttle, least, 1),
			valid.InRange(fmt.Sprintf("map[%d].up_rpm", i), at.Up, at.Down+100, 30e3),
			valid.InRange(fmt.Sprintf("map[%d].down_rpm", i), at.Down, 100, 20e3))
		least = at.Throttle + 0.001
	}
	return errors.Join(errs...)
}

// Clutch is the friction clutch between engine and gearbox, and how the car works it
// where the driver does not. What it carries at most is clutch_capacity_nm.
type Clutch struct {
	Bite  float64 `toml:"bite_point"` // pedal at which it begins to carry as it is let go
	Width float64 `toml:"bite_width"` // pedal from there on until it carries all
	Open  float64 `toml:"open_s"`     // automatic: from closed to open
	Close float64 `toml:"close_s"`    // automatic: from open to closed
	Creep float64 `toml:"creep_nm"`   // automatic: carried by a car that stands without its brakes on
}

// DefaultClutch has a pedal that bites in the middle of its travel.
func DefaultClutch() Clutch {
	return Clutch{Bite: 0.65, Width: 0.4, Open: 0.06, Close: 0.2}
}

// Validate reports every parameter that is out of range.
func (k Clutch) Validate() error {
	return errors.Join(
		valid.InRange("bite_point", k.Bite, 0.1, 1),
		valid.InRange("bite_width", k.Width, 0.01, k.Bite),
		valid.InRange("open_s", k.Open, 0.005, 1),
		valid.InRange("close_s", k.Close, 0.01, 2),
		valid.InRange("creep_nm", k.Creep, 0, 200),
	)
}
