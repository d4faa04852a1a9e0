package maneuver

import (
	"errors"
	"math"

	"rig.example/rig/sim"
	"rig.example/rig/sim/road"
	"rig.example/rig/sim/trial"
)

const (
	dwellStart = 0.5 // start of steering [s]
	dwellFreq  = 0.7 // [Hz]
	dwellHold  = 0.5 // time for which the second peak is held [s]
	dwellTime  = 1/dwellFreq + dwellHold
	dwellEnd   = dwellStart + dwellTime + 2.0
)

// dwellSteer returns the sine with dwell at a time t since its start [s]. It has an amplitude of 1, and
// its first peak is positive, to the left.
func dwellSteer(t float64) float64 {
	const second = 0.75 / dwellFreq // time of the second peak [s]
	switch {
	case t <= 0 || t >= dwellTime:
		return 0
	case t > second+dwellHold:
		t -= dwellHold
	case t > second:
		t = second
	}
	return math.Sin(2 * math.Pi * dwellFreq * t)
}

// dwellRun is the outcome of one amplitude.
type dwellRun struct {
	amplitude                float64 // amplitude of the steering wheel angle [rad]
	yawRatio1, yawRatio175   float64 // yaw rate 1.0 s and 1.75 s after the end of steering, over its second peak
	offset                   float64 // lateral displacement 1.07 s after the start of steering [m]
	twoWheelLift, rolledOver bool
}

// sineDwell runs UN R140 and FMVSS 126: A is the steering wheel angle at 0.3 g in a ramp of 13.5 °/s at
// 80 km/h; then follow sines with dwell of 1.5 A, 2 A and so on up to the larger of 6.5 A and 270°, but
// no more than 300°. The car coasts in neutral from the entry speed.
func sineDwell(p sim.Params, o Options) (*Result, error) {
	t, err := newRun(p, road.Asphalt(), o)
	if err != nil {
		return nil, err
	}
	angleA, err := t.measureDwellAngle(o)
	if err != nil {
		return nil, err
	}
	amplitudes := dwellAmplitudes(angleA, t.Lock)
	var runs []dwellRun
	for i, amplitude := range amplitudes {
		t.dwell(amplitude, o.Speed)
		runs = append(runs, evaluateDwell(t, amplitude))
		o.Progress(float64(i+1) / float64(len(amplitudes)))
		if t.RolledOver() {
			break
		}
	}
	r := &Result{Speed: o.Speed, Rows: t.Out.Rows}
	r.addDwellMetrics(runs, angleA, p.Mass, o.Assists.Stability > 0)
	return r, nil
}

// measureDwellAngle returns A, the steering wheel angle at a lateral acceleration of 0.3 g in a slow
// ramp [rad].
func (t *run) measureDwellAngle(o Options) (float64, error) {
	const rate, level = 13.5 * degree, 0.3 * gravity // [rad/s at the steering wheel], [m/s²]
	t.PlaceRolling(o.Speed, 0)
	quiet := o
	quiet.Progress = func(float64) {}
	t.slowRamp(quiet, rate*t.MaxRoadWheelAngle()/t.Lock, 1.3*level)
	angleA := steeringAngleFor(t, t.Fine.Rows, level)
	if !(angleA > 0) {
		return 0, errors.New("the car does not reach 0.3 g at this speed: choose a higher one")
	}
	return angleA, nil
}

// dwellAmplitudes returns the amplitudes to drive [rad]: 1.5 A, 2 A and so on, up to the larger of 6.5 A
// and 270°, but no more than 300° and the lock.
func dwellAmplitudes(angleA, lock float64) []float64 {
	last := min(max(6.5*angleA, 270*degree), 300*degree, lock)
	var amplitudes []float64
	for k := 3.0; k*angleA/2 < last-1e-9; k++ {
		amplitudes = append(amplitudes, k*angleA/2)
	}
	return append(amplitudes, last)
}

// dwell drives one sine with dwell of an amplitude [rad at the steering wheel] from a speed [m/s].
func (t *run) dwell(amplitude, speed float64) {
	t.PlaceRolling(speed, 0)
	t.RunUntil(dwellEnd, func(now float64) {
		t.Input.Steer = amplitude * dwellSteer(now-dwellStart)
		if now < dwellStart {
			t.HoldSpeed(speed, 0)
		} else {
			t.Input.PushForce = 0
		}
	})
}

// evaluateDwell evaluates the run of one amplitude.
func evaluateDwell(t *run, amplitude float64) dwellRun {
	const done = dwellStart + dwellTime
	turned := rowsBetween(t.Fine.Rows, dwellStart+0.5/dwellFreq, done)
	second, _ := peak(turned, func(q *trial.Row) float64 { return -q.YawRate })
	yawRatio := func(after float64) float64 { return -valueAt(t.Fine.Rows, yawRateOf, done+after) / second }
	lateral := func(when float64) float64 {
		return valueAt(t.Fine.Rows, func(q *trial.Row) float64 { return q.Y }, when)
	}
	return dwellRun{
		amplitude: amplitude, yawRatio1: yawRatio(1), yawRatio175: yawRatio(1.75),
		offset:       lateral(dwellStart+1.07) - lateral(dwellStart),
		twoWheelLift: t.Lifts.OneSide, rolledOver: t.RolledOver(),
	}
}

// addDwellMetrics adds the metrics of the largest amplitude, and the verdicts over all amplitudes. angleA
// is the steering wheel angle A [rad], mass the car's [kg].
func (r *Result) addDwellMetrics(runs []dwellRun, angleA, mass float64, hasStability bool) {
	minOffset := 1.83 // [m]
	if mass > 3500 {
		minOffset = 1.52
	}
	passes1, passes175, passesOffset, upright := true, true, true, true
	for _, d := range runs {
		passes1 = passes1 && d.yawRatio1 <= 0.35
		passes175 = passes175 && d.yawRatio175 <= 0.20
		passesOffset = passesOffset && (d.amplitude < 5*angleA-1e-9 || d.offset >= minOffset)
		upright = upright && !d.twoWheelLift && !d.rolledOver
	}
	last := runs[len(runs)-1]
	r.add("yaw_ratio_1_0s", last.yawRatio1, "", "yaw rate 1.0 s after the steering over its second peak, at the largest amplitude; the standards allow 0.35")
	r.add("yaw_ratio_1_75s", last.yawRatio175, "", "yaw rate 1.75 s after the steering over its second peak, at the largest amplitude; the standards allow 0.20")
	r.add("lateral_1_07s_m", last.offset, "m", "lateral displacement 1.07 s after the beginning of the steering, at the largest amplitude; the standards require 1.83 m, 1.52 m above 3500 kg")
	r.add("steering_unit_deg", angleA/degree, "°", "A: steering wheel angle at 0.3 g")
	r.add("largest_amplitude_deg", last.amplitude/degree, "°", "largest steering wheel amplitude")
	r.addVerdict("pass_yaw_1_0s", passes1, "yaw rate at most 35 % after 1.0 s, at every amplitude")
	r.addVerdict("pass_yaw_1_75s", passes175, "yaw rate at most 20 % after 1.75 s, at every amplitude")
	r.addVerdict("pass_lateral", passesOffset, "displaced far enough, at 5 A and more")
	r.addVerdict("pass_upright", upright, "never two wheels of one side in the air")
	r.addVerdict("pass", passes1 && passes175 && passesOffset && upright, "all four criteria")
	r.addVerdict("rolled_over", last.rolledOver, "the car rolled over")
	text := "the steering begins to the left; the car coasts in neutral"
	if !hasStability {
		text += "; stability control is off"
	}
	r.Notes = append(r.Notes, text)
	r.Traces = dwellTraces(runs)
}

// dwellTraces plots the criteria over the amplitude.
func dwellTraces(runs []dwellRun) []Trace {
	after1, after175, offset := Series{Name: "1.0 s"}, Series{Name: "1.75 s"}, Series{Name: "1.07 s"}
	addPoint := func(s *Series, x, y float64) {
		if !math.IsNaN(y) {
			s.X, s.Y = append(s.X, x/degree), append(s.Y, y)
		}
	}
	for _, d := range runs {
		addPoint(&after1, d.amplitude, d.yawRatio1)
		addPoint(&after175, d.amplitude, d.yawRatio175)
		addPoint(&offset, d.amplitude, d.offset)
	}
	const x = "steering wheel amplitude [°]"
	return []Trace{
		{"Yaw rate after the steering", x, "share of the second peak", []Series{after1, after175}},
		{"Lateral displacement", x, "displacement [m]", []Series{offset}},
	}
}
