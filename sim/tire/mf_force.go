package tire

import "math"

// setFx sets the terms w and the curve k of the longitudinal force in pure slip.
func (m *MagicFormula) setFx(s *mfContact, w *sineTerms, k *sineCurve) {
	p := &m.c
	gamma := s.gamma * p.LGAX
	w.mu = s.muX * (1 - p.PDX3*gamma*gamma) * s.lmux       // (4.E13)
	w.d = w.mu * s.fz                                      // (4.E12)
	w.k = s.kxk                                            //
	w.sv = s.fz * (p.PVX1 + p.PVX2*s.dfz) * p.LVX * s.lmux // (4.E18)
	x := s.kappa + (p.PHX1+p.PHX2*s.dfz)*p.LHX             // (4.E10), (4.E17)
	e := (p.PEX1 + s.dfz*(p.PEX2+p.PEX3*s.dfz)) * p.LEX
	c := p.PCX1 * p.LCX                          // (4.E11)
	k.bx = w.k / (c*w.d + epsilon*sign(w.d)) * x // (4.E16)
	k.e = atMost(e*(1-p.PEX4*sign(x)), 1)        // (4.E14)
}

// muX returns the longitudinal friction coefficient, upright and without factors (4.E13).
func (m *MagicFormula) muX(s *mfContact) float64 {
	p := &m.c
	return (p.PDX1 + p.PDX2*s.dfz) * (1 + s.dpi*(p.PPX3+p.PPX4*s.dpi))
}

// stiffnessX returns the longitudinal slip stiffness Kxκ [N] (4.E15).
func (m *MagicFormula) stiffnessX(s *mfContact) float64 {
	p := &m.c
	k := s.fz * (p.PKX1 + p.PKX2*s.dfz) * (1 + s.dpi*(p.PPX1+p.PPX2*s.dpi)) * s.lkx
	if p.PKX3 != 0 {
		k *= m.loadStiffening.at(1 + s.dfz)
	}
	return k
}

// setFy sets the terms and curves of the lateral force in pure slip: w with camber, upright without.
func (m *MagicFormula) setFy(s *mfContact, w, upright *sineTerms, k *curves) {
	p := &m.c
	dfz := s.dfz
	upright.k = s.kya
	upright.mu = s.muY * s.lmuy                                // (4.E23)
	upright.sv = s.fz * (p.PVY1 + p.PVY2*dfz) * p.LVY * s.lmuy // (4.E29)
	upright.sh = (p.PHY1 + p.PHY2*dfz) * p.LHY                 // (4.E27)
	e := (p.PEY1 + p.PEY2*dfz) * p.LEY
	if m.version != mf52 { // MF 5.2 has no use for it
		m.setFyCurve(s, upright, e*(1-p.PEY3*sign(s.tanAlpha+upright.sh)), &k[fyUprightCurve])
	}

	sinGamma := s.sinGamma * p.LGAY
	w.k = upright.k
	if p.PKY5*sinGamma != 0 {
		w.k = m.stiffnessY(s, sinGamma)
	}
	w.k *= 1 - p.PKY3*math.Abs(sinGamma) // (4.E25)
	w.mu = upright.mu * (1 - p.PDY3*sinGamma*sinGamma)
	svyGamma := s.fz * (p.PVY3 + p.PVY4*dfz) * sinGamma * p.LKYC * s.lmuy // SVyg (4.E28)
	w.perK = 1 / primed(w.k)
	w.sv = upright.sv + svyGamma
	if m.version == mf52 {
		w.sh = upright.sh + p.PHY3*sinGamma*p.LKYC
	} else {
		kyGamma0 := s.fz * (p.PKY6 + p.PKY7*dfz) * (1 + p.PPY5*s.dpi) * p.LKYC // (4.E30)
		w.sh = upright.sh + (kyGamma0*sinGamma-svyGamma)*w.perK
	}
	m.setFyCurve(s, w, e*(1+p.PEY5*sinGamma*sinGamma-(p.PEY3+p.PEY4*sinGamma)*sign(s.tanAlpha+w.sh)), &k[fyCurve]) // (4.E24)
}

// muY returns the lateral friction coefficient, upright and without factors (4.E23).
func (m *MagicFormula) muY(s *mfContact) float64 {
	p := &m.c
	return (p.PDY1 + p.PDY2*s.dfz) * (1 + s.dpi*(p.PPY3+p.PPY4*s.dpi))
}

// setFyCurve sets one curve of the lateral force with a curvature factor E = e.
func (m *MagicFormula) setFyCurve(s *mfContact, w *sineTerms, e float64, k *sineCurve) {
	w.d = w.mu * s.fz                      // (4.E22)
	c := m.c.PCY1 * m.c.LCY                // (4.E21)
	b := w.k / (c*w.d + epsilon*sign(w.d)) // (4.E26)
	k.bx = b * (s.tanAlpha + w.sh)         // (4.E20)
	k.e = atMost(e, 1)
	w.bc = b * c
}

// stiffnessY returns the cornering stiffness Kyα [N/rad] without its factor in PKY3 (4.E25). It is
// negative in ISO axes.
func (m *MagicFormula) stiffnessY(s *mfContact, sinGamma float64) float64 {
	p := &m.c
	peakLoad := m.nominalLoad * (p.PKY2 + p.PKY5*sinGamma*sinGamma) * (1 + p.PPY2*s.dpi)
	var sine float64
	if p.PKY4 == 2 { // the sine of the double angle
		sine = 2 * s.fz * peakLoad / (s.fz*s.fz + peakLoad*peakLoad)
	} else {
		sine = m.corneringShape.at(s.fz / peakLoad)
	}
	return p.PKY1 * m.nominalLoad * (1 + p.PPY1*s.dpi) * sine * s.lky
}

// setWeights sets the curves of the combined slip weightings of Fx (4.E51 to 4.E57) and of Fy (4.E59 to 4.E65).
func (m *MagicFormula) setWeights(s *mfContact, k *curves) {
	p := &m.c
	b := (p.RBX1 + p.RBX3*s.sinGamma*s.sinGamma) * cosAtan(p.RBX2*s.kappa) * p.LXAL
	e := atMost(p.REX1+p.REX2*s.dfz, 1)
	k[gxaCurve].bx, k[gxaCurve].e = b*(s.tanAlpha+p.RHX1), e
	k[gxaZeroCurve].bx, k[gxaZeroCurve].e = b*p.RHX1, e

	b = (p.RBY1 + p.RBY4*s.sinGamma*s.sinGamma) * cosAtan(p.RBY2*(s.tanAlpha-p.RBY3)) * p.LYKA
	e = atMost(p.REY1+p.REY2*s.dfz, 1)
	shift := p.RHY1 + p.RHY2*s.dfz
	k[gykCurve].bx, k[gykCurve].e = b*(s.kappa+shift), e
	k[gykZeroCurve].bx, k[gykZeroCurve].e = b*shift, e
}

// inducedForce returns SVyκ, the lateral force that longitudinal slip induces, over the friction
// coefficient [N] (4.E66, 4.E67).
func (m *MagicFormula) inducedForce(s *mfContact) float64 {
	p := &m.c
	if !m.hasInduced {
		return 0
	}
	d := s.fz * (p.RVY1 + p.RVY2*s.dfz + p.RVY3*s.sinGamma) * cosAtan(p.RVY4*s.tanAlpha)
	return d * m.inducedShape.at(p.RVY6*s.kappa) * p.LVYKA
}

// cosAtan returns cos(atan x).
func cosAtan(x float64) float64 { return 1 / math.Sqrt(1+x*x) }
