package cueing

import (
	"errors"

	"rig.example/rig/internal/valid"
)

// AdaptiveConfig says what the gains of the adaptive washout are weighed by. Weights are of
// squares, and compare with each other.
type AdaptiveConfig struct {
	Small   float64 `toml:"small_gain"`      // on the washout's gains, for motion that is small
	Lowest  float64 `toml:"lowest_gain"`     // the same, for motion that is large
	Force   float64 `toml:"force_weight"`    // of what is missing: 1 m/s², or 10 °/s
	Pose    float64 `toml:"pose_weight"`     // of the way or angle: the end of its range
	Speed   float64 `toml:"speed_weight"`    // of the speed: the highest
	Return  float64 `toml:"return_weight"`   // of how far the gain is from small_gain
	PerTime float64 `toml:"quickness_per_s"` // with which gains follow the cost
}

// DefaultAdaptive shows small motion half as large again, and large motion down to a fifth.
func DefaultAdaptive() AdaptiveConfig {
	return AdaptiveConfig{Small: 1.5, Lowest: 0.2, Force: 0.3, Pose: 10, Speed: 1, Return: 0.1, PerTime: 20}
}

// Validate reports every field that is out of range.
func (c AdaptiveConfig) Validate() error {
	return errors.Join(
		valid.InRange("small_gain", c.Small, 0.5, 3),
		valid.InRange("lowest_gain", c.Lowest, 0, 0.5),
		valid.InRange("force_weight", c.Force, 0, 100),
		valid.InRange("pose_weight", c.Pose, 0, 100),
		valid.InRange("speed_weight", c.Speed, 0, 100),
		valid.InRange("return_weight", c.Return, 0.01, 100),
		valid.InRange("quickness_per_s", c.PerTime, 0.01, 100),
	)
}

// cost is what the adaptive washout makes small, in one degree of freedom:
//
//	J = ½·(missing·(u - y)² + pose·x² + speed·v² + back·(gain - start)²)
//
// u is what the driver shall feel (an acceleration, or a rate of rotation), y what the
// platform does of it, x where the platform is, v its speed.
type cost struct{ missing, pose, speed, back float64 }

// newCost returns a cost by what each term is measured in.
func newCost(a AdaptiveConfig, felt, way, speed float64) cost {
	const least = 1e-3 // of a way: a degree of freedom that is switched off has none
	way = max(way, least)
	return cost{a.Force / (felt * felt), a.Pose / (way * way), a.Speed / (speed * speed), a.Return}
}

// adaption changes a channel's gain along the steepest descent of its cost, as the
// coordinated adaptive washout does (Parrish, Dieudonne, Bowles, Martin, Coordinated adaptive
// washout for motion simulators, J. Aircraft 12, 1975; there also for the tilt, which here
// stays as slow as it must be):
//
//	gain' = -k·dJ/dgain, dx/dgain by the same filter with the gain taken as constant
//
// A tick's step is implicit in the gain, so that it does not overshoot however large the
// input is.
type adaption struct {
	cost          cost
	start, lowest float64
	k             float64 // in a tick
}

func newAdaption(c AdaptiveConfig, j cost, dt float64) adaption {
	return adaption{cost: j, start: c.Small, lowest: c.Lowest, k: c.PerTime * dt}
}

// next returns the gain for the next tick of a channel with the filter f, for an input.
func (a *adaption) next(s *channelState, f *filter, in float64) float64 {
	gain, by := s.gain, &s.byGain
	felt, feltBy := gain*in+f.speed(&s.way), in+f.speed(by)
	v, vBy := s.way.x[1], by.x[1]
	if !f.moves {
		v, vBy = felt, feltBy
	}
	j, x, xBy := &a.cost, s.way.x[0], by.x[0]
	slope := j.pose*x*xBy + j.speed*v*vBy + j.back*(gain-a.start) - j.missing*(in-felt)*feltBy
	bend := j.pose*xBy*xBy + j.speed*vBy*vBy + j.back + j.missing*feltBy*feltBy
	f.next(by, in)
	gain -= a.k * slope / (1 + a.k*bend)
	return min(max(gain, a.lowest), a.start)
}
