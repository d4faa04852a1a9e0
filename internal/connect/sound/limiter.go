package sound

import (
	"math"

	"rig.example/rig/internal/kit/valid"
)

// lookAhead is how long before a peak the limiter begins to give way, and its delay [samples].
const lookAhead = 96

// limiter keeps a signal of two channels below a ceiling. Its gain is the mean over lookAhead samples of the lowest gain
// that any of lookAhead samples needs, so that no sample exceeds the ceiling and no gain makes a step.
type limiter struct {
	ceiling float64
	at      int
	delayed [lookAhead][2]float64
	needed  [lookAhead]float64 // gain of each sample, recovering slowly
	lowest  [lookAhead]float64 // of the needed ones
	sum     float64            // of lowest
	recover float64            // gain needed last
}

func newLimiter(ceiling float64) limiter {
	l := limiter{ceiling: ceiling, recover: 1, sum: lookAhead}
	for i := range lookAhead {
		l.needed[i], l.lowest[i] = 1, 1
	}
	return l
}

// next takes a sample, and returns that of lookAhead-1 samples before. NaN becomes silence.
func (l *limiter) next(left, right float64) (float64, float64) {
	if !(math.Abs(left)+math.Abs(right) < math.MaxFloat64) {
		left, right = 0, 0
	}
	const recovery = 0.1 * Rate // [samples]
	l.recover += (1 - l.recover) / recovery
	l.recover = min(l.recover, l.ceiling/max(math.Abs(left), math.Abs(right), l.ceiling))
	l.needed[l.at], l.delayed[l.at] = l.recover, [2]float64{left, right}
	lowest := 1.0
	if l.recover < 1-1e-9 || l.sum < lookAhead-1e-6 {
		for _, g := range l.needed {
			lowest = min(lowest, g)
		}
	}
	l.sum += lowest - l.lowest[l.at]
	l.lowest[l.at] = lowest
	l.at = (l.at + 1) % lookAhead
	g := min(l.sum/lookAhead, 1)
	out := &l.delayed[l.at]
	return valid.Clamp(g*out[0], -l.ceiling, l.ceiling), valid.Clamp(g*out[1], -l.ceiling, l.ceiling)
}
