package suspension

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"
	"rig.example/rig/internal/valid"
	"rig.example/rig/sim/chassis"
)

// Bar is the anti-roll bar of an axle. Only the keys of its mode count. Its
// force goes from the spring of the less to that of the more compressed side.
type Bar struct {
	Mode  string `toml:"mode"`  // rate (the axle's anti_roll_rate_n_per_m), force, stiffness, legacy, torsion or none
	Apply string `toml:"apply"` // spring, or in mode force body: beside the spring, where the tire does not feel it

	Force float64 `toml:"stiffness_n"` // force and legacy: moved for a difference of the whole travel
	Share float64 `toml:"stiffness"`   // stiffness: share of the less compressed spring's force that may move; 1 is rigid

	Diameter float64 `toml:"diameter_mm"`       // torsion: of the round bar
	Length   float64 `toml:"length_m"`          // that twists
	Arm      float64 `toml:"arm_m"`             // from the twisting part to the drop link
	Shear    float64 `toml:"shear_modulus_gpa"` // of its material
	Ratio    float64 `toml:"motion_ratio"`      // travel of the drop link over that of the wheel

	Auto      bool    `toml:"auto"`          // stiffness by speed
	AutoFrom  float64 `toml:"auto_from_kph"` // up to here auto_least
	AutoFull  float64 `toml:"auto_full_kph"` // from here on all of it
	AutoLeast float64 `toml:"auto_least"`    // 0..1
}

// DefaultBar is one by the axle's rate, with the other modes ready to be chosen.
func DefaultBar() Bar {
	return Bar{
		Mode: "rate", Apply: "spring", Force: 5000, Share: 0.5,
		Diameter: 22, Length: 1, Arm: 0.25, Shear: 79.3, Ratio: 1,
		AutoFrom: 10, AutoFull: 60,
	}
}

// Validate reports every parameter that is out of range.
func (b Bar) Validate() error {
	return errors.Join(
		valid.OneOf("mode", b.Mode, "force", "legacy", "none", "rate", "stiffness", "torsion"),
		b.applies(),
		valid.InRange("stiffness_n", b.Force, 0, 500e3),
		valid.InRange("stiffness", b.Share, 0, 1),
		valid.InRange("diameter_mm", b.Diameter, 5, 80),
		valid.InRange("length_m", b.Length, 0.1, 3),
		valid.InRange("arm_m", b.Arm, 0.05, 1),
		valid.InRange("shear_modulus_gpa", b.Shear, 1, 200),
		valid.InRange("motion_ratio", b.Ratio, 0.1, 2),
		valid.InRange("auto_from_kph", b.AutoFrom, 0, 300),
		valid.InRange("auto_full_kph", b.AutoFull, b.AutoFrom+1, 400),
		valid.InRange("auto_least", b.AutoLeast, 0, 1),
	)
}

func (b Bar) applies() error {
	if b.Apply == "body" && b.Mode != "force" {
		return fmt.Errorf("apply = %q: only mode %q can act beside the spring; choose that, or apply = %q", b.Apply, "force", "spring")
	}
	return valid.OneOf("apply", b.Apply, "body", "spring")
}

// torsionRate returns the force at each wheel for their difference in travel
// [N/m]: a round bar's G·J/L over the square of the arm, J = π·d⁴/32, and the
// motion ratio once for the travel and once for the force.
func (b Bar) torsionRate() float64 {
	d := b.Diameter * 1e-3
	polar := math.Pi / 32 * d * d * d * d
	lever := b.Ratio / b.Arm
	return b.Shear * 1e9 * polar / b.Length * lever * lever
}

// BarState is what the last tick found of the springs of an axle.
type BarState struct {
	CompressionLeft  float64 // of the suspension, from full droop [m]
	CompressionRight float64 // [m]
	CompressionDiff  float64 // left less right [m]
	SpringLeft       float64 // force of spring, bump stop and what the bar adds to them [N]
	SpringRight      float64 // [N]
}

// bar is the constant part of a Bar.
type bar struct {
	rate     float64 // moved between the springs for each metre of difference [N/m]
	beside   float64 // the same put on the body [N/m]
	share    float64 // of the less compressed spring's force
	grounded bool    // acts on wheels that touch alone; one in the air counts as fully extended
	spring   float64 // rate of the axle's springs [N/m]
	travel   float64 // of its wheels [m]

	auto                 bool
	from, perSpeed, base float64 // [m/s], [s/m], share
}

// newBar returns the bar of an axle beside whose springs the body yields to a push at a wheel by
// yields [1/kg].
func newBar(a *Params, yields, dt float64) bar {
	ratio := a.Kinematics.ratios()(0)
	b := bar{spring: a.SpringRate * ratio * ratio, travel: a.Travel}
	switch a.Bar.Mode {
	case "rate":
		b.rate = a.BarRate
	case "force":
		b.rate, b.grounded = a.Bar.Force/a.Travel, true
	case "legacy":
		b.rate = a.Bar.Force / a.Travel
	case "torsion":
		b.rate = a.Bar.torsionRate()
	case "stiffness":
		b.share = a.Bar.Share
	}
	if a.Bar.Apply == "body" {
		// Beside the spring nothing solves it implicitly: it stays well below the
		// frequencies of the wheels, whose hop it would drive.
		b.rate, b.beside = 0, min(b.rate, 0.005/(dt*dt*yields))
	}
	if b.auto = a.Bar.Auto; b.auto {
		const kph = 1 / 3.6
		b.from, b.base = a.Bar.AutoFrom*kph, a.Bar.AutoLeast
		b.perSpeed = 1 / ((a.Bar.AutoFull - a.Bar.AutoFrom) * kph)
	}
	return b
}

// part returns how much of its stiffness a bar has at a velocity.
func (b *bar) part(v r3.Vec) float64 {
	if !b.auto {
		return 1
	}
	speed := math.Sqrt(r3.Dot(v, v))
	return b.base + (1-b.base)*valid.Clamp((speed-b.from)*b.perSpeed, 0, 1)
}

// Coupling is what a bar adds to the springs of its axle within a tick, and how
// that grows.
type Coupling struct {
	left, right       float64 // [N]
	ownLeft, ownRight float64 // growth with the side's own travel [N/m]
	join              float64 // decline with the other side's [N/m]
	leftWas, rightWas float64 // travels before [m]

	BesideLeft, BesideRight float64 // push on the body beside the springs [N, along its z]
}

// link finds what the bar does between two struts, as their travel stands.
func (b *bar) link(k *Coupling, dt, part float64, l, r *strut) {
	k.leftWas, k.rightWas = l.travel, r.travel
	rate := part * b.rate
	switch {
	case b.share > 0:
		k.left = b.shift(dt, part*b.share*b.spring, l, r)
		k.right = -k.left
	case !b.grounded || l.touches && r.touches:
		k.left = rate * (l.travel - r.travel)
		k.right = -k.left
		k.ownLeft, k.ownRight, k.join = rate, rate, rate
	case l.touches:
		k.left, k.ownLeft = rate*l.travel, rate
	case r.touches:
		k.right, k.ownRight = rate*r.travel, rate
	}
}

// shift returns the force that moves to the left spring within the tick, where
// a share of the less compressed one's rate [N/m] may move [N].
//
// At equal travel it is any force up to that share, whatever keeps the travel
// equal: so the bar is rigid as long as the share suffices, as dry friction holds.
func (b *bar) shift(dt, rate float64, l, r *strut) float64 {
	apart := (l.travel - r.travel) / dt
	hold := (l.force*r.resist - r.force*l.resist + apart*(l.resist*r.resist)) / (l.resist + r.resist)
	most := rate * (l.after(dt, -hold) + r.after(dt, hold)) / 2
	switch {
	case hold > max(most, 0):
		return r.given(dt, rate)
	case -hold > max(most, 0):
		return -l.given(dt, rate)
	}
	return hold
}

// after returns a strut's travel after the tick with a force more on it [m].
func (k *strut) after(dt, force float64) float64 {
	return k.travel + dt*(k.force+force)/k.resist
}

// given returns the force of a rate [N/m] over a strut's travel after the tick
// in which the strut is rid of that force [N].
func (k *strut) given(dt, rate float64) float64 {
	return max(0, rate*k.after(dt, 0)/(1-rate*dt/k.resist))
}

// lift finds the forces of a bar that acts on the body beside the springs, from
// the travel of wheels with rigid tires, as a ray cast finds it.
func (b *bar) lift(k *Coupling, part float64, left, right *Wheel) {
	l, onLeft := b.ray(left.State.Travel, left.Contact)
	r, onRight := b.ray(right.State.Travel, right.Contact)
	force := part * b.beside * (l - r)
	if onLeft {
		k.BesideLeft = force
	}
	if onRight {
		k.BesideRight = -force
	}
}

// ray returns the travel at which a tire would touch the ground without a load
// [m], 0 for one in the air, and whether it touches.
func (b *bar) ray(travel float64, t *Contact) (float64, bool) {
	const upright = 0.1 // a car on its side or roof has no such travel
	if !(t.Squeeze > 0 && t.lift > upright) {
		return 0, false
	}
	return min(travel+t.Squeeze/t.lift, b.travel), true
}

// BesideSprings adds to sum what bars do to a body at pos beside its springs.
//
// Left and right are summed first, so that a mirrored car adds the same numbers.
func (s *System) BesideSprings(sum *chassis.Wrench, pos r3.Vec, b *chassis.Axes, ps *[4]Pose, cs *[2]Coupling) {
	for i := range s.bars {
		if s.bars[i].beside == 0 {
			continue
		}
		at := func(p *Pose, push float64) chassis.Wrench {
			force := r3.Scale(push, b.Z)
			return chassis.Wrench{Force: force, Moment: r3.Cross(r3.Sub(p.Hub, pos), force)}
		}
		*sum = sum.Plus(at(&ps[2*i], cs[i].BesideLeft).Plus(at(&ps[2*i+1], cs[i].BesideRight)))
	}
}

// Springs returns how the springs of an axle stand after the tick, at the travels of its wheels [m].
func (s *System) Springs(axle int, c *Coupling, left, right float64) BarState {
	springL, _ := s.Corners[2*axle].law.at(left)
	springR, _ := s.Corners[2*axle+1].law.at(right)
	movedL, movedR := left-c.leftWas, right-c.rightWas
	return BarState{
		CompressionLeft: left, CompressionRight: right, CompressionDiff: left - right,
		SpringLeft:  springL + c.left + c.ownLeft*movedL - c.join*movedR,
		SpringRight: springR + c.right + c.ownRight*movedR - c.join*movedL,
	}
}
