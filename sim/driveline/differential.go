package driveline

import (
	"errors"
	"math"

	"rig.example/rig/internal/valid"
)

// Differential is how one shares torque between its outputs, and what joins them.
// Torques of one between the axles count before the final drive, those of others at the
// wheels.
type Differential struct {
	Kind    string  `toml:"kind"`          // open, locked, limited_slip, viscous, torque_sensing or active
	Preload float64 `toml:"preload_nm"`    // limited_slip, torque_sensing: what friction moves from the faster output to the slower one at no torque
	Power   float64 `toml:"power_ramp"`    // limited_slip: more of it for each N·m on a carrier that drives; 0.2 is a locking value of 40 %
	Coast   float64 `toml:"coast_ramp"`    // and on one that brakes
	Viscous float64 `toml:"viscous_nms"`   // viscous: N·m for each rad/s between the outputs
	Bias    float64 `toml:"bias_ratio"`    // torque_sensing: the slower output's torque over the faster one's, at most
	Most    float64 `toml:"capacity_nm"`   // active: what its clutch carries at most
	Eager   float64 `toml:"eagerness_s"`   // active: share of that for each rad/s between the outputs
	Ready   float64 `toml:"throttle_lock"` // active: share of that at full throttle
}

// DefaultDifferential is an open one, with plausible values for the other kinds.
func DefaultDifferential() Differential {
	return Differential{Kind: "open", Preload: 60, Power: 0.2, Coast: 0.1, Viscous: 30, Bias: 2.5, Most: 900, Eager: 0.1, Ready: 0.3}
}

// Validate reports every parameter that is out of range.
func (d Differential) Validate() error {
	return errors.Join(
		valid.OneOf("kind", d.Kind, "active", "limited_slip", "locked", "open", "torque_sensing", "viscous"),
		valid.InRange("preload_nm", d.Preload, 0, 5e3),
		valid.InRange("power_ramp", d.Power, 0, 0.45),
		valid.InRange("coast_ramp", d.Coast, 0, 0.45),
		valid.InRange("viscous_nms", d.Viscous, 0, 5e3),
		valid.InRange("bias_ratio", d.Bias, 1, 10),
		valid.InRange("capacity_nm", d.Most, 0, 10e3),
		valid.InRange("eagerness_s", d.Eager, 0, 10),
		valid.InRange("throttle_lock", d.Ready, 0, 1),
	)
}

// demand is the torque that it takes to turn something, by the speed that it has at the
// tick's end: need + slope·speed [N·m, N·m·s/rad].
type demand struct{ need, slope float64 }

func (d demand) at(speed float64) float64 { return d.need + d.slope*speed }

// split is a differential: its carrier's speed is share·first + (1-share)·second, and its
// torque is shared alike, but for what friction and fluid move from the faster output to
// the slower one.
type split struct {
	share   float64 // of the torque for the first output: left or front
	locked  bool
	rubs    bool    // friction may hold the outputs together
	preload float64 // friction at no torque [N·m]
	power   float64 // for each N·m on a carrier that drives
	coast   float64 // and on one that brakes
	viscous float64 // [N·m·s/rad]
	active  bool    // preload is what a clutch carries that electronics close
	eager   float64 // share of it for each rad/s between the outputs
	ready   float64 // share at full throttle
}

// newSplit returns a differential that gives a share to its first output; final is the
// ratio of what stands between it and the wheels.
func newSplit(d Differential, share, final float64) split {
	s := split{share: share}
	least := min(share, 1-share) // no ramp may move more than that
	switch d.Kind {
	case "locked":
		s.locked = true
	case "limited_slip":
		s.preload, s.power, s.coast = d.Preload*final, 2*least*d.Power, 2*least*d.Coast
	case "viscous":
		s.viscous = d.Viscous * final * final
	case "torque_sensing":
		ramp := least * (d.Bias - 1) / (d.Bias + 1)
		s.preload, s.power, s.coast = d.Preload*final, ramp, ramp
	case "active":
		s.active, s.preload, s.eager, s.ready = true, d.Most*final, d.Eager, d.Ready
	}
	s.rubs = s.preload > 0 || s.power > 0 || s.coast > 0
	return s
}

// press returns the friction at no torque [N·m] in a tick that begins with the first
// output faster by rel [rad/s].
func (d *split) press(rel, throttle float64) float64 {
	if !d.active {
		return d.preload
	}
	return d.preload * min(d.eager*math.Abs(rel)+d.ready*throttle, 1)
}

// ramp returns the friction for each N·m on a carrier with a torque and a speed [rad/s] as
// the tick began.
func (d *split) ramp(torque, carrierSpeed float64) float64 {
	if torque*carrierSpeed < 0 {
		return d.coast
	}
	return d.power
}

// mode is how the outputs of a differential move in a tick.
type mode struct {
	stuck    bool    // as one
	sign     float64 // 1 when the first one is faster, -1 when slower
	one, two float64 // shares of the torque, with what friction moves of it
	moved    float64 // torque that friction moves beside that, from the first to the second [N·m]
}

// guess sets the mode to try first: what the last tick ended with, when the first
// output was faster by rel and the carrier had a torque and a speed [rad/s].
func (d *split) guess(m *mode, rel, press, torque, carrierSpeed float64) {
	const none = 1e-9 // [rad/s]
	if m.stuck = d.locked || d.rubs && math.Abs(rel) < none; !m.stuck {
		d.slip(m, math.Copysign(1, rel), press, torque, carrierSpeed)
	}
}

// slip sets the mode in which the first output turns faster, or slower.
func (d *split) slip(m *mode, sign, press, torque, carrierSpeed float64) {
	m.stuck = false
	if !d.rubs {
		m.one, m.two = d.share, 1-d.share
		return
	}
	ramp := sign * math.Copysign(d.ramp(torque, carrierSpeed), torque)
	m.sign, m.one, m.two, m.moved = sign, d.share-ramp, 1-d.share+ramp, sign*press
}

// outputLoad returns what both outputs together ask of the carrier.
func (d *split) outputLoad(m *mode, first, second demand) demand {
	if m.stuck {
		return demand{first.need + second.need, first.slope + second.slope}
	}
	v, other := d.viscous, 1-d.share
	det := first.slope*second.slope + v*(first.slope+second.slope)
	one, two := first.need+m.moved, second.need-m.moved
	gain := d.share*(second.slope*m.one+v) + other*(first.slope*m.two+v)
	lack := d.share*((second.slope+v)*one+v*two) + other*((first.slope+v)*two+v*one)
	return demand{lack / gain, det / gain}
}

// turn returns the speeds of the outputs of a carrier with a torque and a speed.
func (d *split) turn(m *mode, first, second demand, torque, speed float64) (one, two float64) {
	if m.stuck {
		return speed, speed
	}
	v := d.viscous
	perDet := 1 / (first.slope*second.slope + v*(first.slope+second.slope))
	t1, t2 := m.one*torque-m.moved-first.need, m.two*torque+m.moved-second.need
	return ((second.slope+v)*t1 + v*t2) * perDet, ((first.slope+v)*t2 + v*t1) * perDet
}

// check sets the mode that a solution in mode m asks for, and reports whether that is another
// one: outputs that stick come loose where friction does not hold them, and those that
// slip stick where they would pass each other.
func (d *split) check(m *mode, press, carrierSpeed float64, first demand, torque, one, two float64) (other bool) {
	switch {
	case d.locked || !d.rubs:
		return false
	case m.stuck:
		moved := d.share*torque - first.at(one)
		if other = !(math.Abs(moved) <= press+d.ramp(torque, carrierSpeed)*math.Abs(torque)); other {
			d.slip(m, math.Copysign(1, moved), press, torque, carrierSpeed)
		}
		return other
	case (one-two)*m.sign < 0:
		m.stuck = true
		return true
	}
	wasOne, wasTwo := m.one, m.two
	d.slip(m, m.sign, press, torque, carrierSpeed)
	return m.one != wasOne || m.two != wasTwo
}
