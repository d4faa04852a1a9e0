package maneuver

import (
	"math"

	"rig.example/rig/sim"
	"rig.example/rig/sim/road"
	"rig.example/rig/sim/tire"
	"rig.example/rig/sim/trial"
)

const (
	bumpAhead  = 5.0  // of the centre of mass at time 0 [m]
	bumpHeight = 0.05 // [m]
	bumpLength = 0.40 // [m]
	bumpAfter  = 3.0  // recorded after it [s]
	bumpLong   = 60.0 // recorded at most [s]
)

// bump rolls over a cosine bump 5 cm high and 40 cm long, once with both sides and
// once with the left one, in neutral, the steering wheel held straight.
func bump(p sim.Params, o Options) (*Result, error) {
	both, err := overBump(p, o, false)
	if err != nil {
		return nil, err
	}
	o.Progress(0.5)
	one, err := overBump(p, o, true)
	if err != nil {
		return nil, err
	}
	r := &Result{Speed: o.Speed, Rows: both.Out.Rows, Notes: []string{"the recording is of the run over both sides"}}
	for _, run := range []struct {
		t            *run
		prefix, text string
	}{{both, "both", "both sides"}, {one, "one", "the left side"}} {
		r.judgeBump(run.t, run.prefix, run.text)
	}
	r.Traces = []Trace{
		bumpTrace("Height of the centre of mass", "height [m]", both, one, func(q *trial.Row) float64 { return q.Z }, 1),
		bumpTrace("Pitch angle", "pitch [°]", both, one, func(q *trial.Row) float64 { return q.Pitch }, 1/degree),
		bumpTrace("Roll angle", "roll [°]", both, one, func(q *trial.Row) float64 { return q.Roll }, 1/degree),
	}
	return r, nil
}

func overBump(p sim.Params, o Options, left bool) (*run, error) {
	g := bumpRoad{road.Asphalt(), bumpAhead, bumpLength, bumpHeight, left}
	t, err := newRun(p, g, o)
	if err != nil {
		return nil, err
	}
	t.Roll(o.Speed, 0)
	t.Until(min((bumpAhead+p.Wheelbase)/o.Speed+bumpAfter, bumpLong), func(float64) {})
	return t, nil
}

func (r *Result) judgeBump(t *run, prefix, text string) {
	rows := t.Fine.Rows
	size := func(f signal) float64 {
		v, _ := peak(rows, func(q *trial.Row) float64 { return math.Abs(f(q)) })
		return v
	}
	z := func(q *trial.Row) float64 { return q.Z - rows[0].Z }
	up, _ := peak(rows, z)
	load, _ := peak(rows, func(q *trial.Row) float64 { return max(q.Fz[tire.FL], q.Fz[tire.FR], q.Fz[tire.RL], q.Fz[tire.RR]) })
	r.add(prefix+"_rise_m", up, "m", "largest rise of the centre of mass, over "+text)
	r.add(prefix+"_pitch_deg", size(func(q *trial.Row) float64 { return q.Pitch - rows[0].Pitch })/degree, "°", "largest pitch angle, over "+text)
	r.add(prefix+"_roll_deg", size(func(q *trial.Row) float64 { return q.Roll })/degree, "°", "largest roll angle, over "+text)
	r.add(prefix+"_max_load_n", load, "N", "largest wheel load, over "+text)
	r.add(prefix+"_wheel_lift_m", t.Lifts.Highest, "m", "how high a wheel leaps off the ground, over "+text)
	r.add(prefix+"_aside_m", rows[len(rows)-1].Y-rows[0].Y, "m", "displacement to the left at the end, over "+text)
	r.add(prefix+"_settle_s", settle(rows, z), "s", "from the first rise until the centre of mass stays within 2 mm, over "+text)
}

// settle returns how long a signal stays away from 0 by more than 2 mm.
func settle(rows []trial.Row, f signal) float64 {
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

func bumpTrace(title, label string, both, one *run, f signal, by float64) Trace {
	now := func(q *trial.Row) float64 { return q.T }
	return Trace{title, "time [s]", label, []Series{
		line("both sides", both.Fine.Rows, now, 1, f, by),
		line("left side", one.Fine.Rows, now, 1, f, by),
	}}
}
