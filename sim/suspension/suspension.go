package suspension

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/chassis"
)

// State is the state of one wheel's suspension.
type State struct {
	Travel      float64 // compression from full droop [m]
	TravelSpeed float64 // rate of Travel, positive in bump [m/s]
	// force of the links along the travel, by the tire's forces in the last tick [N]; the caller sets it by
	// Corner.LinkForce
	LinkForce float64

	Load float64 // normal force of the road in the last tick [N]

	Compliance ComplianceState
}

// Wheel holds the data of a wheel that Step reads and writes.
type Wheel struct {
	State        *State
	Pose         *Pose
	Contact      *Contact
	TravelMotion *chassis.Wheel // output: motion along the travel, for the body's step
}

// System holds everything of a car's suspension that is constant in a run.
type System struct {
	Corners [4]Corner
	bars    [2]bar  // front and rear
	joints  joints  // lateral springs of solid axles
	dt      float64 // time step [s]
}

// New returns the suspension of a car whose wheels are at these stations. mobilities are the mobilities of
// the body without its wheels at a front and at a rear wheel, along its z [1/kg]. dt is the time step [s].
func New(front, rear *Params, at *[4]Station, mobilities [2]float64, dt float64) (System, error) {
	s := System{dt: dt}
	for i, a := range [4]*Params{front, front, rear, rear} {
		var err error
		if s.Corners[i], err = NewCorner(a, at[i], dt); err != nil {
			return s, err
		}
	}
	s.bars = [2]bar{newBar(front, mobilities[0], dt), newBar(rear, mobilities[1], dt)}
	return s, nil
}

// AttachAxles connects the axles that are on joints with the body. It returns an error if nothing of the
// body's mass or inertia is left without them.
func (s *System) AttachAxles(at *[4]Station, body *chassis.Body) error {
	if s.joints = newJoints(s, at, body); !s.joints.leaveSprungMass() {
		return errors.New("its axles on joints leave the body no mass or inertia of its own: raise mass_kg, inertia_xx_kgm2 and inertia_zz_kgm2, or lower unsprung_mass_kg")
	}
	return nil
}

// Step computes the travel speeds and the loads of the wheels of an axle, and sets c to the force of the bar.
// gravityShare is the component of gravity along the body's -z, as a share of it; vel is the car's velocity
// [m/s, world].
//
// Tire, spring, damper, bar and weight act on each wheel. The body does not move; it responds in its own
// step. The travel speeds follow from a linearly implicit step of both sides together, because the bar
// couples them. It is stable with any stiffness and with massless wheels.
func (s *System) Step(axle int, left, right *Wheel, gravityShare float64, vel r3.Vec, c *Coupling) {
	var l, r strut
	s.Corners[2*axle].forces(&l, left, gravityShare)
	s.Corners[2*axle+1].forces(&r, right, gravityShare)
	bar := &s.bars[axle]
	share := bar.speedShare(vel)
	if bar.bodyRate > 0 {
		bar.bodyForces(c, share, left, right)
	}
	bar.couple(c, s.dt, share, &l, &r)
	coupling := s.dt * c.crossRate
	kl, kr := l.impedance+s.dt*c.leftRate, r.impedance+s.dt*c.rightRate
	fl, fr := l.force-c.left, r.force-c.right
	perDet := 1 / (kl*kr - coupling*coupling)
	s.Corners[2*axle].moveWheel(left, (fl*kr+fr*coupling)*perDet)
	s.Corners[2*axle+1].moveWheel(right, (fr*kl+fl*coupling)*perDet)
}

// strut is the sum of the forces that move a wheel along its travel, without the bar:
// force - impedance·speed, with the travel speed at the tick's end.
type strut struct {
	force     float64 // positive in bump [N]
	impedance float64 // of mass, dampers and springs in the implicit step: m/dt + c + dt·k [N·s/m]
	travel    float64 // travel before the tick [m]
	touches   bool    // the tire touches the ground
}

// forces sets out to the forces on a wheel along its travel. gravityShare is as in Step.
func (k *Corner) forces(out *strut, w *Wheel, gravityShare float64) {
	st, t := w.State, w.Contact
	spring, rate := k.spring.at(st.Travel)
	massPerDt := k.mass * k.perDt
	force := massPerDt*st.TravelSpeed - k.mass*k.gravity*gravityShare - spring
	impedance := massPerDt
	// A tire only pushes: its damper must not pull the wheel down when the tire leaves the ground.
	if tireForce := k.vertical.Force(t.Deflection,
		t.Running) + k.vertical.Damping()*t.closingSpeed; t.Deflection > 0 && tireForce > 0 {
		linkDamping := k.linkDamping(st, w.Pose)
		force += t.liftPerTravel*tireForce + st.LinkForce + linkDamping*st.TravelSpeed
		impedance += linkDamping
		rate += t.liftPerTravel * t.liftPerTravel * k.vertical.Rate(t.Deflection, t.Running)
		impedance += t.liftPerTravel * t.liftPerTravel * k.vertical.Damping()
	}
	impedance += k.dt * rate
	slope, offset := k.damper.linearize(force, impedance, w.Pose.Ratio)
	out.force, out.impedance, out.travel, out.touches = force-offset, impedance+slope, st.Travel, t.Deflection > 0
}

// linkDamping returns the damping of the travel by the contact, which links that are not vertical drag along
// the road [N·s/m]. The tire's grip limits it.
//
// State.LinkForce is that of the last tick. Without this damping it would make a light wheel on steep links
// oscillate.
func (k *Corner) linkDamping(st *State, p *Pose) float64 {
	const minSpeed = 1e-3 // [m/s]
	square := r3.Dot(p.DContact, p.DContact)
	if square == 0 || k.p.Joint.Rate != 0 {
		return 0
	}
	slidingSpeed := math.Sqrt(square) * math.Abs(st.TravelSpeed)
	return square * min(k.contactDamping, st.Load/(slidingSpeed+minSpeed))
}

// moveWheel sets the motion of one wheel for the body's step, and its load, given its travel speed [m/s].
func (k *Corner) moveWheel(w *Wheel, speed float64) {
	st, t := w.State, w.Contact
	travel := st.Travel + k.dt*speed
	limited := min(max(travel, 0), k.p.Travel)
	m := w.TravelMotion
	m.Travel, m.TravelSpeed, m.SpeedChange = st.Travel, st.TravelSpeed, speed-st.TravelSpeed
	m.StopTravel, m.Fixed = limited, limited != travel
	moved := t.liftPerTravel * (limited - st.Travel)
	st.Load = 0
	if deflection := t.Deflection - moved; deflection > 0 {
		load := k.vertical.Force(deflection, t.Running) + k.vertical.Damping()*(t.closingSpeed-moved*k.perDt)
		st.Load = max(0, load*t.InverseCosLean)
	}
}
