package calib

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/interp"
)

// MotorPoint is what a stalled motor gives at a level, in both directions alike.
type MotorPoint struct {
	Level  float64 `toml:"level"`     // of full force, 0..1
	Torque float64 `toml:"torque_nm"` // at the rim [N·m]
}

const (
	motorLeast  = 2    // points of a curve
	motorMost   = 64   // likewise
	strongestNm = 50.0 // no rim gives more
	minLevelMax = 0.5  // what needs more to move is broken
	crossover   = 0.02 // of full torque: so near zero the least level is faded in
	leastRise   = 1e-3 // of level, and of torque [N·m], from point to point
)

// validateMotor reports a curve that cannot be used, and a least level that is none.
func (p *WheelProfile) validateMotor() error {
	err := check(p.MinLevel >= 0 && p.MinLevel <= minLevelMax, "min_level = %g is not in 0..%g; run `rig calibrate ffb`", p.MinLevel, minLevelMax)
	err = errors.Join(err, check(p.Gain >= 0 && p.Gain <= 1, "driver_gain = %g is not in 0..1; run `rig calibrate ffb`", p.Gain))
	n := len(p.Motor)
	if n == 0 {
		return err
	}
	err = errors.Join(err, check(n >= motorLeast && n <= motorMost, "motor has %d points, not %d..%d; run `rig calibrate ffb`", n, motorLeast, motorMost))
	before := MotorPoint{Level: p.MinLevel}
	for i, at := range p.Motor {
		err = errors.Join(err,
			check(at.Level >= before.Level+leastRise && at.Level <= 1, "motor %d: level = %g is not above %g, which comes before it, or above 1; run `rig calibrate ffb`", i+1, at.Level, before.Level),
			check(at.Torque >= before.Torque+leastRise && at.Torque <= strongestNm, "motor %d: torque_nm = %g is not above %g, which comes before it, or above %g; run `rig calibrate ffb`", i+1, at.Torque, before.Torque, strongestNm))
		before = at
	}
	return err
}

// Motor turns a torque into the level that gives it.
type Motor struct {
	least float64 // level below which the rim feels nothing
	full  float64 // torque of the last point [N·m]
	steep float64 // most torque for its level [N·m]
	level interp.FritschButland
}

// NewMotor returns the inverse of a profile's motor curve; of a straight line from the
// least level to fullNm at full force where only that was measured; nil where neither
// was. p must be valid.
//
// Between the points it is monotone and smooth (F. N. Fritsch and J. Butland, "A method
// for constructing local monotone piecewise cubic interpolants", SIAM J. Sci. Statist.
// Comput. 5(2), 1984). It begins with no torque at the least level.
func NewMotor(p *WheelProfile, fullNm float64) *Motor {
	points := p.Motor
	if len(points) == 0 {
		points = []MotorPoint{{1, fullNm}}
		if !(p.MinLevel > 0 && fullNm > 0) {
			return nil
		}
	}
	m := &Motor{least: p.MinLevel}
	torques, levels := []float64{0}, []float64{p.MinLevel}
	for _, at := range points {
		torques, levels = append(torques, at.Torque), append(levels, at.Level)
		m.full, m.steep = at.Torque, max(m.steep, at.Torque/at.Level)
	}
	_ = m.level.Fit(torques, levels) // never fails
	return m
}

// Full is the most torque that the curve knows [N·m].
func (m *Motor) Full() float64 { return m.full }

// Steepest is what full force would give if it were everywhere as strong for its level as
// where it is strongest [N·m]: a level below torque/Steepest never gives more than torque.
func (m *Motor) Steepest() float64 { return m.steep }

// Level returns the level for a torque [N·m], of the same sign, at most that of Full. No
// number counts as 0.
//
// The rim feels nothing below the least level, so that a torque near zero must jump over
// it. Within Band of zero the jump is faded in by the square, which is smooth at both
// ends: noise of a third of the band is not felt where the least level is 5 % or more, and no
// torque is wrong by more than the band.
func (m *Motor) Level(torque float64) float64 {
	if math.IsNaN(torque) {
		return 0
	}
	size := min(math.Abs(torque), m.full)
	level := m.level.Predict(size)
	if rest := 1 - size/m.Band(); rest > 0 {
		level -= m.least * rest * rest
	}
	return math.Copysign(min(max(level, 0), 1), torque)
}

// Band is how near to zero the least level is faded in [N·m].
func (m *Motor) Band() float64 { return crossover * m.full }
