package ffb

import "math"

// reconstruction smooths the torque for a device that accepts fewer updates than there are ticks: a
// low-pass at a fraction of the device's rate suppresses frequencies that its sampling would alias.
//
// It is a Butterworth filter of fourth order: two sections of second order with k = 2cos(π/8) and
// 2cos(3π/8) (Butterworth, Experimental Wireless 7, 1930). Its cut-off f is prewarped, so that
// |H|² = 1/(1+(tan(πF·dt)/tan(πf·dt))⁸) at a frequency F. A constant torque passes unchanged. Its delay
// with a cut-off ratio of 0.4 is about one period of the device: 8.2 ms at 125 Hz, 4.0 ms at 250 Hz,
// 2.9 ms at 333 Hz, 1.8 ms at 500 Hz.
type reconstruction struct {
	cutoffRatio float64 // cut-off frequency divided by the device's rate; 0 is off
	dt          float64
}

// reconstructionState includes the filter coefficients, because the device's rate may change.
type reconstructionState struct {
	rate   float64 // device's rate for which the sections were designed [1/s]; 0 before
	share  float64 // factor on the cut-off for which they were designed
	g      float64 // prewarped cut-off, tan(π·f·dt); 0 passes everything unchanged
	delay  float64 // delay of slow changes [s]
	stages [2]section
}

// butterworthK holds the damping k = 1/Q of each section.
var butterworthK = [2]float64{2 * math.Cos(math.Pi/8), 2 * math.Cos(3*math.Pi/8)}

func newReconstruction(share, dt float64) reconstruction {
	return reconstruction{cutoffRatio: share, dt: dt}
}

// next takes the torque of this tick and returns the torque to send [N·m]. share is a factor on the cut-off.
func (r *reconstruction) next(s *reconstructionState, torque, rate, share float64) float64 {
	if rate != s.rate || share != s.share {
		r.design(s, rate, share)
	}
	if s.g == 0 {
		s.reset(torque) // so that the filter starts from this torque when the rate falls
		return torque
	}
	return s.stages[1].next(s.stages[0].next(torque))
}

// design calculates the sections for a device's rate and a factor on the cut-off. Their states stay: they are a torque and its
// slope at any cut-off.
func (r *reconstruction) design(s *reconstructionState, rate, share float64) {
	const minRate, maxCutoff = 10.0, 0.45 // lowest rate [1/s], highest cut-off as a fraction of the loop's rate
	s.rate, s.share, s.g, s.delay = rate, share, 0, 0
	if rate <= 0 || rate*r.dt > 0.99 || r.cutoffRatio <= 0 {
		return // the device takes every tick, or its rate is not known
	}
	s.g = math.Tan(math.Pi * min(r.cutoffRatio*share*max(rate, minRate)*r.dt, maxCutoff))
	for i := range s.stages {
		s.stages[i].design(s.g, butterworthK[i])
		s.delay += butterworthK[i] / s.g * r.dt / 2
	}
}

// reset sets the filter to a steady torque.
func (s *reconstructionState) reset(torque float64) {
	for i := range s.stages {
		s.stages[i].slope, s.stages[i].level = 0, torque
	}
}

// section is a low-pass of second order: a state variable filter by the trapezoidal rule, solved without
// a delay in its loop (Zavalishin, The Art of VA Filter Design, ch. 4). In steady state level equals the
// input and slope is 0, whatever the rounding of the coefficients, so the gain is exactly 1.
type section struct {
	a1, a2, a3   float64 // coefficients
	slope, level float64 // states of its two integrators
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
