package tire

import "math"

// momentAngle is an equivalent slip angle of the aligning moment [rad].
type momentAngle struct {
	alpha    float64 // slip angle with the horizontal shift
	combined float64 // slip angle with longitudinal slip taken into account (A54, A55)
}

// momentAngles are the angles of the trail (αt) and of the residual moment (αr).
type momentAngles [2]momentAngle

const (
	trailAngle = iota
	residualAngle
)

// combine sets the combined angles, which take longitudinal slip into account. kappaTerm is Kxκ/Kyα·κ.
func (a *momentAngles) combine(kappaTerm float64) {
	for i := range a {
		t := &a[i]
		t.combined = t.alpha
		if kappaTerm == 0 || math.Abs(t.alpha) >= math.Pi/2 {
			continue
		}
		tan := tan(t.alpha)
		v := math.Sqrt(tan*tan + kappaTerm*kappaTerm)
		if n := pieceOf(v); n < pieceCount {
			v = arcTangent[n].at(v)
		} else {
			v = atan(v)
		}
		t.combined = v * sign(t.alpha)
	}
}

// setMomentAngles sets the equivalent slip angles of the aligning moment. kappaTerm is Kxκ/Kyα·κ.
func (m *MagicFormula) setMomentAngles(s *mfContact, a *momentAngles, fy *sineTerms, kappaTerm float64) {
	p := &m.c
	a[trailAngle].alpha = s.tanAlpha + p.QHZ1 + p.QHZ2*s.dfz + (p.QHZ3+p.QHZ4*s.dfz)*s.sinGamma // (4.E34), (4.E35)
	a[residualAngle].alpha = s.tanAlpha + fy.sh + fy.sv*fy.perK                                 // (4.E37), (4.E38)
	a.combine(kappaTerm)
}

// momentLoad returns the load for the aligning moment [N], at least FZMIN.
func (m *MagicFormula) momentLoad(s *mfContact) float64 { return atLeast(s.fz, m.c.FZMIN) }

// trail sets the curve k of the pneumatic trail and returns its peak Dt [m].
func (m *MagicFormula) trail(s *mfContact, a *momentAngle, k *sineCurve) float64 {
	p := &m.c
	gamma := s.gamma * p.LGAZ
	b := (p.QBZ1 + s.dfz*(p.QBZ2+p.QBZ3*s.dfz)) * (1 + p.QBZ4*gamma + p.QBZ5*math.Abs(gamma)) * s.lkyOverLmuy // (A58)
	k.bx = b * a.combined
	e := p.QEZ1 + s.dfz*(p.QEZ2+p.QEZ3*s.dfz)
	if skew := p.QEZ4 + p.QEZ5*s.sinGamma; skew != 0 {
		e *= 1 + skew*(2/math.Pi)*atan(b*p.QCZ1*a.alpha)
	}
	k.e = atMost(e, 1) // (4.E44)
	return m.momentLoad(s) * m.perScaledLoad * p.UNLOADEDRADIUS * (p.QDZ1 + p.QDZ2*s.dfz) * (1 - p.PPZ1*s.dpi) *
		(1 + gamma*(p.QDZ3+p.QDZ4*gamma)) * p.LTR * s.cosAlpha * p.LFZO // (A60)
}

// residual returns the residual moment Mzr, which has no trail [N·m].
func (m *MagicFormula) residual(s *mfContact, a *momentAngle, fy *sineTerms) float64 {
	p := &m.c
	b := p.QBZ9*s.lkyOverLmuy + p.QBZ10*fy.bc // (4.E45)
	d := (p.QDZ6 + p.QDZ7*s.dfz) * p.LRES
	d += ((p.QDZ8+p.QDZ9*s.dfz)*(1+p.PPZ2*s.dpi) + (p.QDZ10+p.QDZ11*s.dfz)*math.Abs(s.sinGamma)) * s.sinGamma * p.LKZC
	d *= m.momentLoad(s) * p.UNLOADEDRADIUS * s.lmuy * cos(s.tanAlpha) // (4.E47)
	return d * cosAtan(b*a.combined)                                   // (4.E75)
}

// fxArm returns s, the moment arm of Fx about the vertical axis [m] (A56).
func (m *MagicFormula) fxArm(s *mfContact, fy float64) float64 {
	p := &m.c
	return p.UNLOADEDRADIUS * (p.SSZ1 + p.SSZ2*fy*m.perNominalLoad + (p.SSZ3+p.SSZ4*s.dfz)*s.gamma) * p.LS
}

// overturning returns the overturning moment Mx [N·m] (4.E69), in the form of MF-Tyre 6.2.
func (m *MagicFormula) overturning(s *mfContact, fy float64) float64 {
	p := &m.c
	fz := s.fz
	if fz < p.FZMIN {
		fz *= (fz / p.FZMIN) * (fz / p.FZMIN)
	}
	y, z := fy*m.perNominalLoad, fz*m.perNominalLoad
	sum := p.QSX1*p.LVMX - p.QSX2*s.gamma*(1+p.PPMX1*s.dpi) + p.QSX3*y
	if p.QSX4 != 0 {
		z2 := (p.QSX6 * z) * (p.QSX6 * z)
		sum += p.QSX4 * m.overturningShape.at(z2) * sin(p.QSX7*s.gamma+p.QSX8*atan(p.QSX9*y))
	}
	if p.QSX10 != 0 {
		sum += p.QSX10 * atan(p.QSX11*z) * s.gamma
	}
	lean := fy*(p.QSX13+p.QSX14*math.Abs(s.gamma)) - fz*p.QSX12*s.gamma*math.Abs(s.gamma)
	return p.UNLOADEDRADIUS * p.LMX * (fz*sum + lean)
}

// rollingResistance returns the rolling resistance moment My [N·m], which is negative: (A48), and the
// manual's form for MF 5.2. It fades out while the tread moves slower than VXLOW.
func (m *MagicFormula) rollingResistance(s *mfContact, fx float64) float64 {
	my := s.myFree + m.rollingBySlip(s, fx)
	if s.treadSpeed < m.c.VXLOW {
		my *= sin(math.Pi / 2 * atLeast(s.treadSpeed/m.c.VXLOW, -1))
	}
	return my
}

// rollingBySlip returns the part of the rolling resistance moment that depends on the longitudinal force fx [N] and
// on camber [N·m].
func (m *MagicFormula) rollingBySlip(s *mfContact, fx float64) float64 {
	p := &m.c
	return s.myScale * (p.QSY2*fx*m.perNominalLoad + (p.QSY5+p.QSY6*s.fz*m.perNominalLoad)*s.gamma*s.gamma)
}

// rollingUnder returns the largest moment of the rolling resistance under a longitudinal force fx, positive if it
// drives [N], at any speed [N·m, >= 0].
func (m *MagicFormula) rollingUnder(s *mfContact, fx float64) float64 {
	return sizeOrZero(atMost(s.myFree+m.rollingBySlip(s, fx), 0))
}

// setFreeRolling sets the part of the rolling resistance moment that depends neither on slip nor on
// camber.
func (m *MagicFormula) setFreeRolling(c *Contact, s *mfContact) {
	p := &m.c
	fz := atMost(c.Load, maxLoad)
	if fz < p.FZMIN {
		fz *= fz / p.FZMIN
	}
	s.myScale = -p.UNLOADEDRADIUS * p.LMY * surfaceFactor(c.Surface.Rolling)
	if m.version == mf52 {
		s.myScale *= fz
	} else {
		s.myScale *= p.FNOMIN * m.rollingByLoad.at(fz*m.perNominalLoad) * m.rollingByPressure.at(1+s.dpi)
	}
	v := s.vx * m.perMeasuredSpeed
	v2 := v * v
	s.myFree = s.myScale * (p.QSY1 + p.QSY3*v + p.QSY4*v2*v2)
}
