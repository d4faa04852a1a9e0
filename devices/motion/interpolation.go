package motion

import "math"

// interpolation is where a target is and how fast it goes. Demands tell of it now and
// then: late, early, twice in a period of the line or not at all.
//
// It is an alpha-beta filter with the gains of R. T. Benedict and G. W. Bordner
// (Synthesis of an optimal set of radar track-while-scan smoothing equations,
// 1962): each demand corrects what was foreseen for the moment at which it was
// given, so that the axis goes on evenly where none came. A steady movement is
// told without lag.
type interpolation struct {
	at      float64 // now [strokes]
	speed   float64 // [strokes/s]
	unheard float64 // since the newest demand was given [s]
}

const (
	interpolationAlpha = 0.5
	interpolationBeta  = interpolationAlpha * interpolationAlpha / (2 - interpolationAlpha)
	guess              = 0.02 // a target that nothing was heard of for so long is taken to stand [s]
)

// begin has the target stand.
func (ip *interpolation) begin(at float64) { *ip = interpolation{at: at} }

// pass lets time pass [s].
func (ip *interpolation) pass(elapsed float64) {
	if ip.unheard += elapsed; ip.unheard > guess {
		ip.speed = 0
	}
	ip.at += ip.speed * elapsed
}

// hear takes a demand that was given age ago [s], of a target that goes at most
// as fast as given [strokes/s]. One that is too far from what was foreseen has
// jumped: that is no movement, and taking it for one would shoot beyond.
func (ip *interpolation) hear(demand, age, fastest float64) {
	since := max(ip.unheard-age, 1e-4)
	off := demand + ip.speed*age - ip.at
	ip.unheard = age
	if math.Abs(off) > 2*fastest*since {
		ip.at, ip.speed = demand, 0
		return
	}
	ip.at += interpolationAlpha * off
	ip.speed = min(max(ip.speed+interpolationBeta*off/since, -fastest), fastest)
}
