package sim

import (
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/tire"
)

// tensor is the inertia of a body and its inverse. Products count as integrals
// over the mass: off its diagonal the matrix has their negatives.
type tensor struct {
	xx, yy, zz, xz     float64 // [kg·m²]
	ixx, iyy, izz, ixz float64 // [1/(kg·m²)]
	xy, yz, ixy, iyz   float64 // 0 for a body that is the same on its left and right
	skew               bool    // it is not
}

func newTensor(p Params) tensor {
	if p.InertiaXY != 0 || p.InertiaYZ != 0 {
		return newSkewTensor(p)
	}
	det := p.InertiaXX*p.InertiaZZ - p.InertiaXZ*p.InertiaXZ
	return tensor{
		xx: p.InertiaXX, yy: p.InertiaYY, zz: p.InertiaZZ, xz: p.InertiaXZ,
		ixx: p.InertiaZZ / det, iyy: 1 / p.InertiaYY, izz: p.InertiaXX / det, ixz: p.InertiaXZ / det,
	}
}

// newSkewTensor inverts the whole matrix, by its cofactors.
func newSkewTensor(p Params) tensor {
	t := tensor{
		xx: p.InertiaXX, yy: p.InertiaYY, zz: p.InertiaZZ,
		xy: p.InertiaXY, yz: p.InertiaYZ, xz: p.InertiaXZ, skew: true,
	}
	t.ixx = t.yy*t.zz - t.yz*t.yz
	t.iyy = t.xx*t.zz - t.xz*t.xz
	t.izz = t.xx*t.yy - t.xy*t.xy
	t.ixy = t.xy*t.zz + t.yz*t.xz
	t.iyz = t.yz*t.xx + t.xy*t.xz
	t.ixz = t.xz*t.yy + t.xy*t.yz
	det := t.xx*t.ixx - t.xy*t.ixy - t.xz*t.ixz
	for _, v := range []*float64{&t.ixx, &t.iyy, &t.izz, &t.ixy, &t.iyz, &t.ixz} {
		*v /= det
	}
	return t
}

// momentum returns the angular momentum of a rate, both in the body.
func (t *tensor) momentum(w r3.Vec) r3.Vec {
	if t.skew {
		return r3.Vec{
			X: t.xx*w.X - t.xy*w.Y - t.xz*w.Z,
			Y: t.yy*w.Y - t.xy*w.X - t.yz*w.Z,
			Z: t.zz*w.Z - t.xz*w.X - t.yz*w.Y,
		}
	}
	return r3.Vec{X: t.xx*w.X - t.xz*w.Z, Y: t.yy * w.Y, Z: t.zz*w.Z - t.xz*w.X}
}

// accel returns the angular acceleration of a moment, both in the body.
func (t *tensor) accel(m r3.Vec) r3.Vec {
	if t.skew {
		return r3.Vec{
			X: t.ixx*m.X + t.ixy*m.Y + t.ixz*m.Z,
			Y: t.ixy*m.X + t.iyy*m.Y + t.iyz*m.Z,
			Z: t.ixz*m.X + t.iyz*m.Y + t.izz*m.Z,
		}
	}
	return r3.Vec{X: t.ixx*m.X + t.ixz*m.Z, Y: t.iyy * m.Y, Z: t.izz*m.Z + t.ixz*m.X}
}

// integrate moves the body by one tick, and the wheels along their travel.
//
// First what acts changes the velocities, all together: the body's, and those
// of the wheels, which the suspension has found for a body that stands. A wheel
// at an end of its travel moves on with the body, by a blow without a bounce.
// Then places change by the new velocities, which keeps springs from gaining
// energy; in the air they change by the mean of old and new, which is exact.
func (c *Car) integrate(s *State, b *chassis.Axes, sum *chassis.Wrench, ps *[4]patch, aloft bool) {
	m := &c.masses
	force, moment := b.Into(sum.Force), b.Into(sum.Moment)
	fall := r3.Scale(-c.p.Gravity, r3.Vec{X: b.X.Z, Y: b.Y.Z, Z: b.Z.Z})
	if c.joints.on {
		force, moment = c.sway(s, b, ps, force, moment, fall.Z)
	}
	var d change
	for range len(ps) + 1 { // each time with the wheels that this brings to an end
		d = c.answer(ps, s, force, moment, fall.Z)
		if !c.ends(s, ps, &d) {
			break
		}
	}
	acc := r3.Vec{X: force.X*m.perMass + fall.X, Y: force.Y*m.perMass + fall.Y, Z: d[0] * c.perDt}
	s.SpecificForce, s.Acc = r3.Sub(acc, fall), acc
	was := s.Vel
	s.Vel = r3.Add(s.Vel, r3.Scale(c.dt, b.Out(acc)))
	by := s.Vel
	if aloft {
		by = r3.Scale(0.5, r3.Add(was, s.Vel))
	}
	s.Pos = r3.Add(s.Pos, r3.Scale(c.dt, by))
	s.Rate = r3.Add(s.Rate, r3.Vec{X: d[1], Y: d[2], Z: d[3]})
	own := c.masses.moving(s)
	if c.joints.on {
		c.joints.moving(s, &own)
	}
	if c.p.Gyroscopes {
		own.spin = r3.Add(own.spin, b.Into(c.spinning(s, ps)))
	}
	c.tumble(s, own.spin)
	// What moves along the body's axes turns with it, and the whole flies straight on.
	now := chassis.AxesOf(s.Att)
	s.Vel = r3.Sub(s.Vel, r3.Scale(own.way*m.perMass, r3.Sub(now.Z, b.Z)))
	if c.joints.on {
		s.Vel = r3.Sub(s.Vel, r3.Scale(own.across*m.perMass, r3.Sub(now.Y, b.Y)))
	}
	s.Speed = r3.Dot(s.Vel, now.X)
}

// answer returns how the body's motion changes by what acts on the whole car
// [N, N·m, body] under gravity [m/s², along z], and on the wheels.
func (c *Car) answer(ps *[4]patch, s *State, force, moment r3.Vec, fall float64) change {
	m := &c.masses
	var own [4]float64 // what each wheel takes for itself [N·s]
	fixed := 0
	for i := range ps {
		own[i] = m.wheel[i] * ps[i].given
		if ps[i].fixed {
			fixed |= 1 << i
			own[i] = m.wheel[i] * ((ps[i].end-s.Wheels[i].Travel)*c.perDt - s.Wheels[i].Bump)
		}
	}
	at := func(i int) (x, y float64) { return own[i] * m.at[i].X, own[i] * m.at[i].Y }
	flx, fly := at(tire.FL)
	frx, fry := at(tire.FR)
	rlx, rly := at(tire.RL)
	rrx, rry := at(tire.RR)
	p := push{
		c.dt*(force.Z+m.total*fall) - ((own[tire.FL] + own[tire.FR]) + (own[tire.RL] + own[tire.RR])),
		c.dt*moment.X - ((fly + fry) + (rly + rry)),
		c.dt*moment.Y + ((flx + frx) + (rlx + rrx)),
		c.dt * moment.Z,
	}
	return m.answers[fixed].to(&p)
}

// ends moves the wheels along their travel, as the body's change leaves them,
// and tells whether one came to an end that was not there yet.
func (c *Car) ends(s *State, ps *[4]patch, d *change) (more bool) {
	var bump [4]float64
	for i := range ps {
		p, w := &ps[i], &s.Wheels[i]
		if p.fixed {
			bump[i] = (p.end - w.Travel) * c.perDt
			continue
		}
		bump[i] = w.Bump + p.given - c.masses.along(i, d)
		travel := w.Travel + c.dt*bump[i]
		p.end = min(max(travel, 0), c.corners[i].axle.Travel)
		if p.end != travel {
			p.fixed, more = true, true
		}
	}
	if more {
		return true
	}
	for i := range ps {
		s.Wheels[i].Bump, s.Wheels[i].Travel = bump[i], ps[i].end
	}
	return false
}

// spinning returns the angular momentum that the wheels have from turning on their
// axles [N·m·s, world].
func (c *Car) spinning(s *State, ps *[4]patch) r3.Vec {
	own := func(i int) r3.Vec {
		return r3.Scale(c.corners[i].axle.Wheel.Inertia*s.Wheels[i].Roll.Spin, ps[i].axle)
	}
	return r3.Add(r3.Add(own(tire.FL), own(tire.FR)), r3.Add(own(tire.RL), own(tire.RR)))
}

// tumble turns the body for a tick on which nothing acts: by the implicit
// midpoint rule for Euler's equations and Cayley's map of the mean rate, which
// together keep angular momentum and energy (Simo and Wong, Unconditionally stable
// algorithms for rigid body dynamics that exactly preserve energy and momentum, 1991).
//
// spin is the angular momentum that the wheels have from moving and turning in
// the body [N·m·s, body]: wheels that turn are gyroscopes.
func (c *Car) tumble(s *State, spin r3.Vec) {
	t, rate := &c.masses.inertia, s.Rate
	mean := rate
	for range 8 {
		gyro := r3.Cross(mean, r3.Add(t.momentum(mean), spin))
		next := r3.Sub(rate, r3.Scale(c.dt/2, t.accel(gyro)))
		moved := r3.Sub(next, mean)
		mean = next
		if r3.Dot(moved, moved) <= 1e-24*r3.Dot(mean, mean) {
			break
		}
	}
	s.Rate = r3.Sub(r3.Scale(2, mean), rate)
	s.Att = chassis.Turned(s.Att, r3.Scale(c.dt/2, mean))
}

// pushed adds to sum a force [N] along the car at the ground below its centre of mass.
func (c *Car) pushed(sum *chassis.Wrench, b *chassis.Axes, force float64) {
	if force == 0 {
		return
	}
	along := r3.Scale(force, b.X)
	*sum = sum.Plus(chassis.Wrench{Force: along, Moment: r3.Cross(r3.Scale(-c.p.CGHeight, b.Z), along)})
}
