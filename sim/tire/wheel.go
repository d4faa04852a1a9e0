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
	p          WheelParams
	dt, rate   float64 // [s], and 1 over it
	perX, perY float64 // 1 over the relaxation lengths given [1/m]; 0 takes the tire's own
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
	w := &Wheel{model: m, p: p, dt: dt, rate: 1 / dt}
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
func (w *Wheel) Step(s *Rolling, d Drive) Forces {
	d.tame()
	if !(d.Radius > 0) {
		d.Radius = w.p.Radius
	}
	on := d.contact(0, 0)
	if !on.presses() {
		return w.lift(s, &d)
	}
	can := w.model.Capacity(on)
	if !can.holds() {
		return w.lift(s, &d)
	}
	d.Braking += can.Rolling
	g := w.grip(s, &d, &can)
	spin := w.stickingSpin(s, &d, &g)
	t := w.stretch(s, &d, &g, spin)
	if t.over > 1 {
		spin = w.slidingSpin(s, &d, &g, &t, spin)
		t = w.stretch(s, &d, &g, spin)
	}
	f := w.steady(s, &d, t.sx, t.sy)
	if t.over > 1 {
		spin = w.agree(s, &d, &g, &t, &f, spin)
	}
	s.Elastic, s.Slip = f.Fx, t.sx
	s.Skid += lost(&f, &g, &t) * w.dt
	if g.damping > 0 {
		f = w.damped(f, s, &g, &can, &t)
	}
	s.DeflX, s.DeflY = t.ux, t.uy
	f.Mz += s.twist(w.dt, &d, &can, &f)
	w.spin(s, &d, spin, f)
	return f
}

// tame brings what is no number, or beyond any car, within bounds.
func (d *Drive) tame() {
	const most = 1e6
	motion := (math.Abs(d.Vx) + math.Abs(d.Vy)) + (math.Abs(d.Yaw) + math.Abs(d.Gamma))
	push := (math.Abs(d.Torque) + math.Abs(d.Load)) + (math.Abs(d.Slope) + math.Abs(d.Braking))
	if motion+push+(math.Abs(d.Pressure)+math.Abs(d.Radius)) < most { // false for NaN
		return
	}
	for _, v := range [...]*float64{&d.Vx, &d.Vy, &d.Yaw, &d.Gamma, &d.Torque, &d.Load, &d.Slope, &d.Braking, &d.Pressure, &d.Radius} {
		*v = min(max(bounded(*v), -most), most)
	}
}

// contact returns how the wheel stands, at a slip.
func (d *Drive) contact(kappa, tanAlpha float64) Contact {
	return Contact{
		Kappa: kappa, TanAlpha: tanAlpha, Gamma: d.Gamma, Load: d.Load, Surface: d.Surface,
		Pressure: d.Pressure, Speed: max(math.Abs(d.Vx), leastSpeed),
	}
}

// holds tells whether there is any friction to count on.
func (c *Capacity) holds() bool {
	return c.ForceX > leastForce && c.ForceY > leastForce && c.StiffnessX > leastForce && c.StiffnessY > leastForce
}

// leastSpeed is what a model is told at standstill [m/s], for 0 would mean the
// speed that it was measured at.
const leastSpeed = 1e-3

// lift is Step for a wheel in the air: nothing but its torques.
func (w *Wheel) lift(s *Rolling, d *Drive) Forces {
	*s = Rolling{Spin: s.Spin, Skid: s.Skid}
	g := grip{lagX: 1}
	w.spin(s, d, w.stickingSpin(s, d, &g), Forces{})
	return Forces{}
}

// grip is what a tick knows of the tire before it knows its slip.
type grip struct {
	perX, perY   float64 // 1 over the relaxation lengths [1/m]
	lagX, lagY   float64 // what the rolling leaves of a deflection
	overX, overY float64 // 1 over the slip that can be held, for each direction
	stiffness    float64 // slope of Fx over the slip at none [N]
	perMetre     float64 // the same over DeflX [N/m]
	damping      float64 // of the carcass [N·s/m]
	rolled       float64 // rolling speed, either way [m/s]
	perRoll      float64 // 1 over it, bounded at standstill [s/m]
}

// grip returns what holds in this tick. The slip that can be held is where a
// brush of the tire's stiffness and friction starts to slide: 3·F/C (P 3.5).
func (w *Wheel) grip(s *Rolling, d *Drive, can *Capacity) grip {
	const slowest = 0.5 // [m/s]: below, sliding counts as if the wheel rolled so fast
	rolled := math.Abs(s.Spin) * d.Radius
	g := grip{
		perX: w.perX, perY: w.perY,
		overX: max(can.StiffnessX/(3*can.ForceX), 1/mostHeldSlip), overY: max(can.StiffnessY/(3*can.ForceY), 1/mostHeldSlip),
		stiffness: can.StiffnessX, damping: w.damping(d),
		rolled: rolled, perRoll: 1 / max(rolled, slowest),
	}
	if g.perX == 0 {
		g.perX = 1 / max(can.RelaxationX, leastRelaxation)
	}
	if g.perY == 0 {
		g.perY = 1 / max(can.RelaxationY, leastRelaxation)
	}
	g.perMetre = g.stiffness * g.perX
	g.lagX, g.lagY = 1/(1+w.dt*rolled*g.perX), 1/(1+w.dt*rolled*g.perY)
	return g
}

// mostHeldSlip keeps 1/(1-slip) small in rolling.
const mostHeldSlip = 0.9

// damping returns the carcass damping [N·s/m]. The lag itself damps a rolling
// tire, so this one fades out until 3 m/s.
func (w *Wheel) damping(d *Drive) float64 {
	const fadeOut = 3 * 3 // [m²/s²]
	rest := max(0, 1-(d.Vx*d.Vx+d.Vy*d.Vy)/fadeOut)
	return w.p.Damping * rest * rest
}

// stickingSpin returns the spin after this tick with the tire force linear in
// the deflection. A brake that can hold what is left gives exactly 0.
func (w *Wheel) stickingSpin(s *Rolling, d *Drive, g *grip) float64 {
	perRate := g.perMetre*w.dt + g.damping // force over the deflection's speed
	grow := perRate * g.lagX
	pull := s.Elastic + perRate*s.DeflX*(1-g.lagX)*w.rate - grow*d.Vx // tire force at a spin of 0
	return w.turned(s, d, pull, grow)
}

// slidingSpin is stickingSpin for a contact that slides, whose force follows
// its whole slip; t is what the spin of a sticking one would lead to.
//
// How much the slip follows the speed is the slope of stretch. How much the
// force follows the slip is taken from the last tick, as their ratio, which for
// a curve that bends towards the slip axis is no less than its slope.
func (w *Wheel) slidingSpin(s *Rolling, d *Drive, g *grip, t *stretched, spin float64) float64 {
	rate := g.stiffness
	if steep := math.Abs(s.Slip) * rate; math.Abs(s.Elastic) < steep {
		rate = max(math.Abs(s.Elastic/s.Slip), rate/(3*t.over))
	}
	grow := rate * t.perSpeed
	pull := s.Elastic - rate*(t.sx-s.Slip) - grow*d.Radius*spin
	return w.turned(s, d, pull, grow)
}

// agree tries other spins for a sliding contact, until its force leads to the
// spin that it was found at. Below walking speed a brake stops a wheel within a
// tick, and slidingSpin, which knows one slope, may miss by more than the speed.
// The force rises with the spin, so the answer lies between any spin and the one
// that it leads to.
func (w *Wheel) agree(s *Rolling, d *Drive, g *grip, t *stretched, f *Forces, spin float64) float64 {
	const rounds, slack = 4, 0.02 // [m/s]
	low, high := math.Inf(-1), math.Inf(1)
	for range rounds {
		next := w.p.after(w.dt, s.Spin, d, f.Fx)
		if math.Abs(next-spin)*d.Radius <= slack {
			break
		}
		if next > spin {
			low, high = spin, min(high, next)
		} else {
			low, high = max(low, next), spin
		}
		spin = (low + high) / 2
		*t = w.stretch(s, d, g, spin)
		*f = w.steady(s, d, t.sx, t.sy)
	}
	return spin
}

// turned returns the spin after this tick against a tire force of pull at a
// spin of 0, which grows with the speed of the tread.
func (w *Wheel) turned(s *Rolling, d *Drive, pull, grow float64) float64 {
	mass := w.p.Inertia + w.dt*(d.Slope+grow*d.Radius*d.Radius)
	return shrink(w.p.push(w.dt, s.Spin, d, pull), w.dt*d.Braking) / mass
}

// lost returns the power that slip takes [W]: all work on the contact that does
// not stretch the carcass. Part slides away, and part leaves the contact with
// the bent bristles at its end.
func lost(f *Forces, g *grip, t *stretched) float64 {
	awayX := t.slideX + g.rolled*t.ux*g.perX
	awayY := t.slideY + g.rolled*t.uy*g.perY
	return max(0, -(f.Fx*awayX + f.Fy*awayY))
}

// steady returns the model's forces at slips over the rolled way, braking and
// to the left positive. Models know wheels that roll forward, so one that goes
// backward is mirrored: its x axis is turned round. At standstill, where a
// wheel has no way to go, it is half of each.
func (w *Wheel) steady(s *Rolling, d *Drive, sx, sy float64) Forces {
	const sure = 0.1 // [m/s]
	way := (s.Spin*d.Radius + d.Vx) * (1 / (2 * sure))
	if way >= 1 {
		return w.rolling(s, d, -sx, sy, 1)
	}
	if way <= -1 {
		return w.rolling(s, d, sx, sy, -1)
	}
	ahead, back := w.rolling(s, d, -sx, sy, 1), w.rolling(s, d, sx, sy, -1)
	return mix(ahead, back, (1+way)/2)
}

// mix returns share of a and the rest of b.
func mix(a, b Forces, share float64) Forces {
	rest := 1 - share
	return Forces{
		Fx: share*a.Fx + rest*b.Fx,
		Fy: share*a.Fy + rest*b.Fy,
		Mx: share*a.Mx + rest*b.Mx,
		My: share*a.My + rest*b.My,
		Mz: share*a.Mz + rest*b.Mz,
	}
}

// rolling returns the model's forces on a wheel that rolls forward (way 1) or
// backward (-1), at slips over the rolled way; driving is positive in sx.
func (w *Wheel) rolling(s *Rolling, d *Drive, sx, sy, way float64) Forces {
	if sx > mostHeldSlip {
		sx, sy = mostHeldSlip, sy*mostHeldSlip/sx
	}
	perTravel := 1 / (1 - sx) // from slip over the rolled way to slip over the travelled way
	f := w.model.Forces(d.contact(sx*perTravel, sy*perTravel))
	f.Fx *= way
	f.My *= way
	// A contact that does not roll is bent evenly along its length: no trail.
	const fullRoll = 1 // [m/s]
	f.Mz *= way * min(math.Abs(s.Spin)*d.Radius/fullRoll, 1)
	return f
}

// damped adds the carcass' damping to f, as far as friction holds the sum; it
// never takes from what the model gives.
func (w *Wheel) damped(f Forces, s *Rolling, g *grip, can *Capacity, t *stretched) Forces {
	most := max(1, can.share2(&f))
	f.Fx -= g.damping * (t.ux - s.DeflX) * w.rate
	f.Fy -= g.damping * (t.uy - s.DeflY) * w.rate
	if share2 := can.share2(&f); share2 > most {
		less := math.Sqrt(most / share2)
		f.Fx *= less
		f.Fy *= less
	}
	return f
}

// share2 returns the square of a force over the limits, which form an ellipse.
func (c *Capacity) share2(f *Forces) float64 {
	x, y := f.Fx/c.ForceX, f.Fy/c.ForceY
	return x*x + y*y
}

// spin turns the wheel by the force that the body will feel, so that nothing is
// lost between them; the drive's slope counts at the spin that results, for the
// trial is far off once the tire slides. A brake stops the wheel and never
// reverses it.
func (w *Wheel) spin(s *Rolling, d *Drive, trial float64, f Forces) {
	if trial == 0 {
		s.Spin = 0
		return
	}
	s.Spin = w.p.after(w.dt, s.Spin, d, f.Fx)
}

// push returns the wheel's angular momentum after a tick without the brake
// [N·m·s], with a tire force fx. The drive's torque falls as the wheel gains.
func (p *WheelParams) push(dt, spin float64, d *Drive, fx float64) float64 {
	return p.Inertia*spin + dt*(d.Torque+d.Slope*spin-fx*d.Radius)
}

// after returns the spin after a tick under a tire force fx. A brake stops the
// wheel and never reverses it.
func (p *WheelParams) after(dt, spin float64, d *Drive, fx float64) float64 {
	return shrink(p.push(dt, spin, d, fx), dt*d.Braking) / (p.Inertia + dt*d.Slope)
}

// shrink moves v towards 0 by at most by, and not past it.
func shrink(v, by float64) float64 {
	if math.Abs(v) <= by {
		return 0
	}
	return v - math.Copysign(by, v)
}
