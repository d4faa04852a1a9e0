package tire

import "math"

// defaultPressure is the inflation pressure of a tire without a nominal one [Pa].
const defaultPressure = 220e3

// twist advances the twist of the contact about the road's normal by a tick dt and returns its moment on
// the wheel [N·m], positive to the left: the parking torque. share2 is the square of the share of the
// friction that the forces use.
//
// The angle psi follows dpsi/dt + |Vr|/a·psi = yaw rate: at rest the contact twists like a spring, and
// rolling by half the contact length a renews it. The moment is -K·psi up to the friction limit; beyond
// it the contact slides round.
//
// K = C·a/3 is that of a brush of slip stiffness C = 2·c·a²: bristles at x are deflected by psi·x, and
// the integral of c·x² from -a to a is 2/3·c·a³ (P §9.2). The contact width would increase it, and the
// carcass in series reduces it by as much.
func (s *WheelState) twist(dt float64, d *WheelInput, capacity *Capacity, share2 float64) float64 {
	if !(capacity.HalfLength > 0) {
		s.Twist = 0
		return 0
	}
	a := capacity.HalfLength
	psi := (s.Twist + dt*d.YawRate) * a / (a + dt*math.Abs(s.Spin)*d.Radius)
	stiffness := capacity.StiffnessY * a * (1.0 / 3)
	moment := -stiffness * psi
	limit2 := parkingMoment2(capacity, d) * atLeast(1-share2, 0) // force and moment share the friction, on an ellipsoid
	if moment*moment > limit2 {
		moment = math.Copysign(math.Sqrt(limit2), moment)
		psi = -moment / stiffness
	}
	s.Twist = psi
	return moment
}

// parkingMoment2 returns the square of the moment at which a standing contact slides round [N²·m²].
//
// Bristles at a distance r from the center slide at mu·p·r. Under parabolic pressure on a line the mean
// of |x| is 3/8·a, and across an even width 2b that of |y| is b/2; the mean of √(x²+y²) is at least that
// of the two together (for b = 0.63·a, 9 % more). The width is that of a contact whose mean pressure is
// the inflation pressure. For 4 kN, 220 kPa, a = 85 mm and mu = 1 this gives 166 N·m; Gough's empirical
// mu·Fz^1.5/(3·√p) gives 180 N·m.
func parkingMoment2(capacity *Capacity, d *WheelInput) float64 {
	pressure := d.Pressure
	if !(pressure > 0) {
		pressure = defaultPressure
	}
	a := capacity.HalfLength
	b := atMost(d.Load/(4*a*pressure), 2*a)
	const alongMean, acrossMean = 3.0 / 8, 1.0 / 2
	x, y := alongMean*a, acrossMean*b
	force := atMost(capacity.ForceX, capacity.ForceY)
	return force * force * (x*x + y*y)
}
