package follow

// spline returns the point at a time between the newest samples, points[0] being the oldest: a quadratic B-spline. It has no
// steps in the slope and never leaves the range of its samples, so that one bad packet makes no bounce; a sine of 5 Hz
// from 60 packets a second has images of -62 dB at 55 Hz (Unser, IEEE Signal Processing Magazine 16, 1999). ahead is added
// along the slope, as a share of the interval: a prediction.
func spline(points *[ringSize]point, time, ahead float64) point {
	i := ringSize - 2 // the middle one of three
	for i > 1 && time < (points[i-1].time+points[i].time)/2 {
		i--
	}
	a, b, c := &points[i-1], &points[i], &points[i+1]
	from, to := (a.time+b.time)/2, (b.time+c.time)/2
	u := 1.0
	if to > from {
		u = min(max((time-from)/(to-from), 0), 1)
	}
	// weights of the three samples, and of their slope
	wa, wc := (1-u)*(1-u)/2, u*u/2
	wa, wc = wa-ahead*(1-u), wc+ahead*u
	wb := 1 - wa - wc
	mix := func(x, y, z [3]float64) [3]float64 { return add(add(scale(wa, x), scale(wb, y)), scale(wc, z)) }
	p := point{time: time, pos: mix(a.pos, b.pos, c.pos), vel: mix(a.vel, b.vel, c.vel), rate: mix(a.rate, b.rate, c.rate), acc: mix(a.acc, b.acc, c.acc)}
	qa, qc := sameSide(a.att, b.att), sameSide(c.att, b.att)
	for k := range p.att {
		p.att[k] = wa*qa[k] + wb*b.att[k] + wc*qc[k]
	}
	p.att, _ = normalized(p.att)
	return p
}
