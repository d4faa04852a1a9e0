package tire

import (
	"errors"
	"fmt"
	"math"

	"rig.example/rig/internal/kit/valid"
)

// WheelParams are the parameters that a tire needs beside its model to roll, stop and stand.
type WheelParams struct {
	Radius      float64 `toml:"radius_m" range:"0.05..2"`                                // unloaded radius; the wheel rolls on it where no effective radius is given
	Inertia     float64 `toml:"inertia_kgm2" range:"0.01..500"`                          // moment of inertia of wheel, tire and hub about the axle
	RelaxationX float64 `toml:"relaxation_long_m" range:"0 (the tire's own) or 0.02..2"` // longitudinal relaxation length; 0 takes the tire model's
	RelaxationY float64 `toml:"relaxation_lat_m" range:"0 (the tire's own) or 0.02..2"`  // lateral relaxation length; 0 takes the tire model's
	Damping     float64 `toml:"carcass_damping_ns_pm" range:"0..20000"`                  // damping of the carcass, below 3 m/s
}

// DefaultDamping is plausible for a standing road tire [N·s/m]: 8 % of the critical damping of 408 kg, 4 kN, on the
// 358 kN/m of the reference tire of P, appendix 3, a loss factor of 0.17. The carcass alone of that tire has 5.6 %
// lengthwise; the rest is our estimate for tread and suspension bushes, which are rubber too.
const DefaultDamping = 2000

// Validate reports every parameter that is out of range.
func (p WheelParams) Validate() error {
	return valid.Struct(p)
}

// minRelaxation is the lower limit of the relaxation length [m], so that the carcass is soft enough for
// the time step. Some tire models return less at small loads.
const minRelaxation = 0.02

// WheelState is the state of a wheel between two ticks.
type WheelState struct {
	Spin       float64 // [rad/s], positive forward
	DeflX      float64 // longitudinal carcass deflection [m], positive when the hub is ahead of its contact, as in braking
	DeflY      float64 // lateral carcass deflection [m], positive when the hub is to the left of its contact
	UndampedFx float64 // longitudinal force of the last tick without the carcass damping [N]
	SlipX      float64 // longitudinal sliding speed over the rolling speed in the last tick, which gave UndampedFx; braking is positive
	Twist      float64 // twist of the contact about the road's normal [rad], positive when the wheel is turned to the left of its contact
	SlipEnergy float64 // energy lost in slip so far [J]

	// NormalizedSlip is a result of the last tick: the slip over the slip at which the tire has its largest
	// force in the same direction, at this load and on this ground; 1 is the limit of grip. For a
	// CoulombWheel it is the force over the friction limit.
	NormalizedSlip float64
}

// WheelInput holds the motion, load, ground and torques that act on a wheel during one tick.
type WheelInput struct {
	Vx, Vy        float64 // velocity of the contact [m/s], in wheel axes
	Radius        float64 // effective rolling radius [m]; 0 takes WheelParams.Radius
	Gamma         float64 // inclination [rad]
	Load          float64 // normal force [N]
	Surface       Surface // surface under the tire
	YawRate       float64 // yaw rate of the wheel about the road's normal, relative to the road [rad/s]
	Pressure      float64 // inflation pressure [Pa]; 0 is the tire's nominal pressure
	EffectiveMass float64 // mass that the contact has to stop [kg]; only CoulombWheel uses it
	Torque        float64 // driveline torque [N·m], forward positive
	TorqueSlope   float64 // fall of Torque per rad/s of spin [N·m·s/rad], >= 0
	BrakeTorque   float64 // largest torque of the brake [N·m], >= 0
}

// WheelModel is a wheel whose state is a WheelState: a Wheel with any Model, or a CoulombWheel, which
// has dry friction instead of slip.
type WheelModel interface {
	// Step advances s by one tick and returns the forces on the wheel.
	Step(s *WheelState, d WheelInput) Forces
}

// Wheel rolls a tire: it advances carcass deflection and spin from tick to tick.
type Wheel struct {
	model                          Model
	mirrored                       bool // the model is that of the other side of the car
	params                         WheelParams
	dt, perDt                      float64 // time step [s], and 1 over it
	perRelaxationX, perRelaxationY float64 // 1 over the relaxation lengths of WheelParams [1/m]; 0 takes the model's
	perPeakSlip                    float64 // 1 over peakSlip
}

// NewWheel returns a wheel that steps by dt [s].
func NewWheel(m Model, p WheelParams, dt float64) (*Wheel, error) {
	if err := errors.Join(p.Validate(), valid.InRange("dt", dt, 1e-6, 0.01)); err != nil {
		return nil, fmt.Errorf("tire: wheel: %w", err)
	}
	capacity := m.Capacity(Contact{Load: 1e3, Surface: Dry(), Speed: minSpeed})
	if p.RelaxationX == 0 && !(capacity.RelaxationX > 0) {
		return nil, errors.New("tire: wheel: relaxation_long_m = 0, and the tire model has no relaxation length; set one, for example 0.15")
	}
	if p.RelaxationY == 0 && !(capacity.RelaxationY > 0) {
		return nil, errors.New("tire: wheel: relaxation_lat_m = 0, and the tire model has no relaxation length; set one, for example 0.3")
	}
	w := &Wheel{model: m, params: p, dt: dt, perDt: 1 / dt, perPeakSlip: 1 / peakSlip(m)}
	if other, ok := m.(Mirrored); ok {
		w.model, w.mirrored = other.Model, true
	}
	if p.RelaxationX > 0 {
		w.perRelaxationX = 1 / p.RelaxationX
	}
	if p.RelaxationY > 0 {
		w.perRelaxationY = 1 / p.RelaxationY
	}
	return w, nil
}

// StepWheel steps a wheel as its Step does, and sets f to the forces. A Wheel gets the pointers: an input of this size
// takes long to copy just after it was stored, and a pointer that is passed through an interface would be allocated.
func StepWheel(m WheelModel, f *Forces, s *WheelState, d *WheelInput) {
	if w, ok := m.(*Wheel); ok {
		w.step(f, s, d)
		return
	}
	*f = m.Step(s, *d)
}

// Step advances s by one tick and returns the forces on the wheel. It allocates nothing.
//
// The deflection u of the carcass follows sigma·du/dt + |Vr|·u = sigma·Vs in each direction (Vr the
// rolling speed, Vs the sliding speed, sigma the relaxation length): the usual lag of slip at speed, and
// a spring at standstill, with no branch between them (standing has what differs below 3 m/s). Deflection beyond
// the friction limit slides away at a speed Vg, and the model's force is that at the slip u/sigma + Vg/|Vr|: once u has
// settled this is Vs/|Vr|, the steady slip, also past the peak of the curve. Spin and longitudinal
// force, which are stiff against each other, are solved together, linearly implicitly.
func (w *Wheel) Step(s *WheelState, d WheelInput) (f Forces) {
	w.step(&f, s, &d)
	return f
}

// step is Step, but sets f through a pointer, and may change d.
func (w *Wheel) step(f *Forces, s *WheelState, d *WheelInput) {
	*f = Forces{}
	d.sanitize()
	if !(d.Radius > 0) {
		d.Radius = w.params.Radius
	}
	var at contactState
	if _, magic := w.model.(*MagicFormula); magic {
		at.mf = new(mfContact) // stays on the stack, because it does not escape
	}
	if !w.prepareContact(&at, d) {
		w.stepInAir(s, d)
		return
	}
	if magic, ok := w.model.(*MagicFormula); ok {
		at.capacity.Rolling = magic.rollingUnder(at.mf, math.Copysign(s.UndampedFx, s.UndampedFx*s.Spin))
	}
	d.BrakeTorque += at.capacity.Rolling
	var g contactGrip
	var t carcass
	w.setGrip(&g, s, d, &at.capacity)
	spin := w.stickingSpin(s, d, &g)
	w.deflect(&t, s, d, &g, spin)
	if t.slipOverLimit > 1 {
		spin = w.slidingSpin(s, d, &g, &t, spin)
		w.deflect(&t, s, d, &g, spin)
	}
	w.steadyForces(f, s, d, &at, &t)
	if t.slipOverLimit > 1 {
		spin = w.refineSpin(f, s, d, &at, &g, &t, spin)
	}
	s.UndampedFx, s.SlipX = f.Fx, t.sx
	s.SlipEnergy += slipPower(f, &g, &t) * w.dt
	if g.damping > 0 && !(t.slipOverLimit > 1) { // a contact that slides has all of its friction already
		w.addDamping(f, s, &g, &t)
	}
	s.DeflX, s.DeflY = t.ux, t.uy
	s.NormalizedSlip = w.perPeakSlip * g.normalizedSlip(&t)
	f.Mz += s.twist(w.dt, d, &at.capacity, g.frictionUse2(f))
	spinBefore := s.Spin
	w.setSpin(s, d, spin, f.Fx)
	f.My = w.params.rollingMoment(w.dt, spinBefore, s.Spin, d, f.Fx, at.capacity.Rolling)
}

// sanitize replaces NaN by 0 and clamps values that no car reaches.
func (d *WheelInput) sanitize() {
	const limit = 1e6
	motion2 := (d.Vx*d.Vx + d.Vy*d.Vy) + (d.YawRate*d.YawRate + d.Gamma*d.Gamma)
	load2 := (d.Torque*d.Torque + d.Load*d.Load) + (d.TorqueSlope*d.TorqueSlope + d.BrakeTorque*d.BrakeTorque)
	if motion2+load2+(d.Pressure*d.Pressure+d.Radius*d.Radius) < limit*limit { // false for NaN
		return
	}
	for _, v := range [...]*float64{&d.Vx, &d.Vy, &d.YawRate, &d.Gamma, &d.Torque, &d.Load, &d.TorqueSlope, &d.BrakeTorque, &d.Pressure, &d.Radius} {
		*v = min(max(boundedOrZero(*v), -limit), limit)
	}
}

// prepareContact sets the contact and its limits, and reports whether there is any friction.
func (w *Wheel) prepareContact(at *contactState, d *WheelInput) bool {
	on := &at.contact
	on.Gamma, on.Load, on.Surface, on.Pressure = d.Gamma, d.Load, d.Surface, d.Pressure
	if w.mirrored {
		on.Gamma = -on.Gamma
	}
	on.Speed = atLeast(math.Abs(d.Vx), minSpeed)
	if !on.hasContact() {
		return false
	}
	w.capacity(at)
	return at.capacity.hasFriction()
}

// hasFriction reports whether force limits and stiffnesses are large enough to divide by.
func (c *Capacity) hasFriction() bool {
	return c.ForceX > minForce && c.ForceY > minForce && c.StiffnessX > minForce && c.StiffnessY > minForce
}

// minSpeed is the speed that a model gets at standstill [m/s], because 0 would mean the speed at which
// it was measured.
const minSpeed = 1e-3

// stepInAir is Step for a wheel without contact: only the torques act.
func (w *Wheel) stepInAir(s *WheelState, d *WheelInput) {
	*s = WheelState{Spin: s.Spin, SlipEnergy: s.SlipEnergy}
	g := contactGrip{decayX: 1}
	w.setSpin(s, d, w.stickingSpin(s, d, &g), 0)
}

// contactGrip holds the quantities of a tick that do not depend on its slip.
type contactGrip struct {
	perRelaxationX, perRelaxationY float64 // 1 over the relaxation lengths [1/m]
	decayX, decayY                 float64 // share of a deflection that remains after a tick, because rolling renews the contact
	perForceX, perForceY           float64 // 1 over the force limits [1/N]
	perLimitSlipX, perLimitSlipY   float64 // 1 over the slip limit, for each direction
	stiffness                      float64 // slip stiffness [N]
	stiffnessPerMetre              float64 // slope of Fx over DeflX [N/m]
	damping                        float64 // damping of the carcass [N·s/m]
	rollSpeed                      float64 // rolling speed, without sign [m/s]
	perRollSpeed                   float64 // 1 over the rolling speed, bounded at standstill [s/m]
	standing                       standing
}

// setGrip sets g for this tick. The slip limit is that at which a brush of the tire's stiffness C and largest
// force F slides over its whole length: 3·F/C (Pacejka, eq. 3.5).
func (w *Wheel) setGrip(g *contactGrip, s *WheelState, d *WheelInput, capacity *Capacity) {
	const minRollSpeed = 0.5 // [m/s]; below it, sliding counts as at this rolling speed
	g.perRelaxationX, g.perRelaxationY = w.perRelaxationX, w.perRelaxationY
	if g.perRelaxationX == 0 {
		g.perRelaxationX = 1 / atLeast(capacity.RelaxationX, minRelaxation)
	}
	if g.perRelaxationY == 0 {
		g.perRelaxationY = 1 / atLeast(capacity.RelaxationY, minRelaxation)
	}
	g.rollSpeed = math.Abs(s.Spin) * d.Radius
	g.decayX, g.decayY = 1/(1+w.dt*g.rollSpeed*g.perRelaxationX), 1/(1+w.dt*g.rollSpeed*g.perRelaxationY)
	g.perRollSpeed = 1 / atLeast(g.rollSpeed, minRollSpeed)
	g.perForceX, g.perForceY = 1/capacity.ForceX, 1/capacity.ForceY
	g.perLimitSlipX = atLeast(capacity.StiffnessX*g.perForceX*(1.0/3), 1/largestSlipLimit)
	g.perLimitSlipY = atLeast(capacity.StiffnessY*g.perForceY*(1.0/3), 1/largestSlipLimit)
	g.stiffness, g.stiffnessPerMetre = capacity.StiffnessX, capacity.StiffnessX*g.perRelaxationX
	g.damping = w.damping(d, g.rollSpeed)
	g.setStanding(s)
}

// largestSlipLimit bounds the slip limit and the slips passed to models, so that 1/(1-slip) stays small.
const largestSlipLimit = 0.9

// damping returns the carcass damping [N·s/m]. It fades out between 0 and 3 m/s of the hub or of the
// tread, because the relaxation of a rolling tire damps by itself, and because on a wheel that spins on
// the spot the damping force would act in the direction of sliding.
func (w *Wheel) damping(d *WheelInput, rollSpeed float64) float64 {
	const fadeOut = 3 * 3 // [m²/s²]
	fade := 1 - (atLeast(d.Vx*d.Vx, rollSpeed*rollSpeed)+d.Vy*d.Vy)*(1.0/fadeOut)
	if fade <= 0 {
		return 0
	}
	return w.params.Damping * fade * fade
}

// addDamping adds the carcass damping to f as far as friction allows. It never reduces the model's own
// force.
func (w *Wheel) addDamping(f *Forces, s *WheelState, g *contactGrip, t *carcass) {
	limit2 := max(1, g.frictionUse2(f))
	f.Fx -= g.damping * (t.ux - s.DeflX) * w.perDt
	f.Fy -= g.damping * (t.uy - s.DeflY) * w.perDt
	if use2 := g.frictionUse2(f); use2 > limit2 {
		scale := math.Sqrt(limit2 / use2)
		f.Fx *= scale
		f.Fy *= scale
	}
}

// frictionUse2 returns the square of a force over the limits, which form an ellipse.
func (g *contactGrip) frictionUse2(f *Forces) float64 {
	x, y := f.Fx*g.perForceX, f.Fy*g.perForceY
	return x*x + y*y
}

// slipPower returns the power that slip dissipates [W]: all work on the contact that does not deflect the
// carcass. One part is lost by sliding. The other leaves with the bristles, which are still deflected
// when they reach the end of the contact.
func slipPower(f *Forces, g *contactGrip, t *carcass) float64 {
	leaveX := t.slideX + g.rollSpeed*t.lagX*g.perRelaxationX
	leaveY := t.slideY + g.rollSpeed*t.lagY*g.perRelaxationY
	return atLeast(-(f.Fx*leaveX + f.Fy*leaveY), 0)
}
