package tire

import (
	"errors"
	"fmt"
	"math"
)

// WheelParams are what a tire needs beside its model to roll, stop and stand.
type WheelParams struct {
	Radius      float64 `toml:"radius_m"`              // effective rolling radius
	Inertia     float64 `toml:"inertia_kgm2"`          // wheel, tire and hub about the axle
	RelaxationX float64 `toml:"relaxation_long_m"`     // longitudinal relaxation length
	RelaxationY float64 `toml:"relaxation_lat_m"`      // lateral relaxation length
	Damping     float64 `toml:"carcass_damping_ns_pm"` // N·s/m of the carcass, felt below 3 m/s
}

// Validate reports every parameter that is out of range.
func (p WheelParams) Validate() error {
	return errors.Join(
		inRange("radius_m", p.Radius, 0.05, 2),
		inRange("inertia_kgm2", p.Inertia, 0.01, 500),
		inRange("relaxation_long_m", p.RelaxationX, 0.02, 2),
		inRange("relaxation_lat_m", p.RelaxationY, 0.02, 2),
		inRange("carcass_damping_ns_pm", p.Damping, 0, 20e3),
	)
}

// Rolling is the state of a wheel between two ticks.
type Rolling struct {
	Spin    float64 // [rad/s], positive forward
	DeflX   float64 // carcass deflection along the wheel [m]: positive when the hub ran ahead of its contact, as in braking
	DeflY   float64 // carcass deflection sideways [m], positive when the hub went to the left of its contact
	Elastic float64 // longitudinal force of DeflX at the last tick [N]
}

// Drive is what acts on a wheel during one tick.
type Drive struct {
	Vx, Vy  float64 // velocity of the contact [m/s], wheel axes
	Gamma   float64 // inclination [rad]
	Load    float64 // [N]
	Surface Surface // what it stands on
	Torque  float64 // from the driveline [N·m], positive forward
	Slope   float64 // how much Torque falls for each rad/s the wheel gains [N·m·s/rad], >= 0
	Braking float64 // the most the brake can hold [N·m], >= 0
}

// Wheel rolls a tire: its carcass deflection and its spin from tick to tick.
type Wheel struct {
	model      Model
	p          WheelParams
	dt         float64
	perX, perY float64 // 1 over the relaxation lengths [1/m]
}

// NewWheel returns a wheel that steps by dt [s].
func NewWheel(m Model, p WheelParams, dt float64) (*Wheel, error) {
	if err := errors.Join(p.Validate(), inRange("dt", dt, 1e-6, 0.01)); err != nil {
		return nil, fmt.Errorf("tire: wheel: %w", err)
	}
	return &Wheel{
		model: m, p: p, dt: dt,
		perX: 1 / p.RelaxationX, perY: 1 / p.RelaxationY,
	}, nil
}

// Step advances s by one tick and returns the forces on the wheel. It is part
// of the loop: no allocation.
//
// The deflection u of the carcass follows sigma·du/dt + |Vr|·u = sigma·Vs in
// each direction (Vr the rolling speed, Vs the sliding speed, sigma the
// relaxation length): the usual lag of slip at speed, exactly a spring at
// standstill, with no branch between. What would exceed the friction limit
// slides away. Spin and longitudinal deflection, which are stiff against each
// other, are solved together, linearly implicitly.
func (w *Wheel) Step(s *Rolling, d Drive) Forces {
	if !(d.Load > 0) || !(d.Surface.Grip > 0) || !(d.Surface.Stiffness > 0) {
		return w.lift(s, &d)
	}
	can := w.model.Capacity(Contact{Load: d.Load, Surface: d.Surface})
	damping := w.damping(&d)
	d.Braking += can.Rolling
	rolled := w.dt * math.Abs(s.Spin) * w.p.Radius
	lag := 1 / (1 + rolled*w.perX)
	spin := w.trialSpin(s, &d, can.StiffnessX, damping, lag)
	slideX := d.Vx - spin*w.p.Radius
	s.DeflX = (s.DeflX + w.dt*slideX) * lag
	s.DeflY = (s.DeflY + w.dt*d.Vy) / (1 + rolled*w.perY)
	w.slideAway(s, 3*can.ForceX/can.StiffnessX)

	f := w.elastic(s, &d)
	s.Elastic = f.Fx
	f.Fx -= damping * slideX
	f.Fy -= damping * d.Vy
	f = held(f, can.ForceX)
	w.spin(s, &d, spin, f)
	return f
}

// lift is Step for a wheel in the air: nothing but its torques.
func (w *Wheel) lift(s *Rolling, d *Drive) Forces {
	*s = Rolling{Spin: s.Spin}
	w.spin(s, d, w.trialSpin(s, d, 0, 0, 1), Forces{})
	return Forces{}
}

// damping returns the carcass damping [N·s/m]. The lag itself damps a rolling
// tire, so this one fades out until 3 m/s.
func (w *Wheel) damping(d *Drive) float64 {
	const fadeOut = 3 * 3 // [m²/s²]
	rest := max(0, 1-(d.Vx*d.Vx+d.Vy*d.Vy)/fadeOut)
	return w.p.Damping * rest * rest
}

// trialSpin returns the spin after this tick with the tire force linear in it;
// lag is what the rolling leaves of the deflection. A brake that can hold what
// is left gives exactly 0.
func (w *Wheel) trialSpin(s *Rolling, d *Drive, stiffness, damping, lag float64) float64 {
	perMetre := stiffness * w.perX
	grow := perMetre*w.dt*lag + damping
	pull := s.Elastic + perMetre*s.DeflX*(1-lag) - grow*d.Vx // tire force at a spin of 0
	mass := w.p.Inertia + w.dt*(d.Slope+grow*w.p.Radius*w.p.Radius)
	push := w.p.Inertia*s.Spin + w.dt*(d.Torque+d.Slope*s.Spin-pull*w.p.Radius)
	return shrink(push, w.dt*d.Braking) / mass
}

// slideAway shortens the deflection to what friction can hold.
func (w *Wheel) slideAway(s *Rolling, slidingSlip float64) {
	sx, sy := s.DeflX*w.perX, s.DeflY*w.perY
	limit := min(slidingSlip, mostHeldSlip)
	slip2 := sx*sx + sy*sy
	if slip2 > limit*limit {
		shorter := limit / math.Sqrt(slip2)
		s.DeflX *= shorter
		s.DeflY *= shorter
	}
}

// mostHeldSlip keeps 1/(1-slip) small in elastic.
const mostHeldSlip = 0.9

// elastic returns the model's forces at the deflection.
func (w *Wheel) elastic(s *Rolling, d *Drive) Forces {
	way := 1.0 // the x axis of a wheel that rolls backward is turned round for the model
	if s.Spin < 0 {
		way = -1
	}
	sx := -way * s.DeflX * w.perX
	perTravel := 1 / (1 - sx) // from slip over the rolled way to slip over the travelled way
	f := w.model.Forces(Contact{
		Kappa: sx * perTravel, TanAlpha: s.DeflY * w.perY * perTravel, Gamma: d.Gamma, Load: d.Load, Surface: d.Surface,
	})
	f.Fx *= way
	// A contact that does not roll is bent evenly along its length: no trail.
	const fullRoll = 1 // [m/s]
	f.Mz *= min(max(s.Spin*w.p.Radius/fullRoll, -1), 1)
	return f
}

// held scales the force in the road plane down to limit.
func held(f Forces, limit float64) Forces {
	force2 := f.Fx*f.Fx + f.Fy*f.Fy
	if force2 > limit*limit {
		less := limit / math.Sqrt(force2)
		f.Fx *= less
		f.Fy *= less
	}
	return f
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
	push := w.p.Inertia*s.Spin + w.dt*(d.Torque+d.Slope*s.Spin-f.Fx*w.p.Radius)
	s.Spin = shrink(push, w.dt*d.Braking) / (w.p.Inertia + w.dt*d.Slope)
}

// shrink moves v towards 0 by at most by, and not past it.
func shrink(v, by float64) float64 {
	if math.Abs(v) <= by {
		return 0
	}
	return v - math.Copysign(by, v)
}
