package cueing

import "math"

// tiltCoordination is tilt coordination: it shows a lasting force by a component of gravity, and rotates so
// slowly that the driver does not feel the rotation. Index 0 of its arrays is pitch, which shows
// longitudinal forces, index 1 is roll, which shows lateral forces.
type tiltCoordination struct {
	gain                     [2]float64
	forceLimit, kneeFraction float64    // limit behind the gain [m/s²], and the fraction of it at which the soft limit begins
	maxForce                 [2]float64 // force that the largest tilt shows [m/s²]
	lowPass                  filter     // of the force [m/s²]
	angleLimiter             [2]limiter // pitch, roll [rad]
}

// tiltCoordinationState is the state of tilt coordination.
type tiltCoordinationState struct {
	lowPass [2]filterState
	angle   [2]limiterState
}

func newTiltCoordination(cfg Config, dt float64) tiltCoordination {
	c := cfg.Washout
	t := tiltCoordination{gain: c.TiltGain, forceLimit: c.MaxTiltForce, kneeFraction: c.Knee, lowPass: newLowPass(c.TiltLowPass, c.TiltDamping, dt)}
	for i, maxAngle := range [2]float64{cfg.MaxPitch, cfg.MaxRoll} {
		maxAngle = min(maxAngle, c.MaxTilt) * degree
		t.maxForce[i] = gravity * math.Sin(maxAngle)
		t.angleLimiter[i] = newLimiter(maxAngle, c.MaxTiltRate*degree, c.MaxTiltAccel*degree, dt)
	}
	return t
}

// next returns the roll and the pitch for a specific force along and across the car [m/s²].
//
// At rest, a head at these angles feels (-g·sin(pitch), g·cos(pitch)·sin(roll), ..), so
//
//	pitch = -asin(along/g), roll = asin(across/(g·cos(pitch)))
func (t *tiltCoordination) next(s *tiltCoordinationState, along, across float64, tuning *Tuning, trace *Trace) (roll, pitch float64) {
	sinPitch := -clampSine(t.filteredForce(s, 0, along, tuning.Gain*tuning.Pitch, trace) / gravity)
	sinRoll := clampSine(t.filteredForce(s, 1, across, tuning.Gain*tuning.Roll, trace) / (gravity * math.Sqrt(1-sinPitch*sinPitch)))
	pitch = t.turnTowards(s, 0, math.Asin(sinPitch), trace)
	roll = t.turnTowards(s, 1, math.Asin(sinRoll), trace)
	trace.Tilt = [2]float64{roll, pitch}
	return roll, pitch
}

// filteredForce returns factor times the low-passed force, limited to what the largest tilt shows.
func (t *tiltCoordination) filteredForce(s *tiltCoordinationState, i int, force, factor float64, trace *Trace) float64 {
	scaled := t.gain[i] * force
	limited := softLimit(scaled, t.forceLimit, t.kneeFraction)
	if limited != scaled {
		trace.Limits |= LimitForce
	}
	f := &s.lowPass[i]
	t.lowPass.next(f, limited)
	maxForce := t.maxForce[i] / max(factor, 1)
	f.clamp(-maxForce, maxForce)
	return factor * f.x[0]
}

// turnTowards moves pitch (i = 0) or roll (i = 1) one tick towards an angle, and returns it [rad].
func (t *tiltCoordination) turnTowards(s *tiltCoordinationState, i int, target float64, trace *Trace) float64 {
	l, angle := &t.angleLimiter[i], &s.angle[i]
	if l.next(angle, target); l.isAtMaxSpeed(angle) || target != 0 && math.Abs(target) >= l.limit*(1-1e-9) {
		trace.Limits |= LimitTilt
	}
	return angle.position
}

// clampSine limits a sine to that of ±60°, far beyond any platform's tilt.
func clampSine(sine float64) float64 {
	const limit = 0.8660254037844386
	return min(max(sine, -limit), limit)
}
