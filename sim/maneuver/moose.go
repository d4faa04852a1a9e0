package maneuver

import (
	"fmt"

	"rig/sim"
	"rig/sim/road"
)

const (
	mooseAhead = 10.0  // of the front bumper before the first cones at time 0 [m]
	mooseOff   = 2.0   // behind the first cones the throttle is released [m]
	mooseLeast = 5.0   // where the search ends [km/h]
	mooseMost  = 130.0 // [km/h]
)

// mooseRun is one passage.
type mooseRun struct {
	t      *trial
	judge  marshal
	entry  float64 // speed where the throttle is released [m/s]
	clean  bool
	line   *lane
	course coneCourse
}

// moose drives the obstacle avoidance of ISO 3888-2, to the left. The throttle
// holds the speed up to 2 m behind the first cones and is released there; the gear
// is the highest in which the engine turns at 2000 rpm, below 40 km/h neutral, for
// an engine's brake would stop the car on the way. The driver is a closed loop who
// takes the course in several ways, one after another, until a run is clean.
// Without a speed, the highest entry speed of a clean run is searched for, to 1 km/h.
func moose(p sim.Params, o Options) (*Result, error) {
	return mooseTo(p, o, 1)
}

// mooseTo drives it to the left (1) or to the right (-1).
func mooseTo(p sim.Params, o Options, side float64) (*Result, error) {
	t, err := newTrial(p, road.Asphalt(), o)
	if err != nil {
		return nil, err
	}
	d := mooseDay{t: t, ways: mooseWays(), side: side, progress: o.Progress}
	if o.Speed > 0 {
		return d.at(o.Speed).judged(), nil
	}
	best := d.search()
	r := d.at(max(best, mooseLeast) * kph).judged()
	r.add("highest_clean_kph", best, "km/h", "highest entry speed of a clean run, searched in steps of 1 km/h")
	return r, nil
}

// mooseDay is a day on the course.
type mooseDay struct {
	t        *trial
	ways     []mooseWay
	side     float64
	progress func(float64)
	way      int     // that was clean last
	best     float64 // highest clean speed so far [km/h]
}

// search returns the highest entry speed of a clean run [km/h], 0 if there is none:
// in steps of 5 km/h until two of them fail, then of 1 km/h.
func (d *mooseDay) search() float64 {
	for speed, misses := 30.0, 0; speed <= mooseMost && misses < 2; speed += 5 {
		misses++
		if d.clean(speed) {
			misses = 0
		}
	}
	for speed, end := d.best+1, d.best+10; d.best > 0 && speed < end; speed++ {
		d.clean(speed)
	}
	for speed := 29.0; d.best == 0 && speed >= mooseLeast; speed-- {
		d.clean(speed)
	}
	return d.best
}

// clean tells whether one of the ways is clean at a speed [km/h], and remembers it.
func (d *mooseDay) clean(speed float64) bool {
	d.progress(speed / mooseMost)
	if d.attempt(speed*kph) == nil {
		return false
	}
	d.best = max(d.best, speed)
	return true
}

// attempt returns a clean run at a speed [m/s], nil if there is none.
func (d *mooseDay) attempt(speed float64) *mooseRun {
	d.t.enter(speed)
	start := *d.t
	for i := range d.ways {
		k := (d.way + i) % len(d.ways)
		*d.t = start
		if run := d.t.pass(speed, d.side, d.ways[k], false); run.clean {
			d.way = k
			return run
		}
	}
	*d.t = start
	return nil
}

// at returns a clean run at a speed [m/s], or else the first way's to its end.
func (d *mooseDay) at(speed float64) *mooseRun {
	if run := d.attempt(speed); run != nil {
		return run
	}
	return d.t.pass(speed, d.side, d.ways[0], true)
}

// enter brings the car before the course at a speed [m/s].
func (t *trial) enter(speed float64) {
	o := outlineOf(&t.p)
	gear := int8(0)
	if speed >= 40*kph {
		gear = t.gearFor(speed)
	}
	t.rollTo(-mooseAhead-o.half-o.middle, 0, 0, speed, gear)
}

// pass drives through the course from before it, to its end or, where only a clean
// run is of interest, to the first cone that falls.
func (t *trial) pass(speed, side float64, way mooseWay, whole bool) *mooseRun {
	const longest = 60.0 // [s]
	t.begin()
	o := outlineOf(&t.p)
	run := &mooseRun{t: t, course: obstacleCourse(t.p.Width, side)}
	run.line = way.lane(&run.course, t.p.Width)
	run.judge.cones = run.course.cones()
	driver := newPreview(t, run.line, way.skill)
	end := run.course.length + o.half - o.middle
	for t.now() < longest && !t.over() && t.s.Pos.X < end && t.s.Speed > 0.1*speed && (whole || run.judge.hits == 0) {
		if t.s.Pos.X+o.middle+o.half < mooseOff {
			t.hold(speed, 0)
			run.entry = t.s.Speed
		} else {
			t.in.Push = 0
		}
		t.in.Steer = driver.steer(t.in.Steer)
		t.step()
		run.judge.watch(&t.s, o)
	}
	if whole && t.lifts.pairs { // it may still fall over
		t.until(t.now()+2, func(float64) { t.in.Steer = driver.steer(t.in.Steer) })
	}
	run.clean = run.judge.clean() && !t.over()
	return run
}

func (run *mooseRun) judged() *Result {
	t := run.t
	r := &Result{Speed: run.entry, Rows: t.out.rows}
	size := func(f signal) float64 {
		high, _ := peak(t.fine.rows, f)
		low, _ := peak(t.fine.rows, func(q *Row) float64 { return -f(q) })
		return max(high, low)
	}
	last := t.fine.rows[len(t.fine.rows)-1]
	r.say("clean", run.clean, "no cone touched, every section passed")
	r.add("cones_hit", float64(run.judge.hits), "", "cones touched, or pairs gone round")
	r.add("max_roll_deg", size(func(q *Row) float64 { return q.Roll })/degree, "°", "largest roll angle to either side")
	r.add("wheel_lift_m", t.lifts.highest, "m", "how high a wheel's centre rises above where its tire last touched")
	r.say("two_wheel_lift", t.lifts.pairs, "both wheels of a side were in the air at once")
	r.say("rolled_over", t.over(), "the car rolled over")
	r.add("entry_speed_kph", run.entry/kph, "km/h", "speed where the throttle is released, 2 m behind the first cones")
	r.add("exit_speed_kph", last.Vx/kph, "km/h", "speed at the end")
	r.add("max_ay_mps2", size(ayOf), "m/s²", "largest lateral acceleration to either side")
	r.add("max_sideslip_deg", size(func(q *Row) float64 { return q.Beta })/degree, "°", "largest sideslip angle to either side")
	if last.X < run.course.length {
		r.Notes = append(r.Notes, fmt.Sprintf("the car got %.0f m into the course of %.0f m", max(last.X, 0), run.course.length))
	}
	r.Traces = []Trace{run.path()}
	return r
}

// path is the way of the centre of mass among the cones.
func (run *mooseRun) path() Trace {
	rows := run.t.fine.rows
	wanted, cones := Series{Name: "aimed at"}, Series{Name: "cones"}
	for x := -mooseAhead; x <= run.course.length; x++ {
		wanted.X, wanted.Y = append(wanted.X, x), append(wanted.Y, run.line.at(x))
	}
	for _, row := range run.judge.cones {
		for _, pair := range row {
			for _, c := range pair {
				cones.X, cones.Y = append(cones.X, c.X), append(cones.Y, c.Y)
			}
		}
	}
	driven := line("centre of mass", rows, func(q *Row) float64 { return q.X }, 1, func(q *Row) float64 { return q.Y }, 1)
	return Trace{"Path", "x [m]", "y [m]", []Series{driven, wanted, cones}}
}
