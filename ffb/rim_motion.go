package ffb

import "math"

// rimMotion is the rim's motion as measured.
type rimMotion struct {
	angle float64 // as measured [rad]
	speed float64 // [rad/s]
	accel float64 // [rad/s²]
}

// derivatives calculates speed and acceleration of an angle that the device samples in steps and at its
// own rate: a Butterworth low-pass of the second order, whose derivative is
// the speed. It is the state variable filter by the trapezoidal rule, which is stable
// at any step (Zavalishin, The Art of VA Filter Design, 2012, section 4).
type derivatives struct {
	rate       float64 // ticks per second [1/s]
	omega      float64 // cut-off [rad/s]
	gain       float64 // tan(omega·dt/2)
	accelShare float64 // weight of a new acceleration per tick
}

type derivativesState struct {
	band  float64 // band-pass state of the filter
	low   float64 // low-pass state: the filtered angle
	speed float64 // first derivative [per s]
	accel float64 // second derivative [per s²]
	known bool    // false before the first tick
}

const butterworth = math.Sqrt2 // twice the damping ratio of a Butterworth filter

func newDerivatives(cutoff, dt float64) derivatives {
	omega := 2 * math.Pi * min(cutoff, 0.4/dt)
	lag := 2 / omega // the acceleration is noisier, so its low-pass has half the cut-off
	return derivatives{rate: 1 / dt, omega: omega, gain: math.Tan(omega * dt / 2), accelShare: dt / (lag + dt)}
}

// delay returns the delay of the speed for slow changes [s].
func (f *derivatives) delay() float64 { return butterworth / f.omega }

func (f *derivatives) next(s *derivativesState, angle float64) rimMotion {
	if !s.known {
		s.band, s.low, s.speed, s.accel, s.known = 0, angle, 0, 0, true
	}
	high := (angle - s.low - (butterworth+f.gain)*s.band) / (1 + f.gain*(butterworth+f.gain))
	band := f.gain*high + s.band
	low := f.gain*band + s.low
	s.band, s.low = f.gain*high+band, f.gain*band+low
	before := s.speed
	s.speed = 2 * f.rate * f.gain * band // exact for a constant speed
	s.accel += f.accelShare * ((s.speed-before)*f.rate - s.accel)
	return rimMotion{angle, s.speed, s.accel}
}

// bristle models dry friction that deflects before it slides: it holds at rest, and its force does not
// jump. It is all state.
type bristle struct {
	deflection float64 // [rad]
}

// next moves the bristle by an angle [rad] and returns its deflection as a fraction of give, -1..1.
func (b *bristle) next(by, give float64) float64 {
	b.deflection = min(max(b.deflection+by, -give), give)
	return b.deflection / give
}
