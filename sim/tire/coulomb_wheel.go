package tire

import (
	"errors"
	"fmt"
	"math"
)

// CoulombWheel rolls on dry friction as the wheels of a ray-cast car do.
//
// Each tick it asks for the force that would bring the sliding speed of the
// contact to 0 by the tick's end: sideways from the mass that the contact has
// to stop; along the wheel from that mass and from the wheel's inertia, which
// the drive turns and the brake holds, but no further than to a stop. Both are
// summed as a vector and then held to mu·grip·load, against the sliding that
// is left at the tick's end, so that who locks or spins a wheel has little left
// for the side.
//
// The force of one tick answers to the speed that it finds. A steady push, as
// gravity's on a slope, would win a tick's worth of way each tick. So the wheel
// keeps, in DeflX and DeflY, how far its contact went since it took hold, and
// takes a share of that back each tick: on a slope it gives way by some
// hundredths of a millimetre, once, and stands. Where friction is not enough
// for both, the way gives in before the speed does; a contact that slides
// takes hold anew where it comes to a stop.
type CoulombWheel struct {
	model    *Coulomb
	p        WheelParams
	dt, rate float64 // [s], and 1 over it
}

// NewCoulombWheel returns a wheel that steps by dt [s]. Of p it takes the
// radius and the inertia; there is no carcass.
func NewCoulombWheel(c *Coulomb, p WheelParams, dt float64) (*CoulombWheel, error) {
	if err := errors.Join(p.Validate(), inRange("dt", dt, 1e-6, 0.01)); err != nil {
		return nil, fmt.Errorf("tire: coulomb wheel: %w", err)
	}
	return &CoulombWheel{model: c, p: p, dt: dt, rate: 1 / dt}, nil
}

// takeBack is the share of the drift that a tick takes back. The mass given may
// be up to 4/(2+takeBack) of the true one, 1.9 times, before the hold shakes
// (the bound of Jury's test for the two linear difference equations of speed
// and drift); less than the true one only stops more slowly.
const takeBack = 0.1

// usualStiffness is a tire's slip stiffness over its load, which the twist of the
// contact takes: dry friction alone would meet a turned wheel like a wall, and the
// rim would swing against it.
const usualStiffness = 15

// leastForce is what friction must hold at the least [N]; below, the wheel is
// in the air.
const leastForce = 1e-6

// Step advances s by one tick and returns the forces on the wheel. It is part
// of the loop: no allocation.
//
// Skid grows by the friction force times the mean sliding speed of the tick
// whenever the force was held to its limit: the energy that the slide takes
// from the car and from the wheel.
func (w *CoulombWheel) Step(s *Rolling, d Drive) (f Forces) {
	w.tame(s, &d)
	var can Capacity
	on := Contact{Load: d.Load, Surface: d.Surface}
	if on.presses() {
		w.model.capacity(&can, &on)
	}
	if can.ForceX < leastForce {
		w.lift(s, &d)
		return f
	}
	d.Braking += can.Rolling
	slideX := d.Vx - s.Spin*d.Radius
	s.DeflX += w.dt * slideX
	s.DeflY += w.dt * d.Vy

	fx, fy, kept := w.hold(s, &d, can.ForceX)
	s.Spin = w.p.after(w.dt, s.Spin, &d, fx)
	if kept < 1 {
		w.slide(s, &d, slideX, fx, fy, kept)
	}
	f.Fx, f.Fy = fx, fy
	if s.Spin != 0 {
		f.My = -math.Copysign(can.Rolling, s.Spin)
	}
	can.StiffnessY = min(can.StiffnessY, usualStiffness*d.Load)
	used := (fx*fx + fy*fy) / (can.ForceX * can.ForceX)
	s.Strain = math.Sqrt(used)
	f.Mz = s.twist(w.dt, &d, &can, used)
	return f
}

// tame brings what is no number, or beyond any car, within bounds.
func (w *CoulombWheel) tame(s *Rolling, d *Drive) {
	const least, most = 1e-3, 1e9
	s.Spin, s.DeflX, s.DeflY = bounded(s.Spin), bounded(s.DeflX), bounded(s.DeflY)
	d.Vx, d.Vy, d.Yaw, d.Torque = bounded(d.Vx), bounded(d.Vy), bounded(d.Yaw), bounded(d.Torque)
	d.Mass = max(bounded(d.Mass), least)
	d.Slope = max(bounded(d.Slope), 0)
	d.Braking = max(bounded(d.Braking), 0)
	if !(d.Radius >= least && d.Radius <= most) {
		d.Radius = w.p.Radius
	}
}

// lift is Step for a wheel in the air: nothing but its torques.
func (w *CoulombWheel) lift(s *Rolling, d *Drive) {
	*s = Rolling{Spin: w.p.after(w.dt, s.Spin, d, 0), Skid: s.Skid}
}

// hold returns the force on the contact, and what it keeps of the drift, as
// grasp.within does.
func (w *CoulombWheel) hold(s *Rolling, d *Drive, limit float64) (fx, fy, kept float64) {
	push := w.p.push(w.dt, s.Spin, d, 0)
	// Beyond this, brake and road together cannot stop the wheel within a tick.
	if math.Abs(push) <= w.dt*(d.Braking+limit*d.Radius) {
		var still grasp
		w.still(&still, s, d)
		fx, fy, kept = still.within(limit)
		push = w.p.push(w.dt, s.Spin, d, fx)
		if math.Abs(push) <= w.dt*d.Braking {
			return fx, fy, kept
		}
	}
	var turns grasp
	w.still(&turns, s, d)
	w.turn(&turns, s, d, math.Copysign(d.Braking, push))
	return turns.within(limit)
}

// still fills in what stops the contact of a wheel that the brake holds.
func (w *CoulombWheel) still(g *grasp, s *Rolling, d *Drive) {
	mass := d.Mass * w.rate
	back := mass * takeBack * w.rate
	g.perX, g.nowX, g.backX = mass, -mass*d.Vx, -back*s.DeflX
	g.perY, g.nowY, g.backY = mass, -mass*d.Vy, -back*s.DeflY
}

// turn changes g for a wheel that the brake slows [N·m] but does not hold: body
// and wheel come to one speed.
func (w *CoulombWheel) turn(g *grasp, s *Rolling, d *Drive, braking float64) {
	inertia := w.p.Inertia + w.dt*d.Slope
	free := (w.p.push(w.dt, s.Spin, d, 0) - w.dt*braking) / inertia
	atRim := inertia / (d.Radius * d.Radius)
	share := atRim / (d.Mass + atRim)
	g.perX *= share
	g.nowX = g.perX * (free*d.Radius - d.Vx)
	g.backX *= share
}

// slide counts what a tick of sliding takes and moves the hold; slideX is the
// sliding speed before it, along the wheel.
//
// A contact that slides for good gets its hold where it will be after the next
// tick, so that the tick that stops it finds no drift and takes nothing back.
func (w *CoulombWheel) slide(s *Rolling, d *Drive, slideX, fx, fy, kept float64) {
	nextX := d.Vx + w.dt/d.Mass*fx - s.Spin*d.Radius
	nextY := d.Vy + w.dt/d.Mass*fy
	s.Skid += max(0, -w.dt/2*(fx*(slideX+nextX)+fy*(d.Vy+nextY)))
	if kept == 0 {
		s.DeflX, s.DeflY = -w.dt*nextX, -w.dt*nextY
		return
	}
	s.DeflX *= kept
	s.DeflY *= kept
}

// grasp is the force that stops a contact [N], in two parts: against the
// sliding speed, and against the drift so far.
type grasp struct {
	perX, perY   float64 // force that changes the sliding speed within a tick [N·s/m]
	nowX, nowY   float64
	backX, backY float64
}

// within returns the force held to limit, and the share of the drift's part
// that remains: 1 if the contact holds, 0 if the speed's part alone is too much.
func (g *grasp) within(limit float64) (fx, fy, kept float64) {
	fx, fy = g.nowX+g.backX, g.nowY+g.backY
	if fx*fx+fy*fy <= limit*limit {
		return fx, fy, 1
	}
	room := limit*limit - g.nowX*g.nowX - g.nowY*g.nowY
	if room <= 0 {
		fx, fy = g.sliding(limit)
		return fx, fy, 0
	}
	kept = reach(g.backX*g.backX+g.backY*g.backY, g.nowX*g.backX+g.nowY*g.backY, room)
	return g.nowX + kept*g.backX, g.nowY + kept*g.backY, kept
}

// sliding returns the force of limit that lies against the sliding speed of
// the tick's end, which it changes itself.
//
// With the sliding speed v0 without friction and that of the end v, per·(v-v0)
// = F = -v/s for some s > 0. So F = now/(1 + s·per) in each direction, and s
// follows from |F| = limit. 1/|F| is concave in s, and straight where a push
// moves the contact as easily in both directions, so Newton's method on it
// comes from below and needs few rounds.
func (g *grasp) sliding(limit float64) (fx, fy float64) {
	const rounds, slack = 8, 1e-6
	var s, force float64
	for range rounds {
		lessX, lessY := 1/(1+s*g.perX), 1/(1+s*g.perY)
		fx, fy = g.nowX*lessX, g.nowY*lessY
		force = math.Sqrt(fx*fx + fy*fy)
		if force <= limit*(1+slack) {
			break
		}
		s += (force/limit - 1) * force * force / (fx*fx*g.perX*lessX + fy*fy*g.perY*lessY)
	}
	less := limit / force
	return fx * less, fy * less
}

// reach returns the positive x of square·x² + 2·along·x = room, where square and
// room are positive, in the form that does not cancel.
func reach(square, along, room float64) float64 {
	root := math.Sqrt(along*along + square*room)
	if along > 0 {
		return room / (root + along)
	}
	return (root - along) / square
}
