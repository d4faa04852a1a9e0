package chassis

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/tire"
)

// masses is how the car resists impulses. The wheels with all that moves with
// them are points that slide along the body's z; in every other direction they
// are part of the body, at their place at rest.
type masses struct {
	total    float64     // of the car [kg]
	perMass  float64     // its inverse [1/kg]
	inertia  tensor      // of the car about its centre of mass
	wheel    [4]float64  // unsprung [kg]
	at       [4]r3.Vec   // hubs at rest from the centre of mass [m, body]
	inverses [16]invMass // by the set of wheels that move with the body, FL being bit 0
}

// invMass is the inverse of the mass that resists an impulse along z and moments
// about x, y and z, all in the body; it is symmetric.
type invMass [4][4]float64

// Impulse is what changes a motion within a tick: along the body's z [N·s] and
// about its axes [N·m·s].
type Impulse [4]float64

// DeltaV is how an Impulse changes the body's motion: velocity along z [m/s], angular velocity [rad/s].
type DeltaV [4]float64

func newMasses(k *Spec) masses {
	m := masses{total: k.Mass, perMass: 1 / k.Mass, inertia: newTensor(k.Params)}
	for i := range m.wheel {
		m.wheel[i], m.at[i] = k.Wheels[i].Mass, k.Wheels[i].Hub
	}
	for fixed := range m.inverses {
		m.inverses[fixed] = inverse(m.without(fixed))
	}
	return m
}

// sound reports whether the body that is left without its wheels has at least a
// twentieth of the whole car's inertia in every direction: with less it is thrown
// about by its own springs.
func (m *masses) sound() bool {
	const least = 0.05
	whole, left := m.without(15), m.without(0)
	own := mat.NewSymDense(len(left), nil)
	for r := range left {
		for c := r; c < len(left); c++ {
			own.SetSym(r, c, left[r][c]-least*whole[r][c])
		}
	}
	return new(mat.Cholesky).Factorize(own)
}

// without returns the mass of the car less that of the wheels which move on
// their own, whatever is not in the set fixed.
func (m *masses) without(fixed int) [4][4]float64 {
	t := &m.inertia
	whole := [4][4]float64{
		{m.total, 0, 0, 0},
		{0, t.xx, -t.xy, -t.xz},
		{0, -t.xy, t.yy, -t.yz},
		{0, -t.xz, -t.yz, t.zz},
	}
	for r := range whole {
		for c := range whole {
			var own [4]float64
			for i := range own {
				if fixed>>i&1 == 0 {
					u := m.lever(i)
					own[i] = m.wheel[i] * u[r] * u[c]
				}
			}
			whole[r][c] -= (own[tire.FL] + own[tire.FR]) + (own[tire.RL] + own[tire.RR])
		}
	}
	return whole
}

// lever is the impulse of a wheel that gets 1 along z.
func (m *masses) lever(i int) Impulse { return Impulse{1, m.at[i].Y, -m.at[i].X, 0} }

// inverse inverts a symmetric matrix without negative directions by Gauss and Jordan's method.
// Mirrored matrices, the same but for signs, have mirrored inverses to the bit.
func inverse(a [4][4]float64) invMass {
	var inv invMass
	for i := range inv {
		inv[i][i] = 1
	}
	for p := range a {
		scale := 1 / a[p][p]
		for c := range a {
			a[p][c] *= scale
			inv[p][c] *= scale
		}
		for r := range a {
			if f := a[r][p]; r != p && f != 0 {
				for c := range a {
					a[r][c] -= f * a[p][c]
					inv[r][c] -= f * inv[p][c]
				}
			}
		}
	}
	return inv
}

// deltaV returns how an impulse changes the motion. Zeros between left and right make
// what they multiply vanish, so that a mirrored car adds the same numbers.
func (a *invMass) deltaV(p *Impulse) (d DeltaV) {
	d[0] = a[0][0]*p[0] + a[0][1]*p[1] + a[0][2]*p[2] + a[0][3]*p[3]
	d[1] = a[1][0]*p[0] + a[1][1]*p[1] + a[1][2]*p[2] + a[1][3]*p[3]
	d[2] = a[2][0]*p[0] + a[2][1]*p[1] + a[2][2]*p[2] + a[2][3]*p[3]
	d[3] = a[3][0]*p[0] + a[3][1]*p[1] + a[3][2]*p[2] + a[3][3]*p[3]
	return d
}

// Momentum is what wheels and axles have from moving in the body.
type Momentum struct {
	Along  float64 // along its z [N·s]
	Across float64 // along its y [N·s]
	Spin   r3.Vec  // about the centre of mass [N·m·s, body]
}

// moving returns what the wheels have from their travel.
func (m *masses) moving(ws *[4]Wheel) (all Momentum) {
	var own [4]float64
	for i := range own {
		own[i] = m.wheel[i] * ws[i].Bump
	}
	all.Along = (own[tire.FL] + own[tire.FR]) + (own[tire.RL] + own[tire.RR])
	all.Spin.X = (own[tire.FL]*m.at[tire.FL].Y + own[tire.FR]*m.at[tire.FR].Y) + (own[tire.RL]*m.at[tire.RL].Y + own[tire.RR]*m.at[tire.RR].Y)
	all.Spin.Y = -((own[tire.FL]*m.at[tire.FL].X + own[tire.FR]*m.at[tire.FR].X) + (own[tire.RL]*m.at[tire.RL].X + own[tire.RR]*m.at[tire.RR].X))
	return all
}

// along returns how much of d moves a wheel's place in the body along z [m/s].
func (m *masses) along(i int, d *DeltaV) float64 {
	return d[0] + (m.at[i].Y*d[1] - m.at[i].X*d[2])
}

// PerMass returns the inverse of the whole mass [1/kg].
func (c *Body) PerMass() float64 { return c.masses.perMass }

// FreeResponse returns how an impulse changes the motion while all wheels are free to stay behind.
func (c *Body) FreeResponse(p *Impulse) DeltaV { return c.masses.inverses[0].deltaV(p) }

// Momentum returns the momentum [N·s, world] of body and wheels, and its moment about the
// centre of mass [N·m·s, world], without the wheels' turning.
func (c *Body) Momentum(s *State, ws *[4]Wheel) (linear, angular r3.Vec) {
	b, own := AxesOf(s.Att), c.masses.moving(ws)
	linear = r3.Add(r3.Scale(c.masses.total, s.Vel), r3.Scale(own.Along, b.Z))
	return linear, b.Out(r3.Add(c.masses.inertia.momentum(s.Rate), own.Spin))
}

// Kinetic returns the energy of motion of body and wheels, their turning left out [J].
func (c *Body) Kinetic(s *State, ws *[4]Wheel) float64 {
	m := &c.masses
	b := AxesOf(s.Att)
	v := b.Into(s.Vel)
	e := m.total*r3.Dot(v, v)/2 + r3.Dot(s.Rate, m.inertia.momentum(s.Rate))/2
	rigid := DeltaV{v.Z, s.Rate.X, s.Rate.Y, s.Rate.Z}
	for i := range ws { // each has moved on its own instead of with the body
		own, with := ws[i].Bump, m.along(i, &rigid)
		e += m.wheel[i] * own * (with + own/2)
	}
	return e
}

// EffectiveMass returns the part of the mass that stops when every contact of a wheel takes
// its share, in the direction in which that is least [kg].
func (p Params) EffectiveMass() float64 {
	t := newTensor(p)
	lever := p.CGHeight * p.CGHeight
	front, rear := p.CGToFront, p.Wheelbase-p.CGToFront
	half := max(p.TrackFront, p.TrackRear)/2 + math.Abs(p.CGLeft)
	tip := 1 + p.Mass*lever*max(t.ixx, t.iyy)
	turn := p.Mass * (front*rear + half*half) * t.izz
	return p.Mass / max(tip, turn)
}
