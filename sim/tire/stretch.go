package tire

import "math"

// stretched is the carcass after a tick.
type stretched struct {
	ux, uy         float64 // deflection [m], within what friction holds
	slideX, slideY float64 // speed at which the contact slides [m/s]
	sx, sy         float64 // slip over the rolled way, the sliding counted in; braking and to the left positive
	over           float64 // slip over what can be held; 0 if nothing slides
	perSpeed       float64 // how sx grows with the sliding speed ahead [s/m], of a contact that slides
}

// stretch deflects the carcass by a tick at a spin [rad/s] and lets slide what
// friction cannot hold: as much as brings the deflection back to the ellipse of
// the slips that can be held.
//
// A contact that slides counts as one that rolls faster, by Lambda, than the
// wheel: u = u'/(1 + Lambda·dt·lag/sigma) in each direction, which leaves a slip
// of (1 + Lambda/|Vr|) times what can be held. The bristles that roll into the
// contact turn the slip as slowly as they come, those that slide at once: its
// direction is that of the deflection, and by the share of sliding in the renewal
// that of the speed. Otherwise a wheel that is braked past the peak of its tire
// would meet less force as it slows, until the slip has turned, and swing.
func (w *Wheel) stretch(t *stretched, s *Rolling, d *Drive, g *grip, spin float64) {
	ux := (s.DeflX + w.dt*(d.Vx-spin*d.Radius)) * g.lagX
	uy := (s.DeflY + w.dt*d.Vy) * g.lagY
	qx, qy := ux*g.perX*g.overX, uy*g.perY*g.overY
	q2 := qx*qx + qy*qy
	if !(q2 > 1) {
		*t = stretched{ux: ux, uy: uy, sx: ux * g.perX, sy: uy * g.perY}
		return
	}
	ax, ay := w.dt*g.perX*g.lagX, w.dt*g.perY*g.lagY
	lambda, lx, ly := 0.0, 1.0, 1.0
	bendX, bendY := qx*qx*ax, qy*qy*ay
	for range slideRounds {
		f := math.Sqrt(q2)
		lambda += (f - 1) * q2 / (bendX + bendY) // Newton's step for 1/f, which is almost straight
		lx, ly = 1/(1+lambda*ax), 1/(1+lambda*ay)
		x, y := qx*lx, qy*ly
		q2 = x*x + y*y
		bendX, bendY = x*x*ax*lx, y*y*ay*ly
		if q2 < 1+1e-9 {
			break
		}
	}
	t.ux, t.uy, t.over = ux*lx, uy*ly, 1+lambda*g.perRoll
	kept := lx * bendY / (bendX + bendY) // of a small way ahead
	t.perSpeed = kept*w.dt*g.lagX*g.perX + (1-kept)*g.perRoll
	t.turn(d, g, qx*lx, qy*ly, lambda, spin)
}

// turn finds the slip of a contact that slides, whose deflection points along
// x, y in shares of what can be held.
func (t *stretched) turn(d *Drive, g *grip, x, y, lambda, spin float64) {
	vx, vy := (d.Vx-spin*d.Radius)*g.overX, d.Vy*g.overY
	if speed := math.Sqrt(vx*vx + vy*vy); speed > 0 {
		slid := atMost(atLeast(vx*x+vy*y, 0), lambda) // what a falling load lets go has no way of its own
		sliding := slid / (slid + g.rolled + leastSpeed)
		x += sliding * (vx/speed - x)
		y += sliding * (vy/speed - y)
		unit := 1 / atLeast(math.Sqrt(x*x+y*y), 0.1)
		x, y = x*unit, y*unit
		t.perSpeed += sliding * t.over * (1 - x*x) / speed
	}
	x, y = x/g.overX, y/g.overY
	t.sx, t.sy = t.over*x, t.over*y
	t.slideX, t.slideY = lambda*x, lambda*y
}

// slideRounds are enough for any relaxation lengths: where both are the same the
// first is exact.
const slideRounds = 12
