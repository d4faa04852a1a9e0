package motion

import "math"

// interpolation estimates where a target is and how fast it moves, from targets that arrive
// unevenly: late, early, twice in a period of the line or not at all.
//
// It is an alpha-beta filter with the gains of R. T. Benedict and G. W. Bordner
// (Synthesis of an optimal set of radar track-while-scan smoothing equations,
// 1962): each target corrects the position predicted for the time at which it was
// pushed, so that the axis moves on evenly where none came. It follows a steady
// movement without lag.
type interpolation struct {
	position    float64 // of the target now [strokes]
	speed       float64 // of the target [strokes/s]
	sinceTarget float64 // since the newest target was pushed [s]
}

const (
	interpolationAlpha = 0.5
	interpolationBeta  = interpolationAlpha * interpolationAlpha / (2 - interpolationAlpha)
	maxPrediction      = 0.02 // time without a newer target after which the target is assumed to stand still [s]
)

// reset makes the target one that stands at a position.
func (ip *interpolation) reset(at float64) { *ip = interpolation{position: at} }

// advance moves the target on by elapsed [s].
func (ip *interpolation) advance(elapsed float64) {
	if ip.sinceTarget += elapsed; ip.sinceTarget > maxPrediction {
		ip.speed = 0
	}
	ip.position += ip.speed * elapsed
}

// update takes a target that was pushed age [s] ago and moves no faster than maxSpeed
// [strokes/s]. One that is farther from its prediction has jumped: that is no movement, and
// extrapolating it would overshoot.
func (ip *interpolation) update(target, age, maxSpeed float64) {
	interval := max(ip.sinceTarget-age, 1e-4)
	difference := target + ip.speed*age - ip.position
	ip.sinceTarget = age
	if math.Abs(difference) > 2*maxSpeed*interval {
		ip.position, ip.speed = target, 0
		return
	}
	ip.position += interpolationAlpha * difference
	ip.speed = min(max(ip.speed+interpolationBeta*difference/interval, -maxSpeed), maxSpeed)
}
