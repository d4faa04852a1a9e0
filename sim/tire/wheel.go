package tire

import (
	"errors"
	"fmt"
	"math"
)

// WheelParams are what a tire needs beside its model to roll, stop and stand.
type WheelParams struct {
	Radius      float64 `toml:"radius_m"`              // unloaded; the wheel rolls on it where Drive gives no other
	Inertia     float64 `toml:"inertia_kgm2"`          // wheel, tire and hub about the axle
	RelaxationX float64 `toml:"relaxation_long_m"`     // longitudinal relaxation length; 0 takes the tire's own
	RelaxationY float64 `toml:"relaxation_lat_m"`      // lateral relaxation length; 0 takes the tire's own
	Damping     float64 `toml:"carcass_damping_ns_pm"` // N·s/m of the carcass, felt below 3 m/s
}

// Validate reports every parameter that is out of range.
func (p WheelParams) Validate() error {
	return errors.Join(
		inRange("radius_m", p.Radius, 0.05, 2),
		inRange("inertia_kgm2", p.Inertia, 0.01, 500),
		relaxes("relaxation_long_m", p.RelaxationX),
		relaxes("relaxation_lat_m", p.RelaxationY),
		inRange("carcass_damping_ns_pm", p.Damping, 0, 20e3),
	)
}

// leastRelaxation keeps the carcass soft enough for the time step [m]. A lightly
// loaded tire would ask for less.
const leastRelaxation = 0.02

func relaxes(name string, length float64) error {
	if length == 0 {
		return nil
	}
	return inRange(name, length, leastRelaxation, 2)
}

// Rolling is the state of a wheel between two ticks.
type Rolling struct {
	Spin    float64 // [rad/s], positive forward
	DeflX   float64 // carcass deflection along the wheel [m]: positive when the hub ran ahead of its contact, as in braking
	DeflY   float64 // carcass deflection sideways [m], positive when the hub went to the left of its contact
	Elastic float64 // longitudinal force of the last tick without the carcass' damping [N]
	Slip    float64 // longitudinal slip over the rolled way that Elastic belongs to; braking is positive
	Twist   float64 // of the contact about the road's normal [rad]: positive when the wheel turned to the left of its contact
	Skid    float64 // energy lost in slip so far [J]

	// Found by the last tick: slip over that of the tire's peak, in the direction that it has,
	// at this load and on this ground. A CoulombWheel gives the share of its friction in use.
	Strain float64
}

// Drive is what acts on a wheel during one tick.
type Drive struct {
	Vx, Vy   float64 // velocity of the contact [m/s], wheel axes
	Radius   float64 // effective rolling radius [m]; 0 takes WheelParams.Radius
	Gamma    float64 // inclination [rad]
	Load     float64 // [N]
	Surface  Surface // what it stands on
	Yaw      float64 // rate of the wheel about the road's normal, relative to the road [rad/s]
	Pressure float64 // inflation [Pa]; 0 is the tire's own
	Mass     float64 // that the contact has to stop [kg]; a CoulombWheel asks for it, a Wheel does not
	Torque   float64 // from the driveline [N·m], positive forward
	Slope    float64 // how much Torque falls for each rad/s the wheel gains [N·m·s/rad], >= 0
	Braking  float64 // the most the brake can hold [N·m], >= 0
}

// Roller is a wheel that keeps its state in a Rolling: a Wheel round any Model,
// or a CoulombWheel, which has no model of its slip.
type Roller interface {
	// Step advances s by one tick and returns the forces on the wheel.
	Step(s *Rolling, d Drive) Forces
}

// Wheel rolls a tire: its carcass deflection and its spin from tick to tick.
type Wheel struct {
	model      Model
	image      bool // the model is that of the other side of the car
	p          WheelParams
	dt, rate   float64 // [s], and 1 over it
	perX, perY float64 // 1 over the relaxation lengths given [1/m]; 0 takes the tire's own
	perPeak    float64 // 1 over the peak's slip in shares of what can be held
}

// NewWheel returns a wheel that steps by dt [s].
func NewWheel(m Model, p WheelParams, dt float64) (*Wheel, error) {
	if err := errors.Join(p.Validate(), inRange("dt", dt, 1e-6, 0.01)); err != nil {
		return nil, fmt.Errorf("tire: wheel: %w", err)
	}
	own := m.Capacity(Contact{Load: 1e3, Surface: Dry(), Speed: leastSpeed})
	if p.RelaxationX == 0 && !(own.RelaxationX > 0) {
		return nil, errors.New("tire: wheel: relaxation_long_m = 0, and the tire has no relaxation length of its own: give one, as 0.15")
	}
	if p.RelaxationY == 0 && !(own.RelaxationY > 0) {
		return nil, errors.New("tire: wheel: relaxation_lat_m = 0, and the tire has no relaxation length of its own: give one, as 0.3")
	}
	w := &Wheel{model: m, p: p, dt: dt, rate: 1 / dt, perPeak: 1 / peak(m)}
	if other, ok := m.(Mirrored); ok {
		w.model, w.image = other.Model, true
	}
	if p.RelaxationX > 0 {
		w.perX = 1 / p.RelaxationX
	}
	if p.RelaxationY > 0 {
		w.perY = 1 / p.RelaxationY
	}
	return w, nil
}

// Step advances s by one tick and returns the forces on the wheel. It is part
// of the loop: no allocation.
//
// The deflection u of the carcass follows sigma·du/dt + |Vr|·u = sigma·Vs in
// each direction (Vr the rolling speed, Vs the sliding speed, sigma the
// relaxation length): the usual lag of slip at speed, exactly a spring at
// standstill, with no branch between. What would exceed the friction limit
// slides away at a speed Vg, and the model is asked for its force at the slip
// u/sigma + Vg/|Vr|: once u has settled this is Vs/|Vr|, the steady slip, past
// the peak of its curve too. Spin and longitudinal force, which are stiff
// against each other, are solved together, linearly implicitly.
func (w *Wheel) Step(s *Rolling, d Drive) (f Forces) {
	d.tame()
	if !(d.Radius > 0) {
		d.Radius = w.p.Radius
	}
	var at stance
	if _, magic := w.model.(*Magic); magic {
		at.mf = new(slipping) // on the stack: it goes nowhere
	}
	if !w.stand(&at, &d) {
		w.lift(s, &d)
		return f
	}
	d.Braking += at.can.Rolling
	var g grip
	var t stretched
	w.grip(&g, s, &d, &at.can)
	spin := w.stickingSpin(s, &d, &g)
	w.stretch(&t, s, &d, &g, spin)
	if t.over > 1 {
		spin = w.slidingSpin(s, &d, &g, &t, spin)
		w.stretch(&t, s, &d, &g, spin)
	}
	w.steady(&f, s, &d, &at, &t)
	if t.over > 1 {
		spin = w.agree(&f, s, &d, &at, &g, &t, spin)
	}
	s.Elastic, s.Slip = f.Fx, t.sx
	s.Skid += lost(&f, &g, &t) * w.dt
	if g.damping > 0 {
		w.damped(&f, s, &g, &t)
	}
	s.DeflX, s.DeflY = t.ux, t.uy
	s.Strain = w.perPeak * g.strain(&t)
	f.Mz += s.twist(w.dt, &d, &at.can, g.share2(&f))
	w.spin(s, &d, spin, f.Fx)
	return f
}

// tame brings what is no number, or beyond any car, within bounds.
func (d *Drive) tame() {
	const most = 1e6
	motion := (d.Vx*d.Vx + d.Vy*d.Vy) + (d.Yaw*d.Yaw + d.Gamma*d.Gamma)
	push := (d.Torque*d.Torque + d.Load*d.Load) + (d.Slope*d.Slope + d.Braking*d.Braking)
	if motion+push+(d.Pressure*d.Pressure+d.Radius*d.Radius) < most*most { // false for NaN
		return
	}
	for _, v := range [...]*float64{&d.Vx, &d.Vy, &d.Yaw, &d.Gamma, &d.Torque, &d.Load, &d.Slope, &d.Braking, &d.Pressure, &d.Radius} {
		*v = min(max(bounded(*v), -most), most)
	}
}

// stand finds what the tire can do where the wheel stands, and tells whether
// there is any friction to count on.
func (w *Wheel) stand(at *stance, d *Drive) bool {
	on := &at.on
	on.Gamma, on.Load, on.Surface, on.Pressure = d.Gamma, d.Load, d.Surface, d.Pressure
	if w.image {
		on.Gamma = -on.Gamma
	}
	on.Speed = atLeast(math.Abs(d.Vx), leastSpeed)
	if !on.presses() {
		return false
	}
	w.capacity(at)
	return at.can.holds()
}

// holds tells whether there is any friction to count on.
func (c *Capacity) holds() bool {
	return c.ForceX > leastForce && c.ForceY > leastForce && c.StiffnessX > leastForce && c.StiffnessY > leastForce
}

// leastSpeed is what a model is told at standstill [m/s], for 0 would mean the
// speed that it was measured at.
const leastSpeed = 1e-3

// lift is Step for a wheel in the air: nothing but its torques.
func (w *Wheel) lift(s *Rolling, d *Drive) {
	*s = Rolling{Spin: s.Spin, Skid: s.Skid}
	g := grip{lagX: 1}
	w.spin(s, d, w.stickingSpin(s, d, &g), 0)
}

// grip is what a tick knows of the tire before it knows its slip.
type grip struct {
	perX, perY           float64 // 1 over the relaxation lengths [1/m]
	lagX, lagY           float64 // what the rolling leaves of a deflection
	perForceX, perForceY float64 // 1 over the greatest forces [1/N]
	overX, overY         float64 // 1 over the slip that can be held, for each direction
	stiffness            float64 // slope of Fx over the slip at none [N]
	perMetre             float64 // the same over DeflX [N/m]
	damping              float64 // of the carcass [N·s/m]
	rolled               float64 // rolling speed, either way [m/s]
	perRoll              float64 // 1 over it, bounded at standstill [s/m]
}

// grip finds what holds in this tick. The slip that can be held is where a
// brush of the tire's stiffness and friction starts to slide: 3·F/C (P 3.5).
func (w *Wheel) grip(g *grip, s *Rolling, d *Drive, can *Capacity) {
	const slowest = 0.5 // [m/s]: below, sliding counts as if the wheel rolled so fast
	g.perX, g.perY = w.perX, w.perY
	if g.perX == 0 {
		g.perX = 1 / atLeast(can.RelaxationX, leastRelaxation)
	}
	if g.perY == 0 {
		g.perY = 1 / atLeast(can.RelaxationY, leastRelaxation)
	}
	g.rolled = math.Abs(s.Spin) * d.Radius
	g.lagX, g.lagY = 1/(1+w.dt*g.rolled*g.perX), 1/(1+w.dt*g.rolled*g.perY)
	g.perRoll = 1 / atLeast(g.rolled, slowest)
	g.perForceX, g.perForceY = 1/can.ForceX, 1/can.ForceY
	g.overX = atLeast(can.StiffnessX*g.perForceX*(1.0/3), 1/mostHeldSlip)
	g.overY = atLeast(can.StiffnessY*g.perForceY*(1.0/3), 1/mostHeldSlip)
	g.stiffness, g.perMetre = can.StiffnessX, can.StiffnessX*g.perX
	g.damping = w.damping(d, g.rolled)
}

// mostHeldSlip keeps 1/(1-slip) small in rolling.
const mostHeldSlip = 0.9

// damping returns the carcass damping [N·s/m]. The lag itself damps a rolling
// tire, so this one fades out until 3 m/s, of the hub or of the tread: in a wheel
// that spins on the spot it would push along with the slide.
func (w *Wheel) damping(d *Drive, rolled float64) float64 {
	const fadeOut = 3 * 3 // [m²/s²]
	rest := 1 - (atLeast(d.Vx*d.Vx, rolled*rolled)+d.Vy*d.Vy)*(1.0/fadeOut)
	if rest <= 0 {
		return 0
	}
	return w.p.Damping * rest * rest
}

// damped adds the carcass' damping to f, as far as friction holds the sum; it
// never takes from what the model gives.
func (w *Wheel) damped(f *Forces, s *Rolling, g *grip, t *stretched) {
	most := max(1, g.share2(f))
	f.Fx -= g.damping * (t.ux - s.DeflX) * w.rate
	f.Fy -= g.damping * (t.uy - s.DeflY) * w.rate
	if share2 := g.share2(f); share2 > most {
		less := math.Sqrt(most / share2)
		f.Fx *= less
		f.Fy *= less
	}
}

// share2 returns the square of a force over the limits, which form an ellipse.
func (g *grip) share2(f *Forces) float64 {
	x, y := f.Fx*g.perForceX, f.Fy*g.perForceY
	return x*x + y*y
}

// lost returns the power that slip takes [W]: all work on the contact that does
// not stretch the carcass. Part slides away, and part leaves the contact with
// the bent bristles at its end.
func lost(f *Forces, g *grip, t *stretched) float64 {
	awayX := t.slideX + g.rolled*t.ux*g.perX
	awayY := t.slideY + g.rolled*t.uy*g.perY
	return atLeast(-(f.Fx*awayX + f.Fy*awayY), 0)
}
