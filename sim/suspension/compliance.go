package suspension

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"
	"rig.example/rig/internal/kit/valid"
)

// Compliance describes how far the links of a wheel give way to the forces of its tire, in the figures of a
// kinematics and compliance rig with one wheel loaded. All 0 is a rigid suspension.
//
// Each wheel turns on two springs with dampers beside them: in toe about an upright axis, and in camber about
// the line of its heading through the hub. The upright axis lies ahead of or behind the contact, by as much as
// gives both figures of the toe. Bushes give way by 2° at most.
type Compliance struct {
	// toe angle for each 100 N·m of aligning moment; the wheel turns the way the moment does. In front it
	// includes the steering's own, for the steering wheel angle counts at the rack
	ToeByAligning float64 `toml:"toe_by_aligning_deg_per_100nm" range:"0..5"`
	// toe angle for each kN of side force. Positive: a force to the left turns the wheel to the right, which
	// makes a car understeer if the wheel is in front and oversteer if it is behind. Only with
	// `toe_by_aligning_deg_per_100nm`, and at most five times its figure
	ToeBySideForce float64 `toml:"toe_by_side_force_deg_per_kn" range:"-5..5"`
	// camber angle for each kN of side force; the top of the wheel leans away from the side to which the force
	// acts
	CamberBySideForce float64 `toml:"camber_by_side_force_deg_per_kn" range:"0..2"`
}

// Validate reports every parameter that is out of range.
func (c Compliance) Validate() error {
	const maxLever = 0.5 // from the contact to the upright axis [m]
	err := valid.Struct(c)
	if err == nil && c.ToeBySideForce != 0 && c.ToeByAligning == 0 {
		return errors.New("toe_by_side_force_deg_per_kn counts only with toe_by_aligning_deg_per_100nm: give that too, as 0.3, or neither")
	}
	if most := maxLever * 10 * c.ToeByAligning; err == nil && math.Abs(c.ToeBySideForce) > most {
		return fmt.Errorf("toe_by_side_force_deg_per_kn = %g: must be -%g to %g, five times toe_by_aligning_deg_per_100nm", c.ToeBySideForce, most, most)
	}
	return err
}

// ComplianceState is the elastic deflection of one wheel.
type ComplianceState struct {
	Toe, Camber         float64 // angles [rad]: positive to the left, positive top to the right
	ToeRate, CamberRate float64 // rates in the coming tick [rad/s]
}

// complianceLag is the time constant of the dampers with their springs [s]: with a wheel's inertia, bushes hold
// it back about as long.
const complianceLag = 0.008

// compliance is the compliance of a wheel in the form that a tick needs.
type compliance struct {
	any    bool
	toe    float64 // [rad/(N·m)]
	camber float64 // [rad/(N·m)]
	lever  float64 // position of the contact ahead of the upright axis [m]
}

// newCompliance returns the compliance of a wheel whose hub is at a height [m] above the ground at rest.
func newCompliance(p Compliance, height float64) (c compliance) {
	const degree = math.Pi / 180
	c.any = p != (Compliance{})
	c.toe = p.ToeByAligning * degree / 100
	c.camber = p.CamberBySideForce * degree / 1000 / height
	if c.toe > 0 {
		c.lever = -p.ToeBySideForce * degree / 1000 / c.toe
	}
	return c
}

// deflect turns the wheel of pose p by its elastic angles. up is the body's z. It must come after the wheel's
// other rotations.
func (c *compliance) deflect(p *Pose, st *ComplianceState, up r3.Vec) {
	heading := r3.Cross(p.Axle, up)
	square := r3.Dot(heading, heading)
	if square == 0 {
		return // the wheel lies flat in the body
	}
	p.heading = r3.Scale(1/math.Sqrt(square), heading)
	p.upright = r3.Cross(p.heading, p.Axle)
	shift := r3.Scale(c.lever*st.Toe, p.Axle)
	p.Hub, p.fromKingpin = r3.Add(p.Hub, shift), r3.Add(p.fromKingpin, shift)
	axle := r3.Add(p.Axle, r3.Sub(r3.Scale(st.Camber, p.upright), r3.Scale(st.Toe, p.heading)))
	p.Axle = r3.Scale(1/math.Sqrt(r3.Dot(axle, axle)), axle)
	p.ElasticRate = r3.Add(r3.Scale(st.ToeRate, p.upright), r3.Scale(st.CamberRate, p.heading))
}

// move sets the motion of the contact of a wheel for each radian of its elastic angles, arm being the vector
// from the hub to the contact [m, world], and returns its velocity by their rates [m/s, world].
func (c *compliance) move(t *Contact, p *Pose, st *ComplianceState, arm r3.Vec) r3.Vec {
	t.perToe = r3.Add(r3.Scale(c.lever, p.Axle), r3.Cross(p.upright, arm))
	t.perCamber = r3.Cross(p.heading, arm)
	return r3.Add(r3.Scale(st.ToeRate, t.perToe), r3.Scale(st.CamberRate, t.perCamber))
}

// StepCompliance moves the elastic angles of the wheel by one tick, and sets their rates in the next one by the
// force on its tire, the moment on tire and wheel, and the angular momentum of its spin, which is 0 without
// gyroscopes [N, N·m, N·m·s; vectors in world]. It must be called once a tick.
//
// The work of force and moment on both angles is what their springs and dampers take. Force and moment are those
// of a tick before. What the rates change in them at once is solved with the rates, or a soft suspension would
// swing: the contact's damping as far as the tire grips, and the gyroscopic moments by which toe and camber drive
// each other.
func (k *Corner) StepCompliance(st *State, p *Pose, t *Contact, force, moment r3.Vec, momentum float64) {
	c, e := &k.compliance, &st.Compliance
	if !c.any {
		return
	}
	const minSpeed = 1e-3 // [m/s]
	aside, tilted := r3.Dot(t.perToe, t.Left), r3.Dot(t.perCamber, t.Left)
	speed := aside*e.ToeRate + tilted*e.CamberRate // of the contact to the left [m/s]
	damping := min(k.contactDamping, st.Load/(math.Abs(speed)+minSpeed))
	toeMoment := r3.Dot(t.perToe, force) + r3.Dot(p.upright, moment) + momentum*e.CamberRate + damping*aside*speed
	camberMoment := r3.Dot(t.perCamber, force) + r3.Dot(p.heading, moment) - momentum*e.ToeRate + damping*tilted*speed

	e.Toe += k.dt * e.ToeRate
	e.Camber += k.dt * e.CamberRate
	perLag := 1 / (complianceLag + k.dt)
	toe, camber := c.toe*perLag, c.camber*perLag // rates for each N·m [rad/(N·m·s)]
	toeRate, camberRate := toe*toeMoment-e.Toe*perLag, camber*camberMoment-e.Camber*perLag
	toeByCamber, camberByToe := toe*(damping*aside*tilted+momentum), camber*(damping*aside*tilted-momentum)
	toeSelf, camberSelf := 1+toe*damping*aside*aside, 1+camber*damping*tilted*tilted
	perDet := 1 / (toeSelf*camberSelf - toeByCamber*camberByToe)
	e.ToeRate = k.withinBushes(e.Toe, (toeRate*camberSelf-camberRate*toeByCamber)*perDet)
	e.CamberRate = k.withinBushes(e.Camber, (camberRate*toeSelf-toeRate*camberByToe)*perDet)
}

// withinBushes returns the rate of an elastic angle [rad/s], limited so that the angle [rad] stays where bushes give
// way: beyond it the links meet metal, which takes energy and gives none. A blow that would throw a wheel from one end
// to the other within a tick meets the dampers.
func (k *Corner) withinBushes(angle, rate float64) float64 {
	const most = 2 * math.Pi / 180 // [rad]
	const fastest = most / complianceLag
	rate = min(max(rate, -fastest), fastest)
	return (min(max(angle+k.dt*rate, -most), most) - angle) * k.perDt
}

// SteerByForce returns the angle by which the wheel turns to the right for each N of side force to the left that
// acts a trail [m] behind the contact's middle [rad/N].
func (k *Corner) SteerByForce(trail float64) float64 {
	return k.compliance.toe * (trail - k.compliance.lever)
}
