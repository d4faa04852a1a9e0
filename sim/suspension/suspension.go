package suspension

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/chassis"
)

// State is one wheel's suspension.
type State struct {
	Travel float64 // compression from full droop [m]
	Bump   float64 // speed of that [m/s]
	Links  float64 // what the links made of the tire's last forces, along the travel [N]; the caller sets it, by Corner.Links

	Load float64 // normal force of the road [N]; found by the last tick
}

// Wheel is what Step reads and writes of a wheel: its state, how it is held and stands, and what the
// body must know of how it slides.
type Wheel struct {
	State   *State
	Pose    *Pose
	Contact *Contact
	Slides  *chassis.Wheel
}

// System is the constant part of a car's suspension.
type System struct {
	Corners [4]Corner
	bars    [2]bar // in front and behind
	joints  joints
	dt      float64
}

// New returns the suspension of a car whose wheels stand at these stations. yields is how fast the
// body without its wheels moves by a push at a wheel in front and behind, along its z [1/kg].
func New(front, rear *Params, at *[4]Station, yields [2]float64, dt float64) (System, error) {
	s := System{dt: dt}
	for i, a := range [4]*Params{front, front, rear, rear} {
		var err error
		if s.Corners[i], err = NewCorner(a, at[i], dt); err != nil {
			return s, err
		}
	}
	s.bars = [2]bar{newBar(front, yields[0], dt), newBar(rear, yields[1], dt)}
	return s, nil
}

// Join hangs axles on their joints under a body, where they have some. The error says that the axles
// leave the body no mass of its own.
func (s *System) Join(at *[4]Station, body *chassis.Body) error {
	if s.joints = newJoints(s, at, body); !s.joints.sound() {
		return errors.New("its axles on joints leave the body no mass or inertia of its own: raise mass_kg, inertia_xx_kgm2 and inertia_zz_kgm2, or lower unsprung_mass_kg")
	}
	return nil
}

// Step moves the wheels of an axle along their travel and finds their loads. up is the share of
// gravity along the body's z, vel the car's velocity [m/s, world]. It leaves in c what the bar does.
//
// Each wheel is driven by tire, spring, damper, bar and its weight; the body
// counts as what it is at the start of the tick, and answers in its own step. The
// travel speeds are solved linearly implicitly, both sides of an axle at once,
// as the bar joins them: stable with any stiffness and with wheels without mass.
func (s *System) Step(axle int, left, right *Wheel, up float64, vel r3.Vec, c *Coupling) {
	var l, r strut
	s.Corners[2*axle].balance(&l, left, up)
	s.Corners[2*axle+1].balance(&r, right, up)
	bar := &s.bars[axle]
	part := bar.part(vel)
	if bar.beside > 0 {
		bar.lift(c, part, left, right)
	}
	bar.link(c, s.dt, part, &l, &r)
	join := s.dt * c.join
	kl, kr := l.resist+s.dt*c.ownLeft, r.resist+s.dt*c.ownRight
	fl, fr := l.force-c.left, r.force-c.right
	whole := 1 / (kl*kr - join*join)
	s.Corners[2*axle].settle(left, (fl*kr+fr*join)*whole)
	s.Corners[2*axle+1].settle(right, (fr*kl+fl*join)*whole)
}

// strut is the force that compresses a suspension and what resists its speed.
type strut struct {
	force   float64 // [N]
	resist  float64 // [N·s/m]
	travel  float64 // before the tick [m]
	touches bool    // its tire is on the ground
}

// balance finds what drives a wheel along its travel; up is the share of gravity along the body's z.
func (k *Corner) balance(out *strut, w *Wheel, up float64) {
	st, t := w.State, w.Contact
	spring, rate := k.law.at(st.Travel)
	inert := k.mass * k.perDt
	push := inert*st.Bump - k.mass*k.gravity*up - spring
	resist := inert
	// A tire that leaves the ground faster than it springs back does not pull.
	if lift := k.vertical.Force(t.Squeeze, t.Running) + k.vertical.Damping()*t.closing; t.Squeeze > 0 && lift > 0 {
		hold := k.hold(st, w.Pose)
		push += t.lift*lift + st.Links + hold*st.Bump
		resist += hold
		rate += t.lift * t.lift * k.vertical.Rate(t.Squeeze, t.Running)
		resist += t.lift * t.lift * k.vertical.Damping()
	}
	resist += k.dt * rate
	slope, offset := k.damper.against(push, resist, w.Pose.ratio)
	out.force, out.resist, out.travel, out.touches = push-offset, resist+slope, st.Travel, t.Squeeze > 0
}

// hold returns how the links' force on a wheel answers to a change of its speed
// within a tick [N·s/m]: as the contact holds on, but no more than it can.
//
// Links holds the force of the last tick, which alone would drive a light wheel
// on steep links to and fro.
func (k *Corner) hold(st *State, p *Pose) float64 {
	const least = 1e-3 // [m/s]
	square := r3.Dot(p.DContact, p.DContact)
	if square == 0 || k.p.Kinematics.ForceApp {
		return 0
	}
	slides := math.Sqrt(square) * math.Abs(st.Bump)
	return square * min(k.firm, st.Load/(slides+least))
}

// settle moves one wheel by its speed [m/s] and finds the load it then carries.
func (k *Corner) settle(w *Wheel, speed float64) {
	st, t := w.State, w.Contact
	travel := st.Travel + k.dt*speed
	end := min(max(travel, 0), k.p.Travel)
	*w.Slides = chassis.Wheel{Travel: st.Travel, Bump: st.Bump, Gain: speed - st.Bump, End: end, Fixed: end != travel}
	moved := t.lift * (end - st.Travel)
	st.Load = 0
	if squeeze := t.Squeeze - moved; squeeze > 0 {
		load := k.vertical.Force(squeeze, t.Running) + k.vertical.Damping()*(t.closing-moved*k.perDt)
		st.Load = max(0, load*t.PerLean)
	}
}
