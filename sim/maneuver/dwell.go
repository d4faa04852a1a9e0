package maneuver

import (
	"errors"
	"math"
)

const (
	dwellStart = 1.1 // start of steering [s]: the zeroing range is the second before it
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
	offset                   float64 // lateral displacement 1.07 s after the beginning of steer [m]
	twoWheelLift, rolledOver bool
}

// dwellSides are the sides of the first steering of the two series: left (counterclockwise) and right.
func dwellSides() [2]float64 { return [2]float64{1, -1} }

// sineDwell runs UN R140 and FMVSS 126: A is the steering wheel angle at 0.3 g in a ramp of 13.5 °/s at
// 80 km/h; then follow sines with dwell of 1.5 A, 2 A and so on up to the larger of 6.5 A and 270°, but
// no more than 300° (S7.9.2 to S7.9.4 of 49 CFR 571.126). One series steers to the left first, the other to
// the right (S7.9). The car coasts in neutral from the entry speed. The recording is that of the last run to
// the left first.
func sineDwell(t *run, r *Result, o Options) error {
	var units [2]float64
	var err error
	for i, side := range dwellSides() {
		if units[i], err = t.measureDwellAngle(o, side); err != nil {
			return err
		}
	}
	angleA := (units[0] + units[1]) / 2
	amplitudes := dwellAmplitudes(angleA, t.Lock)
	var series [2][]dwellRun
	for i, side := range dwellSides() {
		series[i] = t.dwellSeries(o, side, amplitudes, float64(i)/2)
		if i == 0 {
			r.Rows = t.Out.Rows
		}
	}
	r.addDwellMetrics(series, units, t.given.Mass)
	r.addDwellNotes(o.Assists.Stability > 0)
	r.Traces = dwellTraces(series)
	return nil
}

// dwellSeries drives all amplitudes [rad] to a side, until the car rolls over. done is the share of the work
// that is done before.
func (t *run) dwellSeries(o Options, side float64, amplitudes []float64, done float64) (runs []dwellRun) {
	for i, amplitude := range amplitudes {
		t.dwell(side*amplitude, o.Speed)
		runs = append(runs, evaluateDwell(t, side, amplitude))
		o.Progress(done + float64(i+1)/float64(len(amplitudes))/2)
		if t.RolledOver() {
			break
		}
	}
	return runs
}

// measureDwellAngle returns the steering wheel angle at a lateral acceleration of 0.3 g in a slow ramp to a
// side [rad], positive for both (S7.6). A is the mean of both sides (S7.6.1), here not rounded to 0.1°, which
// would be much for a car with direct steering.
func (t *run) measureDwellAngle(o Options, side float64) (float64, error) {
	const rate, level = 13.5 * degree, 0.3 * gravity // [rad/s at the steering wheel], [m/s²]
	t.PlaceRolling(o.Speed, 0)
	quiet := o
	quiet.Progress = func(float64) {}
	t.slowRamp(quiet, side*rate*t.MaxRoadWheelAngle()/t.Lock, 1.3*level)
	rows := t.Fine.Rows
	for i := range rows {
		rows[i].Steer, rows[i].Ay = side*rows[i].Steer, side*rows[i].Ay
	}
	angle := steeringAngleFor(t, rows, level)
	if !(angle > 0) {
		return 0, errors.New("the car does not reach 0.3 g at this speed: choose a higher one")
	}
	return angle, nil
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

// dwell drives one sine with dwell of an amplitude [rad at the steering wheel, negative if the first steering
// is to the right] from a speed [m/s].
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

// evaluateDwell evaluates the run of one amplitude, whose first steering is to a side.
func evaluateDwell(t *run, side, amplitude float64) dwellRun {
	d := newDwellData(t, side)
	return dwellRun{
		amplitude: amplitude, yawRatio1: d.yawRatio(1), yawRatio175: d.yawRatio(1.75), offset: d.displacement(),
		twoWheelLift: t.Lifts.OneSide, rolledOver: t.RolledOver(),
	}
}

// addDwellMetrics adds the metrics of the largest amplitude, and the verdicts over all amplitudes (S5.2). units
// are the steering wheel angles at 0.3 g to both sides [rad], mass is the car's [kg].
func (r *Result) addDwellMetrics(series [2][]dwellRun, units [2]float64, mass float64) {
	minOffset, angleA := 1.83, (units[0]+units[1])/2 // [m], [rad]
	if mass > 3500 {
		minOffset = 1.52
	}
	passes1, passes175, passesOffset, upright, rolledOver := true, true, true, true, false
	for _, runs := range series {
		for _, d := range runs {
			isResponsive := d.offset >= minOffset || d.amplitude < max(5*angleA, 5*degree)-1e-9
			passes1 = passes1 && d.yawRatio1 <= 0.35
			passes175 = passes175 && d.yawRatio175 <= 0.20
			passesOffset = passesOffset && isResponsive
			upright = upright && !d.twoWheelLift && !d.rolledOver
			rolledOver = rolledOver || d.rolledOver
		}
	}
	left, right := series[0][len(series[0])-1], series[1][len(series[1])-1]
	r.addDwellFigures(left, right)
	r.add("steering_unit_deg", angleA/degree, "°", "A: steering wheel angle at 0.3 g, mean of left and right")
	r.add("steering_unit_left_deg", units[0]/degree, "°", "steering wheel angle at 0.3 g to the left")
	r.add("steering_unit_right_deg", units[1]/degree, "°", "steering wheel angle at 0.3 g to the right")
	r.add("largest_amplitude_deg", max(left.amplitude, right.amplitude)/degree, "°", "largest steering wheel amplitude")
	r.addVerdict("pass_yaw_1_0s", passes1, "yaw rate at most 35 % after 1.0 s, at every amplitude, both ways")
	r.addVerdict("pass_yaw_1_75s", passes175, "yaw rate at most 20 % after 1.75 s, at every amplitude, both ways")
	r.addVerdict("pass_lateral", passesOffset, "displaced far enough, at 5 A and more, both ways")
	r.addVerdict("pass_upright", upright, "never two wheels of one side in the air")
	r.addVerdict("pass", passes1 && passes175 && passesOffset && upright, "all four criteria")
	r.addVerdict("rolled_over", rolledOver, "the car rolled over")
}

// addDwellFigures adds the figures of the last run of each series, and the worse of both.
func (r *Result) addDwellFigures(left, right dwellRun) {
	const at, worse = "at the largest amplitude", ", the worse of both series"
	after1 := "yaw rate 1.0 s after the completion of steer over its second peak, " + at
	after175 := "yaw rate 1.75 s after the completion of steer over its second peak, " + at
	aside := "lateral displacement 1.07 s after the beginning of steer, where the steering wheel reaches 5°, " + at
	r.add("yaw_ratio_1_0s", math.Max(left.yawRatio1, right.yawRatio1), "", after1+worse+"; the standards allow 0.35")
	r.add("yaw_ratio_1_75s", math.Max(left.yawRatio175, right.yawRatio175), "", after175+worse+"; the standards allow 0.20")
	r.add("lateral_1_07s_m", math.Min(left.offset, right.offset), "m", aside+worse+": the lateral acceleration integrated twice; the standards require 1.83 m, 1.52 m above 3500 kg")
	for i, d := range [2]dwellRun{left, right} {
		side := [2]string{"left", "right"}[i]
		first := ", " + side + " first"
		r.add("yaw_ratio_1_0s_"+side+"_first", d.yawRatio1, "", after1+first)
		r.add("yaw_ratio_1_75s_"+side+"_first", d.yawRatio175, "", after175+first)
		r.add("lateral_1_07s_"+side+"_first_m", d.offset, "m", aside+first)
	}
}

// addDwellNotes adds what a reader of the metrics should know.
func (r *Result) addDwellNotes(hasStability bool) {
	text := "one series of runs steers to the left first, one to the right; the car coasts in neutral"
	if !hasStability {
		text += "; stability control is off"
	}
	r.Notes = append(r.Notes, text)
}

// dwellTraces plots the criteria over the amplitude.
func dwellTraces(series [2][]dwellRun) []Trace {
	const x = "steering wheel amplitude [°]"
	yaw := Trace{"Yaw rate after the steering", x, "share of the second peak", nil}
	aside := Trace{"Lateral displacement", x, "displacement [m]", nil}
	for i, runs := range series {
		first := [2]string{", left first", ", right first"}[i]
		line := func(name string, value func(d *dwellRun) float64) Series {
			s := Series{Name: name + first}
			for k := range runs {
				if y := value(&runs[k]); !math.IsNaN(y) {
					s.X, s.Y = append(s.X, runs[k].amplitude/degree), append(s.Y, y)
				}
			}
			return s
		}
		yaw.Series = append(yaw.Series, line("1.0 s", func(d *dwellRun) float64 { return d.yawRatio1 }),
			line("1.75 s", func(d *dwellRun) float64 { return d.yawRatio175 }))
		aside.Series = append(aside.Series, line("1.07 s", func(d *dwellRun) float64 { return d.offset }))
	}
	return []Trace{yaw, aside}
}
