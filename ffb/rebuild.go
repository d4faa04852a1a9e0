package ffb

import "math"

// rebuild makes of one torque a tick what a slower device can be sent: a low-pass at
// a share of the device's rate takes away what would come back from its sampling as
// another, lower frequency.
//
// It is Butterworth's of fourth order: two sections of second order with
// k = 2cos(π/8) and 2cos(3π/8) (Butterworth, Experimental Wireless 7, 1930), its
// cut-off f prewarped, so that |H|² = 1/(1+(tan(πF·dt)/tan(πf·dt))⁸) at a frequency F.
// Steady torques pass unchanged. Its delay is delay: with 0.4 about one period of the
// device, that is 8.2 ms at 125 Hz, 4.0 at 250, 2.9 at 333, 1.8 at 500.
type rebuild struct {
	share float64 // cut-off over the device's rate; 0 is off
	dt    float64
}

// rebuildState has the design, too: it follows the device's rate, which may change.
type rebuildState struct {
	rate   float64 // of the device, for which the sections were made [1/s]; 0 before
	g      float64 // prewarped cut-off; 0 lets everything pass as it is
	delay  float64 // by which a slow change comes later [s]
	stages [2]section
}

// bent is k, the inverse quality, of each section.
var bent = [2]float64{2 * math.Cos(math.Pi/8), 2 * math.Cos(3*math.Pi/8)}

func newRebuild(share, dt float64) rebuild { return rebuild{share: share, dt: dt} }

// next takes the torque of this tick and returns the one to be sent [N·m].
func (r *rebuild) next(s *rebuildState, torque, rate float64) float64 {
	if rate != s.rate {
		r.design(s, rate)
	}
	if s.g == 0 {
		s.reset(torque) // or it would begin from an old one when the rate falls
		return torque
	}
	return s.stages[1].next(s.stages[0].next(torque))
}

// design makes the sections for a device's rate. What they hold stays: it is a
// torque and its slope, whatever the cut-off.
func (r *rebuild) design(s *rebuildState, rate float64) {
	const slowest, widest = 10.0, 0.45 // [1/s], most of the cut-off over the loop's rate
	s.rate, s.g, s.delay = rate, 0, 0
	if rate <= 0 || rate*r.dt > 0.99 || r.share <= 0 {
		return // it takes each tick, or nobody knows
	}
	s.g = math.Tan(math.Pi * min(r.share*max(rate, slowest)*r.dt, widest))
	for i := range s.stages {
		s.stages[i].design(s.g, bent[i])
		s.delay += bent[i] / s.g * r.dt / 2
	}
}

// reset makes torque all there ever was.
func (s *rebuildState) reset(torque float64) {
	for i := range s.stages {
		s.stages[i].slope, s.stages[i].level = 0, torque
	}
}

// section is a low-pass of second order as a state variable filter, integrated by
// trapezoids and solved without delay (Zavalishin, The Art of VA Filter Design, ch. 4).
// At rest its level is its input and its slope 0, whatever its coefficients are
// rounded to: its gain for steady torques is 1.
type section struct {
	a1, a2, a3   float64
	slope, level float64 // of its two integrators
}

func (s *section) design(g, k float64) {
	s.a1 = 1 / (1 + g*(g+k))
	s.a2 = g * s.a1
	s.a3 = g * s.a2
}

func (s *section) next(v float64) float64 {
	rest := v - s.level
	band := s.a1*s.slope + s.a2*rest
	low := s.level + s.a2*s.slope + s.a3*rest
	s.slope, s.level = 2*band-s.slope, 2*low-s.level
	return low
}
