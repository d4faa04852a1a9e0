package tire

import "math"

// longitudinal prepares the force of pure longitudinal slip.
func (m *Magic) longitudinal(s *slipping, w *wave, k *curve) {
	p := &m.c
	gamma := s.gamma * p.LGAX
	w.mu = s.muX * (1 - p.PDX3*gamma*gamma) * s.scaleX          // (4.E13)
	w.d = w.mu * s.fz                                           // (4.E12)
	w.k = s.kX                                                  //
	w.shift = s.fz * (p.PVX1 + p.PVX2*s.dfz) * p.LVX * s.scaleX // (4.E18)
	x := s.kappa + (p.PHX1+p.PHX2*s.dfz)*p.LHX                  // (4.E10), (4.E17)
	e := (p.PEX1 + s.dfz*(p.PEX2+p.PEX3*s.dfz)) * p.LEX
	c := p.PCX1 * p.LCX                       // (4.E11)
	k.bx = w.k / (c*w.d + tiny*sign(w.d)) * x // (4.E16)
	k.e = atMost(e*(1-p.PEX4*sign(x)), 1)     // (4.E14)
}

// muX is the longitudinal friction upright, without factors (4.E13).
func (m *Magic) muX(s *slipping) float64 {
	p := &m.c
	return (p.PDX1 + p.PDX2*s.dfz) * (1 + s.dpi*(p.PPX3+p.PPX4*s.dpi))
}

// stiffnessX is the longitudinal slip stiffness [N] (4.E15).
func (m *Magic) stiffnessX(s *slipping) float64 {
	p := &m.c
	k := s.fz * (p.PKX1 + p.PKX2*s.dfz) * (1 + s.dpi*(p.PPX1+p.PPX2*s.dpi)) * s.stiffX
	if p.PKX3 != 0 {
		k *= m.stiffening.at(1 + s.dfz)
	}
	return k
}

// lateral prepares the force of pure side slip, upright and inclined.
func (m *Magic) lateral(s *slipping, w, up *wave, k *curves) {
	p := &m.c
	load := s.dfz
	up.k = s.kY
	up.mu = s.muY * s.scaleY                                    // (4.E23)
	up.shift = s.fz * (p.PVY1 + p.PVY2*load) * p.LVY * s.scaleY // (4.E29)
	up.sh = (p.PHY1 + p.PHY2*load) * p.LHY                      // (4.E27)
	e := (p.PEY1 + p.PEY2*load) * p.LEY
	if m.v != mf52 { // there nobody asks
		m.sideCurve(s, up, e*(1-p.PEY3*sign(s.tan+up.sh)), &k[uprightCurve])
	}

	star := s.star * p.LGAY
	w.k = up.k
	if p.PKY5*star != 0 {
		w.k = m.stiffnessY(s, star)
	}
	w.k *= 1 - p.PKY3*math.Abs(star) // (4.E25)
	w.mu = up.mu * (1 - p.PDY3*star*star)
	camber := s.fz * (p.PVY3 + p.PVY4*load) * star * p.LKYC * s.scaleY // SVyg (4.E28)
	w.perK = 1 / primed(w.k)
	w.shift = up.shift + camber
	if m.v == mf52 {
		w.sh = up.sh + p.PHY3*star*p.LKYC
	} else {
		perCamber := s.fz * (p.PKY6 + p.PKY7*load) * (1 + p.PPY5*s.dpi) * p.LKYC // (4.E30)
		w.sh = up.sh + (perCamber*star-camber)*w.perK
	}
	m.sideCurve(s, w, e*(1+p.PEY5*star*star-(p.PEY3+p.PEY4*star)*sign(s.tan+w.sh)), &k[sideCurve]) // (4.E24)
}

// muY is the lateral friction upright, without factors (4.E23).
func (m *Magic) muY(s *slipping) float64 {
	p := &m.c
	return (p.PDY1 + p.PDY2*s.dfz) * (1 + s.dpi*(p.PPY3+p.PPY4*s.dpi))
}

// sideCurve prepares one curve of side slip with a curvature e.
func (m *Magic) sideCurve(s *slipping, w *wave, e float64, k *curve) {
	w.d = w.mu * s.fz                   // (4.E22)
	c := m.c.PCY1 * m.c.LCY             // (4.E21)
	b := w.k / (c*w.d + tiny*sign(w.d)) // (4.E26)
	k.bx = b * (s.tan + w.sh)           // (4.E20)
	k.e = atMost(e, 1)
	w.bc = b * c
}

// stiffnessY is the cornering stiffness [N/rad], negative in ISO axes, but for
// its factor in PKY3 (4.E25).
func (m *Magic) stiffnessY(s *slipping, star float64) float64 {
	p := &m.c
	reach := m.load * (p.PKY2 + p.PKY5*star*star) * (1 + p.PPY2*s.dpi)
	var share float64
	if p.PKY4 == 2 { // the sine of the double angle
		share = 2 * s.fz * reach / (s.fz*s.fz + reach*reach)
	} else {
		share = m.slope.at(s.fz / reach)
	}
	return p.PKY1 * m.load * (1 + p.PPY1*s.dpi) * share * s.stiffY
}

// shares prepares what combined slip leaves of Fx (4.E51 to 4.E57) and of Fy
// (4.E59 to 4.E65).
func (m *Magic) shares(s *slipping, k *curves) {
	p := &m.c
	b := (p.RBX1 + p.RBX3*s.star*s.star) * cosAtan(p.RBX2*s.kappa) * p.LXAL
	e := atMost(p.REX1+p.REX2*s.dfz, 1)
	k[xCurve].bx, k[xCurve].e = b*(s.tan+p.RHX1), e
	k[xFreeCurve].bx, k[xFreeCurve].e = b*p.RHX1, e

	b = (p.RBY1 + p.RBY4*s.star*s.star) * cosAtan(p.RBY2*(s.tan-p.RBY3)) * p.LYKA
	e = atMost(p.REY1+p.REY2*s.dfz, 1)
	shift := p.RHY1 + p.RHY2*s.dfz
	k[yCurve].bx, k[yCurve].e = b*(s.kappa+shift), e
	k[yFreeCurve].bx, k[yFreeCurve].e = b*shift, e
}

// induced returns the side force that longitudinal slip induces, over the
// friction [N] (4.E66, 4.E67).
func (m *Magic) induced(s *slipping) float64 {
	p := &m.c
	if !m.induces {
		return 0
	}
	d := s.fz * (p.RVY1 + p.RVY2*s.dfz + p.RVY3*s.star) * cosAtan(p.RVY4*s.tan)
	return d * m.inducing.at(p.RVY6*s.kappa) * p.LVYKA
}

// cosAtan is the cosine of the arc tangent.
func cosAtan(x float64) float64 { return 1 / math.Sqrt(1+x*x) }
