package calib

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"rig.example/rig/calib/dialog"
)

// ForceOptions are the options of Force. DefaultForceOptions suit a person in front of the wheel, except for
// FullNm, MaxNm and Gain, which the caller must set.
type ForceOptions struct {
	FullNm float64       // estimated torque at full force, on the high side [N·m]
	MaxNm  float64       // no level is played that may give more [N·m]
	Gain   float64       // present gain of the driver, 0..1
	Levels []float64     // levels to measure, as shares of full force, rising
	Hold   time.Duration // longest time for which a level is held
	Scale  bool          // measure torques with a scale; if false, only the minimum level
}

// DefaultForceOptions returns options with ten levels up to full force.
func DefaultForceOptions() ForceOptions {
	return ForceOptions{Gain: 1, Levels: []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1}, Hold: 10 * time.Second, Scale: true}
}

const (
	pulseLength  = 100 * time.Millisecond // after it a force ends by itself, unless it is renewed
	renewSamples = 3                      // number of samples between two renewals of a force: 30 ms
	restSamples  = 100                    // number of samples for which the rim must be still: 1 s
	rampRate     = 0.01                   // rise of the force, as a share of full force per second
	maxRamp      = 0.25                   // highest share of full force: a rim that needs more is broken or held
	minMoveDeg   = 0.2                    // angle from which the rim counts as moved [deg]
	maxSlipDeg   = 15.0                   // a rim on a scale that turns farther has come loose [deg]
	strongNm     = 8.0                    // torque above which the operator must agree once more [N·m]
)

// Force guides the operator through the measurement of a wheel's motor, to both sides: the level from which
// the rim moves, and the torque of the stalled rim at rising levels. It returns the wheel's profile with the
// results. It never pushes before the operator has typed yes.
func Force(ctx context.Context, src Source, ui *dialog.Dialog, wheel WheelProfile, opt ForceOptions) (WheelProfile, error) {
	if wheel.Force == 0 {
		return wheel, fmt.Errorf("calib: the direction of the force was never measured; run `rig calibrate wheel` with its sign test first")
	}
	m, err := newAxisMeter(ctx, src, wheel.Axis)
	if err != nil {
		return wheel, err
	}
	ok, err := ui.Consent(ctx, "", fmt.Sprintf("The motor will turn the rim, then pull at a scale, with up to %.3g N·m. Any key, or Ctrl-C, takes the force off. Is everybody clear of the rim?", opt.MaxNm))
	if err == nil && !ok {
		err = errors.New("calib: the motor may not push; answer yes to measure it, which --yes does not do")
	}
	if err != nil {
		return wheel, err
	}
	d := &motorTest{axisMeter: m, ui: ui, wheel: &wheel, opt: opt, torqueAt: map[float64]float64{}}
	minLevel, err := d.findMinLevel()
	if err != nil {
		return wheel, err
	}
	wheel.MinLevel, wheel.Gain, wheel.Motor = minLevel, opt.Gain, nil
	if opt.Scale {
		if wheel.Motor, err = d.measureCurve(minLevel); err != nil {
			return wheel, err
		}
	}
	wheel.Date = time.Now().UTC().Truncate(time.Second)
	return wheel, wheel.Validate()
}

// motorTest is the measurement of a wheel's motor.
type motorTest struct {
	*axisMeter
	ui    *dialog.Dialog
	wheel *WheelProfile
	opt   ForceOptions

	readingPerNm float64             // reading of the scale for 1 N·m at the rim [unit/(N·m)]
	unit         string              // unit of the scale's readings: kg or N
	torqueAt     map[float64]float64 // torque of each measured level, at the side that was measured last [N·m]
	strongest    MotorPoint          // highest measured level
	maxSlope     float64             // highest slope of the torque between two levels [N·m per full force]
	strongAgreed bool                // the operator has agreed to more than strongNm
}

// side is a direction of rotation: +1 is left, -1 right.
type side int

const left, right side = 1, -1

func (s side) String() string {
	if s == left {
		return "LEFT"
	}
	return "RIGHT"
}

// push starts or renews a force to one side, which ends by itself after pulseLength. level is a share of full
// force, 0..1.
func (d *motorTest) push(to side, level float64) error {
	return d.src.Pulse(float64(to)*float64(d.wheel.Force)*level, pulseLength)
}

// endForce ends the force, even after an error. It returns err, or else its own error.
func (d *motorTest) endForce(err error) error {
	if off := d.src.Pulse(0, pulseLength); err == nil {
		err = off
	}
	return err
}

// turnedDeg returns the angle by which the rim turns between two values of its axis, as an amount [deg].
func (d *motorTest) turnedDeg(from, now int32) float64 {
	return math.Abs(d.wheel.Angle(now)-d.wheel.Angle(from)) * 180 / math.Pi
}

// findMinLevel returns the lowest level that moves the free rim, as the mean of both sides, or 0 if the rim
// does not move.
func (d *motorTest) findMinLevel() (float64, error) {
	ok, err := d.ui.Consent(d.ctx, "", "Least force: it rises slowly, to each side, until the rim moves. Take your hands OFF the wheel. Push now?")
	if err != nil || !ok {
		return 0, err
	}
	sum := 0.0
	for _, to := range []side{left, right} {
		level, err := d.ramp(to)
		if err = d.endForce(err); err != nil {
			return 0, err
		}
		if level == 0 {
			d.ui.Say("  to the %s it did not move; the least force stays unknown.", to)
			return 0, nil
		}
		d.ui.Say("  to the %s it moves at %.1f %%.", to, 100*level)
		sum += level / 2
	}
	return math.Round(sum*1e4) / 1e4, nil
}

// ramp raises the force until the rim moves, and returns the level at which it did, or 0 if it did not.
func (d *motorTest) ramp(to side) (level float64, err error) {
	start, err := d.waitForRest()
	if err != nil {
		return 0, err
	}
	maxLevel := min(maxRamp, d.opt.MaxNm/d.opt.FullNm)
	for i := 0; level < maxLevel; i++ {
		level = rampRate * samplePeriod.Seconds() * float64(i)
		if i%renewSamples == 0 {
			if err := d.push(to, level); err != nil {
				return 0, err
			}
		}
		now, err := d.next()
		if err != nil {
			return 0, err
		}
		if d.turnedDeg(start, now) > minMoveDeg {
			return level, nil
		}
	}
	return 0, nil
}

// waitForRest waits until the rim is still, and returns the value of its axis [counts].
func (d *motorTest) waitForRest() (at int32, err error) {
	still := 0
	for range 20 * restSamples {
		now, err := d.next()
		if err != nil {
			return 0, err
		}
		if still++; still == 1 || !d.hasReported() || d.turnedDeg(at, now) > minMoveDeg/2 {
			at, still = now, 1
		}
		if still >= restSamples {
			return at, nil
		}
	}
	return 0, fmt.Errorf("calib: the rim never came to rest, or never moved at all; turn it a little, take your hands off and start again")
}
