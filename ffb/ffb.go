// Package ffb turns what the front tires do to the steering column into the
// torque the driver feels at the rim.
//
// Torque and steering wheel angle are positive to the left, in N·m and rad.
package ffb

import (
	"errors"
	"fmt"
	"math"

	"rig/sim"
)

// Config says how the car's torque maps to the wheel's.
type Config struct {
	FullScale float64 `toml:"full_scale_nm"`       // the car's column torque that takes the whole of what the rim may give
	Gain      float64 `toml:"gain"`                // on top, 0..2
	MaxTorque float64 `toml:"max_torque_nm"`       // at the rim, whatever the wheel is rated for
	Slew      float64 `toml:"slew_nm_per_ms"`      // fastest change at the rim
	Damping   float64 `toml:"damping_nms_per_rad"` // against the rim's speed
	Standing  float64 `toml:"standing_gain"`       // share of the tires' torque that is felt at standstill, 0..1
}

// DefaultConfig is mild enough for an unknown gear-driven wheel. The built-in
// coupe reaches about 8 N·m at the column, which leaves a fifth for kerbs.
func DefaultConfig() Config {
	return Config{FullScale: 10, Gain: 1, MaxTorque: 8, Slew: 0.5, Damping: 0.06, Standing: 0.1}
}

// Validate reports every field that is out of range.
func (c Config) Validate() error {
	return errors.Join(
		inRange("full_scale_nm", c.FullScale, 0.5, 100),
		inRange("gain", c.Gain, 0, mostGain),
		inRange("max_torque_nm", c.MaxTorque, 0, 25),
		inRange("slew_nm_per_ms", c.Slew, 0.01, 10),
		inRange("damping_nms_per_rad", c.Damping, 0, 2),
		inRange("standing_gain", c.Standing, 0, 1),
	)
}

// Feel is the path from the column to the rim.
type Feel struct {
	cfg   Config
	dt    float64
	rim   rimSpeed
	last  float64 // torque given [N·m]
	asked float64 // torque asked for [N·m]
	clip  bool
	fault bool
}

// New returns a feel that is asked every dt [s].
func New(cfg Config, dt float64) (*Feel, error) {
	if err := errors.Join(cfg.Validate(), inRange("dt", dt, 1e-5, 0.05)); err != nil {
		return nil, fmt.Errorf("ffb: %w", err)
	}
	return &Feel{cfg: cfg, dt: dt, rim: newRimSpeed(dt)}, nil
}

// Torque returns the torque for the rim [N·m] of a wheel rated for rated N·m.
//
// It stays within rated and the configured limit and changes no faster than the
// slew limit. If the state or the rating is not a finite number, or the rating
// negative, it is 0 at once, and Fault tells. It is part of the loop: no
// allocation.
func (f *Feel) Torque(s *sim.State, rated float64) float64 {
	if !finite(s.ColumnTorque) || !finite(s.Speed) || !finite(s.Steer) || !finite(rated) || rated < 0 {
		f.Reset()
		f.fault = true
		return 0
	}
	f.fault = false
	most := min(rated, f.cfg.MaxTorque)
	share := f.cfg.Gain / f.cfg.FullScale * f.fade(s.Speed)
	f.asked = s.ColumnTorque*share*most - f.cfg.Damping*f.rim.next(s.Steer)
	f.clip = math.Abs(f.asked) > most
	wish := min(max(f.asked, -most), most)
	step := f.cfg.Slew * 1e3 * f.dt
	f.last = min(max(wish, f.last-step), f.last+step)
	f.last = min(max(f.last, -most), most) // a smaller rating holds at once
	return f.last
}

// fade returns the share of the tires' torque that is passed on. At walking
// speed the tires grip and let go in turns, which would make the rim chatter,
// and rolling backward their torque turns the wheel away from the middle.
func (f *Feel) fade(speed float64) float64 {
	const full = 2 // [m/s], forward
	x := min(max(speed/full, 0), 1)
	return f.cfg.Standing + (1-f.cfg.Standing)*x*x*(3-2*x)
}

// most of the gain, as its key allows.
const mostGain = 2

// Gain returns the gain that is in force.
func (f *Feel) Gain() float64 { return f.cfg.Gain }

// Adjust changes the gain by step, within the limits of its key.
func (f *Feel) Adjust(step float64) {
	const grid = 1000 // so that steps there and back meet
	if to := math.Round((f.cfg.Gain+step)*grid) / grid; finite(to) {
		f.cfg.Gain = min(max(to, 0), mostGain)
	}
}

// Clipping tells whether the last torque asked for was more than the rim may give.
func (f *Feel) Clipping() bool { return f.clip }

// Asked returns the last torque at the rim before limits [N·m].
func (f *Feel) Asked() float64 { return f.asked }

// Fault tells whether the last call met something that is not a number.
func (f *Feel) Fault() bool { return f.fault }

// Reset forgets the past: the next torque starts from 0.
func (f *Feel) Reset() {
	f.rim.known = false
	f.last, f.asked, f.clip, f.fault = 0, 0, false, false
}

// rimSpeed is the speed of the rim from its angle, through a low-pass of 20 Hz.
type rimSpeed struct {
	dt, share float64
	angle     float64 // [rad]
	speed     float64 // [rad/s]
	known     bool    // angle is from the last tick
}

func newRimSpeed(dt float64) rimSpeed {
	const lag = 1 / (2 * math.Pi * 20) // [s]
	return rimSpeed{dt: dt, share: dt / (lag + dt)}
}

func (r *rimSpeed) next(angle float64) float64 {
	if !r.known {
		r.angle, r.speed, r.known = angle, 0, true
	}
	const fastest = 50 // [rad/s]; more is a jump of the sensor
	raw := min(max((angle-r.angle)/r.dt, -fastest), fastest)
	r.angle = angle
	r.speed += r.share * (raw - r.speed)
	return r.speed
}

func finite(v float64) bool { return v-v == 0 }

func inRange(name string, v, low, high float64) error {
	if v >= low && v <= high { // false for NaN
		return nil
	}
	return fmt.Errorf("%s = %g: allowed is %g to %g", name, v, low, high)
}
