package maneuver

import (
	"math"

	"rig.example/rig/road"
	"rig.example/rig/sim"
	"rig.example/rig/sim/tire"
	"rig.example/rig/sim/trial"
)

const (
	bumpStart     = 5.0  // position of the bump's start; the center of mass is at 0 at time 0 [m]
	bumpHeight    = 0.05 // [m]
	bumpLength    = 0.40 // [m]
	bumpAfterTime = 3.0  // time that is recorded after the bump [s]
	maxBumpTime   = 60.0 // time limit of the recording [s]
)

// bump rolls over a cosine bump 5 cm high and 40 cm long, once with both sides and once with the left
// one, in neutral and with the steering wheel held straight.
func bump(p sim.Params, o Options) (*Result, error) {
	both, err := driveOverBump(p, o, false)
	if err != nil {
		return nil, err
	}
	o.Progress(0.5)
	one, err := driveOverBump(p, o, true)
	if err != nil {
		return nil, err
	}
	r := &Result{Speed: o.Speed, Rows: both.Out.Rows, Notes: []string{"the recording is of the run over both sides"}}
	for _, run := range []struct {
		t            *run
		prefix, text string
	}{{both, "both", "both sides"}, {one, "one", "the left side"}} {
		r.addBumpMetrics(run.t, run.prefix, run.text)
	}
	r.Traces = []Trace{
		bumpTrace("Height of the center of mass", "height [m]", both, one, func(q *trial.Row) float64 { return q.Z }, 1),
		bumpTrace("Pitch angle", "pitch [°]", both, one, func(q *trial.Row) float64 { return q.Pitch }, 1/degree),
		bumpTrace("Roll angle", "roll [°]", both, one, rollOf, 1/degree),
	}
	return r, nil
}

// driveOverBump drives over the bump and returns the run with its recordings. With left, the bump is
// below the left wheels only.
func driveOverBump(p sim.Params, o Options, left bool) (*run, error) {
	g := bumpRoad{road.Asphalt(), bumpStart, bumpLength, bumpHeight, left}
	t, err := newRun(p, g, o)
	if err != nil {
		return nil, err
	}
	t.PlaceRolling(o.Speed, 0)
	t.RunUntil(min((bumpStart+p.Wheelbase)/o.Speed+bumpAfterTime, maxBumpTime), func(float64) {})
	return t, nil
}

// addBumpMetrics adds the metrics of one run, whose names begin with prefix.
func (r *Result) addBumpMetrics(t *run, prefix, text string) {
	rows := t.Fine.Rows
	rise := func(q *trial.Row) float64 { return q.Z - rows[0].Z }
	maxRise, _ := peak(rows, rise)
	load, _ := peak(rows, func(q *trial.Row) float64 { return max(q.Fz[tire.FL], q.Fz[tire.FR], q.Fz[tire.RL], q.Fz[tire.RR]) })
	r.add(prefix+"_rise_m", maxRise, "m", "largest rise of the center of mass, over "+text)
	r.add(prefix+"_pitch_deg", maxAbs(rows, func(q *trial.Row) float64 { return q.Pitch - rows[0].Pitch })/degree, "°", "largest pitch angle, over "+text)
	r.add(prefix+"_roll_deg", maxAbs(rows, rollOf)/degree, "°", "largest roll angle, over "+text)
	r.add(prefix+"_max_load_n", load, "N", "largest wheel load, over "+text)
	r.add(prefix+"_wheel_lift_m", t.Lifts.MaxHeight, "m", "largest height of a wheel above the ground, over "+text)
	r.add(prefix+"_aside_m", rows[len(rows)-1].Y-rows[0].Y, "m", "displacement to the left at the end, over "+text)
	r.add(prefix+"_settle_s", timeToSettle(rows, rise), "s", "from the first rise until the center of mass stays within 2 mm, over "+text)
}

// timeToSettle returns the time [s] from the first to the last row in which the absolute value of a
// signal [m] exceeds 2 mm.
func timeToSettle(rows []trial.Row, f signal) float64 {
	const band = 0.002 // [m]
	first, last := -1, -1
	for i := range rows {
		if math.Abs(f(&rows[i])) > band {
			last = i
			if first < 0 {
				first = i
			}
		}
	}
	if first < 0 {
		return 0
	}
	return rows[last].T - rows[first].T
}

// bumpTrace plots a signal of both runs over time.
func bumpTrace(title, label string, both, one *run, f signal, factor float64) Trace {
	return Trace{title, "time [s]", label, []Series{
		line("both sides", both.Fine.Rows, timeOf, 1, f, factor),
		line("left side", one.Fine.Rows, timeOf, 1, f, factor),
	}}
}
