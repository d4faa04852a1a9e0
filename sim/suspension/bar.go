package suspension

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"
	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/sim/chassis"
)

// Bar describes the anti-roll bar of an axle. Only the keys of its mode count. The bar moves force from the
// spring of the less compressed side to that of the more compressed side.
type Bar struct {
	// how the bar works: rate (by anti_roll_rate_n_per_m of the axle), force, stiffness, legacy, torsion, or
	// none
	Mode string `toml:"mode" oneof:"force,legacy,none,rate,stiffness,torsion"`
	// where the force acts: spring, or (only in mode force) body, so that it bypasses spring and tire
	Apply string `toml:"apply" oneof:"body,spring"`

	// modes force and legacy: force at a travel difference of the whole travel_m
	Force float64 `toml:"stiffness_n" range:"0..500000"`
	// mode stiffness: largest share of the less compressed spring's force that the bar moves; 1 is a rigid
	// bar
	Share float64 `toml:"stiffness" range:"0..1"`

	Diameter float64 `toml:"diameter_mm" range:"5..80"` // mode torsion: diameter of the round bar
	Length   float64 `toml:"length_m" range:"0.1..3"`   // mode torsion: length of the part that twists
	// mode torsion: lever arm from the twisting part to the drop link
	ArmLength float64 `toml:"arm_m" range:"0.05..1"`
	// mode torsion: shear modulus of the material; the default is steel
	ShearModulus float64 `toml:"shear_modulus_gpa" range:"1..200"`
	// mode torsion: travel of the drop link over that of the wheel
	MotionRatio float64 `toml:"motion_ratio" range:"0.1..2"`

	Auto bool `toml:"auto"` // the stiffness grows with the car's speed, in any mode
	// with auto: speed up to which the bar has the share auto_least of its stiffness
	AutoFrom float64 `toml:"auto_from_kph" range:"0..300"`
	// with auto: speed from which the bar has its full stiffness; in proportion between the two speeds; at
	// least 1 above `auto_from_kph`
	AutoFull float64 `toml:"auto_full_kph" range:"1..400" valid:"-"`
	// with auto: share of the stiffness up to auto_from_kph
	AutoMinShare float64 `toml:"auto_least" range:"0..1"`
}

// DefaultBar returns a bar in mode rate, with plausible values for the other modes.
func DefaultBar() Bar {
	return Bar{
		Mode: "rate", Apply: "spring", Force: 5000, Share: 0.5,
		Diameter: 22, Length: 1, ArmLength: 0.25, ShearModulus: 79.3, MotionRatio: 1,
		AutoFrom: 10, AutoFull: 60,
	}
}

// Validate reports every parameter that is out of range.
func (b Bar) Validate() error {
	return errors.Join(
		valid.Struct(b),
		b.checkApply(),
		valid.AtLeast(b, "auto_full_kph", b.AutoFrom+1),
	)
}

// checkApply returns an error if the bar's mode does not allow the value of Apply.
func (b Bar) checkApply() error {
	if b.Apply == "body" && b.Mode != "force" {
		return fmt.Errorf("apply = %q: only mode %q can act beside the spring; choose that, or apply = %q",
			b.Apply, "force", "spring")
	}
	return nil
}

// torsionRate returns the force at each wheel for each metre of travel difference [N/m], in mode torsion. It is
// G·J/L of a round bar with J = π·d⁴/32, divided by the square of the arm and multiplied by the square of the
// motion ratio: once for the travel, once for the force.
func (b Bar) torsionRate() float64 {
	d := b.Diameter * 1e-3
	polar := math.Pi / 32 * d * d * d * d
	lever := b.MotionRatio / b.ArmLength
	return b.ShearModulus * 1e9 * polar / b.Length * lever * lever
}

// BarState holds the compressions and the spring forces of an axle after the last tick.
type BarState struct {
	CompressionLeft  float64 // compression of the left suspension from full droop [m]
	CompressionRight float64 // the same on the right [m]
	CompressionDiff  float64 // CompressionLeft minus CompressionRight [m]
	SpringForceLeft  float64 // force of spring, bump stop and bar on the left wheel [N]
	SpringForceRight float64 // the same on the right [N]
}

// bar is a Bar in the form that a tick needs.
type bar struct {
	rate         float64 // force moved between the springs for each metre of travel difference [N/m]
	bodyRate     float64 // the same for a bar that acts on the body [N/m]
	share        float64 // share of the less compressed spring's force that may be moved
	touchingOnly bool    // only wheels on the ground feel the bar; a wheel in the air counts as at full droop
	spring       float64 // rate of the axle's springs [N/m]
	travel       float64 // travel of its wheels from full droop to full bump [m]

	auto                 bool    // the stiffness grows with the speed
	from, perSpeed, base float64 // start of the growth [m/s], growth for each m/s [s/m], share before it
}

// newBar returns the bar of an axle; mobility is the body's mobility at a wheel along its z [1/kg].
func newBar(a *Params, mobility, dt float64) bar {
	ratio := a.Kinematics.motionRatios()(0)
	b := bar{spring: a.SpringRate * ratio * ratio, travel: a.Travel}
	switch a.Bar.Mode {
	case "rate":
		b.rate = a.BarRate
	case "force":
		b.rate, b.touchingOnly = a.Bar.Force/a.Travel, true
	case "legacy":
		b.rate = a.Bar.Force / a.Travel
	case "torsion":
		b.rate = a.Bar.torsionRate()
	case "stiffness":
		b.share = a.Bar.Share
	}
	if a.Bar.Apply == "body" {
		// A force on the body is explicit: its rate is limited so that it stays well below the
		// frequency of wheel hop, which it would excite.
		b.rate, b.bodyRate = 0, min(b.rate, 0.005/(dt*dt*mobility))
	}
	if b.auto = a.Bar.Auto; b.auto {
		const kph = 1 / 3.6
		b.from, b.base = a.Bar.AutoFrom*kph, a.Bar.AutoMinShare
		b.perSpeed = 1 / ((a.Bar.AutoFull - a.Bar.AutoFrom) * kph)
	}
	return b
}

// speedShare returns the share of its stiffness that the bar has while the car moves with velocity v [m/s].
func (b *bar) speedShare(v r3.Vec) float64 {
	if !b.auto {
		return 1
	}
	speed := math.Sqrt(r3.Dot(v, v))
	return b.base + (1-b.base)*valid.Clamp((speed-b.from)*b.perSpeed, 0, 1)
}

// Coupling is the force of a bar on the wheels of its axle in a tick, as a linear function of both travels.
type Coupling struct {
	left, right             float64 // force against the bump of each wheel at the start of the tick [N]
	leftRate, rightRate     float64 // increase of the force with the travel of the same side [N/m]
	crossRate               float64 // decrease of the force with the travel of the other side [N/m]
	leftTravel, rightTravel float64 // travels at the start of the tick [m]

	BodyLeft, BodyRight float64 // force on the body along its z, if the bar acts on the body [N]
}

// couple sets k to the force of the bar between the struts l and r. share is the result of speedShare.
func (b *bar) couple(k *Coupling, dt, share float64, l, r *strut) {
	k.leftTravel, k.rightTravel = l.travel, r.travel
	rate := share * b.rate
	switch {
	case b.share > 0:
		k.left = b.movedForce(dt, share*b.share*b.spring, l, r)
		k.right = -k.left
	case !b.touchingOnly || l.touches && r.touches:
		k.left = rate * (l.travel - r.travel)
		k.right = -k.left
		k.leftRate, k.rightRate, k.crossRate = rate, rate, rate
	case l.touches:
		k.left, k.leftRate = rate*l.travel, rate
	case r.touches:
		k.right, k.rightRate = rate*r.travel, rate
	}
}

// movedForce returns the force that a bar in mode stiffness adds to the left spring in the tick [N]. Its
// magnitude is at most rate [N/m] times the travel of the less compressed side.
//
// Below that limit it is the force that makes both travels equal: the bar is rigid as long as the limit
// allows, as dry friction sticks.
func (b *bar) movedForce(dt, rate float64, l, r *strut) float64 {
	speedToMeet := (l.travel - r.travel) / dt
	rigidForce := (l.force*r.impedance - r.force*l.impedance + speedToMeet*(l.impedance*r.impedance)) / (l.impedance + r.impedance)
	maxForce := rate * (l.travelAfter(dt, -rigidForce) + r.travelAfter(dt, rigidForce)) / 2
	switch {
	case rigidForce > max(maxForce, 0):
		return r.maxMovedForce(dt, rate)
	case -rigidForce > max(maxForce, 0):
		return -l.maxMovedForce(dt, rate)
	}
	return rigidForce
}

// travelAfter returns the travel of a strut after the tick [m], with an additional force [N] on it.
func (k *strut) travelAfter(dt, force float64) float64 {
	return k.travel + dt*(k.force+force)/k.impedance
}

// maxMovedForce returns the largest force [N] that the bar may move away from a strut: rate [N/m] times the
// strut's travel after the tick.
func (k *strut) maxMovedForce(dt, rate float64) float64 {
	return max(0, rate*k.travelAfter(dt, 0)/(1-rate*dt/k.impedance))
}

// bodyForces sets k.BodyLeft and k.BodyRight, the forces of a bar that acts on the body. They follow from the
// travels that the wheels would have with rigid tires, as models with a ray cast measure them.
func (b *bar) bodyForces(k *Coupling, share float64, left, right *Wheel) {
	l, leftOnGround := b.rayTravel(left.State.Travel, left.Contact)
	r, rightOnGround := b.rayTravel(right.State.Travel, right.Contact)
	force := share * b.bodyRate * (l - r)
	if leftOnGround {
		k.BodyLeft = force
	}
	if rightOnGround {
		k.BodyRight = -force
	}
}

// rayTravel returns the travel at which an unloaded tire would touch the ground [m], and true. For a tire in
// the air it returns 0 and false.
func (b *bar) rayTravel(travel float64, t *Contact) (float64, bool) {
	const upright = 0.1 // smallest rise for each metre of travel; below it the car lies on its side or roof
	if !(t.Deflection > 0 && t.liftPerTravel > upright) {
		return 0, false
	}
	return min(travel+t.Deflection/t.liftPerTravel, b.travel), true
}

// AddBarForces adds to sum the forces of bars that act on the body. pos is the body's center of mass [m,
// world].
//
// Left and right are added first, so that a mirrored car adds the same numbers.
func (s *System) AddBarForces(sum *chassis.Wrench, pos r3.Vec, b *chassis.Axes, ps *[4]Pose, cs *[2]Coupling) {
	for i := range s.bars {
		if s.bars[i].bodyRate == 0 {
			continue
		}
		wrench := func(p *Pose, magnitude float64) chassis.Wrench {
			force := r3.Scale(magnitude, b.Z)
			return chassis.Wrench{Force: force, Moment: r3.Cross(r3.Sub(p.Hub, pos), force)}
		}
		*sum = sum.Plus(wrench(&ps[2*i], cs[i].BodyLeft).Plus(wrench(&ps[2*i+1], cs[i].BodyRight)))
	}
}

// SetBarState sets b to the compressions and the spring forces of an axle after the tick, given the travels of its
// left and right wheel [m].
func (s *System) SetBarState(b *BarState, axle int, c *Coupling, left, right float64) {
	springL, _ := s.Corners[2*axle].spring.at(left)
	springR, _ := s.Corners[2*axle+1].spring.at(right)
	movedL, movedR := left-c.leftTravel, right-c.rightTravel
	b.CompressionLeft, b.CompressionRight, b.CompressionDiff = left, right, left-right
	b.SpringForceLeft = springL + c.left + c.leftRate*movedL - c.crossRate*movedR
	b.SpringForceRight = springR + c.right + c.rightRate*movedR - c.crossRate*movedL
}
