package ffb

import (
	"rig.example/rig/internal/kit/valid"
)

// EffectsConfig says how much of each effect is added, at the rim; 0 is off.
type EffectsConfig struct {
	// How much lighter the rim gets as the front tires slide. The column's torque is reduced by
	// nothing up to half the slip angle of the tires' peak, by 59 % at the peak and by 80 % from 1.25
	// times that angle on, each times this value. It never adds torque and never reverses it. Off
	// below 2 m/s.
	Understeer float64 `toml:"understeer" range:"0..1"`
	// Tread blocks that stick and slip under sliding front tires: a growl that rises with the slide.
	// Amplitude [N·m at the rim] with both tires sliding at a friction of 1; ice gives a tenth. Its
	// frequency is the sliding speed divided by a block of 30 mm: 50 Hz at 1.5 m/s. Spinning and
	// locked front wheels do it too.
	Scrub float64 `toml:"scrub_nm" range:"0..3"`
	// Turns the rim where you must steer when the tail steps out. Torque [N·m] for a rear axle whose
	// slip angle changes by 0.5 rad/s (29° a second); for faster changes it bends and never reaches
	// twice the value. It acts only as far as the rear tires slide, so you do not feel it when turning
	// in.
	RearSlip float64 `toml:"rear_nm" range:"0..10"`
	// Joints, patches and kerbs, from the vertical speed of the front wheels: torque [N·m] for a
	// difference of 1 m/s between them, towards the wheel that rises. 8 to 80 Hz; for harder blows it
	// bends and never reaches twice the value. At 1, rough asphalt at 100 km/h gives 0.05 N·m (rms), a
	// kerb 0.5.
	Road float64 `toml:"road_nm" range:"0..10"`
	// The cycle of the ABS, 7 to 16 times a second, from the valves of the front brakes: torque [N·m]
	// when both front brakes go from building pressure to releasing it. One wheel alone gives half; a
	// change that comes late peaks at one and a half times.
	ABS float64 `toml:"abs_nm" range:"0..3"`
	// A rumble while a front wheel is dragged locked: amplitude [N·m], beginning beyond a slip of 50
	// %, in full from 80 %; one wheel gives half. Its frequency is the sliding speed divided by waves
	// of 0.1 m: 100 Hz at 10 m/s.
	LockUp float64 `toml:"lockup_nm" range:"0..3"`
	// A knock when a gear engages, as hard as the driveline takes it: torque [N·m] for each 1000 N·m
	// by which the torque of the half shafts swings, from the start of the gear change until a quarter
	// of a second after it. A step of 1000 N·m makes 0.74 times this.
	Shift float64 `toml:"shift_nm" range:"0..5"`
	// The engine's firing, in phase with the crank: amplitude [N·m] of the firing order at 300 N·m of
	// engine torque; without load 0.3 of that. Twice and three times the order come with it. Orders
	// above 300 Hz fade out and are 0 at 400 Hz. An electric motor has none.
	Engine float64 `toml:"engine_nm" range:"0..1"`
	// Cylinders of a four-stroke engine: half as many firings a turn. 0 takes `cylinders` of the car's
	// file.
	Cylinders int `toml:"engine_cylinders" range:"0..16"`
	// The cuts of a hard rev limiter, in its own cycle [N·m]. A soft limiter has none.
	Limiter float64 `toml:"limiter_nm" range:"0..3"`
	// A blow to the side of the car's front knocks the rim away from what was hit: torque [N·m] at 10
	// kN, decaying with 80 ms. A blow from straight ahead does nothing.
	Collision float64 `toml:"jolt_nm" range:"0..10"`
}

// DefaultEffects returns the default effects: road and ABS, which the torque of the column does not
// convey by itself. All others are off.
func DefaultEffects() EffectsConfig {
	return EffectsConfig{Road: 1, ABS: 0.2}
}

// Validate reports every field that is out of range.
func (c EffectsConfig) Validate() error {
	return valid.Struct(c)
}
