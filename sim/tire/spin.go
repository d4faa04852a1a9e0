package tire

import "math"

// stickingSpin returns the spin after this tick with the tire force linear in
// the deflection. A brake that can hold what is left gives exactly 0.
func (w *Wheel) stickingSpin(s *Rolling, d *Drive, g *grip) float64 {
	perRate := g.perMetre*w.dt + g.damping // force over the deflection's speed
	grow := perRate * g.lagX
	pull := s.Elastic + grow*(g.rolled*g.perX*s.DeflX-d.Vx) // tire force at a spin of 0
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
		rate = atLeast(math.Abs(s.Elastic/s.Slip), rate/(3*t.over))
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
func (w *Wheel) agree(f *Forces, s *Rolling, d *Drive, at *stance, g *grip, t *stretched, spin float64) float64 {
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
		w.stretch(t, s, d, g, spin)
		w.steady(f, s, d, at, t)
	}
	return spin
}

// turned returns the spin after this tick against a tire force of pull at a
// spin of 0, which grows with the speed of the tread.
func (w *Wheel) turned(s *Rolling, d *Drive, pull, grow float64) float64 {
	mass := w.p.Inertia + w.dt*(d.Slope+grow*d.Radius*d.Radius)
	return shrink(w.p.push(w.dt, s.Spin, d, pull), w.dt*d.Braking) / mass
}

// spin turns the wheel by the force that the body will feel, so that nothing is
// lost between them; the drive's slope counts at the spin that results, for the
// trial is far off once the tire slides. A brake stops the wheel and never
// reverses it.
func (w *Wheel) spin(s *Rolling, d *Drive, trial, fx float64) {
	if trial == 0 {
		s.Spin = 0
		return
	}
	s.Spin = w.p.after(w.dt, s.Spin, d, fx)
}

// push returns the wheel's angular momentum after a tick without the brake
// [N·m·s], with a tire force fx. The drive's torque falls as the wheel gains.
func (p *WheelParams) push(dt, spin float64, d *Drive, fx float64) float64 {
	return p.Inertia*spin + dt*(d.Torque+d.Slope*spin-fx*d.Radius)
}

// after returns the spin after a tick under a tire force fx. A brake stops the
// wheel and never reverses it.
func (p *WheelParams) after(dt, spin float64, d *Drive, fx float64) float64 {
	perInertia := 1 / (p.Inertia + dt*d.Slope) // known long before fx
	return shrink(p.push(dt, spin, d, fx), dt*d.Braking) * perInertia
}

// shrink moves v towards 0 by at most by, and not past it.
func shrink(v, by float64) float64 {
	if v > by {
		return v - by
	}
	if v < -by {
		return v + by
	}
	return 0
}
