package ffb

import (
	"errors"
	"math"

	"rig.example/rig/internal/valid"
)

// LockConfig says how the car's lock feels at a rim that turns further.
type LockConfig struct {
	Ramp    float64 `toml:"ramp_deg"` // beyond the lock, until all of the wheel's torque pushes back; 0 is no lock
	Damping float64 `toml:"damping"`  // share of the wheel's torque against each rad/s in the stop
}

// DefaultLock is firm, and does not knock on a wheel that answers late.
func DefaultLock() LockConfig { return LockConfig{Ramp: 12, Damping: 0.1} }

// Validate reports every field that is out of range.
func (c LockConfig) Validate() error {
	return errors.Join(
		valid.InRange("ramp_deg", c.Ramp, 0, 90),
		valid.InRange("damping", c.Damping, 0, 0.5),
	)
}

// softLock is a spring and a damper at the car's lock.
type softLock struct {
	from    float64 // steering wheel angle at the lock [rad]; 0 is none
	ramp    float64 // [rad]
	damping float64 // [1/(rad/s)]
}

func newSoftLock(cfg LockConfig, lock float64) softLock {
	if !(lock > 0) || cfg.Ramp == 0 {
		return softLock{}
	}
	return softLock{from: lock, ramp: cfg.Ramp * math.Pi / 180, damping: cfg.Damping}
}

// torque returns the torque of the lock [N·m].
//
// What is felt goes as the spring comes, so that all of the wheel's torque is left for
// it at the end of the ramp. The damper takes the bounce away, and no more of the spring
// than there is: the stop never holds a rim that leaves it. A rim of inertia own that
// answers late by late s gets a spring of J/(5·late²) at the most: with a damper that is
// late too, a stiffer one swings (see damping).
func (l *softLock) torque(m moved, felt, rated, own, late float64) float64 {
	over := math.Abs(m.angle) - l.from
	if l.from == 0 || over <= 0 {
		return 0
	}
	side := math.Copysign(1, m.angle)
	const soft = 5 // times late²/J is how much the spring gives at least
	ramp := max(l.ramp, soft*rated*late*late/own)
	share := min(over/ramp, 1)
	c := min(l.damping*rated, math.Pi/4*own/late)
	return -share*felt - side*max(share*rated+c*side*m.speed, 0)
}
