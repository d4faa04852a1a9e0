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
	speed           float64 // 1 over the nominal speed

	// Functions of one argument, in which the file fixes the rest.
	waves            [curveCount]*tabulated // sin or cos(C·atan v) of each curve
	slope            *tabulated             // the same of the cornering stiffness (4.E25)
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
		loads: 1 / c.FNOMIN, pressure: 1 / c.NOMPRES, speed: 1 / c.LONGVL,
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
// with the terms that many of them share.
type slipping struct {
	kappa  float64 // longitudinal slip
	tan    float64 // alpha*, the tangent of the slip angle (4.E3)
	cos    float64 // cosine of the slip angle (4.E6)
	gamma  float64 // inclination [rad]
	star   float64 // gamma*, its sine (4.E4)
	fz     float64 // [N]
	dfz    float64 // load over the nominal, less 1 (4.E2a)
	dpi    float64 // pressure over the nominal, less 1 (4.E2b)
	scaleX float64 // LMUX with surface and sliding speed (4.E7)
	scaleY float64 //
	stiffX float64 // LKX with the surface
	stiffY float64 //
}

// take clamps a contact to the file's ranges. Like longitudinal and lateral it
// fills in what it is given: the processor waits long for a copy of values that
// were stored just before.
func (s *slipping) take(m *Magic, c *Contact) {
	p := &m.c
	s.kappa = within(c.Kappa, p.KPUMIN, p.KPUMAX)
	s.tan = within(c.TanAlpha, m.tanMin, m.tanMax)
	s.gamma = within(c.Gamma, p.CAMMIN, p.CAMMAX)
	s.star = sin(s.gamma)
	s.fz = atMost(c.Load, p.FZMAX)
	s.dfz = s.fz/m.load - 1
	s.dpi = p.INFLPRES*m.pressure - 1
	if c.Pressure > 0 {
		s.dpi = within(c.Pressure, p.PRESMIN, p.PRESMAX)*m.pressure - 1
	}
	soft := atMost(c.Surface.Stiffness, mostFactor)
	s.stiffX, s.stiffY = p.LKX*soft, p.LKY*soft
	speed, grip := m.at(c.Speed), atMost(c.Surface.Grip, mostFactor)
	if p.LMUV != 0 {
		grip /= 1 + max(0, p.LMUV*speed*m.speed*math.Sqrt(s.kappa*s.kappa+s.tan*s.tan))
	}
	s.scaleX, s.scaleY = p.LMUX*grip, p.LMUY*grip
	s.cos = speed / (speed*math.Sqrt(1+s.tan*s.tan) + tiny)
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

// tiny keeps a division by 0 finite (4.E6a).
const tiny = 1e-6

// at is a speed, or the file's own where none is given [m/s].
func (m *Magic) at(speed float64) float64 {
	if speed > 0 {
		return atMost(speed, mostSlip)
	}
	return m.c.LONGVL
}

// Forces returns the steady forces.
func (m *Magic) Forces(c Contact) (out Forces) {
	if !c.presses() {
		return Forces{}
	}
	var s slipping
	var k curves
	var along, side, upright wave
	s.take(m, &c)
	m.longitudinal(&s, &along, &k[alongCurve])
	m.lateral(&s, &side, &upright, &k)
	m.shares(&s, &k)
	perKappa := along.k / primed(side.k) * s.kappa
	trail := m.trail(&s, perKappa, &k[trailCurve])
	residual := m.residual(&s, &side, perKappa)
	induced := m.induced(&s)
	k.evaluate(m)

	out.Fx = k[xCurve].value / k[xFreeCurve].value * along.at(k[alongCurve].value) // (4.E50)
	share := k[yCurve].value / k[yFreeCurve].value
	out.Fy = share*side.at(k[sideCurve].value) + side.mu*induced // (4.E58)
	// From 6.1 on the trail carries the force without camber (4.E74); in MF 5.2
	// all of it but what longitudinal slip induces in an upright wheel.
	carried := out.Fy - upright.mu*induced
	if m.v != mf52 {
		carried = share * upright.at(k[uprightCurve].value)
	}
	trail *= k[trailCurve].value
	out.Mx = m.overturning(&s, out.Fy)
	out.My = m.rolling(&c, &s, out.Fx)
	out.Mz = residual - trail*carried + m.arm(&s, out.Fy)*out.Fx // (4.E71)
	if sum := out.Fx + out.Fy + out.Mx + out.My + out.Mz; sum-sum != 0 {
		return Forces{} // coefficients beyond any tire
	}
	return out
}

// wave is what is known of a sine version of the formula before its sine.
type wave struct {
	d     float64 // peak [N]
	shift float64 // SV [N]
	mu    float64 // friction
	k     float64 // slope at no slip [N]
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
		k[i].value = atan(k[i].bx)
	}
	for i := range k {
		c := &k[i]
		c.value = m.waves[i].at(c.bx - c.e*(c.bx-c.value))
	}
}
