package tire

import "math"

// Magic is the Magic Formula of Pacejka: MF-Tyre 5.2, PAC2002, MF 6.1 and 6.2,
// steady state and combined slip, with camber, load and inflation pressure.
//
// Numbers in brackets, as (4.E19), are equations of P; A is the appendix of
// Besselink, Schmeitz and Pacejka, An improved Magic Formula/Swift tyre model
// that can handle inflation pressure changes, Vehicle System Dynamics 48 (2010).
// Where the two differ, the paper counts, as it does in the implementations in
// use: trail and residual torque (A54 to A60) and rolling resistance (A48).
// Turn slip is left out: what the twist of a standing contact does, Wheel adds.
type Magic struct {
	c               coefficients
	v               version
	load            float64 // nominal, scaled [N] (4.E1)
	tanMin, tanMax  float64 // tangents of the file's range of slip angles
	loads, pressure float64 // 1 over the nominal load and pressure
	perLoad         float64 // 1 over the scaled load [1/N]
	speed           float64 // 1 over the nominal speed

	// Functions of one argument, in which the file fixes the rest.
	waves            [curveCount]*tabulated // sin or cos(C·atan v) of each curve
	used             [curveCount]bool       // whether it is asked for, and not 1 throughout
	slope            *tabulated             // the same of the cornering stiffness (4.E25)
	induces          bool                   // whether longitudinal slip induces a side force
	inducing         *tabulated             // of the induced side force (4.E66)
	tilting          *tabulated             // of the overturning moment (4.E69)
	stiffening       *tabulated             // what PKX3 makes of load over nominal (4.E15)
	rollingLoad      *tabulated             // what QSY7 makes of it (A48)
	rollingInflation *tabulated             // what QSY8 makes of pressure over nominal
}

// newMagic returns the model of coefficients that are in range.
func newMagic(v version, c coefficients) *Magic {
	if v == mf52 {
		c.contactOf52()
	}
	m := &Magic{
		c: c, v: v, load: c.LFZO * c.FNOMIN,
		tanMin: tangent(c.ALPMIN), tanMax: tangent(c.ALPMAX),
		loads: 1 / c.FNOMIN, perLoad: 1 / (c.LFZO * c.FNOMIN), pressure: 1 / c.NOMPRES, speed: 1 / c.LONGVL,
		slope: sinOfArc(c.PKY4), inducing: sinOfArc(c.RVY5), tilting: cosOfArc(c.QSX5),
		stiffening:  exponential(c.PKX3, c.FZMAX/(c.LFZO*c.FNOMIN)),
		rollingLoad: powerOf(c.QSY7), rollingInflation: powerOf(c.QSY8),
	}
	along, side := sinOfArc(c.PCX1*c.LCX), sinOfArc(c.PCY1*c.LCY) // (4.E11), (4.E21)
	shareX, shareY := cosOfArc(c.RCX1), cosOfArc(c.RCY1)          // (4.E55), (4.E63)
	m.waves = [...]*tabulated{
		alongCurve: along, sideCurve: side, uprightCurve: side,
		xCurve: shareX, xFreeCurve: shareX, yCurve: shareY, yFreeCurve: shareY,
		trailCurve: cosOfArc(c.QCZ1),
	}
	m.induces = c.RVY1 != 0 || c.RVY2 != 0 || c.RVY3 != 0
	m.used = [...]bool{
		alongCurve: true, sideCurve: true, uprightCurve: v != mf52,
		xCurve: true, xFreeCurve: c.RHX1 != 0, yCurve: true, yFreeCurve: c.RHY1 != 0 || c.RHY2 != 0,
		trailCurve: true,
	}
	return m
}

// tangent is the tangent of a slip angle's limit [rad], bounded from a right
// angle on.
func tangent(angle float64) float64 {
	const right = math.Pi/2 - 1e-6
	if math.Abs(angle) >= right {
		return math.Copysign(mostSlip, angle)
	}
	return math.Tan(angle)
}

// slipping is one contact as the equations want it: within the file's range,
// with the terms that many of them share. Its parts fill in what they are given: the
// processor waits long for a copy of values that were stored just before.
type slipping struct {
	// What stands before the slip is known, and is the same for all of a tick's.
	gamma  float64 // inclination [rad]
	star   float64 // gamma*, its sine (4.E4)
	fz     float64 // [N]
	dfz    float64 // load over the nominal, less 1 (4.E2a)
	dpi    float64 // pressure over the nominal, less 1 (4.E2b)
	speed  float64 // [m/s]
	grip   float64 // factors of the surface
	stiffX float64 // LKX with the surface
	stiffY float64 //
	muX    float64 // friction, upright and without factors
	muY    float64 //
	kX     float64 // slip stiffness [N]
	kY     float64 // cornering stiffness, upright [N/rad]
	free   float64 // rolling resistance moment upright, without Fx [N·m]
	resist float64 // and its growth with the terms of both

	// What the slip adds.
	kappa  float64 // longitudinal slip
	tan    float64 // alpha*, the tangent of the slip angle (4.E3)
	cos    float64 // cosine of the slip angle (4.E6)
	rolled float64 // speed of the tread [m/s]
	scaleX float64 // LMUX with surface and sliding speed (4.E7)
	scaleY float64 //
	soft   float64 // stiffY over scaleY
}

// stand takes over all of a contact but its slips.
func (s *slipping) stand(m *Magic, c *Contact) {
	p := &m.c
	s.gamma = within(c.Gamma, p.CAMMIN, p.CAMMAX)
	s.star = sin(s.gamma)
	s.fz = atMost(c.Load, p.FZMAX)
	s.dfz = s.fz*m.perLoad - 1
	s.dpi = p.INFLPRES*m.pressure - 1
	if c.Pressure > 0 {
		s.dpi = within(c.Pressure, p.PRESMIN, p.PRESMAX)*m.pressure - 1
	}
	s.speed = p.LONGVL
	if c.Speed > 0 {
		s.speed = atMost(c.Speed, mostSlip)
	}
	soft := atMost(c.Surface.Stiffness, mostFactor)
	s.stiffX, s.stiffY = p.LKX*soft, p.LKY*soft
	s.grip = atMost(c.Surface.Grip, mostFactor)
	s.muX, s.muY = m.muX(s), m.muY(s)
	s.kX, s.kY = m.stiffnessX(s), m.stiffnessY(s, 0)
	m.freeRolling(c, s)
}

// slip takes over the slips.
func (s *slipping) slip(m *Magic, kappa, tan float64) {
	p := &m.c
	s.kappa = within(kappa, p.KPUMIN, p.KPUMAX)
	s.tan = within(tan, m.tanMin, m.tanMax)
	s.rolled = (1 + bounded(kappa)) * s.speed
	grip := s.grip
	if p.LMUV != 0 {
		grip /= 1 + max(0, p.LMUV*s.speed*m.speed*math.Sqrt(s.kappa*s.kappa+s.tan*s.tan))
	}
	s.scaleX, s.scaleY = p.LMUX*grip, p.LMUY*grip
	s.soft = s.stiffY / s.scaleY
	s.cos = s.speed / (s.speed*math.Sqrt(1+s.tan*s.tan) + tiny)
}

// within holds x between two limits; what is not a number stays so, and Forces
// answers it with nothing. The built-in min and max, which mind the sign of 0,
// would cost a tenth of the whole.
func within(x, low, high float64) float64 {
	if x < low {
		return low
	}
	if x > high {
		return high
	}
	return x
}

// atMost holds x below a limit; what is not a number stays so.
func atMost(x, high float64) float64 {
	if x > high {
		return high
	}
	return x
}

// atLeast holds x above a limit; what is not a number stays so. It is quicker than the
// built-in max, which must tell 0 from -0.
func atLeast(x, low float64) float64 {
	if x < low {
		return low
	}
	return x
}

// tiny keeps a division by 0 finite (4.E6a).
const tiny = 1e-6

// Forces returns the steady forces.
func (m *Magic) Forces(c Contact) (f Forces) {
	if c.presses() {
		var s slipping
		s.stand(m, &c)
		m.forces(&f, &s, c.Kappa, c.TanAlpha)
	}
	return f
}

// forces fills in the forces at slips of a contact that stands.
func (m *Magic) forces(f *Forces, s *slipping, kappa, tan float64) {
	var k curves
	var along, side, upright wave
	var a pair
	s.slip(m, kappa, tan)
	m.longitudinal(s, &along, &k[alongCurve])
	m.lateral(s, &side, &upright, &k)
	m.angles(s, &a, &side, along.k*side.perK*s.kappa)
	m.shares(s, &k)
	induced := m.induced(s)
	trail := m.trail(s, &a[trailAngle], &k[trailCurve])
	residual := m.residual(s, &a[residualAngle], &side)
	k.evaluate(m)

	f.Fx = k[xCurve].value / k[xFreeCurve].value * along.at(k[alongCurve].value) // (4.E50)
	share := k[yCurve].value / k[yFreeCurve].value
	f.Fy = share*side.at(k[sideCurve].value) + side.mu*induced // (4.E58)
	// From 6.1 on the trail carries the force without camber (4.E74); in MF 5.2
	// all of it but what longitudinal slip induces in an upright wheel.
	carried := f.Fy - upright.mu*induced
	if m.v != mf52 {
		carried = share * upright.at(k[uprightCurve].value)
	}
	trail *= k[trailCurve].value
	f.Mx = m.overturning(s, f.Fy)
	f.My = m.rolling(s, f.Fx)
	f.Mz = residual - trail*carried + m.arm(s, f.Fy)*f.Fx // (4.E71)
	if sum := f.Fx + f.Fy + f.Mx + f.My + f.Mz; sum-sum != 0 {
		*f = Forces{} // coefficients beyond any tire
	}
}

// wave is what is known of a sine version of the formula before its sine.
type wave struct {
	d     float64 // peak [N]
	shift float64 // SV [N]
	mu    float64 // friction
	k     float64 // slope at no slip [N]
	perK  float64 // 1 over it
	bc    float64 // B·C
	sh    float64 // SH
}

// at returns the force of a sine [N] (4.E9), (4.E19).
func (w *wave) at(sine float64) float64 { return w.d*sine + w.shift }

// primed keeps a division by a slope finite (4.E39).
func primed(k float64) float64 { return k + tiny*sign(k) }

// sign is 1 for 0, too.
func sign(x float64) float64 {
	if x < 0 {
		return -1
	}
	return 1
}

// curve is the sine or cosine of C·atan(Bx − E(Bx − atan Bx)), which the Magic
// Formula is made of.
type curve struct {
	bx, e float64
	value float64
}

// curves are all that one contact needs. They are evaluated side by side, for the
// processor then works on several at once.
type curves [curveCount]curve

const (
	alongCurve   = iota // Fx of pure slip
	sideCurve           // Fy of pure slip
	uprightCurve        // Fy of pure slip without camber
	xCurve              // share of Fx that is left in combined slip
	xFreeCurve          // the same without side slip
	yCurve              // share of Fy that is left
	yFreeCurve          // the same without longitudinal slip
	trailCurve
	curveCount
)

func (k *curves) evaluate(m *Magic) {
	for i := range k {
		c := &k[i]
		if !m.used[i] {
			continue
		}
		if n := pieceOf(c.bx); n < pieceCount { // atan itself would be a call
			c.value = arcTangent[n].at(c.bx)
		} else {
			c.value = atan(c.bx)
		}
	}
	for i := range k {
		c, w := &k[i], m.waves[i]
		if !m.used[i] {
			c.value = 1
			continue
		}
		v := c.bx - c.e*(c.bx-c.value)
		if n := pieceOf(v); n < uint(len(w.pieces)) {
			c.value = w.pieces[n].at(v)
		} else {
			c.value = w.exact(v)
		}
	}
}
