package tire

import "math"

// Capacity returns the stiffnesses at zero slip and the force limits, both without camber.
func (m *MagicFormula) Capacity(c Contact) (capacity Capacity) {
	var s mfContact
	s.setState(m, &c)
	m.capacity(&capacity, &s)
	return capacity
}

// capacity is Capacity, but writes the result through a pointer. setState must have been called on s.
func (m *MagicFormula) capacity(capacity *Capacity, s *mfContact) {
	kx, ky := sizeOrZero(s.kxk), sizeOrZero(s.kya)
	x, y := m.relaxation(s, kx, ky)
	capacity.StiffnessX, capacity.StiffnessY = atLeast(kx, epsilon), atLeast(ky, epsilon)
	capacity.ForceX = sizeOrZero(s.muX * m.c.LMUX * s.gripFactor * s.fz)
	capacity.ForceY = sizeOrZero(s.muY * m.c.LMUY * s.gripFactor * s.fz)
	capacity.Rolling = sizeOrZero(atMost(s.myFree, 0))
	capacity.RelaxationX, capacity.RelaxationY = sizeOrZero(x), sizeOrZero(y)
	capacity.HalfLength = sizeOrZero(m.halfLength(s))
}

// sizeOrZero returns the absolute value of v, or 0 where it is NaN or implausibly large.
func sizeOrZero(v float64) float64 {
	if v = math.Abs(v); v <= maxSlip {
		return v
	}
	return 0
}

// relaxation returns the relaxation lengths [m]. From MF 6.1 on they follow from slip stiffness and
// carcass stiffness (paper, equations 17 to 19), in MF 5.2 from the load.
func (m *MagicFormula) relaxation(s *mfContact, kx, ky float64) (x, y float64) {
	p := &m.c
	if m.version == mf52 {
		x = (p.PTX1 + p.PTX2*s.dfz) * p.LSGKP * p.UNLOADEDRADIUS * s.fz * m.perNominalLoad
		if p.PTX3 != 0 {
			x *= exp(-p.PTX3 * s.dfz)
		}
		doubleAngle := 2 * atan(s.fz/(p.PTY2*m.nominalLoad))
		return x, p.PTY1 * sin(doubleAngle) * p.UNLOADEDRADIUS * p.LFZO * p.LSGAL
	}
	cx := p.LONGITUDINALSTIFFNESS * (1 + s.dfz*(p.PCFX1+p.PCFX2*s.dfz)) * (1 + p.PCFX3*s.dpi)
	cy := p.LATERALSTIFFNESS * (1 + s.dfz*(p.PCFY1+p.PCFY2*s.dfz)) * (1 + p.PCFY3*s.dpi)
	return kx / cx, ky / cy
}

// completeContact52 sets QA1 and QA2, the contact length, for an MF 5.2 file without them, by the
// manual's fit to the tire's stiffness.
func (c *coefficients) completeContact52() {
	if c.QA1 == 0 && c.QA2 == 0 {
		y := ln(c.UNLOADEDRADIUS*c.VERTICALSTIFFNESS/c.FNOMIN) / math.Ln10
		c.QA1 = 0.6279 + y*(-0.6283+y*(0.2509-0.0388*y))
		c.QA2 = 1.693 * c.QA1 * c.QA1
	}
}

// halfLength returns half the contact length [m] (paper, equation 9; MF 5.2 has its own form).
func (m *MagicFormula) halfLength(s *mfContact) float64 {
	p := &m.c
	if m.version == mf52 {
		z := s.fz * m.perNominalLoad
		return p.UNLOADEDRADIUS * (p.QA2*z + p.QA1*math.Sqrt(z))
	}
	z := s.fz / (p.VERTICALSTIFFNESS * max(1+p.PFZ1*s.dpi, 0.1) * p.UNLOADEDRADIUS)
	return p.UNLOADEDRADIUS * (p.QRA2*z + p.QRA1*math.Sqrt(z))
}
