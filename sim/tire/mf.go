package tire

import (
	"math"

	"rig.example/rig/internal/kit/valid"
)

// MagicFormula is Pacejka's Magic Formula: MF-Tyre 5.2, PAC2002, MF 6.1 and 6.2, in steady state and
// combined slip, with camber, load and inflation pressure.
//
// Numbers in brackets, such as (4.E19), are equations of P; A is the appendix of Besselink, Schmeitz and
// Pacejka, An improved Magic Formula/Swift tyre model that can handle inflation pressure changes,
// Vehicle System Dynamics 48 (2010). Where the two differ, the paper is followed, as other
// implementations do: trail and residual torque (A54 to A60) and rolling resistance (A48). Turn slip is
// left out: Wheel adds the twist of a standing contact.
type MagicFormula struct {
	c                                  coefficients // coefficients of the file
	version                            version      // selects the equations
	nominalLoad                        float64      // Fz0', the nominal load with its scaling factor [N] (4.E1)
	tanMin, tanMax                     float64      // tangents of the limits of the slip angle
	perNominalLoad, perNominalPressure float64      // 1 over the nominal load [1/N] and 1 over the nominal pressure [1/Pa]
	perScaledLoad                      float64      // 1 over the scaled nominal load [1/N]
	perMeasuredSpeed                   float64      // 1 over LONGVL [s/m]

	// Functions of one argument that are tabulated once, because their coefficients do not change.
	sinOrCos          [curveCount]*tabulated // outer function of each curve: sin(C·atan v) or cos(C·atan v)
	used              [curveCount]bool       // whether the curve is evaluated; otherwise its value is 1
	corneringShape    *tabulated             // sin(PKY4·atan v) of the cornering stiffness (4.E25)
	hasInduced        bool                   // whether longitudinal slip induces a lateral force
	inducedShape      *tabulated             // sin(RVY5·atan v) of the induced lateral force SVyκ (4.E67)
	overturningShape  *tabulated             // cos(QSX5·atan v) of the overturning moment (4.E69)
	loadStiffening    *tabulated             // exponential of PKX3 over the load ratio (4.E15)
	rollingByLoad     *tabulated             // power of QSY7 over the load ratio (A48)
	rollingByPressure *tabulated             // power of QSY8 over the pressure ratio (A48)
}

// newMagicFormula returns the model of coefficients that passed the reader's checks.
func newMagicFormula(v version, c coefficients) *MagicFormula {
	if v == mf52 {
		c.completeContact52()
	}
	m := &MagicFormula{
		c: c, version: v, nominalLoad: c.LFZO * c.FNOMIN,
		tanMin: tangent(c.ALPMIN), tanMax: tangent(c.ALPMAX),
		perNominalLoad: 1 / c.FNOMIN, perScaledLoad: 1 / (c.LFZO * c.FNOMIN), perNominalPressure: 1 / c.NOMPRES, perMeasuredSpeed: 1 / c.LONGVL,
		corneringShape: sinOfAtan(c.PKY4), inducedShape: sinOfAtan(c.RVY5), overturningShape: cosOfAtan(c.QSX5),
		loadStiffening: tabulatedExp(c.PKX3, c.FZMAX/(c.LFZO*c.FNOMIN)),
		rollingByLoad:  tabulatedPower(c.QSY7), rollingByPressure: tabulatedPower(c.QSY8),
	}
	sinX, sinY := sinOfAtan(c.PCX1*c.LCX), sinOfAtan(c.PCY1*c.LCY) // (4.E11), (4.E21)
	cosX, cosY := cosOfAtan(c.RCX1), cosOfAtan(c.RCY1)             // (4.E55), (4.E63)
	m.sinOrCos = [...]*tabulated{
		fxCurve: sinX, fyCurve: sinY, fyUprightCurve: sinY,
		gxaCurve: cosX, gxaZeroCurve: cosX, gykCurve: cosY, gykZeroCurve: cosY,
		trailCurve: cosOfAtan(c.QCZ1),
	}
	m.hasInduced = c.RVY1 != 0 || c.RVY2 != 0 || c.RVY3 != 0
	m.used = [...]bool{
		fxCurve: true, fyCurve: true, fyUprightCurve: v != mf52,
		gxaCurve: true, gxaZeroCurve: c.RHX1 != 0, gykCurve: true, gykZeroCurve: c.RHY1 != 0 || c.RHY2 != 0,
		trailCurve: true,
	}
	return m
}

// tangent returns the tangent of a limit of the slip angle [rad]. From a right angle on it is ±maxSlip.
func tangent(angle float64) float64 {
	const right = math.Pi/2 - 1e-6
	if math.Abs(angle) >= right {
		return math.Copysign(maxSlip, angle)
	}
	return math.Tan(angle)
}

// mfContact holds the inputs of the equations for one contact, clamped to the file's ranges, and the
// terms that several equations share. Functions set its fields through a pointer, because copying values
// that were stored just before stalls the processor.
type mfContact struct {
	// Set by setState: independent of the slip, so they are the same for all slips of a tick.
	gamma      float64 // inclination [rad]
	sinGamma   float64 // gamma*, the sine of the inclination (4.E4)
	fz         float64 // load [N]
	dfz        float64 // relative load change: load over scaled nominal load, minus 1 (4.E2a)
	dpi        float64 // relative pressure change: pressure over nominal, minus 1 (4.E2b)
	vx         float64 // speed along the heading [m/s]
	gripFactor float64 // the surface's factor on friction
	lkx        float64 // LKX times the surface's factor on stiffness
	lky        float64 // LKY times the surface's factor on stiffness
	muX        float64 // longitudinal friction, upright and without factors
	muY        float64 // lateral friction, upright and without factors
	kxk        float64 // Kxκ, slip stiffness [N]
	kya        float64 // Kyα, cornering stiffness, upright [N/rad]
	myFree     float64 // rolling resistance moment, upright and at Fx = 0 [N·m]
	myScale    float64 // factor on the terms of Fx and camber in the rolling resistance moment [N·m]

	// Set by setSlip.
	kappa       float64 // longitudinal slip
	tanAlpha    float64 // alpha*, the tangent of the slip angle (4.E3)
	cosAlpha    float64 // cosine of the slip angle (4.E6)
	treadSpeed  float64 // rolling speed of the tread [m/s]
	lmux        float64 // LMUX with the surface's grip and the sliding speed (4.E7)
	lmuy        float64 // LMUY with the surface's grip and the sliding speed (4.E7)
	lkyOverLmuy float64 // lky over lmuy
}

// setState sets all fields that do not depend on the slip.
func (s *mfContact) setState(m *MagicFormula, c *Contact) {
	p := &m.c
	s.gamma = clamp(c.Gamma, p.CAMMIN, p.CAMMAX)
	s.sinGamma = sin(s.gamma)
	s.fz = atMost(c.Load, p.FZMAX)
	s.dfz = s.fz*m.perScaledLoad - 1
	s.dpi = p.INFLPRES*m.perNominalPressure - 1
	if c.Pressure > 0 {
		s.dpi = clamp(c.Pressure, p.PRESMIN, p.PRESMAX)*m.perNominalPressure - 1
	}
	s.vx = p.LONGVL
	if c.Speed > 0 {
		s.vx = atMost(c.Speed, maxSlip)
	}
	stiffness := atMost(c.Surface.Stiffness, maxFactor)
	s.lkx, s.lky = p.LKX*stiffness, p.LKY*stiffness
	s.gripFactor = atMost(c.Surface.Grip, maxFactor)
	s.muX, s.muY = m.muX(s), m.muY(s)
	s.kxk, s.kya = m.stiffnessX(s), m.stiffnessY(s, 0)
	m.setFreeRolling(c, s)
}

// setSlip sets the fields that depend on the slip. tanAlpha is the tangent of the slip angle.
func (s *mfContact) setSlip(m *MagicFormula, kappa, tanAlpha float64) {
	p := &m.c
	s.kappa = clamp(kappa, p.KPUMIN, p.KPUMAX)
	s.tanAlpha = clamp(tanAlpha, m.tanMin, m.tanMax)
	s.treadSpeed = (1 + boundedOrZero(kappa)) * s.vx
	grip := s.gripFactor
	if p.LMUV != 0 {
		grip /= 1 + max(0, p.LMUV*s.vx*m.perMeasuredSpeed*math.Sqrt(s.kappa*s.kappa+s.tanAlpha*s.tanAlpha))
	}
	s.lmux, s.lmuy = p.LMUX*grip, p.LMUY*grip
	s.lkyOverLmuy = s.lky / s.lmuy
	s.cosAlpha = s.vx / (s.vx*math.Sqrt(1+s.tanAlpha*s.tanAlpha) + epsilon)
}

// clamp returns x limited to low and high. NaN stays NaN, and Forces then returns zero forces. The
// built-in min and max, which distinguish 0 and -0, would make a step a tenth slower.
func clamp(x, low, high float64) float64 {
	if x < low {
		return low
	}
	if x > high {
		return high
	}
	return x
}

// atMost returns the smaller of x and high. NaN stays NaN. It is faster than the built-in min, which
// distinguishes 0 and -0.
func atMost(x, high float64) float64 {
	if x > high {
		return high
	}
	return x
}

// atLeast returns the larger of x and low. NaN stays NaN. It is faster than the built-in max, which
// distinguishes 0 and -0.
func atLeast(x, low float64) float64 {
	if x < low {
		return low
	}
	return x
}

// epsilon keeps a division by 0 finite (4.E6a).
const epsilon = 1e-6

// Forces returns the steady forces.
func (m *MagicFormula) Forces(c Contact) (f Forces) {
	if c.hasContact() {
		var s mfContact
		s.setState(m, &c)
		m.forces(&f, &s, c.Kappa, c.TanAlpha)
	}
	return f
}

// forces sets f to the forces at slips kappa and tanAlpha. setState must have been called on s.
func (m *MagicFormula) forces(f *Forces, s *mfContact, kappa, tanAlpha float64) {
	var k curves
	var fx, fy, upright sineTerms
	var angles momentAngles
	s.setSlip(m, kappa, tanAlpha)
	m.setFx(s, &fx, &k[fxCurve])
	m.setFy(s, &fy, &upright, &k)
	m.setMomentAngles(s, &angles, &fy, fx.k*fy.perK*s.kappa)
	m.setWeights(s, &k)
	svyk := m.inducedForce(s)
	trail := m.trail(s, &angles[trailAngle], &k[trailCurve])
	residual := m.residual(s, &angles[residualAngle], &fy)
	k.evaluate(m)

	f.Fx = k[gxaCurve].value / k[gxaZeroCurve].value * fx.force(k[fxCurve].value) // (4.E50)
	gyk := k[gykCurve].value / k[gykZeroCurve].value
	f.Fy = gyk*fy.force(k[fyCurve].value) + fy.mu*svyk // (4.E58)
	// From MF 6.1 on the trail acts on the lateral force without camber (4.E74); in
	// MF 5.2 on all of it except the force that longitudinal slip induces upright.
	trailForce := f.Fy - upright.mu*svyk
	if m.version != mf52 {
		trailForce = gyk * upright.force(k[fyUprightCurve].value)
	}
	trail *= k[trailCurve].value
	f.Mx = m.overturning(s, f.Fy)
	f.My = m.rollingResistance(s, f.Fx)
	f.Mz = residual - trail*trailForce + m.fxArm(s, f.Fy)*f.Fx // (4.E71)
	if sum := f.Fx + f.Fy + f.Mx + f.My + f.Mz; !valid.Finite(sum) {
		*f = Forces{} // NaN or Inf from implausible coefficients
	}
}

// sineTerms are the terms of a sine version of the formula that are known before the sine.
type sineTerms struct {
	d    float64 // D, peak [N]
	sv   float64 // SV, vertical shift [N]
	mu   float64 // friction coefficient
	k    float64 // K, slope at zero slip [N]
	perK float64 // 1 over K
	bc   float64 // B·C
	sh   float64 // SH, horizontal shift
}

// force returns D times the sine, plus SV [N] (4.E9), (4.E19).
func (w *sineTerms) force(sine float64) float64 { return w.d*sine + w.sv }

// primed returns K', the slope K moved away from 0 so that a division by it stays finite (4.E39).
func primed(k float64) float64 { return k + epsilon*sign(k) }

// sign returns -1 for negative x, and 1 otherwise, also for 0.
func sign(x float64) float64 {
	if x < 0 {
		return -1
	}
	return 1
}

// sineCurve is one sine or cosine of C·atan(Bx − E(Bx − atan Bx)), of which the Magic Formula consists.
type sineCurve struct {
	bx, e float64 // B·x and E
	value float64 // the result
}

// curves are all curves that one contact needs. They are evaluated together, because the processor then
// computes several at once.
type curves [curveCount]sineCurve

const (
	fxCurve        = iota // Fx in pure slip
	fyCurve               // Fy in pure slip
	fyUprightCurve        // Fy in pure slip without camber
	gxaCurve              // Gxα, weighting of Fx in combined slip
	gxaZeroCurve          // Gxα0, the same at zero slip angle
	gykCurve              // Gyκ, weighting of Fy in combined slip
	gykZeroCurve          // Gyκ0, the same at zero longitudinal slip
	trailCurve            // pneumatic trail
	curveCount
)

// evaluate computes the values of all used curves from their bx and e.
func (k *curves) evaluate(m *MagicFormula) {
	for i := range k {
		c := &k[i]
		if !m.used[i] {
			continue
		}
		if n := pieceOf(c.bx); n < pieceCount { // written out: a call of atan would cost more
			c.value = arcTangent[n].at(c.bx)
		} else {
			c.value = atan(c.bx)
		}
	}
	for i := range k {
		c, w := &k[i], m.sinOrCos[i]
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
