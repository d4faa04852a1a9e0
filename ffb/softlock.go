package ffb

import (
	"math"

	"rig.example/rig/internal/kit/valid"
)

// LockConfig configures the soft lock: the end stop where the rim's angle exceeds the car's steering lock.
type LockConfig struct {
	// How far beyond the car's lock [°] the soft lock pushes back with all of the wheel's torque. The
	// car's torque fades out within this angle, so that all of the wheel's torque is left for the soft
	// lock. 0 is no soft lock. A wheel with a delay τ gets a longer ramp if needed: the soft
	// lock is no stiffer than J/(5·τ²), where J is the rim's inertia.
	Ramp float64 `toml:"ramp_deg" range:"0..90"`
	// Damping in the soft lock, as a fraction of the wheel's torque for each rad/s, so that the rim
	// does not bounce. It does not hold a rim that leaves the lock.
	Damping float64 `toml:"damping" range:"0..0.5"`
}

// DefaultLock returns a firm soft lock that does not oscillate on a wheel with a delay.
func DefaultLock() LockConfig { return LockConfig{Ramp: 12, Damping: 0.1} }

// Validate reports every field that is out of range.
func (c LockConfig) Validate() error {
	return valid.Struct(c)
}

// softLock is a spring and a damper at the car's steering lock.
type softLock struct {
	lock    float64 // steering wheel angle at the lock [rad]; 0 is none
	ramp    float64 // [rad]
	damping float64 // [1/(rad/s)]
}

func newSoftLock(cfg LockConfig, lock float64) softLock {
	if !(lock > 0) || cfg.Ramp == 0 {
		return softLock{}
	}
	return softLock{lock: lock, ramp: cfg.Ramp * math.Pi / 180, damping: cfg.Damping}
}

// torque returns the torque of the lock [N·m].
//
// The felt torque fades as the spring builds up, so that all of the wheel's torque is left for the
// spring at the end of the ramp. The damper prevents bouncing and never exceeds the spring, so that it
// does not hold back a rim that returns. The stiffness is at most J/(5·delay²), because with a delayed
// damper a stiffer spring oscillates, see rim.damping.
func (l *softLock) torque(m rimMotion, felt, rated, inertia, delay float64) float64 {
	over := math.Abs(m.angle) - l.lock
	if l.lock == 0 || over <= 0 {
		return 0
	}
	side := math.Copysign(1, m.angle)
	const minGive = 5 // lowest compliance of the spring, times delay²/J
	ramp := max(l.ramp, minGive*rated*delay*delay/inertia)
	share := min(over/ramp, 1)
	c := min(l.damping*rated, math.Pi/4*inertia/delay)
	return -share*felt - side*max(share*rated+c*side*m.speed, 0)
}
