package assist

import (
	"math"

	"rig.example/rig/internal/kit/valid"
)

// PedalKeys describes how two keys move throttle and brake.
type PedalKeys struct {
	Throttle Ramp `toml:"throttle"`
	Brake    Ramp `toml:"brake"`
	// throttle that the key gives at standstill, 0..1
	StartThrottle float64 `toml:"start_throttle" range:"0.1..1"`
	// speed from which the key gives full throttle
	FullThrottleFrom float64 `toml:"full_throttle_from_kph" range:"1..300"`
	// slip of the driven wheels above which the throttle is reduced; it is 0 at three times this slip
	EaseFromSlip float64 `toml:"ease_from_slip" range:"0.02..10"`
}

// Ramp describes how fast a pedal moves while its key is down, and after its release.
type Ramp struct {
	PressRate   float64 `toml:"press_per_s" range:"0.2..1000"`   // how fast the pedal goes down
	ReleaseRate float64 `toml:"release_per_s" range:"0.2..1000"` // how fast the pedal comes up
}

// defaultPedalKeys returns settings that suit most road cars.
func defaultPedalKeys() PedalKeys {
	return PedalKeys{Throttle: Ramp{3, 6}, Brake: Ramp{3, 6}, StartThrottle: 0.6, FullThrottleFrom: 20,
		EaseFromSlip: 0.2}
}

// Validate returns an error that names every parameter that is out of range.
func (k PedalKeys) Validate() error {
	return valid.Struct(k)
}

// Validate returns an error that names every parameter that is out of range.
func (r Ramp) Validate() error {
	return valid.Struct(r)
}

// towards returns the position of a pedal after the time dt [s], while it moves towards target.
func (r Ramp) towards(pedal, target, dt float64) float64 {
	return pedal + min(max(target-pedal, -r.ReleaseRate*dt), r.PressRate*dt)
}

// KeyPedals moves throttle and brake of one car by two keys. The pedals move gradually. The throttle is
// reduced at low speed and while wheels spin. At standstill the brake key drives backward.
type KeyPedals struct {
	keys              PedalKeys
	fullThrottleSpeed float64 // speed from which the key gives full throttle [m/s]
}

// Pedals holds the positions of throttle and brake that the keys have set.
type Pedals struct {
	Throttle float64 // 0..1
	Brake    float64 // 0..1
	Reverse  bool    // the car drives backward: the keys have changed their roles
}

// NewKeyPedals returns the pedals of a car. p must be valid.
func NewKeyPedals(p PedalKeys) *KeyPedals {
	return &KeyPedals{keys: p, fullThrottleSpeed: p.FullThrottleFrom / 3.6}
}

// Step returns the pedals after the time dt [s]. forward means that the throttle key is down, backward that
// the brake key is down. speed is the car's forward speed [m/s], slip the largest longitudinal slip of its
// driven wheels.
func (k *KeyPedals) Step(pedals Pedals, forward, backward bool, speed, slip, dt float64) Pedals {
	const standstill = 0.5 // [m/s]
	switch {
	case forward && pedals.Reverse && speed > -standstill:
		pedals.Reverse = false
	case backward && !forward && !pedals.Reverse && speed < standstill:
		pedals.Reverse = true
	}
	if pedals.Reverse {
		forward, backward = backward, forward
	}
	throttle, brake := 0.0, 0.0
	if forward {
		throttle = k.throttleTarget(speed, slip)
	}
	if backward {
		throttle, brake = 0, 1
	}
	pedals.Throttle = k.keys.Throttle.towards(valid.Clamp(pedals.Throttle, 0, 1), throttle, dt)
	pedals.Brake = k.keys.Brake.towards(valid.Clamp(pedals.Brake, 0, 1), brake, dt)
	return pedals
}

// throttleTarget returns the throttle towards which the key moves the pedal, at a speed [m/s] and a slip of
// the driven wheels.
func (k *KeyPedals) throttleTarget(speed, slip float64) float64 {
	share := min(valid.Clamp(math.Abs(speed), 0, 1e3)/k.fullThrottleSpeed, 1)
	spin := valid.Clamp((math.Abs(slip)/k.keys.EaseFromSlip-1)/2, 0, 1)
	return (k.keys.StartThrottle + (1-k.keys.StartThrottle)*share) * (1 - spin)
}
