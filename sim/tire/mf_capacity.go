package tire

import "math"

// Capacity returns the limits, upright and without slip.
func (m *Magic) Capacity(c Contact) (can Capacity) {
	var s slipping
	s.stand(m, &c)
	m.capacity(&can, &s)
	return can
}

// capacity fills in the limits of a contact that stands.
func (m *Magic) capacity(can *Capacity, s *slipping) {
	kx, ky := plausible(s.kX), plausible(s.kY)
	x, y := m.relaxation(s, kx, ky)
	can.StiffnessX, can.StiffnessY = atLeast(kx, tiny), atLeast(ky, tiny)
	can.ForceX = plausible(s.muX * m.c.LMUX * s.grip * s.fz)
	can.ForceY = plausible(s.muY * m.c.LMUY * s.grip * s.fz)
	can.Rolling = plausible(atMost(s.free, 0))
	can.RelaxationX, can.RelaxationY = plausible(x), plausible(y)
	can.HalfLength = plausible(m.halfLength(s))
}

// plausible is a size without its sign, and finite whatever the coefficients are.
func plausible(v float64) float64 {
	if v = math.Abs(v); v <= mostSlip {
		return v
	}
	return 0
}

// relaxation returns the relaxation lengths [m]: of slip stiffness and carcass
// stiffness from MF 6.1 on (paper, equations 17 to 19), of the load in MF 5.2.
func (m *Magic) relaxation(s *slipping, kx, ky float64) (x, y float64) {
	p := &m.c
	if m.v == mf52 {
		x = (p.PTX1 + p.PTX2*s.dfz) * p.LSGKP * p.UNLOADEDRADIUS * s.fz * m.loads
		if p.PTX3 != 0 {
			x *= exp(-p.PTX3 * s.dfz)
		}
		double := 2 * atan(s.fz/(p.PTY2*m.load))
		return x, p.PTY1 * sin(double) * p.UNLOADEDRADIUS * p.LFZO * p.LSGAL
	}
	cx := p.LONGITUDINALSTIFFNESS * (1 + s.dfz*(p.PCFX1+p.PCFX2*s.dfz)) * (1 + p.PCFX3*s.dpi)
	cy := p.LATERALSTIFFNESS * (1 + s.dfz*(p.PCFY1+p.PCFY2*s.dfz)) * (1 + p.PCFY3*s.dpi)
	return kx / cx, ky / cy
}

// contactOf52 fills in the contact's length of an MF 5.2 file that has none, by
// the manual's fit to the tire's stiffness.
func (c *coefficients) contactOf52() {
	if c.QA1 == 0 && c.QA2 == 0 {
		y := ln(c.UNLOADEDRADIUS*c.VERTICALSTIFFNESS/c.FNOMIN) / math.Ln10
		c.QA1 = 0.6279 + y*(-0.6283+y*(0.2509-0.0388*y))
		c.QA2 = 1.693 * c.QA1 * c.QA1
	}
}

// halfLength returns half the contact's length [m] (paper, equation 9; MF 5.2 has
// its own form).
func (m *Magic) halfLength(s *slipping) float64 {
	p := &m.c
	if m.v == mf52 {
		z := s.fz * m.loads
		return p.UNLOADEDRADIUS * (p.QA2*z + p.QA1*math.Sqrt(z))
	}
	z := s.fz / (p.VERTICALSTIFFNESS * max(1+p.PFZ1*s.dpi, 0.1) * p.UNLOADEDRADIUS)
	return p.UNLOADEDRADIUS * (p.QRA2*z + p.QRA1*math.Sqrt(z))
}
