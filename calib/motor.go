package calib

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/interp"
)

// MotorPoint is the torque of a stalled motor at a level, the same in both directions.
type MotorPoint struct {
	Level  float64 `toml:"level"`     // share of full force, 0..1
	Torque float64 `toml:"torque_nm"` // at the rim [N·m]
}

const (
	minMotorPoints   = 2    // lowest number of points of a curve
	maxMotorPoints   = 64   // highest number of points of a curve
	maxTorqueNm      = 50.0 // highest torque of any wheel
	maxMinLevel      = 0.5  // highest minimum level: a rim that needs more to move is broken
	minLevelFadeBand = 0.02 // torque up to which the minimum level fades in, as a share of full torque
	minRise          = 1e-3 // smallest rise between two points, of the level and of the torque [N·m]
)

// validateMotor reports a curve, a minimum level or a gain that cannot be used.
func (p *WheelProfile) validateMotor() error {
	err := errorUnless(p.MinLevel >= 0 && p.MinLevel <= maxMinLevel, "min_level = %g is not in 0..%g; run `rig calibrate ffb`", p.MinLevel, maxMinLevel)
	err = errors.Join(err, errorUnless(p.Gain >= 0 && p.Gain <= 1, "driver_gain = %g: must be 0 to 1; run `rig calibrate ffb`", p.Gain))
	n := len(p.Motor)
	if n == 0 {
		return err
	}
	err = errors.Join(err, errorUnless(n >= minMotorPoints && n <= maxMotorPoints, "motor has %d points, not %d..%d; run `rig calibrate ffb`", n, minMotorPoints, maxMotorPoints))
	previous := MotorPoint{Level: p.MinLevel}
	for i, at := range p.Motor {
		err = errors.Join(err,
			errorUnless(at.Level >= previous.Level+minRise && at.Level <= 1, "motor %d: level = %g is not above %g, which comes before it, or above 1; run `rig calibrate ffb`", i+1, at.Level, previous.Level),
			errorUnless(at.Torque >= previous.Torque+minRise && at.Torque <= maxTorqueNm, "motor %d: torque_nm = %g is not above %g, which comes before it, or above %g; run `rig calibrate ffb`", i+1, at.Torque, previous.Torque, maxTorqueNm))
		previous = at
	}
	return err
}

// Motor has the inverse of a motor curve: it turns a torque into the level that gives it.
type Motor struct {
	minLevel   float64               // lowest level that has an effect at the rim
	fullTorque float64               // torque of the last point [N·m]
	maxSlope   float64               // highest ratio of torque to level of all points [N·m]
	level      interp.FritschButland // level as a function of the torque
}

// NewMotor returns the inverse of a profile's motor curve. If only the minimum level was measured, the
// curve is a straight line from that level to fullNm at full force. If neither was measured, NewMotor
// returns nil. p must be valid.
//
// Between its points the curve is monotone and smooth (F. N. Fritsch and J. Butland, "A method for
// constructing local monotone piecewise cubic interpolants", SIAM J. Sci. Statist. Comput. 5(2), 1984). It
// begins with a torque of 0 at the minimum level.
func NewMotor(p *WheelProfile, fullNm float64) *Motor {
	points := p.Motor
	if len(points) == 0 {
		points = []MotorPoint{{1, fullNm}}
		if !(p.MinLevel > 0 && fullNm > 0) {
			return nil
		}
	}
	m := &Motor{minLevel: p.MinLevel}
	torques, levels := []float64{0}, []float64{p.MinLevel}
	for _, at := range points {
		torques, levels = append(torques, at.Torque), append(levels, at.Level)
		m.fullTorque, m.maxSlope = at.Torque, max(m.maxSlope, at.Torque/at.Level)
	}
	_ = m.level.Fit(torques, levels) // cannot fail for rising torques
	return m
}

// FullTorque returns the highest torque of the curve [N·m].
func (m *Motor) FullTorque() float64 { return m.fullTorque }

// MaxSlope returns the highest ratio of torque to level of all points of the curve [N·m per full force]. A
// level up to torque/MaxSlope never gives more than torque.
func (m *Motor) MaxSlope() float64 { return m.maxSlope }

// Level returns the level for a torque [N·m], with the same sign, at most the level of FullTorque. NaN counts
// as 0.
//
// A level below the minimum level has no effect at the rim, so a torque near zero must jump over it. Within
// FadeBand of zero this jump is faded in by a square, which is smooth at both ends. Noise of a third of the
// band is not felt if the minimum level is 5 % or more, and no torque is wrong by more than the band.
func (m *Motor) Level(torque float64) float64 {
	if math.IsNaN(torque) {
		return 0
	}
	size := min(math.Abs(torque), m.fullTorque)
	level := m.level.Predict(size)
	if rest := 1 - size/m.FadeBand(); rest > 0 {
		level -= m.minLevel * rest * rest
	}
	return math.Copysign(min(max(level, 0), 1), torque)
}

// FadeBand returns the torque below which the minimum level is faded in [N·m].
func (m *Motor) FadeBand() float64 { return minLevelFadeBand * m.fullTorque }
