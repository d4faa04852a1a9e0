package maneuver

import (
	"math"

	"rig.example/rig/sim"
	"rig.example/rig/sim/driver"
	"rig.example/rig/sim/road"
	"rig.example/rig/sim/trial"
)

// topSpeed accelerates on a level straight road without an end until the car gets no
// faster, in the gear that proves the fastest.
func topSpeed(p sim.Params, o Options) (*Result, error) {
	t, err := newRun(p, road.Asphalt(), o)
	if err != nil {
		return nil, err
	}
	d := driver.NewStraightLine(&t.Run)
	d.Ready()
	from := t.State.Pos.X
	top, settled := settleTop(d, d.Step, o.Progress)
	r := &Result{Rows: t.Out.Rows}
	rows, best := t.Fine.Rows, t.State
	for _, gear := range neighbours(d) {
		saved, lever := *t, d.Lever
		d.Lever = gear
		other, _ := settleTop(d, func() { keep(d) }, nil)
		if other > top {
			top, best = other, t.State
		}
		*t, d.Lever = saved, lever
	}
	if best.Driveline.Gear < d.Lever && d.Pulls != nil { // once more, without the gears beyond
		d.Pulls = d.Pulls[:best.Driveline.Gear]
		d.Ready()
		from = t.State.Pos.X
		settleTop(d, d.Step, nil)
		rows, r.Rows = t.Fine.Rows, t.Out.Rows
	}
	r.judgeTop(d, rows, from, top, &best)
	if !settled {
		r.Notes = append(r.Notes, "still gaining speed after 900 s")
	}
	return r, nil
}

// neighbours are the gears beside the lever's, where it is by hand.
func neighbours(d *driver.StraightLine) []int8 {
	var list []int8
	if d.Pulls == nil || d.Shifting {
		return nil
	}
	if d.Lever > 1 {
		list = append(list, d.Lever-1)
	}
	if int(d.Lever) < len(d.Pulls) {
		list = append(list, d.Lever+1)
	}
	return list
}

// keep drives a tick at full throttle without a change of gear.
func keep(d *driver.StraightLine) {
	d.Hands()
	d.Run.Input.Throttle = driver.MovePedal(d.Run.Input.Throttle, 1, d.Run.Dt)
	d.Run.Step()
}

// settleTop drives until the mean speed over 5 s no longer grows, and returns that [m/s].
func settleTop(d *driver.StraightLine, drive func(), progress func(float64)) (top float64, settled bool) {
	const span, least, longest = 5.0, 0.003, 900.0 // [s], [m/s], [s]
	t := d.Run
	ticks := int(math.Round(span / t.Dt))
	was := math.Inf(-1)
	for start := t.Now(); t.Now() < start+longest && !t.RolledOver(); {
		sum := 0.0
		for range ticks {
			drive()
			sum += t.State.Speed
		}
		top = sum / float64(ticks)
		if top < was+least && t.Now() > start+2*span {
			return top, true
		}
		if progress != nil {
			progress(min(0.95, 1-1/(1+(t.Now()-start)/30)))
		}
		was = top
	}
	return top, false
}

func (r *Result) judgeTop(d *driver.StraightLine, rows []trial.Row, from, top float64, s *sim.State) {
	const near = 0.99
	then := reaches(rows, func(q *trial.Row) float64 { return q.Vx }, near*top)
	r.add("top_speed_kph", top/kph, "km/h", "where the car gets no faster, in its best gear")
	r.add("gear", float64(s.Driveline.Gear), "", "engaged there")
	r.add("rpm", s.RPM(), "1/min", "of the engine there")
	r.add("t_to_99pct_s", then, "s", "from rest to 99 % of it")
	r.add("distance_to_99pct_m", at(rows, func(q *trial.Row) float64 { return q.X }, then)-from, "m", "way from rest to 99 % of it")
	if d.Pulls == nil {
		r.Notes = append(r.Notes, "the box chooses its gears")
	}
}
