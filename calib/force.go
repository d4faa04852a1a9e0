package calib

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"
)

// ForceOptions steer the measurement of a motor. DefaultForceOptions are right for a
// person in front of it, but for what only the caller knows: FullNm, MaxNm and Gain.
type ForceOptions struct {
	FullNm float64       // what full force is thought to give, rather too much [N·m]
	MaxNm  float64       // no level is played that may give more [N·m]
	Gain   float64       // of the driver now, 0..1
	Levels []float64     // to be measured, of full force, rising
	Hold   time.Duration // longest time that one is held
	Scale  bool          // measure torques with a scale; else the least level only
}

// DefaultForceOptions are ten levels.
func DefaultForceOptions() ForceOptions {
	return ForceOptions{Gain: 1, Levels: []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1}, Hold: 10 * time.Second, Scale: true}
}

const (
	forceLength = 100 * time.Millisecond // dead-man of a level that is held
	forceRenew  = 3                      // samples: 30 ms
	restSamples = 100                    // with no force, before the rim is free to move
	rampRate    = 0.01                   // of full force a second
	rampMost    = 0.25                   // what needs more to move is broken, or held
	movedDeg    = 0.2                    // what counts as moved
	slipDeg     = 15.0                   // a rim on a scale that turns so far has come off
	consentNm   = 8.0                    // above, a strong motor is agreed to once more
)

// Force leads the operator through the measurement of a wheel's motor: which level moves
// the rim, and what the stalled rim gives at rising ones, both ways. It returns the
// wheel's profile with what it found. Nothing pushes but after a typed yes.
func Force(ctx context.Context, src Source, ui *UI, wheel WheelProfile, opt ForceOptions) (WheelProfile, error) {
	if wheel.Force == 0 {
		return wheel, fmt.Errorf("calib: the direction of the force was never measured; run `rig calibrate wheel` with its sign test first")
	}
	m, err := newMeter(ctx, src, wheel.Axis)
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
	d := &dyno{meter: m, ui: ui, wheel: &wheel, opt: opt, known: map[float64]float64{}}
	least, err := d.leastLevel()
	if err != nil {
		return wheel, err
	}
	wheel.MinLevel, wheel.Gain, wheel.Motor = least, opt.Gain, nil
	if opt.Scale {
		if wheel.Motor, err = d.curve(least); err != nil {
			return wheel, err
		}
	}
	wheel.Date = time.Now().UTC().Truncate(time.Second)
	return wheel, wheel.Validate()
}

// dyno is a wheel whose motor is measured.
type dyno struct {
	*meter
	ui    *UI
	wheel *WheelProfile
	opt   ForceOptions

	perNm float64             // readings of the scale [1/(N·m)]
	unit  string              // of its readings
	known map[float64]float64 // torques of levels, of the side that was measured last [N·m]
	last  MotorPoint          // the strongest of them
	steep float64             // most rise of the torque from level to level [N·m]
	hard  bool                // more than consentNm was agreed to
}

// side is a way to turn: +1 is left.
type side int

const left, right side = 1, -1

func (s side) String() string {
	if s == left {
		return "LEFT"
	}
	return "RIGHT"
}

// push starts or renews a force, of full force, that ends by itself.
func (d *dyno) push(to side, level float64) error {
	return d.src.Pulse(float64(to)*float64(d.wheel.Force)*level, forceLength)
}

// release takes the force off, whatever happened.
func (d *dyno) release(err error) error {
	if off := d.src.Pulse(0, forceLength); err == nil {
		err = off
	}
	return err
}

// turned is how far the rim has turned since it was at raw [deg].
func (d *dyno) turned(from, now int32) float64 {
	return math.Abs(d.wheel.Angle(now)-d.wheel.Angle(from)) * 180 / math.Pi
}

// leastLevel is the level from which on the free rim moves, the mean of both ways, 0 if
// it does not move.
func (d *dyno) leastLevel() (float64, error) {
	ok, err := d.ui.Consent(d.ctx, "", "Least force: it rises slowly, to each side, until the rim moves. Take your hands OFF the wheel. Push now?")
	if err != nil || !ok {
		return 0, err
	}
	sum := 0.0
	for _, to := range []side{left, right} {
		level, err := d.ramp(to)
		if err = d.release(err); err != nil {
			return 0, err
		}
		if level == 0 {
			d.ui.say("  to the %s it did not move; the least force stays unknown.", to)
			return 0, nil
		}
		d.ui.say("  to the %s it moves at %.1f %%.", to, 100*level)
		sum += level / 2
	}
	return math.Round(sum*1e4) / 1e4, nil
}

// ramp raises the force until the rim moves, and returns where it did.
func (d *dyno) ramp(to side) (level float64, err error) {
	start, err := d.rest()
	if err != nil {
		return 0, err
	}
	most := min(rampMost, d.opt.MaxNm/d.opt.FullNm)
	for i := 0; level < most; i++ {
		level = rampRate * samplePeriod.Seconds() * float64(i)
		if i%forceRenew == 0 {
			if err := d.push(to, level); err != nil {
				return 0, err
			}
		}
		now, err := d.next()
		if err != nil {
			return 0, err
		}
		if d.turned(start, now) > movedDeg {
			return level, nil
		}
	}
	return 0, nil
}

// rest waits until the rim is still, and returns where it is.
func (d *dyno) rest() (at int32, err error) {
	still := 0
	for range 20 * restSamples {
		now, err := d.next()
		if err != nil {
			return 0, err
		}
		if still++; still == 1 || !d.reported() || d.turned(at, now) > movedDeg/2 {
			at, still = now, 1
		}
		if still >= restSamples {
			return at, nil
		}
	}
	return 0, fmt.Errorf("calib: the rim never came to rest, or never moved at all; turn it a little, take your hands off and start again")
}
