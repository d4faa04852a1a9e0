package ffb

import (
	"errors"

	"rig.example/rig/internal/valid"
)

// EffectsConfig says how much of each effect is added, at the rim; 0 is off.
type EffectsConfig struct {
	Understeer float64 `toml:"understeer"`       // how much lighter sliding front tires make the rim: 0 as the car does, 1 down to a fifth of that
	Scrub      float64 `toml:"scrub_nm"`         // amplitude with both front tires sliding at a friction of 1 or more
	Rear       float64 `toml:"rear_nm"`          // of a sliding rear axle whose slip angle changes by 0.5 rad/s, to the side of the counter-steer
	Road       float64 `toml:"road_nm"`          // of a front wheel that moves up by 1 m/s more than the other, to its side
	ABS        float64 `toml:"abs_nm"`           // of valves that go from building pressure up in both front brakes to letting it go, and back
	LockUp     float64 `toml:"lockup_nm"`        // amplitude with both front wheels locked
	Shift      float64 `toml:"shift_nm"`         // of a gear change, for each 1000 N·m that the half shafts swing by
	Engine     float64 `toml:"engine_nm"`        // amplitude of the firing order at a crank torque of 300 N·m
	Cylinders  int     `toml:"engine_cylinders"` // of the engine, a four-stroke
	Limiter    float64 `toml:"limiter_nm"`       // amplitude of the hard limiter's cuts
	Jolt       float64 `toml:"jolt_nm"`          // of a blow of 10 kN or more sideways at the front axle
}

// DefaultEffects is the car alone, its road a little clearer and its ABS felt: what the
// physics of the column does not carry to the rim by itself.
func DefaultEffects() EffectsConfig {
	return EffectsConfig{Road: 1, ABS: 0.2, Cylinders: 4}
}

// Validate reports every field that is out of range.
func (c EffectsConfig) Validate() error {
	return errors.Join(
		valid.InRange("understeer", c.Understeer, 0, 1),
		valid.InRange("scrub_nm", c.Scrub, 0, 3),
		valid.InRange("rear_nm", c.Rear, 0, 10),
		valid.InRange("road_nm", c.Road, 0, 10),
		valid.InRange("abs_nm", c.ABS, 0, 3),
		valid.InRange("lockup_nm", c.LockUp, 0, 3),
		valid.InRange("shift_nm", c.Shift, 0, 5),
		valid.InRange("engine_nm", c.Engine, 0, 1),
		valid.InRange("engine_cylinders", float64(c.Cylinders), 1, 16),
		valid.InRange("limiter_nm", c.Limiter, 0, 3),
		valid.InRange("jolt_nm", c.Jolt, 0, 10),
	)
}
