package driveline

import (
	"math"

	"rig.example/rig/internal/kit/valid"
)

// Differential describes a differential and what couples its two outputs. Torques of the center differential
// count before the final drive, those of the others at the wheels.
type Differential struct {
	// kind of the differential: open, locked, limited_slip, viscous, torque_sensing or active
	Kind string `toml:"kind" oneof:"active,limited_slip,locked,open,torque_sensing,viscous"`
	// limited_slip, torque_sensing: torque that friction moves from the faster to the slower output without
	// load; the torque counts before the final drive in the center differential, at the wheels in the others
	Preload float64 `toml:"preload_nm" range:"0..5000"`
	// limited_slip: further friction torque for each N·m of driving torque. At 0.2 the slower output gets 70 %
	// and the faster one 30 %, a locking value of 40 %
	PowerRamp float64 `toml:"power_ramp" range:"0..0.45"`
	// limited_slip: further friction torque for each N·m of braking torque
	CoastRamp float64 `toml:"coast_ramp" range:"0..0.45"`
	// viscous: torque for each rad/s between the outputs
	ViscousTorque float64 `toml:"viscous_nms" range:"0..5000"`
	// torque_sensing: largest ratio of the slower output's torque to the faster one's
	BiasRatio      float64 `toml:"bias_ratio" range:"1..10"`
	ClutchCapacity float64 `toml:"capacity_nm" range:"0..10000"` // active: largest torque of its clutch
	// active: share of capacity_nm for each rad/s between the outputs
	SpeedGain    float64 `toml:"eagerness_s" range:"0..10"`
	ThrottleGain float64 `toml:"throttle_lock" range:"0..1"` // active: share of capacity_nm at full throttle
}

// DefaultDifferential returns an open differential, with plausible values for the other kinds.
func DefaultDifferential() Differential {
	return Differential{Kind: "open", Preload: 60, PowerRamp: 0.2, CoastRamp: 0.1, ViscousTorque: 30,
		BiasRatio: 2.5, ClutchCapacity: 900, SpeedGain: 0.1, ThrottleGain: 0.3}
}

// Validate reports every parameter that is out of range.
func (d Differential) Validate() error {
	return valid.Struct(d)
}

// demand is the torque that a part of the driveline takes, as a linear function of its speed at the tick's end:
// base + slope·speed [N·m, N·m·s/rad].
type demand struct{ base, slope float64 }

// torqueAt returns the torque that the part takes [N·m] at a speed [rad/s].
func (d demand) torqueAt(speed float64) float64 { return d.base + d.slope*speed }

// differential is a Differential in the form that a tick needs. The speed of its carrier is share·first +
// (1-share)·second, where first and second are the speeds of the outputs. The carrier's torque is split in
// the same shares; friction and fluid then move torque from the faster to the slower output.
type differential struct {
	share        float64 // share of the torque for the first output: left or front
	locked       bool    // the outputs always turn as one
	hasFriction  bool    // friction may lock the outputs together
	preload      float64 // friction torque without load; for kind active the clutch's capacity [N·m]
	power        float64 // friction torque for each N·m of driving torque
	coast        float64 // friction torque for each N·m of braking torque
	viscous      float64 // torque for each rad/s between the outputs [N·m·s/rad]
	active       bool    // electronics control a clutch between the outputs
	speedGain    float64 // active: share of the capacity for each rad/s between the outputs [s/rad]
	throttleGain float64 // active: share of the capacity at full throttle
}

// newDifferential returns a differential for the tick. share is the torque share of its first output, final
// the gear ratio between it and the wheels.
func newDifferential(d Differential, share, final float64) differential {
	s := differential{share: share}
	minShare := min(share, 1-share) // friction must not move more than the smaller share
	switch d.Kind {
	case "locked":
		s.locked = true
	case "limited_slip":
		s.preload, s.power, s.coast = d.Preload*final, 2*minShare*d.PowerRamp, 2*minShare*d.CoastRamp
	case "viscous":
		s.viscous = d.ViscousTorque * final * final
	case "torque_sensing":
		ramp := minShare * (d.BiasRatio - 1) / (d.BiasRatio + 1)
		s.preload, s.power, s.coast = d.Preload*final, ramp, ramp
	case "active":
		s.active, s.preload, s.speedGain, s.throttleGain = true, d.ClutchCapacity*final, d.SpeedGain, d.ThrottleGain
	}
	s.hasFriction = s.preload > 0 || s.power > 0 || s.coast > 0
	return s
}

// friction returns the part of the friction torque that does not depend on the carrier's torque [N·m]. rel is
// the first output's speed minus the second's at the tick's start [rad/s].
func (d *differential) friction(rel, throttle float64) float64 {
	if !d.active {
		return d.preload
	}
	return d.preload * min(d.speedGain*math.Abs(rel)+d.throttleGain*throttle, 1)
}

// frictionRamp returns the friction torque for each N·m of carrier torque. torque and carrierSpeed are those
// at the tick's start [N·m, rad/s]; their signs tell driving from braking.
func (d *differential) frictionRamp(torque, carrierSpeed float64) float64 {
	if torque*carrierSpeed < 0 {
		return d.coast
	}
	return d.power
}

// mode describes whether the outputs of a differential stick together or slip in a tick, and how they share
// the torque.
type mode struct {
	stuck bool    // the outputs turn as one
	sign  float64 // 1 if the first output is faster, -1 if slower
	// shares of the carrier torque of both outputs, with the friction that is proportional to it
	first, second float64
	transfer      float64 // further friction torque from the first to the second output [N·m]
}

// guessMode sets m to the mode to try first, given the state at the tick's start: the first output is faster
// by rel [rad/s], and the carrier has a torque [N·m] and a speed [rad/s]. friction is the result of
// d.friction [N·m].
func (d *differential) guessMode(m *mode, rel, friction, torque, carrierSpeed float64) {
	const none = 1e-9 // [rad/s]
	if m.stuck = d.locked || d.hasFriction && math.Abs(rel) < none; !m.stuck {
		d.setSlipping(m, math.Copysign(1, rel), friction, torque, carrierSpeed)
	}
}

// setSlipping sets m to slipping outputs, with the first one faster (sign 1) or slower (-1).
func (d *differential) setSlipping(m *mode, sign, friction, torque, carrierSpeed float64) {
	m.stuck = false
	if !d.hasFriction {
		m.first, m.second = d.share, 1-d.share
		return
	}
	ramp := sign * math.Copysign(d.frictionRamp(torque, carrierSpeed), torque)
	m.sign, m.first, m.second, m.transfer = sign, d.share-ramp, 1-d.share+ramp, sign*friction
}

// outputLoad returns the torque demand of both outputs together, as the carrier feels it.
func (d *differential) outputLoad(m *mode, first, second demand) demand {
	if m.stuck {
		return demand{first.base + second.base, first.slope + second.slope}
	}
	v, other := d.viscous, 1-d.share
	det := first.slope*second.slope + v*(first.slope+second.slope)
	one, two := first.base+m.transfer, second.base-m.transfer
	gain := d.share*(second.slope*m.first+v) + other*(first.slope*m.second+v)
	base := d.share*((second.slope+v)*one+v*two) + other*((first.slope+v)*two+v*one)
	return demand{base / gain, det / gain}
}

// outputSpeeds returns the speeds of both outputs [rad/s], given the torque [N·m] and the speed [rad/s] of
// the carrier.
func (d *differential) outputSpeeds(m *mode, first, second demand, torque, speed float64) (one, two float64) {
	if m.stuck {
		return speed, speed
	}
	v := d.viscous
	perDet := 1 / (first.slope*second.slope + v*(first.slope+second.slope))
	t1, t2 := m.first*torque-m.transfer-first.base, m.second*torque+m.transfer-second.base
	return ((second.slope+v)*t1 + v*t2) * perDet, ((first.slope+v)*t2 + v*t1) * perDet
}

// correctMode sets m to the mode that follows from a solution, and reports whether that changes m. Stuck
// outputs begin to slip if friction cannot hold them. Slipping outputs stick if their relative speed would
// change its sign. one and two are the speeds of the outputs in the solution [rad/s].
func (d *differential) correctMode(m *mode, friction, carrierSpeed float64, first demand, torque, one,
	two float64) (changed bool) {
	switch {
	case d.locked || !d.hasFriction:
		return false
	case m.stuck:
		transfer := d.share*torque - first.torqueAt(one)
		if changed = !(math.Abs(transfer) <= friction+d.frictionRamp(torque,
			carrierSpeed)*math.Abs(torque)); changed {
			d.setSlipping(m, math.Copysign(1, transfer), friction, torque, carrierSpeed)
		}
		return changed
	case (one-two)*m.sign < 0:
		m.stuck = true
		return true
	}
	wasOne, wasTwo := m.first, m.second
	d.setSlipping(m, m.sign, friction, torque, carrierSpeed)
	return m.first != wasOne || m.second != wasTwo
}
