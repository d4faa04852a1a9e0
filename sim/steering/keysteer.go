package steering

import (
	"errors"
	"math"

	"rig.example/rig/internal/valid"
	"rig.example/rig/sim/curve"
)

// Keys describes how two keys, which are up or down, move the steering wheel.
type Keys struct {
	Rate    float64    `toml:"rate_deg_per_s"`     // of the steering wheel away from the middle
	Return  float64    `toml:"return_deg_per_s"`   // and back
	Lock    float64    `toml:"lock_deg"`           // at standstill
	Lateral float64    `toml:"lateral_mps2"`       // what the lock at speed amounts to, for a neutral car
	BySpeed []KeysLock `toml:"by_speed" most:"32"` // instead of lateral_mps2: rising speeds
}

// KeysLock is the keys' lock at a speed: linear between the points, constant outside.
type KeysLock struct {
	Speed float64 `toml:"speed_kph"`
	Lock  float64 `toml:"lock_deg"` // of the steering wheel
}

// defaultKeys returns what suits most road cars.
func defaultKeys() Keys {
	return Keys{Rate: 286.5, Return: 286.5, Lock: 344, Lateral: 8}
}

// Validate returns an error that names every parameter that is out of range.
func (k Keys) Validate() error {
	errs := []error{
		valid.InRange("rate_deg_per_s", k.Rate, 10, 3000),
		valid.InRange("return_deg_per_s", k.Return, 10, 3000),
		valid.InRange("lock_deg", k.Lock, 10, 1500),
		valid.InRange("lateral_mps2", k.Lateral, 0.5, 100),
		valid.InRange("number of by_speed points", float64(len(k.BySpeed)), 0, curve.MostPoints),
	}
	return errors.Join(append(errs, curve.BySpeed("by_speed", "lock_deg", 1, 1500).Check(len(k.BySpeed),
		func(i int) (x, y float64) { return k.BySpeed[i].Speed, k.BySpeed[i].Lock })...)...)
}

// KeySteer turns keys into a steering wheel of one car: it ramps, returns, and
// its lock shrinks with speed.
type KeySteer struct {
	rate, back float64 // [rad/s]
	lock       float64 // at standstill [rad]
	reach      float64 // lateral acceleration times wheelbase [m²/s²]
	gearing    gearing
	bySpeed    *curve.Line // lock [rad] over speed [m/s], nil where the lateral acceleration counts
}

// NewKeySteer returns the keys of a car with this steering and wheelbase [m].
func NewKeySteer(s Params, wheelbase float64) *KeySteer {
	k := &KeySteer{
		rate: s.Keys.Rate * degree, back: s.Keys.Return * degree,
		reach: s.Keys.Lateral * wheelbase, gearing: newGearing(s),
	}
	k.lock = min(s.Keys.Lock*degree, k.gearing.wheel(s.MaxSteer*degree))
	if len(s.Keys.BySpeed) > 0 {
		k.bySpeed = &curve.Line{}
		for _, at := range s.Keys.BySpeed {
			k.bySpeed.Add(at.Speed/3.6, at.Lock*degree)
		}
	}
	return k
}

// Lock returns how far the keys turn the steering wheel [rad] at a speed [m/s]:
// by the table, or as far as a neutral car needs for the lateral acceleration,
// whose road wheels are turned by wheelbase·acceleration/speed².
func (k *KeySteer) Lock(speed float64) float64 {
	if k.bySpeed != nil {
		return min(k.lock, k.bySpeed.At(math.Abs(speed)))
	}
	const slowest = 1.0 // [m/s]
	v := valid.Clamp(math.Abs(speed), slowest, 1e3)
	return min(k.lock, k.gearing.wheel(k.reach/(v*v)))
}

// Step returns where the keys bring a steering wheel angle [rad] within dt [s]:
// keys is 1 for left, -1 for right and 0 for neither, speed the car's [m/s].
func (k *KeySteer) Step(angle, keys, speed, dt float64) float64 {
	angle = valid.Clamp(angle, -100, 100)
	away := valid.Clamp(keys, -1, 1)*k.Lock(speed) - angle
	rate := k.rate
	if away*angle < 0 {
		rate = k.back
	}
	return angle + min(max(away, -rate*dt), rate*dt)
}
