package sim

import (
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/tire"
)

// masses is how the car answers to pushes. The wheels with all that moves with
// them are points that slide along the body's z; in every other direction they
// are part of the body, at their place at rest.
type masses struct {
	total   float64    // of the car [kg]
	perMass float64    // its inverse [1/kg]
	inertia tensor     // of the car about its centre of mass
	wheel   [4]float64 // unsprung [kg]
	at      [4]r3.Vec  // hubs at rest from the centre of mass [m, body]
	answers [16]answer // by the set of wheels that move with the body, FL being bit 0
}

// answer is the inverse of the mass that resists a push along z and moments
// about x, y and z, all in the body; it is symmetric.
type answer [4][4]float64

// push is what changes a motion within a tick: along the body's z [N·s] and
// about its axes [N·m·s].
type push [4]float64

// change is what a push makes of it: velocity along z [m/s], angular velocity [rad/s].
type change [4]float64

func newMasses(p Params, hubs [4]r3.Vec) masses {
	m := masses{total: p.Mass, perMass: 1 / p.Mass, inertia: newTensor(p), at: hubs}
	for i := range m.wheel {
		m.wheel[i] = p.axle(i).Unsprung
	}
	for fixed := range m.answers {
		m.answers[fixed] = inverse(m.without(fixed))
	}
	return m
}

// sound tells whether the body that is left without its wheels has at least a
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

// lever is the push of a wheel with an impulse of 1 along z.
func (m *masses) lever(i int) push { return push{1, m.at[i].Y, -m.at[i].X, 0} }

// inverse inverts a symmetric matrix without negative directions by Gauss and Jordan's method.
// Mirrored matrices, the same but for signs, have mirrored inverses to the bit.
func inverse(a [4][4]float64) answer {
	var inv answer
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

// to returns how a push changes the motion. Zeros between left and right make
// what they multiply vanish, so that a mirrored car adds the same numbers.
func (a *answer) to(p *push) (d change) {
	d[0] = a[0][0]*p[0] + a[0][1]*p[1] + a[0][2]*p[2] + a[0][3]*p[3]
	d[1] = a[1][0]*p[0] + a[1][1]*p[1] + a[1][2]*p[2] + a[1][3]*p[3]
	d[2] = a[2][0]*p[0] + a[2][1]*p[1] + a[2][2]*p[2] + a[2][3]*p[3]
	d[3] = a[3][0]*p[0] + a[3][1]*p[1] + a[3][2]*p[2] + a[3][3]*p[3]
	return d
}

// momentum is what wheels and axles have from moving in the body.
type momentum struct {
	way    float64 // along its z [N·s]
	across float64 // along its y
	spin   r3.Vec  // about the centre of mass [N·m·s, body]
}

func (m *masses) moving(s *State) (all momentum) {
	var own [4]float64
	for i := range own {
		own[i] = m.wheel[i] * s.Wheels[i].Bump
	}
	all.way = (own[tire.FL] + own[tire.FR]) + (own[tire.RL] + own[tire.RR])
	all.spin.X = (own[tire.FL]*m.at[tire.FL].Y + own[tire.FR]*m.at[tire.FR].Y) + (own[tire.RL]*m.at[tire.RL].Y + own[tire.RR]*m.at[tire.RR].Y)
	all.spin.Y = -((own[tire.FL]*m.at[tire.FL].X + own[tire.FR]*m.at[tire.FR].X) + (own[tire.RL]*m.at[tire.RL].X + own[tire.RR]*m.at[tire.RR].X))
	return all
}

// along returns how much of a change moves a wheel's place in the body along z [m/s].
func (m *masses) along(i int, d *change) float64 {
	return d[0] + (m.at[i].Y*d[1] - m.at[i].X*d[2])
}
