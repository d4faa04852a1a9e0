package calib

import (
	"context"
	"fmt"
	"math"
	"time"

	"rig.example/rig/calib/dialog"
)

const gravity = 9.80665 // standard gravity [m/s²]

// measureCurve asks for the scale, measures both sides and returns the points of the motor curve.
func (d *motorTest) measureCurve(minLevel float64) ([]MotorPoint, error) {
	if err := d.askScale(); err != nil {
		return nil, err
	}
	sides := map[side]map[float64]float64{}
	for _, to := range []side{left, right} {
		d.ui.Say("Fix the rim by the scale so that it cannot turn to the %s: the scale pulls square to the spoke.", to)
		found, err := d.measureSide(to, minLevel)
		if err != nil {
			return nil, err
		}
		sides[to] = found
	}
	points := d.meanOfSides(sides[left], sides[right])
	return d.reportCurve(points, minLevel)
}

// askScale asks for the scale's unit and its distance from the center of the rim.
func (d *motorTest) askScale() error {
	unit, err := d.ui.OneOf(d.ctx, "What does the scale show?", "kg", "kg", "N")
	if err != nil {
		return err
	}
	cm, err := d.ui.Number(d.ctx, "How far from the rim's center does it pull [cm]?", 20, 3, 100)
	d.unit, d.readingPerNm = unit, 100/cm
	if unit == "kg" {
		d.readingPerNm /= gravity
	}
	return err
}

// measureSide plays the levels to one side, each after the operator has agreed to it, and returns the
// torque of each level [N·m].
func (d *motorTest) measureSide(to side, minLevel float64) (map[float64]float64, error) {
	torqueAt := map[float64]float64{}
	for i := 0; i < len(d.opt.Levels); {
		level := d.opt.Levels[i]
		if level <= minLevel+minRise {
			i++
			continue
		}
		ok, err := d.confirmLevel(to, level)
		if err != nil || !ok {
			return torqueAt, err
		}
		reading, again, err := d.readScale(to, level)
		if err != nil {
			return torqueAt, err
		}
		if again {
			continue
		}
		i++
		torqueAt[level] = reading / d.readingPerNm
		d.record(MotorPoint{level, torqueAt[level]})
		d.ui.Say("  %3.0f %% %s: %.3g N·m", 100*level, to, torqueAt[level])
	}
	return torqueAt, nil
}

// confirmLevel shows the torque that a level may give, and asks for consent. It returns false without
// asking if that torque is above MaxNm.
func (d *motorTest) confirmLevel(to side, level float64) (bool, error) {
	nm := d.maxExpected(level)
	if nm > d.opt.MaxNm {
		d.ui.Say("  %.0f %% may give %.3g N·m: above wheel.max_torque_nm = %g, so that this side ends here.", 100*level, nm, d.opt.MaxNm)
		return false, nil
	}
	if nm > strongNm && !d.strongAgreed {
		ok, err := d.ui.Consent(d.ctx, "", fmt.Sprintf("From here on the motor gives more than %g N·m, which can break a thumb. Go on?", strongNm))
		if err != nil || !ok {
			return false, err
		}
		d.strongAgreed = true
	}
	answer, err := d.ui.Ask(d.ctx, "push", "%.0f %% to the %s, about %.2g N·m (%.2g %s): Enter pushes, end ends this side:", 100*level, to, nm, nm*d.readingPerNm, d.unit)
	return answer == "push", err
}

// maxExpected returns the highest torque to expect at a level [N·m]: the torque that the other side gave, or
// else the torque of the highest measured level, extrapolated with the highest slope so far. The first two
// levels may lie in a dead zone, so until they are measured, the slope is at least FullNm.
func (d *motorTest) maxExpected(level float64) float64 {
	if nm, done := d.torqueAt[level]; done {
		return nm
	}
	steep := d.maxSlope
	if len(d.torqueAt) < 2 {
		steep = max(steep, d.opt.FullNm)
	}
	return d.strongest.Torque + steep*(level-d.strongest.Level)
}

// record stores the torque of a level.
func (d *motorTest) record(p MotorPoint) {
	d.torqueAt[p.Level] = p.Torque
	if p.Level <= d.strongest.Level {
		return
	}
	d.maxSlope = max(d.maxSlope, (p.Torque-d.strongest.Torque)/(p.Level-d.strongest.Level))
	d.strongest = p
}

// readScale holds a level until a key is pressed and asks for the reading of the scale. again reports whether
// the level must be repeated.
func (d *motorTest) readScale(to side, level float64) (reading float64, again bool, err error) {
	slipped, err := d.holdLevel(to, level)
	if err != nil {
		return 0, false, err
	}
	if slipped {
		d.ui.Say("  the rim turned by %g degrees: fix it again.", maxSlipDeg)
		return 0, true, nil
	}
	text, err := d.ui.Ask(d.ctx, "again", "What did the scale show [%s]?", d.unit)
	if err != nil {
		return 0, false, err
	}
	reading, bad := dialog.ParseNumber(text)
	if bad != nil || !(reading >= 0 && reading/d.readingPerNm <= maxTorqueNm) {
		d.ui.Say("  %q is not a valid reading; try again.", text)
		return 0, true, nil
	}
	return reading, false, nil
}

// holdLevel pushes the stalled rim until a key is pressed, the time is up or the rim turns.
func (d *motorTest) holdLevel(to side, level float64) (slipped bool, err error) {
	d.ui.Say("  pushing: read the scale, then press any key (or Enter).")
	pressed, undo := d.ui.WaitKey()
	defer undo()
	slipped, done, err := d.pushUntil(to, level, pressed)
	if err = d.endForce(err); err != nil || done {
		return slipped, err
	}
	if !slipped {
		d.ui.Say("  the force is off after %v.", d.opt.Hold)
	}
	d.ui.Say("  press any key (or Enter) to go on.")
	select {
	case err := <-pressed:
		return slipped, err
	case <-d.ctx.Done():
		return slipped, context.Cause(d.ctx)
	}
}

// pushUntil pushes until a key is pressed, which done reports, until the rim slips, or until the time is up.
func (d *motorTest) pushUntil(to side, level float64, pressed <-chan error) (slipped, done bool, err error) {
	start, err := d.next()
	for i := 0; err == nil && time.Duration(i)*samplePeriod < d.opt.Hold; i++ {
		select {
		case err := <-pressed:
			return false, true, err
		default:
		}
		if i%renewSamples == 0 {
			if err := d.push(to, level); err != nil {
				return false, false, err
			}
		}
		now, err := d.next()
		if err != nil {
			return false, false, err
		}
		if d.turnedDeg(start, now) > maxSlipDeg {
			return true, false, nil
		}
	}
	return false, false, err
}

// meanOfSides returns, for each level, the mean of both sides, or the only one that was measured, and shows
// it.
func (d *motorTest) meanOfSides(l, r map[float64]float64) []MotorPoint {
	var points []MotorPoint
	round := func(nm float64) float64 { return math.Round(nm*1e4) / 1e4 }
	d.ui.Say("  level   left    right   [N·m]")
	for _, level := range d.opt.Levels {
		a, okA := l[level]
		z, okZ := r[level]
		switch {
		case okA && okZ:
			points = append(points, MotorPoint{level, round((a + z) / 2)})
		case okA:
			points, z = append(points, MotorPoint{level, round(a)}), math.NaN()
		case okZ:
			points, a = append(points, MotorPoint{level, round(z)}), math.NaN()
		default:
			continue
		}
		d.ui.Say("  %4.0f %%  %6.3f  %6.3f", 100*level, a, z)
	}
	return points
}

// reportCurve removes the saturated part of the curve, and shows how far the rest deviates from a straight
// line.
func (d *motorTest) reportCurve(points []MotorPoint, minLevel float64) ([]MotorPoint, error) {
	curve := risingPart(points)
	if len(curve) < minMotorPoints {
		return nil, fmt.Errorf("calib: %d levels gave rising torque, and a curve needs %d; check the scale and the wheel's power and start again", len(curve), minMotorPoints)
	}
	end := curve[len(curve)-1]
	worst := 0.0
	for _, p := range curve {
		worst = max(worst, math.Abs(p.Torque-end.Torque*p.Level/end.Level)/end.Torque)
	}
	d.ui.Say("It gives %.3g N·m at %.0f %%. A straight line misses that by up to %.1f %% of it; the least force is %.1f %%.", end.Torque, 100*end.Level, 100*worst, 100*minLevel)
	if n := len(points); points[n-1].Level > end.Level {
		d.ui.Say("Above %.0f %% it is saturated and gives nothing more worth having.", 100*end.Level)
	}
	return curve, nil
}

// risingPart removes points that do not rise above the one before, and all points after the first one that
// reaches nearly the highest torque.
func risingPart(points []MotorPoint) []MotorPoint {
	const saturatedShare, rise = 0.98, 0.005
	maxTorque := 0.0
	for _, p := range points {
		maxTorque = max(maxTorque, p.Torque)
	}
	var curve []MotorPoint
	previous := 0.0
	for _, p := range points {
		if p.Torque < previous+max(rise*maxTorque, minRise) {
			continue
		}
		curve, previous = append(curve, p), p.Torque
		if p.Torque >= saturatedShare*maxTorque {
			break
		}
	}
	return curve
}
