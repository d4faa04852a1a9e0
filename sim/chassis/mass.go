package chassis

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/tire"
)

// masses holds the masses and the inertia of the car. Each wheel is a point mass that moves along the body's
// z. In every other direction it is part of the body, at its position at rest.
type masses struct {
	total       float64     // mass of the car [kg]
	inverseMass float64     // its inverse [1/kg]
	inertia     tensor      // inertia of the car about its center of mass
	unsprung    [4]float64  // mass of each wheel [kg]
	hubs        [4]r3.Vec   // hubs at rest, from the center of mass [m, body]
	inverses    [16]invMass // inverse mass matrix for each set of wheels at an end of their travel; bit 0 is FL
}

// invMass is an inverse mass matrix, which turns an Impulse into a DeltaV; it is symmetric.
type invMass [4][4]float64

// Impulse is a linear impulse along the body's z [N·s] and angular impulses about its x, y and z
// [N·m·s].
type Impulse [4]float64

// DeltaV is a change of the body's motion: velocity along z [m/s], angular velocity [rad/s].
type DeltaV [4]float64

func newMasses(k *Spec) masses {
	m := masses{total: k.Mass, inverseMass: 1 / k.Mass, inertia: newTensor(k.Params)}
	for i := range m.unsprung {
		m.unsprung[i], m.hubs[i] = k.Wheels[i].Mass, k.Wheels[i].Hub
	}
	for fixed := range m.inverses {
		m.inverses[fixed] = inverse(m.massMatrix(fixed))
	}
	return m
}

// hasSprungMass reports whether the body without its wheels has at least a twentieth of the car's mass and
// inertia in every direction. With less, its springs would make the integration unstable.
func (m *masses) hasSprungMass() bool {
	const minShare = 0.05
	whole, sprung := m.massMatrix(15), m.massMatrix(0)
	excess := mat.NewSymDense(len(sprung), nil)
	for r := range sprung {
		for c := r; c < len(sprung); c++ {
			excess.SetSym(r, c, sprung[r][c]-minShare*whole[r][c])
		}
	}
	return new(mat.Cholesky).Factorize(excess)
}

// massMatrix returns the mass matrix of the body with those wheels that move with it: the ones in the set fixed
// (bit 0 is FL).
func (m *masses) massMatrix(fixed int) [4][4]float64 {
	t := &m.inertia
	whole := [4][4]float64{
		{m.total, 0, 0, 0},
		{0, t.xx, -t.xy, -t.xz},
		{0, -t.xy, t.yy, -t.yz},
		{0, -t.xz, -t.yz, t.zz},
	}
	for r := range whole {
		for c := range whole {
			var part [4]float64
			for i := range part {
				if fixed>>i&1 == 0 {
					u := m.wheelImpulse(i)
					part[i] = m.unsprung[i] * u[r] * u[c]
				}
			}
			whole[r][c] -= (part[tire.FL] + part[tire.FR]) + (part[tire.RL] + part[tire.RR])
		}
	}
	return whole
}

// wheelImpulse returns the impulse on the body by 1 N·s along z at the hub of wheel i.
func (m *masses) wheelImpulse(i int) Impulse { return Impulse{1, m.hubs[i].Y, -m.hubs[i].X, 0} }

// inverse returns the inverse of a positive definite matrix by Gauss-Jordan elimination. The matrices of a
// car and its mirror image differ in signs only; so do their inverses, to the last bit.
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

// deltaV returns the change of the body's motion by an impulse. A mirrored car adds in the same order.
func (a *invMass) deltaV(p *Impulse) (d DeltaV) {
	a.setDeltaV(&d, p)
	return d
}

// setDeltaV sets d to what deltaV returns.
func (a *invMass) setDeltaV(d *DeltaV, p *Impulse) {
	d[0] = a[0][0]*p[0] + a[0][1]*p[1] + a[0][2]*p[2] + a[0][3]*p[3]
	d[1] = a[1][0]*p[0] + a[1][1]*p[1] + a[1][2]*p[2] + a[1][3]*p[3]
	d[2] = a[2][0]*p[0] + a[2][1]*p[1] + a[2][2]*p[2] + a[2][3]*p[3]
	d[3] = a[3][0]*p[0] + a[3][1]*p[1] + a[3][2]*p[2] + a[3][3]*p[3]
}

// Momentum is the momentum of wheels and axles by their motion relative to the body.
type Momentum struct {
	Vertical float64 // along the body's z [N·s]
	Lateral  float64 // along the body's y [N·s]
	Angular  r3.Vec  // about the center of mass [N·m·s, body]
}

// wheelMomentum returns the momentum of the wheels by their travel speeds.
func (m *masses) wheelMomentum(ws *[4]Wheel) (total Momentum) {
	var momentum [4]float64
	for i := range momentum {
		momentum[i] = m.unsprung[i] * ws[i].TravelSpeed
	}
	total.Vertical = (momentum[tire.FL] + momentum[tire.FR]) + (momentum[tire.RL] + momentum[tire.RR])
	total.Angular.X = (momentum[tire.FL]*m.hubs[tire.FL].Y + momentum[tire.FR]*m.hubs[tire.FR].Y) + (momentum[tire.RL]*m.hubs[tire.RL].Y + momentum[tire.RR]*m.hubs[tire.RR].Y)
	total.Angular.Y = -((momentum[tire.FL]*m.hubs[tire.FL].X + momentum[tire.FR]*m.hubs[tire.FR].X) + (momentum[tire.RL]*m.hubs[tire.RL].X + momentum[tire.RR]*m.hubs[tire.RR].X))
	return total
}

// hubSpeed returns the change of the speed of hub i along the body's z, by a change d of the body's motion
// [m/s].
func (m *masses) hubSpeed(i int, d *DeltaV) float64 {
	return d[0] + (m.hubs[i].Y*d[1] - m.hubs[i].X*d[2])
}

// InverseMass returns the inverse of the whole mass [1/kg].
func (b *Body) InverseMass() float64 { return b.masses.inverseMass }

// FreeResponse returns the change of the body's motion by an impulse p while no wheel is at an end of its
// travel.
func (b *Body) FreeResponse(p *Impulse) DeltaV { return b.masses.inverses[0].deltaV(p) }

// Momentum returns the momentum [N·s, world] of body and wheels, and their angular momentum about
// the center of mass [N·m·s, world] without the wheels' spin.
func (b *Body) Momentum(s *State, ws *[4]Wheel) (linear, angular r3.Vec) {
	axes, own := AxesOf(s.Att), b.masses.wheelMomentum(ws)
	linear = r3.Add(r3.Scale(b.masses.total, s.Vel), r3.Scale(own.Vertical, axes.Z))
	return linear, axes.ToWorld(r3.Add(b.masses.inertia.momentum(s.Rate), own.Angular))
}

// Kinetic returns the kinetic energy of body and wheels, without the wheels' spin [J].
func (b *Body) Kinetic(s *State, ws *[4]Wheel) float64 {
	m := &b.masses
	axes := AxesOf(s.Att)
	v := axes.ToBody(s.Vel)
	e := m.total*r3.Dot(v, v)/2 + r3.Dot(s.Rate, m.inertia.momentum(s.Rate))/2
	bodyMotion := DeltaV{v.Z, s.Rate.X, s.Rate.Y, s.Rate.Z}
	for i := range ws { // adds the energy by the wheel's motion relative to the body
		relative, carried := ws[i].TravelSpeed, m.hubSpeed(i, &bodyMotion)
		e += m.unsprung[i] * relative * (carried + relative/2)
	}
	return e
}

// EffectiveMass returns the mass that acts at all tire contacts together when they stop the car, in the
// horizontal direction in which it is smallest [kg]. It is less than the car's mass, because the car also
// pitches, rolls and yaws.
func (p Params) EffectiveMass() float64 {
	t := newTensor(p)
	heightSquared := p.CGHeight * p.CGHeight
	front, rear := p.CGToFront, p.Wheelbase-p.CGToFront
	half := max(p.TrackFront, p.TrackRear)/2 + math.Abs(p.CGLeft)
	pitchRoll := 1 + p.Mass*heightSquared*max(t.ixx, t.iyy)
	yaw := p.Mass * (front*rear + half*half) * t.izz
	return p.Mass / max(pitchRoll, yaw)
}
