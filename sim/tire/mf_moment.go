package tire

import "math"

// turned is a slip angle of the aligning moment [rad].
type turned struct {
	alpha float64 // with the file's shift
	whole float64 // with longitudinal slip added (A54, A55)
}

// pair is those of the trail and of the residual moment.
type pair [2]turned

const (
	trailAngle = iota
	residualAngle
)

// addSlip finds the whole angles, side by side as evaluate does.
func (a *pair) addSlip(perKappa float64) {
	for i := range a {
		t := &a[i]
		t.whole = t.alpha
		if perKappa == 0 || math.Abs(t.alpha) >= math.Pi/2 {
			continue
		}
		tan := tan(t.alpha)
		v := math.Sqrt(tan*tan + perKappa*perKappa)
		if n := pieceOf(v); n < pieceCount {
			v = arcTangent[n].at(v)
		} else {
			v = atan(v)
		}
		t.whole = v * sign(t.alpha)
	}
}

// angles prepares the slip angles of the aligning moment.
func (m *Magic) angles(s *slipping, a *pair, side *wave, perKappa float64) {
	p := &m.c
	a[trailAngle].alpha = s.tan + p.QHZ1 + p.QHZ2*s.dfz + (p.QHZ3+p.QHZ4*s.dfz)*s.star // (4.E34), (4.E35)
	a[residualAngle].alpha = s.tan + side.sh + side.shift*side.perK                    // (4.E37), (4.E38)
	a.addSlip(perKappa)
}

// pressed is the load of the aligning moment [N], no less than the file's range.
func (m *Magic) pressed(s *slipping) float64 { return atLeast(s.fz, m.c.FZMIN) }

// trail prepares the pneumatic trail and returns its peak [m].
func (m *Magic) trail(s *slipping, a *turned, k *curve) float64 {
	p := &m.c
	gamma := s.gamma * p.LGAZ
	b := (p.QBZ1 + s.dfz*(p.QBZ2+p.QBZ3*s.dfz)) * (1 + p.QBZ4*gamma + p.QBZ5*math.Abs(gamma)) * s.soft // (A58)
	k.bx = b * a.whole
	e := p.QEZ1 + s.dfz*(p.QEZ2+p.QEZ3*s.dfz)
	if skew := p.QEZ4 + p.QEZ5*s.star; skew != 0 {
		e *= 1 + skew*(2/math.Pi)*atan(b*p.QCZ1*a.alpha)
	}
	k.e = atMost(e, 1) // (4.E44)
	return m.pressed(s) * m.perLoad * p.UNLOADEDRADIUS * (p.QDZ1 + p.QDZ2*s.dfz) * (1 - p.PPZ1*s.dpi) *
		(1 + gamma*(p.QDZ3+p.QDZ4*gamma)) * p.LTR * s.cos * p.LFZO // (A60)
}

// residual returns the moment that is left without trail [N·m].
func (m *Magic) residual(s *slipping, a *turned, side *wave) float64 {
	p := &m.c
	b := p.QBZ9*s.soft + p.QBZ10*side.bc // (4.E45)
	d := (p.QDZ6 + p.QDZ7*s.dfz) * p.LRES
	d += ((p.QDZ8+p.QDZ9*s.dfz)*(1+p.PPZ2*s.dpi) + (p.QDZ10+p.QDZ11*s.dfz)*math.Abs(s.star)) * s.star * p.LKZC
	d *= m.pressed(s) * p.UNLOADEDRADIUS * s.scaleY * cos(s.tan) // (4.E47)
	return d * cosAtan(b*a.whole)                                // (4.E75)
}

// arm is the lever of Fx about the vertical [m] (A56).
func (m *Magic) arm(s *slipping, fy float64) float64 {
	p := &m.c
	return p.UNLOADEDRADIUS * (p.SSZ1 + p.SSZ2*fy*m.loads + (p.SSZ3+p.SSZ4*s.dfz)*s.gamma) * p.LS
}

// overturning returns the moment about the wheel's heading [N·m] (4.E69) in the
// form of MF-Tyre 6.2.
func (m *Magic) overturning(s *slipping, fy float64) float64 {
	p := &m.c
	fz := s.fz
	if fz < p.FZMIN {
		fz *= (fz / p.FZMIN) * (fz / p.FZMIN)
	}
	y, z := fy*m.loads, fz*m.loads
	sum := p.QSX1*p.LVMX - p.QSX2*s.gamma*(1+p.PPMX1*s.dpi) + p.QSX3*y
	if p.QSX4 != 0 {
		z2 := (p.QSX6 * z) * (p.QSX6 * z)
		sum += p.QSX4 * m.tilting.at(z2) * sin(p.QSX7*s.gamma+p.QSX8*atan(p.QSX9*y))
	}
	if p.QSX10 != 0 {
		sum += p.QSX10 * atan(p.QSX11*z) * s.gamma
	}
	lean := fy*(p.QSX13+p.QSX14*math.Abs(s.gamma)) - fz*p.QSX12*s.gamma*math.Abs(s.gamma)
	return p.UNLOADEDRADIUS * p.LMX * (fz*sum + lean)
}

// rolling returns the rolling resistance moment [N·m], negative: (A48), and the
// manual's form for MF 5.2. It fades out while the wheel turns slower than VXLOW.
func (m *Magic) rolling(s *slipping, fx float64) float64 {
	p := &m.c
	my := s.free + s.resist*(p.QSY2*fx*m.loads+(p.QSY5+p.QSY6*s.fz*m.loads)*s.gamma*s.gamma)
	if s.rolled < p.VXLOW {
		my *= sin(math.Pi / 2 * atLeast(s.rolled/p.VXLOW, -1))
	}
	return my
}

// freeRolling finds what of the rolling resistance no slip and no camber changes.
func (m *Magic) freeRolling(c *Contact, s *slipping) {
	p := &m.c
	fz := atMost(c.Load, mostLoad)
	if fz < p.FZMIN {
		fz *= fz / p.FZMIN
	}
	s.resist = -p.UNLOADEDRADIUS * p.LMY * surfaceFactor(c.Surface.Rolling)
	if m.v == mf52 {
		s.resist *= fz
	} else {
		s.resist *= p.FNOMIN * m.rollingLoad.at(fz*m.loads) * m.rollingInflation.at(1+s.dpi)
	}
	v := s.speed * m.speed
	v2 := v * v
	s.free = s.resist * (p.QSY1 + p.QSY3*v + p.QSY4*v2*v2)
}
