package maneuver

import (
	"fmt"
	"math"

	"rig.example/rig/sim"
	"rig.example/rig/sim/driver"
	"rig.example/rig/sim/road"
	"rig.example/rig/sim/trial"
)

const (
	mooseAhead = 10.0  // of the front bumper before the first cones at time 0 [m]
	mooseOff   = 2.0   // behind the first cones the throttle is released [m]
	mooseFirst = 40.0  // where the search for a speed begins [km/h]
	mooseMost  = 180.0 // where it ends at the latest [km/h]
	mooseLeast = 5.0   // driven where no speed is clean [km/h]

	mooseFaults = coneCount + 1
)

// mooseRun is one passage.
type mooseRun struct {
	t      *run
	asked  float64 // entry speed [m/s]
	entry  float64 // speed where the throttle is released [m/s]
	lasted float64 // [s]
	hits   int     // cones
	clean  bool
	amiss  [mooseFaults]float64 // how far the body was beyond each cone, and last how near to tipping [m]
	line   *driver.LaneChanges
	course coneCourse
}

// moose drives the obstacle avoidance of ISO 3888-2, to the left. The throttle
// holds the speed up to 2 m behind the first cones and is released there; the gear
// is the highest in which the engine turns at 2000 rpm, below 40 km/h neutral, for
// an engine's brake would stop the car on the way. The driver is a closed loop who
// practises at each speed until a run is clean. Where none is, the run is that of a
// driver who is taken by surprise.
// Without a speed, the highest entry speed of a clean run is searched for, to 1 km/h.
func moose(p sim.Params, o Options) (*Result, error) {
	return mooseTo(p, o, 1)
}

// mooseTo drives it to the left (1) or to the right (-1).
func mooseTo(p sim.Params, o Options, side float64) (*Result, error) {
	t, err := newRun(p, road.Asphalt(), o)
	if err != nil {
		return nil, err
	}
	d := mooseDay{t: t, side: side, progress: o.Progress}
	if o.Speed > 0 {
		return d.at(o.Speed).judged(), nil
	}
	r, best := d.search()
	r.add("highest_clean_kph", best, "km/h", "highest entry speed of a clean run, searched in steps of 1 km/h")
	return r, nil
}

// mooseDay is a day on the course.
type mooseDay struct {
	t        *run
	side     float64
	progress func(float64)
}

// search looks for the highest speed of a clean run [km/h], in steps of 10 km/h up or
// down and then by halving, and returns that run. If there is none, the speed is 0 and
// the run one at the least speed.
func (d *mooseDay) search() (*Result, float64) {
	r, best, miss := d.bracket()
	for r != nil && miss-best > 1 {
		speed := math.Floor((best + miss) / 2)
		if better := d.clean(speed); better != nil {
			r, best = better, speed
		} else {
			miss = speed
		}
	}
	if r == nil {
		r = d.surprise(mooseLeast * kph).judged()
	}
	return r, best
}

// bracket returns a clean run, its speed, and a higher one that is not clean [km/h].
func (d *mooseDay) bracket() (r *Result, best, miss float64) {
	const step = 10.0
	for miss = mooseFirst; miss <= mooseMost; miss += step {
		better := d.clean(miss)
		if better == nil {
			break
		}
		r, best = better, miss
	}
	for speed := mooseFirst - step; r == nil && speed > mooseLeast; speed -= step {
		if r, best = d.clean(speed), speed; r == nil {
			best, miss = 0, speed
		}
	}
	return r, best, miss
}

// clean returns a clean run at a speed [km/h], nil if there is none.
func (d *mooseDay) clean(speed float64) *Result {
	d.progress(min(speed/mooseMost, 1))
	if run := d.attempt(speed * kph); run != nil {
		return run.judged()
	}
	return nil
}

// attempt returns a clean run at a speed [m/s], nil if there is none. It depends on
// no other speed, so that the one that was found is clean when it is asked for.
func (d *mooseDay) attempt(speed float64) *mooseRun {
	d.t.enter(speed)
	start := *d.t
	p := practice{left: practiceTime, drive: func(w mooseWay) *mooseRun {
		*d.t = start
		return d.t.pass(speed, d.side, &w)
	}}
	return p.clean()
}

// at returns a clean run at a speed [m/s], or else a surprised driver's.
func (d *mooseDay) at(speed float64) *mooseRun {
	if run := d.attempt(speed); run != nil {
		return run
	}
	return d.surprise(speed)
}

// surprise returns the run of a driver who tears the wheel round at a speed [m/s].
func (d *mooseDay) surprise(speed float64) *mooseRun {
	d.t.enter(speed)
	way := roughWay()
	return d.t.pass(speed, d.side, &way)
}

// enter brings the car before the course at a speed [m/s].
func (t *run) enter(speed float64) {
	o := outlineOf(&t.Params)
	gear := int8(0)
	if speed >= 40*kph {
		gear = t.gearFor(speed)
	}
	t.RollTo(-mooseAhead-o.half-o.middle, 0, 0, speed, gear)
}

// pass drives through the course from before it to its end.
func (t *run) pass(speed, side float64, way *mooseWay) *mooseRun {
	const longest = 60.0 // [s]
	t.Begin()
	o := outlineOf(&t.Params)
	run := &mooseRun{t: t, asked: speed, course: obstacleCourse(t.Params.Width, side)}
	run.line = way.lane(&run.course, t.Params.Width)
	judge := newMarshal(&run.course)
	steerer := driver.NewPreview(&t.Run, run.line, way.Skill)
	light := 1.0
	end := run.course.length + o.half - o.middle
	for t.Now() < longest && !t.RolledOver() && t.State.Pos.X < end && t.State.Speed > 0.1*speed {
		if t.State.Pos.X+o.middle+o.half < mooseOff {
			t.HoldSpeed(speed, 0)
			run.entry = t.State.Speed
		} else {
			t.Input.Push = 0
		}
		t.Input.Steer = steerer.Steer(t.Input.Steer)
		t.Step()
		judge.watch(&t.State, o)
		light = min(light, t.LighterSide())
	}
	through := t.State.Pos.X >= end
	run.lasted = t.Now()
	if t.Lifts.Pairs { // it may still fall over
		t.Until(t.Now()+2, func(float64) { t.Input.Steer = steerer.Steer(t.Input.Steer) })
	}
	run.hits, run.amiss = judge.hits(), run.faults(judge.over(), light)
	run.clean = through && judge.clean() && !t.RolledOver() && !t.Lifts.Pairs
	return run
}

// faults adds to what was missing beside the cones [m] what was to stay on the ground:
// a hundredth of the weight on the lighter side, at its least light, counts as 1 cm, and
// so does 1 cm of height when both wheels rose.
func (run *mooseRun) faults(over [coneCount]float64, light float64) (all [mooseFaults]float64) {
	const least = 0.02
	copy(all[:], over[:])
	all[coneCount] = least - light
	if run.t.Lifts.Pairs {
		all[coneCount] += run.t.Lifts.Highest
	}
	return all
}

func (run *mooseRun) judged() *Result {
	t := run.t
	r := &Result{Speed: run.asked, Rows: t.Out.Rows}
	size := func(f signal) float64 {
		high, _ := peak(t.Fine.Rows, f)
		low, _ := peak(t.Fine.Rows, func(q *trial.Row) float64 { return -f(q) })
		return max(high, low)
	}
	last := t.Fine.Rows[len(t.Fine.Rows)-1]
	r.say("clean", run.clean, "no cone touched, every section passed, never on the wheels of one side")
	r.add("cones_hit", float64(run.hits), "", "cones touched or passed on the wrong side")
	r.add("max_roll_deg", size(func(q *trial.Row) float64 { return q.Roll })/degree, "°", "largest roll angle to either side")
	r.add("wheel_lift_m", t.Lifts.Highest, "m", "how high a wheel's centre rises above where its tire last touched")
	r.say("two_wheel_lift", t.Lifts.Pairs, "both wheels of a side were in the air at once")
	r.say("rolled_over", t.RolledOver(), "the car rolled over")
	r.add("entry_speed_kph", run.entry/kph, "km/h", "speed where the throttle is released, 2 m behind the first cones")
	r.add("exit_speed_kph", last.Vx/kph, "km/h", "speed at the end")
	r.add("max_ay_mps2", size(ayOf), "m/s²", "largest lateral acceleration to either side")
	r.add("max_sideslip_deg", size(func(q *trial.Row) float64 { return q.Beta })/degree, "°", "largest sideslip angle to either side")
	if last.X < run.course.length {
		r.Notes = append(r.Notes, fmt.Sprintf("the car got %.0f m into the course of %.0f m", max(last.X, 0), run.course.length))
	}
	r.Traces = []Trace{run.path()}
	return r
}

// path is the way of the centre of mass among the cones.
func (run *mooseRun) path() Trace {
	rows := run.t.Fine.Rows
	wanted, cones := Series{Name: "aimed at"}, Series{Name: "cones"}
	for x := -mooseAhead; x <= run.course.length; x++ {
		wanted.X, wanted.Y = append(wanted.X, x), append(wanted.Y, run.line.At(x))
	}
	for _, row := range run.course.cones() {
		for _, pair := range row {
			for _, c := range pair {
				cones.X, cones.Y = append(cones.X, c.X), append(cones.Y, c.Y)
			}
		}
	}
	driven := line("centre of mass", rows, func(q *trial.Row) float64 { return q.X }, 1, func(q *trial.Row) float64 { return q.Y }, 1)
	return Trace{"Path", "x [m]", "y [m]", []Series{driven, wanted, cones}}
}
