package ffb

import "math"

// moved is what the rim does, as far as its sensor tells.
type moved struct {
	angle float64 // as measured [rad]
	speed float64 // [rad/s]
	accel float64 // [rad/s²]
}

// motion finds speed and acceleration from an angle that comes in steps and at the
// device's own rate: a Butterworth low-pass of the second order, whose derivative is
// the speed. It is the state variable filter by the trapezoidal rule, which is stable
// at any step (Zavalishin, The Art of VA Filter Design, 2012, section 4).
type motion struct {
	perDt float64
	omega float64 // [rad/s]
	gain  float64 // tan(omega·dt/2)
	share float64 // of a change of acceleration that passes in a tick
}

type motionState struct {
	band  float64
	low   float64
	speed float64
	accel float64
	known bool
}

const butterworth = math.Sqrt2 // 2·zeta

func newMotion(cutoff, dt float64) motion {
	omega := 2 * math.Pi * min(cutoff, 0.4/dt)
	lag := 2 / omega // acceleration is a derivative once more: as smooth as half the cut-off
	return motion{perDt: 1 / dt, omega: omega, gain: math.Tan(omega * dt / 2), share: dt / (lag + dt)}
}

// delay returns the time by which a slow change of speed is late [s].
func (f *motion) delay() float64 { return butterworth / f.omega }

func (f *motion) next(s *motionState, angle float64) moved {
	if !s.known {
		s.band, s.low, s.speed, s.accel, s.known = 0, angle, 0, 0, true
	}
	high := (angle - s.low - (butterworth+f.gain)*s.band) / (1 + f.gain*(butterworth+f.gain))
	band := f.gain*high + s.band
	low := f.gain*band + s.low
	s.band, s.low = f.gain*high+band, f.gain*band+low
	was := s.speed
	s.speed = 2 * f.perDt * f.gain * band // exact for a steady speed
	s.accel += f.share * ((s.speed-was)*f.perDt - s.accel)
	return moved{angle, s.speed, s.accel}
}

// bristle is dry friction that bends before it slides: at rest it holds, and nothing
// changes sign from one tick to the next. It is all state.
type bristle struct {
	bent float64 // [rad]
}

// next moves the bristle [rad] and returns how far it is bent of what it gives, -1..1.
func (b *bristle) next(by, give float64) float64 {
	b.bent = min(max(b.bent+by, -give), give)
	return b.bent / give
}
