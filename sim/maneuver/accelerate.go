package maneuver

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"

	"rig.example/rig/sim"
	"rig.example/rig/sim/driver"
	"rig.example/rig/sim/road"
	"rig.example/rig/sim/trial"
)

const (
	foot1       = 0.3048    // [m], the rollout of drag strips
	quarterMile = 402.336   // [m]
	fullSpeeds  = 200 * kph // last speed that is timed
	accelEnds   = 120.0     // [s]
	least       = 0.1       // growth of the speed in 5 s that counts [m/s]
)

// accelerate drives off at full throttle, on a level straight road, as a good driver
// does who has tried how: times, way and shifts. Then the car pulls from 60 and from
// 80 km/h, in its best gear and in single ones.
func accelerate(p sim.Params, o Options) (*Result, error) {
	t, err := newRun(p, road.Asphalt(), o)
	if err != nil {
		return nil, err
	}
	d := driver.NewStraightLine(&t.Run)
	o.Progress(0.3)
	r := &Result{}
	run := sprintOf(d, o.Progress)
	r.Rows = t.Out.Rows
	r.judgeSprint(d, run)
	o.Progress(0.7)
	r.judgePulls(d)
	o.Progress(0.9)
	d.Style = driver.Style{Traction: cmp.Or(o.Assists.Traction, usualHelp)}
	run = sprintOf(d, nil)
	r.add("t_0_100_traction_s", run.times[1].At, "s", "0 to 100 km/h with full throttle and traction control")
	r.Traces = append(r.Traces, pullTrace(d.Pulls))
	return r, nil
}

// sprint is what a full acceleration leaves behind.
type sprint struct {
	times [4]trial.Gate // for 50, 100, 200 and 60 km/h
	ways  [3]trial.Gate // for 1 ft, a quarter mile and 1000 m
	rows  []trial.Row
}

// sprintOf accelerates from rest until everything is timed, or the car gets no faster.
func sprintOf(d *driver.StraightLine, progress func(float64)) sprint {
	t := d.Run
	d.Ready()
	run := sprint{
		times: [4]trial.Gate{trial.NewGate(50 * kph), trial.NewGate(100 * kph), trial.NewGate(fullSpeeds), trial.NewGate(60 * kph)},
		ways:  [3]trial.Gate{trial.NewGate(foot1), trial.NewGate(quarterMile), trial.NewGate(1000)},
	}
	from, was := t.State.Pos.X, -1.0
	for ready := false; t.Now() < accelEnds && !ready && !t.RolledOver(); {
		x, v := t.State.Pos.X-from, t.State.Speed
		if t.State.Tick%uint64(math.Round(5/t.Dt)) == 0 {
			if v < was+least && t.Now() > 10 {
				break
			}
			was = v
			if progress != nil {
				progress(min(0.3+0.4*t.Now()/40, 0.7))
			}
		}
		d.Step()
		ready = true
		for i := range run.times {
			ready = run.times[i].Watch(t.Now(), t.Dt, v, t.State.Speed) && ready
		}
		for i := range run.ways {
			ready = run.ways[i].Watch(t.Now(), t.Dt, x, t.State.Pos.X-from) && ready
		}
	}
	for range 2 * int(math.Ceil(t.Fine.Every)) { // a row behind the last gate
		d.Step()
	}
	run.rows = t.Fine.Rows
	return run
}

func (r *Result) judgeSprint(d *driver.StraightLine, run sprint) {
	vx := func(q *trial.Row) float64 { return q.Vx }
	r.add("t_0_50_s", run.times[0].At, "s", "0 to 50 km/h from rest, from when the throttle goes down")
	r.add("t_0_100_s", run.times[1].At, "s", "0 to 100 km/h")
	r.add("t_0_200_s", run.times[2].At, "s", "0 to 200 km/h")
	r.add("rollout_1ft_s", run.ways[0].At, "s", "for the first foot, which drag strips and some testers leave out")
	r.add("quarter_mile_s", run.ways[1].At, "s", "402.3 m from rest")
	r.add("quarter_mile_kph", at(run.rows, vx, run.ways[1].At)/kph, "km/h", "speed there")
	r.add("t_1000_m_s", run.ways[2].At, "s", "1000 m from rest")
	r.add("v_1000_m_kph", at(run.rows, vx, run.ways[2].At)/kph, "km/h", "speed there")
	r.add("shifts", float64(d.Shifts), "", "changes of gear until the last of these")
	r.add("max_ax_mps2", steepest(run.rows), "m/s²", "largest acceleration, as a mean over 0.2 s")
	r.Notes = append(r.Notes, "the quickest start of those tried: "+d.Style.String())
	if d.Pulls == nil {
		r.Notes = append(r.Notes, "the box chooses its gears: full throttle kicks down")
	}
}

// steepest returns the largest mean acceleration over 0.2 s.
func steepest(rows []trial.Row) float64 {
	const span = int(0.2 * trial.FineRate)
	most := math.NaN()
	ax := values(rows, func(q *trial.Row) float64 { return q.Ax })
	for i := span; i <= len(ax); i += 4 {
		if m := stat.Mean(ax[i-span:i], nil); !(m <= most) {
			most = m
		}
	}
	return most
}

// judgePulls times the car from 60 to 100 and from 80 to 120 km/h.
func (r *Result) judgePulls(d *driver.StraightLine) {
	for _, k := range []struct{ from, to float64 }{{60, 100}, {80, 120}} {
		name := fmt.Sprintf("t_%g_%g", k.from, k.to)
		text := fmt.Sprintf("%g to %g km/h", k.from, k.to)
		best := pullThrough(d, gearAt(d, k.from*kph), k.from*kph, k.to*kph, true)
		all := &Result{}
		for gear := 3; gear <= len(d.Pulls); gear++ {
			if d.Pulls[gear-1].Revs*k.from*kph < 1.5*d.Run.Params.Driveline.Idle*math.Pi/30 {
				break
			}
			took := pullThrough(d, int8(gear), k.from*kph, k.to*kph, false)
			if !math.IsNaN(took) {
				best = min(best, took)
				all.add(fmt.Sprintf("%s_gear_%d_s", name, gear), took, "s", fmt.Sprintf("%s in gear %d", text, gear))
			}
		}
		r.add(name+"_s", best, "s", text+", kicked down or in the quickest gears")
		r.Metrics = append(r.Metrics, all.Metrics...)
	}
}

// gearAt returns the gear that pulls most at a speed [m/s].
func gearAt(d *driver.StraightLine, speed float64) int8 {
	for i := range d.Pulls {
		if speed < d.Pulls[i].Until {
			return int8(i + 1)
		}
	}
	return 1
}

// pullThrough floors the throttle at a speed in a gear and returns how long it takes to
// another [m/s], NaN where the gear does not get there.
func pullThrough(d *driver.StraightLine, gear int8, from, to float64, shifting bool) float64 {
	const longest = 60.0 // [s]
	t := d.Run
	t.Roll(from, gear)
	d.Lever, d.Closed, d.Lane = gear, true, driver.LaneKeeper{}
	end := trial.NewGate(to)
	for t.Now() < longest && !t.RolledOver() {
		was := t.State.Speed
		if shifting {
			d.Step()
		} else {
			d.Hands()
			d.Pedals()
			t.Step()
		}
		if end.Watch(t.Now(), t.Dt, was, t.State.Speed) {
			return end.At
		}
	}
	return math.NaN()
}

// pullTrace draws what each gear is good for.
func pullTrace(pulls []driver.Pull) Trace {
	tr := Trace{Title: "Full throttle", XLabel: "speed [km/h]", YLabel: "acceleration [m/s²]"}
	for i, p := range pulls {
		s := Series{Name: fmt.Sprintf("gear %d", i+1)}
		for k := range p.Speed {
			s.X, s.Y = append(s.X, p.Speed[k]/kph), append(s.Y, p.Ax[k])
		}
		if len(s.X) > 1 {
			tr.Series = append(tr.Series, s)
		}
	}
	return tr
}
