package tire

import "math"

// standing is how a contact that hardly rolls departs from the lag of a rolling one: it is a spring with dry
// friction.
//
// The relaxation length of a tire is its slip stiffness C over the stiffness k of its carcass, at small slip.
// As the slip grows, the carcass deflects only as far as the force does, so that the relaxation length falls with
// the slope of the slip curve (P §7.2.3, the fully nonlinear model). At standstill this makes the tire a spring of
// stiffness k up to the friction limit F: the contact slides at a deflection of F/k, and on the way back the force
// has ended after F/k. With an unchanged relaxation length a brush would slide at 3·F/k and give back 4.5 times the
// energy.
//
// The slope is that of a brush, whose force at q slip limits is F·(1 - (1-q)³). So the carcass deflects by
// q - share·(q² - q³/3) slip limits times the relaxation length. A share of 0 is the unchanged relaxation length.
// The slip that rolling leads to is the same with every share.
type standing struct {
	share        float64 // 1 at standstill, 0 from a rolling speed of fullRoll on
	limit        float64 // deflection at the friction limit, over slip limit times relaxation length: from 1 down to 1/3
	perLimit     float64 // 1 over limit
	lagX, lagY   float64 // slip without sliding before this tick, times the relaxation length [m]
	lossX, lossY float64 // what rolling takes from the deflection in this tick beyond its own share of it [m]
}

// setStanding sets g.standing for this tick.
func (g *contactGrip) setStanding(s *WheelState) {
	const fullRoll = 3 // [m/s]
	k := &g.standing
	k.limit, k.perLimit, k.lagX, k.lagY = 1, 1, s.DeflX, s.DeflY
	if g.rollSpeed >= fullRoll {
		return
	}
	k.share = 1 - g.rollSpeed*(1.0/fullRoll)
	k.limit = 1 - k.share*(2.0/3)
	k.perLimit = 1 / k.limit
	if g.rollSpeed == 0 {
		return // rolling takes nothing
	}
	x, y := s.DeflX*g.perRelaxationX*g.perLimitSlipX*k.perLimit, s.DeflY*g.perRelaxationY*g.perLimitSlipY*k.perLimit
	perDeflection := k.perDeflection(atMost(x*x+y*y, 1))
	k.lagX, k.lagY = s.DeflX*perDeflection, s.DeflY*perDeflection
	k.lossX, k.lossY = (1-g.decayX)*(k.lagX-s.DeflX), (1-g.decayY)*(k.lagY-s.DeflY)
}

// perDeflection returns slip times relaxation length over the deflection. Its argument is the square of the
// deflection over that at the friction limit, at most 1. With y = 1-q, the distance to the limit is
// (1-share)·y + share·y³/3. It grows with y and bends upward, so that Newton's method closes in from above.
func (k *standing) perDeflection(deflection2 float64) float64 {
	if k.share == 0 {
		return 1
	}
	rest := k.limit * (1 - math.Sqrt(deflection2))
	linear, cubic := 1-k.share, k.share*(1.0/3)
	y := math.Cbrt(rest / cubic)
	if y*linear > rest {
		y = rest / linear
	}
	const rounds, tolerance = 5, 1e-12
	for range rounds {
		step := (y*(linear+cubic*y*y) - rest) / (linear + 3*cubic*y*y)
		if !(step > tolerance) { // also if it is NaN, at a share of 1 at the limit
			break
		}
		y -= step
	}
	q := 1 - y
	return 1 / (1 - k.share*q*(1-q*(1.0/3)))
}
