package tire

import "math"

// carcass is the deflection of the carcass and the sliding of the contact after a tick, in wheel axes.
type carcass struct {
	ux, uy         float64 // deflection [m], within the friction limit
	lagX, lagY     float64 // slip without sliding, times the relaxation length [m]; more than ux, uy where the contact stands
	slideX, slideY float64 // sliding speed of the contact [m/s]
	sx, sy         float64 // slip, as a speed over the rolling speed, sliding included; braking and left are positive
	slipOverLimit  float64 // ratio of the slip to the slip limit; 0 if nothing slides
	slipPerSpeed   float64 // slope of sx over the longitudinal sliding speed [s/m], for a contact that slides
}

// deflect advances the deflection of the carcass by a tick at a spin [rad/s]. If the deflection exceeds
// the friction limit, the contact slides just as much as brings the deflection back to the ellipse of the
// slip limits.
//
// A sliding contact is treated as one that rolls faster than the wheel, by a speed Lambda. So u = u'/(1 +
// Lambda·dt·decay/sigma) in each direction, which gives a slip of (1 + Lambda/|Vr|) times the limit.
//
// The direction of the slip is that of the deflection blended with that of the velocity. The weight of
// the velocity is the share of sliding in the renewal of the contact, because bristles that roll into the
// contact change the direction only gradually, but sliding bristles change it at once. Without the blend,
// a wheel braked past the peak of its tire would meet less force while it slows, until the slip has
// turned, and would oscillate. A contact that stands has no blend: it slides where its carcass pulls it, and a
// car that comes to rest must not turn its force with the last drift of a wheel.
func (w *Wheel) deflect(t *carcass, s *WheelState, d *WheelInput, g *contactGrip, spin float64) {
	stand := &g.standing
	ux := (s.DeflX+w.dt*(d.Vx-spin*d.Radius))*g.decayX - stand.lossX
	uy := (s.DeflY+w.dt*d.Vy)*g.decayY - stand.lossY
	qx, qy := ux*g.perRelaxationX*g.perLimitSlipX*stand.perLimit, uy*g.perRelaxationY*g.perLimitSlipY*stand.perLimit
	q2 := qx*qx + qy*qy
	if !(q2 > 1) {
		perDeflection := stand.perDeflection(q2)
		*t = carcass{ux: ux, uy: uy, lagX: ux * perDeflection, lagY: uy * perDeflection}
		t.sx, t.sy = t.lagX*g.perRelaxationX, t.lagY*g.perRelaxationY
		return
	}
	ax, ay := w.dt*g.perRelaxationX*g.decayX, w.dt*g.perRelaxationY*g.decayY
	lambda, lx, ly := 0.0, 1.0, 1.0
	curvatureX, curvatureY := qx*qx*ax, qy*qy*ay
	for range maxSlideRounds {
		f := math.Sqrt(q2)
		lambda += (f - 1) * q2 / (curvatureX + curvatureY) // Newton's step for 1/f, which is almost linear
		lx, ly = 1/(1+lambda*ax), 1/(1+lambda*ay)
		x, y := qx*lx, qy*ly
		q2 = x*x + y*y
		curvatureX, curvatureY = x*x*ax*lx, y*y*ay*ly
		if q2 < 1+1e-9 {
			break
		}
	}
	lambda *= stand.limit
	t.ux, t.uy, t.slipOverLimit = ux*lx, uy*ly, 1+lambda*g.perRollSpeed
	t.lagX, t.lagY = t.ux*stand.perLimit, t.uy*stand.perLimit
	// alongShare is the share of a small longitudinal displacement that remains as deflection.
	alongShare := lx * curvatureY / (curvatureX + curvatureY)
	t.slipPerSpeed = alongShare*w.dt*g.decayX*g.perRelaxationX*stand.perLimit + (1-alongShare)*g.perRollSpeed
	t.setSlideDirection(d, g, qx*lx, qy*ly, lambda, spin)
}

// setSlideDirection sets the slip and the sliding speed of a contact that slides. x and y are its
// deflection over the limits, lambda its sliding speed [m/s], spin that of the wheel [rad/s].
func (t *carcass) setSlideDirection(d *WheelInput, g *contactGrip, x, y, lambda, spin float64) {
	vx, vy := (d.Vx-spin*d.Radius)*g.perLimitSlipX, d.Vy*g.perLimitSlipY
	if speed := math.Sqrt(vx*vx + vy*vy); speed > 0 {
		slideSpeed := atMost(atLeast(vx*x+vy*y, 0), lambda) // a contact released by a falling load has no direction of its own
		renewedShare := (1 - g.standing.share) * slideSpeed / (slideSpeed + g.rollSpeed + minSpeed)
		x += renewedShare * (vx/speed - x)
		y += renewedShare * (vy/speed - y)
		unit := 1 / atLeast(math.Sqrt(x*x+y*y), 0.1)
		x, y = x*unit, y*unit
		t.slipPerSpeed += renewedShare * t.slipOverLimit * (1 - x*x) / speed
	}
	x, y = x/g.perLimitSlipX, y/g.perLimitSlipY
	t.sx, t.sy = t.slipOverLimit*x, t.slipOverLimit*y
	t.slideX, t.slideY = lambda*x, lambda*y
}

// maxSlideRounds is the number of rounds of Newton's method in deflect, enough for any relaxation
// lengths. Where both lengths are equal, the first round is exact.
const maxSlideRounds = 12
