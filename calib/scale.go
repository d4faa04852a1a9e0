package calib

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

const gravity = 9.80665 // [m/s²], standard

// curve asks for the scale, measures both sides and returns what the motor gives.
func (d *dyno) curve(least float64) ([]MotorPoint, error) {
	if err := d.askScale(); err != nil {
		return nil, err
	}
	sides := map[side]map[float64]float64{}
	for _, to := range []side{left, right} {
		d.ui.say("Fix the rim by the scale so that it cannot turn to the %s: the scale pulls square to the spoke.", to)
		found, err := d.measure(to, least)
		if err != nil {
			return nil, err
		}
		sides[to] = found
	}
	points := d.mean(sides[left], sides[right])
	return d.tell(points, least)
}

// askScale asks for the scale's unit and where it pulls.
func (d *dyno) askScale() error {
	unit, err := d.ui.ask(d.ctx, "kg", "Does the scale show kg or N?")
	if err != nil {
		return err
	}
	cm, err := d.number("20", "How far from the rim's centre does it pull [cm]?", 3, 100)
	if err != nil {
		return err
	}
	switch strings.ToLower(unit) {
	case "kg":
		d.unit, d.perNm = "kg", 100/cm/gravity
	case "n":
		d.unit, d.perNm = "N", 100/cm
	default:
		return fmt.Errorf("calib: a scale of %q is not known; answer kg or N", unit)
	}
	return nil
}

// number asks for one until it lies within low..high.
func (d *dyno) number(otherwise, question string, low, high float64) (float64, error) {
	for {
		text, err := d.ui.ask(d.ctx, otherwise, "%s", question)
		if err != nil {
			return 0, err
		}
		v, err := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
		if err == nil && v >= low && v <= high {
			return v, nil
		}
		if d.ui.assumeYes {
			return 0, fmt.Errorf("calib: %q is not a number of %g..%g", text, low, high)
		}
		d.ui.say("  %q is not a number of %g..%g.", text, low, high)
	}
}

// measure plays the levels to one side, each after the operator agreed to it, and returns
// the torques [N·m].
func (d *dyno) measure(to side, least float64) (map[float64]float64, error) {
	found := map[float64]float64{}
	for i := 0; i < len(d.opt.Levels); {
		level := d.opt.Levels[i]
		if level <= least+leastRise {
			i++
			continue
		}
		ok, err := d.agree(to, level)
		if err != nil || !ok {
			return found, err
		}
		reading, again, err := d.read(to, level)
		if err != nil {
			return found, err
		}
		if again {
			continue
		}
		i++
		found[level] = reading / d.perNm
		d.learn(MotorPoint{level, found[level]})
		d.ui.say("  %3.0f %% %s: %.3g N·m", 100*level, to, found[level])
	}
	return found, nil
}

// agree tells what a level will give, as far as that is known, and asks for it. It does not
// ask for more than may be given.
func (d *dyno) agree(to side, level float64) (bool, error) {
	nm := d.expect(level)
	if nm > d.opt.MaxNm {
		d.ui.say("  %.0f %% may give %.3g N·m: above wheel.max_torque_nm = %g, so that this side ends here.", 100*level, nm, d.opt.MaxNm)
		return false, nil
	}
	if nm > consentNm && !d.hard {
		ok, err := d.ui.Consent(d.ctx, "", fmt.Sprintf("From here on the motor gives more than %g N·m, which can break a thumb. Go on?", consentNm))
		if err != nil || !ok {
			return false, err
		}
		d.hard = true
	}
	answer, err := d.ui.ask(d.ctx, "push", "%.0f %% to the %s, about %.2g N·m (%.2g %s): Enter pushes, end ends this side:", 100*level, to, nm, nm*d.perNm, d.unit)
	return answer == "push", err
}

// expect is what a level will give at most [N·m]: what the other side gave, or more than
// the level before by the steepest rise so far. The first two levels may lie in a dead
// zone: until they are known, the rise is no less than full force is thought to give.
func (d *dyno) expect(level float64) float64 {
	if nm, done := d.known[level]; done {
		return nm
	}
	steep := d.steep
	if len(d.known) < 2 {
		steep = max(steep, d.opt.FullNm)
	}
	return d.last.Torque + steep*(level-d.last.Level)
}

// learn keeps what a level gave.
func (d *dyno) learn(p MotorPoint) {
	d.known[p.Level] = p.Torque
	if p.Level <= d.last.Level {
		return
	}
	d.steep = max(d.steep, (p.Torque-d.last.Torque)/(p.Level-d.last.Level))
	d.last = p
}

// read holds a level until a key is pressed and asks what the scale showed.
func (d *dyno) read(to side, level float64) (reading float64, again bool, err error) {
	slipped, err := d.hold(to, level)
	if err != nil {
		return 0, false, err
	}
	if slipped {
		d.ui.say("  the rim turned by %g degrees: fix it again.", slipDeg)
		return 0, true, nil
	}
	text, err := d.ui.ask(d.ctx, "again", "What did the scale show [%s]?", d.unit)
	if err != nil {
		return 0, false, err
	}
	reading, bad := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
	if bad != nil || !(reading >= 0 && reading/d.perNm <= strongestNm) {
		d.ui.say("  %q is no reading: once more.", text)
		return 0, true, nil
	}
	return reading, false, nil
}

// hold pushes the stalled rim until a key is pressed, the time is up or the rim turns.
func (d *dyno) hold(to side, level float64) (slipped bool, err error) {
	d.ui.say("  pushing: read the scale, then press any key (or Enter).")
	pressed, undo := d.ui.key()
	defer undo()
	slipped, done, err := d.play(to, level, pressed)
	if err = d.release(err); err != nil || done {
		return slipped, err
	}
	if !slipped {
		d.ui.say("  the force is off after %v.", d.opt.Hold)
	}
	d.ui.say("  press any key (or Enter) to go on.")
	select {
	case err := <-pressed:
		return slipped, err
	case <-d.ctx.Done():
		return slipped, context.Cause(d.ctx)
	}
}

// play pushes until one of the ends of hold; done tells that it was a key.
func (d *dyno) play(to side, level float64, pressed <-chan error) (slipped, done bool, err error) {
	start, err := d.next()
	for i := 0; err == nil && time.Duration(i)*samplePeriod < d.opt.Hold; i++ {
		select {
		case err := <-pressed:
			return false, true, err
		default:
		}
		if i%forceRenew == 0 {
			if err := d.push(to, level); err != nil {
				return false, false, err
			}
		}
		now, err := d.next()
		if err != nil {
			return false, false, err
		}
		if d.turned(start, now) > slipDeg {
			return true, false, nil
		}
	}
	return false, false, err
}

// mean takes the mean of both sides, or the one there is, and shows them.
func (d *dyno) mean(l, r map[float64]float64) []MotorPoint {
	var points []MotorPoint
	tidy := func(nm float64) float64 { return math.Round(nm*1e4) / 1e4 }
	d.ui.say("  level   left    right   [N·m]")
	for _, level := range d.opt.Levels {
		a, okA := l[level]
		z, okZ := r[level]
		switch {
		case okA && okZ:
			points = append(points, MotorPoint{level, tidy((a + z) / 2)})
		case okA:
			points, z = append(points, MotorPoint{level, tidy(a)}), math.NaN()
		case okZ:
			points, a = append(points, MotorPoint{level, tidy(z)}), math.NaN()
		default:
			continue
		}
		d.ui.say("  %4.0f %%  %6.3f  %6.3f", 100*level, a, z)
	}
	return points
}

// tell cuts off what is saturated, and says how straight the rest is.
func (d *dyno) tell(points []MotorPoint, least float64) ([]MotorPoint, error) {
	curve := risingPart(points)
	if len(curve) < motorLeast {
		return nil, fmt.Errorf("calib: %d levels gave rising torque, and a curve needs %d; check the scale and the wheel's power and start again", len(curve), motorLeast)
	}
	end := curve[len(curve)-1]
	worst := 0.0
	for _, p := range curve {
		worst = max(worst, math.Abs(p.Torque-end.Torque*p.Level/end.Level)/end.Torque)
	}
	d.ui.say("It gives %.3g N·m at %.0f %%. A straight line misses that by up to %.1f %% of it; the least force is %.1f %%.", end.Torque, 100*end.Level, 100*worst, 100*least)
	if n := len(points); points[n-1].Level > end.Level {
		d.ui.say("Above %.0f %% it is saturated and gives nothing more worth having.", 100*end.Level)
	}
	return curve, nil
}

// risingPart drops points that do not rise above the one before, and what comes after
// nearly all of the torque is reached.
func risingPart(points []MotorPoint) []MotorPoint {
	const nearlyAll, rise = 0.98, 0.005
	most := 0.0
	for _, p := range points {
		most = max(most, p.Torque)
	}
	var curve []MotorPoint
	before := 0.0
	for _, p := range points {
		if p.Torque < before+max(rise*most, leastRise) {
			continue
		}
		curve, before = append(curve, p), p.Torque
		if p.Torque >= nearlyAll*most {
			break
		}
	}
	return curve
}
