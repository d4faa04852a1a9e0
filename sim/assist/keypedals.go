package assist

import (
	"errors"
	"math"

	"rig.example/rig/internal/valid"
)

// PedalKeys describes how two keys, which are up or down, move throttle and brake.
type PedalKeys struct {
	Throttle Ramp    `toml:"throttle"`
	Brake    Ramp    `toml:"brake"`
	Start    float64 `toml:"start_throttle"`         // the key's throttle at rest, 0..1
	FullFrom float64 `toml:"full_throttle_from_kph"` // the key's throttle is whole from here on
	Slip     float64 `toml:"ease_from_slip"`         // of the driven wheels; three times as much leaves no throttle
}

// Ramp describes how fast a pedal moves under a key.
type Ramp struct {
	Press   float64 `toml:"press_per_s"`
	Release float64 `toml:"release_per_s"`
}

// defaultPedalKeys returns what suits most road cars.
func defaultPedalKeys() PedalKeys {
	return PedalKeys{Throttle: Ramp{3, 6}, Brake: Ramp{3, 6}, Start: 0.6, FullFrom: 20, Slip: 0.2}
}

// Validate returns an error that names every parameter that is out of range.
func (k PedalKeys) Validate() error {
	return errors.Join(
		valid.Within("throttle", k.Throttle.Validate()),
		valid.Within("brake", k.Brake.Validate()),
		valid.InRange("start_throttle", k.Start, 0.1, 1),
		valid.InRange("full_throttle_from_kph", k.FullFrom, 1, 300),
		valid.InRange("ease_from_slip", k.Slip, 0.02, 10),
	)
}

// Validate returns an error that names every parameter that is out of range.
func (r Ramp) Validate() error {
	return errors.Join(valid.InRange("press_per_s", r.Press, 0.2, 1000), valid.InRange("release_per_s", r.Release, 0.2, 1000))
}

// towards moves a pedal to where a key wants it.
func (r Ramp) towards(pedal, want, dt float64) float64 {
	return pedal + min(max(want-pedal, -r.Release*dt), r.Press*dt)
}

// KeyPedals turns keys into the pedals of one car: they ramp, the throttle eases at rest
// and while wheels spin, and the brake's key drives backward once the car stands.
type KeyPedals struct {
	keys PedalKeys
	full float64 // [m/s]
}

// Pedals are where keys have brought throttle and brake.
type Pedals struct {
	Throttle float64 // 0..1
	Brake    float64 // 0..1
	Reverse  bool    // the car is to drive backward
}

// NewKeyPedals returns the keys of a car. p must be valid.
func NewKeyPedals(p PedalKeys) *KeyPedals {
	return &KeyPedals{keys: p, full: p.FullFrom / 3.6}
}

// Step returns where keys that are down bring the pedals within dt [s]: up is the key
// that drives forward, down the one that brakes and then drives backward; speed is the
// car's [m/s], slip that of its driven wheels, the largest of them.
func (k *KeyPedals) Step(now Pedals, up, down bool, speed, slip, dt float64) Pedals {
	const stands = 0.5 // [m/s]
	switch {
	case up && now.Reverse && speed > -stands:
		now.Reverse = false
	case down && !up && !now.Reverse && speed < stands:
		now.Reverse = true
	}
	if now.Reverse {
		up, down = down, up
	}
	throttle, brake := 0.0, 0.0
	if up {
		throttle = k.eased(speed, slip)
	}
	if down {
		throttle, brake = 0, 1
	}
	now.Throttle = k.keys.Throttle.towards(valid.Clamp(now.Throttle, 0, 1), throttle, dt)
	now.Brake = k.keys.Brake.towards(valid.Clamp(now.Brake, 0, 1), brake, dt)
	return now
}

// eased returns the throttle of a key that is down.
func (k *KeyPedals) eased(speed, slip float64) float64 {
	share := min(valid.Clamp(math.Abs(speed), 0, 1e3)/k.full, 1)
	spin := valid.Clamp((math.Abs(slip)/k.keys.Slip-1)/2, 0, 1)
	return (k.keys.Start + (1-k.keys.Start)*share) * (1 - spin)
}
