package tire

import "math"

// usualPressure is the inflation of a tire that does not tell its own [Pa].
const usualPressure = 220e3

// twist turns the contact about the road's normal by a tick dt and returns its
// moment on the wheel [N·m], positive to the left: the parking torque. share2 is
// the square of what the forces take of the friction.
//
// The angle psi follows dpsi/dt + |Vr|/a·psi = yaw rate: a wheel that is turned
// at rest twists its contact as a spring, and rolling by half the contact's
// length a renews it. The moment is -K·psi, up to what friction holds; what is
// left over turns away.
//
// K = C·a/3 is that of a brush of slip stiffness C = 2·c·a²: bristles at x are
// bent by psi·x, and the integral of c·x² from -a to a is 2/3·c·a³ (P §9.2). The
// contact's width would add to it, and the carcass in series takes as much away.
func (s *Rolling) twist(dt float64, d *Drive, can *Capacity, share2 float64) float64 {
	if !(can.HalfLength > 0) {
		s.Twist = 0
		return 0
	}
	a := can.HalfLength
	psi := (s.Twist + dt*d.Yaw) * a / (a + dt*math.Abs(s.Spin)*d.Radius)
	stiffness := can.StiffnessY * a * (1.0 / 3)
	moment := -stiffness * psi
	most2 := parkingLimit2(can, d) * atLeast(1-share2, 0) // force and moment share the friction, on an ellipsoid
	if moment*moment > most2 {
		moment = math.Copysign(math.Sqrt(most2), moment)
		psi = -moment / stiffness
	}
	s.Twist = psi
	return moment
}

// parkingLimit2 returns the square of the moment that turns a standing contact
// [N²·m²].
//
// Bristles at a distance r from the middle slide with mu·p·r. Under parabolic
// pressure on a line the mean of |x| is 3/8·a, and across an even width 2b that
// of |y| is b/2; the mean of √(x²+y²) is at least that of the two together (for
// b = 0.63·a, 9 % more). The width is that of a contact whose mean pressure is
// the inflation. For 4 kN, 220 kPa, a = 85 mm and mu = 1 this gives 166 N·m;
// Gough's empirical mu·Fz^1.5/(3·√p) gives 180 N·m.
func parkingLimit2(can *Capacity, d *Drive) float64 {
	pressure := d.Pressure
	if !(pressure > 0) {
		pressure = usualPressure
	}
	a := can.HalfLength
	b := atMost(d.Load/(4*a*pressure), 2*a)
	const alongMean, acrossMean = 3.0 / 8, 1.0 / 2
	x, y := alongMean*a, acrossMean*b
	force := atMost(can.ForceX, can.ForceY)
	return force * force * (x*x + y*y)
}
