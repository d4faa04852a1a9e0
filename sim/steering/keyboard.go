package steering

import (
	"errors"
	"math"

	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/sim/curve"
)

// Keys describes how two keys, for left and right, move the steering wheel.
type Keys struct {
	// speed of the steering wheel away from straight ahead
	SteerRate float64 `toml:"rate_deg_per_s" range:"10..3000"`
	// speed of the steering wheel back to straight ahead
	ReturnRate float64 `toml:"return_deg_per_s" range:"10..3000"`
	Lock       float64 `toml:"lock_deg" range:"10..1500"` // largest steering wheel angle at standstill
	// lateral acceleration that a neutral car reaches at the largest angle; it limits the angle at speed
	LateralAccel float64 `toml:"lateral_mps2" range:"0.5..100"`
	// largest steering wheel angle over speed, instead of `lateral_mps2`: points `{ speed_kph, lock_deg }`
	// with rising speeds
	BySpeed []KeysLockPoint `toml:"by_speed" count:"0..32"`
}

// KeysLockPoint is a point of the largest steering wheel angle over speed, which is linear between the points
// and constant outside.
type KeysLockPoint struct {
	Speed float64 `toml:"speed_kph" range:"0..500" valid:"-"` // speed of the car
	Lock  float64 `toml:"lock_deg" range:"1..1500"`           // largest steering wheel angle at this speed
}

// defaultKeys returns settings that suit most road cars.
func defaultKeys() Keys {
	return Keys{SteerRate: 286.5, ReturnRate: 286.5, Lock: 344, LateralAccel: 8}
}

// Validate returns an error that names every parameter that is out of range.
func (k Keys) Validate() error {
	return errors.Join(valid.Struct(k),
		curve.CheckRising("by_speed", "speed_kph", k.BySpeed,
			func(p KeysLockPoint) float64 { return p.Speed }, 0.1))
}

// Keyboard moves the steering wheel of one car by two keys. The angle rises while a key is down and returns
// when it is released. Its limit (lock) falls with speed.
type Keyboard struct {
	rate, returnRate float64 // [rad/s]
	lock             float64 // largest angle at standstill [rad]
	accelTimesBase   float64 // lateral acceleration at the lock, times the wheelbase [m²/s²]
	gearing          gearing
	lockBySpeed      *curve.Line // lock [rad] over speed [m/s]; nil if accelTimesBase counts
}

// NewKeyboard returns the keyboard of a car with this steering and wheelbase [m].
func NewKeyboard(s Params, wheelbase float64) *Keyboard {
	k := &Keyboard{
		rate: s.Keys.SteerRate * degree, returnRate: s.Keys.ReturnRate * degree,
		accelTimesBase: s.Keys.LateralAccel * wheelbase, gearing: newGearing(s),
	}
	k.lock = min(s.Keys.Lock*degree, k.gearing.wheelAngle(s.MaxSteer*degree))
	if len(s.Keys.BySpeed) > 0 {
		k.lockBySpeed = &curve.Line{}
		for _, at := range s.Keys.BySpeed {
			k.lockBySpeed.Add(at.Speed/3.6, at.Lock*degree)
		}
	}
	return k
}

// Lock returns the largest steering wheel angle of the keys [rad] at a speed [m/s]. It follows from the table
// or, without a table, is the angle at which a neutral car reaches Keys.LateralAccel: its road wheel angle is
// then wheelbase·acceleration/speed².
func (k *Keyboard) Lock(speed float64) float64 {
	if k.lockBySpeed != nil {
		return min(k.lock, k.lockBySpeed.At(math.Abs(speed)))
	}
	const minSpeed = 1.0 // [m/s]
	v := valid.Clamp(math.Abs(speed), minSpeed, 1e3)
	return min(k.lock, k.gearing.wheelAngle(k.accelTimesBase/(v*v)))
}

// Step returns the steering wheel angle [rad] after the time dt [s], given the present angle [rad]. keys is 1
// for left, -1 for right and 0 for neither; speed is the car's [m/s].
func (k *Keyboard) Step(angle, keys, speed, dt float64) float64 {
	angle = valid.Clamp(angle, -100, 100)
	delta := valid.Clamp(keys, -1, 1)*k.Lock(speed) - angle
	rate := k.rate
	if delta*angle < 0 {
		rate = k.returnRate
	}
	return angle + min(max(delta, -rate*dt), rate*dt)
}
