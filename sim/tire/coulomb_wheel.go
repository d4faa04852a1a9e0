package tire

import (
	"errors"
	"fmt"
	"math"

	"rig.example/rig/internal/kit/valid"
)

// CoulombWheel rolls on dry friction, as the wheels of a ray-cast car do.
//
// Each tick it computes the force that brings the sliding speed of the contact to 0 by the end of the
// tick. The lateral force follows from the effective mass that the contact has to stop. The longitudinal
// force follows from that mass and from the wheel's inertia; the driveline accelerates the wheel, and the
// brake slows it, at most to a stop.
// The vector sum is limited to mu·grip·load against the sliding direction at the end of the tick, so a
// wheel that is locked or spinning has little lateral force left.
//
// The force of one tick reacts to the speed found at its start. A steady load, such as gravity on a
// slope, would therefore move the contact a little in every tick. So DeflX and DeflY accumulate the
// drift of the contact since it last stuck, and each tick removes a fraction of it: on a slope the wheel
// yields some hundredths of a millimetre, once, and stands. Where friction is not enough for both, the
// drift correction is reduced before the speed correction; a contact that slides sticks again where it
// comes to a stop.
type CoulombWheel struct {
	model     *Coulomb
	params    WheelParams
	dt, perDt float64 // [s], and 1 over it
}

// NewCoulombWheel returns a wheel that steps by dt [s]. It uses the radius and the inertia of p; there
// is no carcass.
func NewCoulombWheel(c *Coulomb, p WheelParams, dt float64) (*CoulombWheel, error) {
	if err := errors.Join(p.Validate(), valid.InRange("dt", dt, 1e-6, 0.01)); err != nil {
		return nil, fmt.Errorf("tire: coulomb wheel: %w", err)
	}
	return &CoulombWheel{model: c, params: p, dt: dt, perDt: 1 / dt}, nil
}

// driftCorrection is the fraction of the drift that one tick removes. WheelInput.EffectiveMass may be up
// to 4/(2+driftCorrection) = 1.9 times the true mass before the contact oscillates (the bound of Jury's
// test for the two linear difference equations of speed and drift). A smaller mass only stops more
// slowly.
const driftCorrection = 0.1

// twistStiffnessPerLoad is a typical slip stiffness over load, used for the twist of the contact. Pure
// dry friction would resist a turned wheel like a wall, and the steering wheel would oscillate against
// it.
const twistStiffnessPerLoad = 15

// minForce is the friction limit below which the wheel counts as in the air [N].
const minForce = 1e-6

// Step advances s by one tick and returns the forces on the wheel. It allocates nothing.
//
// SlipEnergy grows by the friction force times the mean sliding speed of the tick whenever the force was
// at its limit: the energy that sliding takes from the car and from the wheel.
func (w *CoulombWheel) Step(s *WheelState, d WheelInput) (f Forces) {
	w.sanitize(s, &d)
	var capacity Capacity
	on := Contact{Load: d.Load, Surface: d.Surface}
	if on.hasContact() {
		w.model.capacity(&capacity, &on)
	}
	if capacity.ForceX < minForce {
		// In the air only the torques act.
		*s = WheelState{Spin: w.params.spinAfter(w.dt, s.Spin, &d, 0), SlipEnergy: s.SlipEnergy}
		return f
	}
	d.BrakeTorque += capacity.Rolling
	slideX := d.Vx - s.Spin*d.Radius
	s.DeflX += w.dt * slideX
	s.DeflY += w.dt * d.Vy

	fx, fy, driftShare := w.contactForce(s, &d, capacity.ForceX)
	spinBefore := s.Spin
	s.Spin = w.params.spinAfter(w.dt, s.Spin, &d, fx)
	if driftShare < 1 {
		w.addSlide(s, &d, slideX, fx, fy, driftShare)
	}
	f.Fx, f.Fy = fx, fy
	f.My = w.params.rollingMoment(w.dt, spinBefore, s.Spin, &d, fx, capacity.Rolling)
	capacity.StiffnessY = min(capacity.StiffnessY, twistStiffnessPerLoad*d.Load)
	frictionUse2 := (fx*fx + fy*fy) / (capacity.ForceX * capacity.ForceX)
	s.NormalizedSlip = math.Sqrt(frictionUse2)
	f.Mz = s.twist(w.dt, &d, &capacity, frictionUse2)
	return f
}

// sanitize replaces NaN by 0 and clamps values that no car reaches.
func (w *CoulombWheel) sanitize(s *WheelState, d *WheelInput) {
	const low, high = 1e-3, 1e9
	s.Spin, s.DeflX, s.DeflY = boundedOrZero(s.Spin), boundedOrZero(s.DeflX), boundedOrZero(s.DeflY)
	d.Vx, d.Vy, d.YawRate, d.Torque = boundedOrZero(d.Vx), boundedOrZero(d.Vy), boundedOrZero(d.YawRate), boundedOrZero(d.Torque)
	d.EffectiveMass = max(boundedOrZero(d.EffectiveMass), low)
	d.TorqueSlope = max(boundedOrZero(d.TorqueSlope), 0)
	d.BrakeTorque = max(boundedOrZero(d.BrakeTorque), 0)
	if !(d.Radius >= low && d.Radius <= high) {
		d.Radius = w.params.Radius
	}
}

// contactForce returns the force on the contact [N], and driftShare as stoppingForce.limited does. limit
// is the friction limit [N].
func (w *CoulombWheel) contactForce(s *WheelState, d *WheelInput, limit float64) (fx, fy, driftShare float64) {
	momentum := w.params.unbrakedMomentum(w.dt, s.Spin, d, 0)
	// With more momentum than this, brake and road together cannot stop the wheel within a tick.
	if math.Abs(momentum) <= w.dt*(d.BrakeTorque+limit*d.Radius) {
		var locked stoppingForce
		w.lockedForce(&locked, s, d)
		fx, fy, driftShare = locked.limited(limit)
		momentum = w.params.unbrakedMomentum(w.dt, s.Spin, d, fx)
		if math.Abs(momentum) <= w.dt*d.BrakeTorque {
			return fx, fy, driftShare
		}
	}
	var rolling stoppingForce
	w.lockedForce(&rolling, s, d)
	w.rollingForce(&rolling, s, d, math.Copysign(d.BrakeTorque, momentum))
	return rolling.limited(limit)
}

// lockedForce sets g to the force that stops the contact of a wheel that the brake holds.
func (w *CoulombWheel) lockedForce(g *stoppingForce, s *WheelState, d *WheelInput) {
	mass := d.EffectiveMass * w.perDt
	perDrift := mass * driftCorrection * w.perDt
	g.gainX, g.speedX, g.driftX = mass, -mass*d.Vx, -perDrift*s.DeflX
	g.gainY, g.speedY, g.driftY = mass, -mass*d.Vy, -perDrift*s.DeflY
}

// rollingForce changes g, which lockedForce has set, to the force on a wheel that turns against a brake
// torque [N·m]: the force that brings tread and hub to the same speed.
func (w *CoulombWheel) rollingForce(g *stoppingForce, s *WheelState, d *WheelInput, braking float64) {
	inertia := w.params.Inertia + w.dt*d.TorqueSlope
	freeSpin := (w.params.unbrakedMomentum(w.dt, s.Spin, d, 0) - w.dt*braking) / inertia
	massAtRim := inertia / (d.Radius * d.Radius)
	share := massAtRim / (d.EffectiveMass + massAtRim)
	g.gainX *= share
	g.speedX = g.gainX * (freeSpin*d.Radius - d.Vx)
	g.driftX *= share
}

// addSlide adds the energy that sliding dissipates in this tick and moves the point at which the contact
// stuck, from which the drift counts. slideX is the longitudinal sliding speed before the tick [m/s].
//
// A contact that keeps sliding gets the sticking point where it will be after the next tick, so that the
// tick that stops it finds no drift to correct.
func (w *CoulombWheel) addSlide(s *WheelState, d *WheelInput, slideX, fx, fy, driftShare float64) {
	nextX := d.Vx + w.dt/d.EffectiveMass*fx - s.Spin*d.Radius
	nextY := d.Vy + w.dt/d.EffectiveMass*fy
	s.SlipEnergy += max(0, -w.dt/2*(fx*(slideX+nextX)+fy*(d.Vy+nextY)))
	if driftShare == 0 {
		s.DeflX, s.DeflY = -w.dt*nextX, -w.dt*nextY
		return
	}
	s.DeflX *= driftShare
	s.DeflY *= driftShare
}

// stoppingForce is the force that stops a contact [N], in two parts: against the sliding speed and
// against the accumulated drift.
type stoppingForce struct {
	gainX, gainY   float64 // force that changes the sliding speed by 1 m/s within a tick [N·s/m]
	speedX, speedY float64 // part against the sliding speed [N]
	driftX, driftY float64 // part against the drift [N]
}

// limited returns the force limited to limit [N], and the share of the drift part that remains: 1 if the
// contact sticks, 0 if the speed part alone exceeds the limit.
func (g *stoppingForce) limited(limit float64) (fx, fy, driftShare float64) {
	fx, fy = g.speedX+g.driftX, g.speedY+g.driftY
	if fx*fx+fy*fy <= limit*limit {
		return fx, fy, 1
	}
	room2 := limit*limit - g.speedX*g.speedX - g.speedY*g.speedY
	if room2 <= 0 {
		fx, fy = g.sliding(limit)
		return fx, fy, 0
	}
	driftShare = positiveRoot(g.driftX*g.driftX+g.driftY*g.driftY, g.speedX*g.driftX+g.speedY*g.driftY, room2)
	return g.speedX + driftShare*g.driftX, g.speedY + driftShare*g.driftY, driftShare
}

// sliding returns the force of size limit [N] against the sliding speed at the end of the tick, which
// the force itself changes.
//
// Let v0 be the sliding speed at the end without friction and v that with it: gain·(v-v0) = F = -v/s for
// some s > 0. So F = speed/(1 + s·gain) in each direction, and s follows from |F| = limit. 1/|F| is
// concave in s, and straight where both directions have the same gain, so Newton's method converges from
// below within few rounds.
func (g *stoppingForce) sliding(limit float64) (fx, fy float64) {
	const rounds, slack = 8, 1e-6
	var s, force float64
	for range rounds {
		lessX, lessY := 1/(1+s*g.gainX), 1/(1+s*g.gainY)
		fx, fy = g.speedX*lessX, g.speedY*lessY
		force = math.Sqrt(fx*fx + fy*fy)
		if force <= limit*(1+slack) {
			break
		}
		s += (force/limit - 1) * force * force / (fx*fx*g.gainX*lessX + fy*fy*g.gainY*lessY)
	}
	scale := limit / force
	return fx * scale, fy * scale
}

// positiveRoot returns the positive x of square·x² + 2·along·x = room, where square and room are
// positive, in the form that avoids cancellation.
func positiveRoot(square, along, room float64) float64 {
	root := math.Sqrt(along*along + square*room)
	if along > 0 {
		return room / (root + along)
	}
	return (root - along) / square
}
