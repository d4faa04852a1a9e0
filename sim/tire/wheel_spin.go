package tire

import (
	"math"

	"rig.example/rig/sim/curve"
)

// stickingSpin returns the spin [rad/s] after this tick if the contact does not slide and the tire force
// is linear in the deflection. It is exactly 0 if the brake can hold the wheel.
func (w *Wheel) stickingSpin(s *WheelState, d *WheelInput, g *contactGrip) float64 {
	forcePerSpeed := g.stiffnessPerMetre*w.dt + g.damping // force over the deflection's speed
	forceSlope := forcePerSpeed * g.decayX
	fxAtRest := s.UndampedFx + forceSlope*(g.rollSpeed*g.perRelaxationX*g.standing.lagX-d.Vx) // tire force at a spin of 0
	return w.implicitSpin(s, d, fxAtRest, forceSlope)
}

// slidingSpin is stickingSpin for a contact that slides, whose force depends on its whole slip. t is the
// carcass at the spin of a sticking contact.
//
// The slope of slip over speed comes from deflect. The slope of force over slip is estimated by the ratio
// of force to slip in the last tick, which is not below the true slope where the curve is concave.
func (w *Wheel) slidingSpin(s *WheelState, d *WheelInput, g *contactGrip, t *carcass, spin float64) float64 {
	forcePerSlip := g.stiffness
	if linearForce := math.Abs(s.SlipX) * forcePerSlip; math.Abs(s.UndampedFx) < linearForce {
		forcePerSlip = atLeast(math.Abs(s.UndampedFx/s.SlipX), forcePerSlip/(3*t.slipOverLimit))
	}
	forceSlope := forcePerSlip * t.slipPerSpeed
	fxAtRest := s.UndampedFx - forcePerSlip*(t.sx-s.SlipX) - forceSlope*d.Radius*spin
	return w.implicitSpin(s, d, fxAtRest, forceSlope)
}

// refineSpin finds, by bisection, the spin [rad/s] of a sliding contact that is consistent: the force at
// this spin leads to the same spin after the tick. It sets f and t for this spin. It is needed below
// walking speed, where a brake stops a wheel within a tick: slidingSpin uses only one slope, and its
// error may exceed the speed. The force rises with the spin, so the solution lies between any spin and
// the one to which its force leads.
func (w *Wheel) refineSpin(f *Forces, s *WheelState, d *WheelInput, at *contactState, g *contactGrip, t *carcass, spin float64) float64 {
	const rounds, tolerance = 12, 0.02 // [m/s]
	low, high := math.Inf(-1), math.Inf(1)
	for range rounds {
		next := w.params.spinAfter(w.dt, s.Spin, d, f.Fx)
		if math.Abs(next-spin)*d.Radius <= tolerance {
			break
		}
		if next > spin {
			low, high = spin, min(high, next)
		} else {
			low, high = max(low, next), spin
		}
		spin = (low + high) / 2
		w.deflect(t, s, d, g, spin)
		w.steadyForces(f, s, d, at, t)
	}
	return spin
}

// implicitSpin returns the spin [rad/s] after this tick against a tire force that is fxAtRest [N] at a
// spin of 0 and grows by forceSlope [N·s/m] with the speed of the tread.
func (w *Wheel) implicitSpin(s *WheelState, d *WheelInput, fxAtRest, forceSlope float64) float64 {
	mass := w.params.Inertia + w.dt*(d.TorqueSlope+forceSlope*d.Radius*d.Radius)
	return curve.ReduceTowardsZero(w.params.unbrakedMomentum(w.dt, s.Spin, d, fxAtRest), w.dt*d.BrakeTorque) / mass
}

// setSpin advances the spin by fx [N], the same longitudinal force that acts on the car, so that no
// momentum is lost between wheel and car. It uses the torque slope at the resulting spin, because the
// trial spin [rad/s] is inaccurate once the tire slides. A trial spin of exactly 0 means that the brake
// holds the wheel.
func (w *Wheel) setSpin(s *WheelState, d *WheelInput, trial, fx float64) {
	if trial == 0 {
		s.Spin = 0
		return
	}
	s.Spin = w.params.spinAfter(w.dt, s.Spin, d, fx)
}

// unbrakedMomentum returns the wheel's angular momentum after a tick without the brake [N·m·s], with a
// tire force fx. The driveline's torque falls as the wheel gains speed.
func (p *WheelParams) unbrakedMomentum(dt, spin float64, d *WheelInput, fx float64) float64 {
	return p.Inertia*spin + dt*(d.Torque+d.TorqueSlope*spin-fx*d.Radius)
}

// spinAfter returns the spin after a tick with a tire force fx. A brake stops the wheel and never
// reverses it.
func (p *WheelParams) spinAfter(dt, spin float64, d *WheelInput, fx float64) float64 {
	perInertia := 1 / (p.Inertia + dt*d.TorqueSlope) // known long before fx
	return curve.ReduceTowardsZero(p.unbrakedMomentum(dt, spin, d, fx), dt*d.BrakeTorque) * perInertia
}

// rollingMoment returns the moment of the rolling resistance that has held the wheel in a tick [N·m], positive
// forward, with a tire force fx. rolling is the largest one that it can have, a part of d.BrakeTorque: brake and
// rolling resistance hold a wheel together, and each has its share of what that took.
func (p *WheelParams) rollingMoment(dt, spinBefore, spin float64, d *WheelInput, fx, rolling float64) float64 {
	if !(rolling > 0) {
		return 0
	}
	held := p.unbrakedMomentum(dt, spinBefore, d, fx) - (p.Inertia+dt*d.TorqueSlope)*spin // [N·m·s]
	return -held * rolling / (dt * d.BrakeTorque)
}
