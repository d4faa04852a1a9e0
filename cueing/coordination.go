package cueing

import "math"

// tilt is tilt coordination: it shows a lasting force by gravity, and turns so slowly that the
// turning is not felt. Its lists are along the car, which is pitch, and across, roll.
type tilt struct {
	gain        [2]float64
	force, knee float64    // limit behind the gain [m/s²], and from which share of it on it bends
	most        [2]float64 // force that the largest tilt shows [m/s²]
	pass        filter     // of the force [m/s²]
	slow        [2]limiter // pitch, roll [rad]
}

// tiltState is where tilt coordination is, along the car and across.
type tiltState struct {
	pass [2]filterState
	slow [2]limiterState
}

func newTilt(cfg Config, dt float64) tilt {
	c := cfg.Washout
	t := tilt{gain: c.TiltGain, force: c.MaxTiltForce, knee: c.Knee, pass: newLowPass(c.TiltPass, c.TiltDamping, dt)}
	for i, most := range [2]float64{cfg.MaxPitch, cfg.MaxRoll} {
		most = min(most, c.MaxTilt) * degree
		t.most[i] = gravity * math.Sin(most)
		t.slow[i] = newLimiter(most, c.TiltRate*degree, c.TiltAccel*degree, dt)
	}
	return t
}

// next returns the roll and the pitch for a specific force along and across the car [m/s²].
//
// At rest, a head at these angles feels (-g·sin(pitch), g·cos(pitch)·sin(roll), ..), so
//
//	pitch = -asin(along/g), roll = asin(across/(g·cos(pitch)))
func (t *tilt) next(s *tiltState, along, across float64, tune *Tuning, tr *Trace) (roll, pitch float64) {
	nose := -steepest(t.passed(s, 0, along, tune.Gain*tune.Pitch, tr) / gravity)
	side := steepest(t.passed(s, 1, across, tune.Gain*tune.Roll, tr) / (gravity * math.Sqrt(1-nose*nose)))
	pitch = t.turn(s, 0, math.Asin(nose), tr)
	roll = t.turn(s, 1, math.Asin(side), tr)
	tr.Tilt = [2]float64{roll, pitch}
	return roll, pitch
}

// passed is factor times the slow part of a force, of which no more is kept than the largest
// tilt shows.
func (t *tilt) passed(s *tiltState, i int, force, factor float64, tr *Trace) float64 {
	scaled := t.gain[i] * force
	bent := knee(scaled, t.force, t.knee)
	if bent != scaled {
		tr.Limits |= LimitForce
	}
	f := &s.pass[i]
	t.pass.next(f, bent)
	most := t.most[i] / max(factor, 1)
	f.hold(-most, most)
	return factor * f.x[0]
}

// turn moves pitch or roll one tick towards an angle.
func (t *tilt) turn(s *tiltState, i int, to float64, tr *Trace) float64 {
	l, angle := &t.slow[i], &s.slow[i]
	if l.next(angle, to); l.hurries(angle) || to != 0 && math.Abs(to) >= l.most*(1-1e-9) {
		tr.Limits |= LimitTilt
	}
	return angle.at
}

// steepest holds a sine within those of 60°, far beyond any platform's tilt.
func steepest(sine float64) float64 {
	const most = 0.8660254037844386
	return min(max(sine, -most), most)
}
