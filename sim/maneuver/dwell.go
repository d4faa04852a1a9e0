package maneuver

import (
	"errors"
	"math"

	"rig.example/rig/sim"
	"rig.example/rig/sim/road"
	"rig.example/rig/sim/trial"
)

const (
	dwellAt   = 0.5 // when the steering begins [s]
	dwellFreq = 0.7 // [Hz]
	dwellHold = 0.5 // at the second peak [s]
	dwellTime = 1/dwellFreq + dwellHold
	dwellEnds = dwellAt + dwellTime + 2.0
)

// dwellSteer is the sine with dwell, 1 at its first peak, after the time since its
// start [s].
func dwellSteer(t float64) float64 {
	const second = 0.75 / dwellFreq // when the second peak is reached
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

// dwellRun is what one amplitude left behind.
type dwellRun struct {
	wheel        float64 // amplitude at the steering wheel [rad]
	ratio, later float64 // yaw rate 1.0 s and 1.75 s after the steering over its second peak
	aside        float64 // from the straight path, 1.07 s after its beginning [m]
	lifted, over bool
}

// sineDwell runs UN R140 and FMVSS 126: A is the steering wheel angle at 0.3 g of a
// ramp of 13.5 °/s at 80 km/h; then sines with dwell of 1.5 A, 2 A … up to the
// larger of 6.5 A and 270°, but no more than 300°. The car coasts from the entry
// speed on, in neutral.
func sineDwell(p sim.Params, o Options) (*Result, error) {
	t, err := newRun(p, road.Asphalt(), o)
	if err != nil {
		return nil, err
	}
	unit, err := t.dwellUnit(o)
	if err != nil {
		return nil, err
	}
	sizes := dwellSizes(unit, t.Lock)
	var runs []dwellRun
	for i, size := range sizes {
		t.dwell(size, o.Speed)
		runs = append(runs, judgeDwell(t, size))
		o.Progress(float64(i+1) / float64(len(sizes)))
		if t.RolledOver() {
			break
		}
	}
	r := &Result{Speed: o.Speed, Rows: t.Out.Rows}
	r.judgeDwells(runs, unit, p.Mass, o.Assists.Stability > 0)
	return r, nil
}

// dwellUnit returns A [rad].
func (t *run) dwellUnit(o Options) (float64, error) {
	const rate, level = 13.5 * degree, 0.3 * gravity // [rad/s at the steering wheel], [m/s²]
	t.Roll(o.Speed, 0)
	quiet := o
	quiet.Progress = func(float64) {}
	t.slowRamp(quiet, rate*t.MostRoad()/t.Lock, 1.3*level)
	a := angleFor(t, t.Fine.Rows, level)
	if !(a > 0) {
		return 0, errors.New("the car does not reach 0.3 g at this speed: choose a higher one")
	}
	return a, nil
}

// dwellSizes returns the amplitudes [rad].
func dwellSizes(unit, lock float64) []float64 {
	last := min(max(6.5*unit, 270*degree), 300*degree, lock)
	var sizes []float64
	for k := 3.0; k*unit/2 < last-1e-9; k++ {
		sizes = append(sizes, k*unit/2)
	}
	return append(sizes, last)
}

func (t *run) dwell(size, speed float64) {
	t.Roll(speed, 0)
	t.Until(dwellEnds, func(now float64) {
		t.Input.Steer = size * dwellSteer(now-dwellAt)
		if now < dwellAt {
			t.HoldSpeed(speed, 0)
		} else {
			t.Input.Push = 0
		}
	})
}

func judgeDwell(t *run, size float64) dwellRun {
	const done = dwellAt + dwellTime
	turned := during(t.Fine.Rows, dwellAt+0.5/dwellFreq, done)
	second, _ := peak(turned, func(q *trial.Row) float64 { return -q.YawRate })
	rate := func(after float64) float64 { return -at(t.Fine.Rows, yawOf, done+after) / second }
	aside := func(when float64) float64 {
		return at(t.Fine.Rows, func(q *trial.Row) float64 { return q.Y }, when)
	}
	return dwellRun{
		wheel: size, ratio: rate(1), later: rate(1.75),
		aside:  aside(dwellAt+1.07) - aside(dwellAt),
		lifted: t.Lifts.Pairs, over: t.RolledOver(),
	}
}

// judgeDwells gives the largest amplitude's figures and the verdict over all.
func (r *Result) judgeDwells(runs []dwellRun, unit, mass float64, stable bool) {
	least := 1.83 // [m]
	if mass > 3500 {
		least = 1.52
	}
	fast, later, aside, upright := true, true, true, true
	for _, d := range runs {
		fast = fast && d.ratio <= 0.35
		later = later && d.later <= 0.20
		aside = aside && (d.wheel < 5*unit-1e-9 || d.aside >= least)
		upright = upright && !d.lifted && !d.over
	}
	last := runs[len(runs)-1]
	r.add("yaw_ratio_1_0s", last.ratio, "", "yaw rate 1.0 s after the steering over its second peak, at the largest amplitude")
	r.add("yaw_ratio_1_75s", last.later, "", "the same 1.75 s after the steering")
	r.add("lateral_1_07s_m", last.aside, "m", "lateral displacement 1.07 s after the beginning of the steering, at the largest amplitude")
	r.add("steering_unit_deg", unit/degree, "°", "A: steering wheel angle at 0.3 g")
	r.add("largest_amplitude_deg", last.wheel/degree, "°", "largest steering wheel amplitude")
	r.say("pass_yaw_1_0s", fast, "yaw rate at most 35 % after 1.0 s, at every amplitude")
	r.say("pass_yaw_1_75s", later, "yaw rate at most 20 % after 1.75 s, at every amplitude")
	r.say("pass_lateral", aside, "displaced far enough, at 5 A and more")
	r.say("pass_upright", upright, "never two wheels of one side in the air")
	r.say("pass", fast && later && aside && upright, "all four criteria")
	r.say("rolled_over", last.over, "the car rolled over")
	text := "the steering begins to the left; the car coasts in neutral"
	if !stable {
		text += "; stability control is off"
	}
	r.Notes = append(r.Notes, text)
	r.Traces = dwellTraces(runs)
}

func dwellTraces(runs []dwellRun) []Trace {
	ratio, later, aside := Series{Name: "1.0 s"}, Series{Name: "1.75 s"}, Series{Name: "1.07 s"}
	note := func(s *Series, x, y float64) {
		if !math.IsNaN(y) {
			s.X, s.Y = append(s.X, x/degree), append(s.Y, y)
		}
	}
	for _, d := range runs {
		note(&ratio, d.wheel, d.ratio)
		note(&later, d.wheel, d.later)
		note(&aside, d.wheel, d.aside)
	}
	const x = "steering wheel amplitude [°]"
	return []Trace{
		{"Yaw rate after the steering", x, "share of the second peak", []Series{ratio, later}},
		{"Lateral displacement", x, "displacement [m]", []Series{aside}},
	}
}
