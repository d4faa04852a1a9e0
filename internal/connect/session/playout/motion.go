package playout

import (
	"math"

	"rig.example/rig/internal/connect/session"
)

func norm(v [3]float64) float64 { return math.Sqrt(v[0]*v[0] + v[1]*v[1] + v[2]*v[2]) }

// limit shortens v to a length.
func limit(v [3]float64, length float64) [3]float64 {
	if n := norm(v); n > length {
		for i := range v {
			v[i] *= length / n
		}
	}
	return v
}

// between returns the car at time t between two states of it: on the cubic curve that has their positions and velocities.
func between(a, b *session.State, t int64) session.State {
	h := float64(b.At-a.At) / second
	u := float64(t-a.At) / second / h
	s := *a
	s.At = t
	for i := range s.Pos {
		p, q := b.Pos[i]-a.Pos[i], u-1
		s.Pos[i] = a.Pos[i] + u*u*(3-2*u)*p + h*u*q*(q*a.Vel[i]+u*b.Vel[i])
		s.Vel[i] = 6*u*(1-u)*p/h + (1-4*u+3*u*u)*a.Vel[i] + u*(3*u-2)*b.Vel[i]
		s.Rate[i] += u * (b.Rate[i] - a.Rate[i])
	}
	s.Vel = limit(s.Vel, max(norm(a.Vel), norm(b.Vel))+overSpeed)
	s.Att = blend(a.Att, b.Att, u)
	s.Steer += u * (b.Steer - a.Steer)
	if d := b.Distance - a.Distance; math.Abs(d) < 200*h+1 { // not over the start line
		s.Distance += u * d
	}
	return s
}

// extrapolate returns the car that goes on for a time [s] with the velocity, acceleration and angular velocity of s, and has
// a share of its speed then.
func extrapolate(s *session.State, time, speed float64) session.State {
	e, acc := *s, limit(s.Acc, maxAcc)
	e.At += int64(time * second)
	for i := range e.Pos {
		e.Pos[i] += (s.Vel[i] + acc[i]*time/2) * time
		e.Vel[i] = (s.Vel[i] + acc[i]*time) * speed
		e.Rate[i] *= speed
	}
	e.Att = turn(s.Att, s.Rate, time)
	e.Distance += norm(s.Vel) * time
	return e
}

// turn returns an attitude after a time [s] with an angular velocity in the body's axes.
func turn(q [4]float64, rate [3]float64, time float64) [4]float64 {
	angle := norm(rate) * time
	share := time / 2 // sin(angle/2) / |rate|
	if math.Abs(angle) > 1e-6 {
		share *= math.Sin(angle/2) / (angle / 2)
	}
	w, x, y, z := math.Cos(angle/2), rate[0]*share, rate[1]*share, rate[2]*share
	return unit([4]float64{
		q[0]*w - q[1]*x - q[2]*y - q[3]*z,
		q[0]*x + q[1]*w + q[2]*z - q[3]*y,
		q[0]*y - q[1]*z + q[2]*w + q[3]*x,
		q[0]*z + q[1]*y - q[2]*x + q[3]*w,
	}, q)
}

// blend returns the attitude a share of the way from a to b, the short way round.
func blend(a, b [4]float64, share float64) [4]float64 {
	dot := 0.0
	for i := range a {
		dot += a[i] * b[i]
	}
	sign := math.Copysign(1, dot)
	q := a
	for i := range q {
		q[i] += share * (sign*b[i] - a[i])
	}
	return unit(q, b)
}

// unit returns q with length 1, or other if q is too short to have a direction.
func unit(q, other [4]float64) [4]float64 {
	n := math.Sqrt(q[0]*q[0] + q[1]*q[1] + q[2]*q[2] + q[3]*q[3])
	if !(n > 1e-3) {
		return other
	}
	for i := range q {
		q[i] /= n
	}
	return q
}
