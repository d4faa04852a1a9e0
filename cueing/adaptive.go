package cueing

import (
	"rig.example/rig/internal/kit/valid"
)

// AdaptiveConfig configures how the adaptive washout chooses its gains. Each weight multiplies the
// square of its term in the cost; only the ratios of the weights matter.
type AdaptiveConfig struct {
	// Gain for small motion, a factor on the gains of `[cueing.washout]`; gains return to it.
	SmallGain float64 `toml:"small_gain" range:"0.5..3"`
	// Gain for the largest motion, a factor on the gains of `[cueing.washout]`.
	LowestGain float64 `toml:"lowest_gain" range:"0..0.5"`
	// Weight of the motion that the platform does not show, in units of 1 m/s² or 10 °/s. Higher
	// values keep the gain near 1.
	ForceWeight float64 `toml:"force_weight" range:"0..100"`
	// Weight of the platform's distance or angle from neutral, in units of its largest value. Higher
	// values keep the platform nearer to neutral.
	PoseWeight float64 `toml:"pose_weight" range:"0..100"`
	// Weight of the speed, in units of its highest value. Higher values make the platform slower.
	SpeedWeight float64 `toml:"speed_weight" range:"0..100"`
	// How quickly gains return to `small_gain`: the rate is `quickness_per_s` times this number, by
	// default 2/s.
	ReturnWeight float64 `toml:"return_weight" range:"0.01..100"`
	// How quickly gains adapt. Higher values react sooner.
	Quickness float64 `toml:"quickness_per_s" range:"0.01..100"`
}

// DefaultAdaptive shows small motion 1.5 times as large as the washout does, and reduces large
// motion to no less than a fifth.
func DefaultAdaptive() AdaptiveConfig {
	return AdaptiveConfig{SmallGain: 1.5, LowestGain: 0.2, ForceWeight: 0.3, PoseWeight: 10, SpeedWeight: 1, ReturnWeight: 0.1, Quickness: 20}
}

// Validate returns an error for every field that is out of range.
func (c AdaptiveConfig) Validate() error {
	return valid.Struct(c)
}

// costWeights has the weights of the cost J that the adaptive washout minimizes in one degree of freedom:
//
//	J = ½·(force·(u - y)² + pose·x² + speed·v² + return·(gain - initial)²)
//
// u is the motion that the driver should feel [m/s² or rad/s], y the part of it that the platform
// shows, x the platform's position [m or rad] and v its speed.
type costWeights struct{ forceWeight, poseWeight, speedWeight, returnWeight float64 }

// newCostWeights returns the weights for terms measured in these units: motionUnit [m/s² or rad/s],
// maxPosition [m or rad] and maxSpeed.
func newCostWeights(a AdaptiveConfig, motionUnit, maxPosition, maxSpeed float64) costWeights {
	const minPosition = 1e-3 // a degree of freedom that is switched off has a range of 0
	maxPosition = max(maxPosition, minPosition)
	return costWeights{a.ForceWeight / (motionUnit * motionUnit), a.PoseWeight / (maxPosition * maxPosition), a.SpeedWeight / (maxSpeed * maxSpeed), a.ReturnWeight}
}

// adaptiveGain changes a channel's gain along the steepest descent of its cost, as the
// coordinated adaptive washout does (Parrish, Dieudonne, Bowles, Martin, Coordinated adaptive
// washout for motion simulators, J. Aircraft 12, 1975). There the gain of the tilt adapts too;
// here the tilt keeps its configured gain and rate.
//
//	gain' = -k·dJ/dgain, dx/dgain by the same filter with the gain taken as constant
//
// The step of a tick is implicit in the gain, so that the gain does not overshoot, however large
// the input is.
type adaptiveGain struct {
	weights         costWeights
	initial, lowest float64 // gain for small motion, and the smallest gain
	stepSize        float64 // step along the descent in a tick
}

func newAdaptiveGain(c AdaptiveConfig, j costWeights, dt float64) adaptiveGain {
	return adaptiveGain{weights: j, initial: c.SmallGain, lowest: c.LowestGain, stepSize: c.Quickness * dt}
}

// next returns the gain for the next tick of a channel with the filter f, for an input.
func (a *adaptiveGain) next(s *channelState, f *filter, in float64) float64 {
	gain, sensitivity := s.gain, &s.sensitivity
	shown, shownByGain := gain*in+f.freeRate(&s.motion), in+f.freeRate(sensitivity)
	v, vByGain := s.motion.x[1], sensitivity.x[1]
	if !f.hasSpeed {
		v, vByGain = shown, shownByGain
	}
	weights, x, xByGain := &a.weights, s.motion.x[0], sensitivity.x[0]
	slope := weights.poseWeight*x*xByGain + weights.speedWeight*v*vByGain + weights.returnWeight*(gain-a.initial) - weights.forceWeight*(in-shown)*shownByGain
	curvature := weights.poseWeight*xByGain*xByGain + weights.speedWeight*vByGain*vByGain + weights.returnWeight + weights.forceWeight*shownByGain*shownByGain
	f.next(sensitivity, in)
	gain -= a.stepSize * slope / (1 + a.stepSize*curvature)
	return min(max(gain, a.lowest), a.initial)
}
