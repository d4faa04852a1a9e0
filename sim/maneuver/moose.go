package maneuver

import (
	"fmt"
	"math"

	"rig.example/rig/road"
	"rig.example/rig/sim"
	"rig.example/rig/sim/driver"
)

const (
	mooseRunUp      = 10.0  // distance of the front bumper from the first cones at time 0 [m]
	mooseRelease    = 2.0   // distance after the first cones at which the throttle is released [m]
	mooseFirstSpeed = 40.0  // first speed of the search [km/h]
	mooseMaxSpeed   = 180.0 // highest speed of the search [km/h]
	mooseMinSpeed   = 5.0   // speed that is driven if no speed gives a clean run [km/h]

	faultCount = coneCount + 1
)

// mooseRun is one passage through the course.
type mooseRun struct {
	run         *run
	wantedSpeed float64 // entry speed asked for [m/s]
	entry       float64 // speed where the throttle is released [m/s]
	duration    float64 // [s]
	hits        int     // number of cones hit
	clean       bool
	faults      [faultCount]float64 // overlap of body and each cone, negative where it is clear; the last one is the closeness to tipping [m]
	line        *driver.LaneChanges
	course      coneCourse
}

// moose drives the obstacle avoidance of ISO 3888-2 (moose test), to the left. An ideal controller holds
// the speed until 2 m after the first cones; from there the car rolls without throttle. The gear is the
// highest in which the engine turns at 2000 rpm or more. Below 40 km/h the car is in neutral, because
// engine braking would stop it within the course.
//
// The closed-loop driver practises at each speed until a run is clean: no cone touched, no side lifted.
// If no run at Options.Speed is clean, the result is the run of a surprised driver. Without
// Options.Speed, moose searches for the highest entry speed of a clean run, to 1 km/h.
func moose(p sim.Params, o Options) (*Result, error) {
	return mooseTowards(p, o, 1)
}

// mooseTowards is moose with the detour to the left (side 1) or to the right (side -1).
func mooseTowards(p sim.Params, o Options, side float64) (*Result, error) {
	t, err := newRun(p, road.Asphalt(), o)
	if err != nil {
		return nil, err
	}
	d := mooseSearch{t: t, detourSide: side, progress: o.Progress}
	if o.Speed > 0 {
		return d.runAt(o.Speed).result(), nil
	}
	r, highest := d.highest()
	r.add("highest_clean_kph", highest, "km/h", "highest entry speed of a clean run, searched in steps of 1 km/h")
	return r, nil
}

// mooseSearch searches for the highest clean entry speed.
type mooseSearch struct {
	t          *run
	detourSide float64 // side of the detour around the obstacle: 1 left, -1 right
	progress   func(float64)
}

// highest returns the clean run with the highest entry speed, and that speed [km/h]. It searches in steps
// of 10 km/h and then by bisection. If no run is clean, it returns a run at the lowest speed, and 0.
func (d *mooseSearch) highest() (*Result, float64) {
	r, clean, unclean := d.bracket()
	for r != nil && unclean-clean > 1 {
		speed := math.Floor((clean + unclean) / 2)
		if run := d.cleanAt(speed); run != nil {
			r, clean = run, speed
		} else {
			unclean = speed
		}
	}
	if r == nil {
		r = d.surprised(mooseMinSpeed * kph).result()
	}
	return r, clean
}

// bracket returns a clean run, its speed, and the next higher speed, at which no run is clean [km/h]. If
// no run is clean, it returns nil.
func (d *mooseSearch) bracket() (r *Result, clean, unclean float64) {
	const step = 10.0
	for unclean = mooseFirstSpeed; unclean <= mooseMaxSpeed; unclean += step {
		run := d.cleanAt(unclean)
		if run == nil {
			break
		}
		r, clean = run, unclean
	}
	for speed := mooseFirstSpeed - step; r == nil && speed > mooseMinSpeed; speed -= step {
		if r, clean = d.cleanAt(speed), speed; r == nil {
			clean, unclean = 0, speed
		}
	}
	return r, clean, unclean
}

// cleanAt returns a clean run at a speed [km/h], nil if there is none.
func (d *mooseSearch) cleanAt(speed float64) *Result {
	d.progress(min(speed/mooseMaxSpeed, 1))
	if run := d.attempt(speed * kph); run != nil {
		return run.result()
	}
	return nil
}

// attempt returns a clean run at a speed [m/s], nil if there is none. It does not depend on other
// speeds, so that a speed found by the search is also clean when it is asked for.
func (d *mooseSearch) attempt(speed float64) *mooseRun {
	d.t.approach(speed)
	start := *d.t
	p := practice{timeLeft: practiceTime, drive: func(w mooseStyle) *mooseRun {
		*d.t = start
		return d.t.driveCourse(speed, d.detourSide, &w)
	}}
	return p.findClean()
}

// runAt returns a clean run at a speed [m/s], or else that of a surprised driver.
func (d *mooseSearch) runAt(speed float64) *mooseRun {
	if run := d.attempt(speed); run != nil {
		return run
	}
	return d.surprised(speed)
}

// surprised returns the run, at a speed [m/s], of a driver who is taken by surprise and does not practise.
func (d *mooseSearch) surprised(speed float64) *mooseRun {
	d.t.approach(speed)
	style := surprisedStyle()
	return d.t.driveCourse(speed, d.detourSide, &style)
}

// approach puts the car before the course, rolling at a speed [m/s] in the gear of the test.
func (t *run) approach(speed float64) {
	o := outlineOf(&t.Params)
	gear := int8(0)
	if speed >= 40*kph {
		gear = t.Params.GearFor(speed)
	}
	t.PlaceRollingAt(-mooseRunUp-o.halfLength-o.middle, 0, 0, speed, gear)
}

// driveCourse drives through the course from before it to its end.
func (t *run) driveCourse(speed, side float64, style *mooseStyle) *mooseRun {
	const maxTime = 60.0 // [s]
	t.StartRecording()
	o := outlineOf(&t.Params)
	run := &mooseRun{run: t, wantedSpeed: speed, course: obstacleCourse(t.Params.Width, side)}
	run.line = style.lane(&run.course, t.Params.Width)
	watch := newConeWatch(&run.course)
	steerer := driver.NewPreview(&t.Run, run.line, style.Skill)
	lightestShare := 1.0
	end := run.course.length + o.halfLength - o.middle
	for t.Now() < maxTime && !t.RolledOver() && t.State.Pos.X < end && t.State.Speed > 0.1*speed {
		if t.State.Pos.X+o.middle+o.halfLength < mooseRelease {
			t.HoldSpeed(speed, 0)
			run.entry = t.State.Speed
		} else {
			t.Input.PushForce = 0
		}
		t.Input.Steer = steerer.Steer(t.Input.Steer)
		t.Step()
		watch.update(&t.State, o)
		lightestShare = min(lightestShare, t.LighterSideShare())
	}
	completed := t.State.Pos.X >= end
	run.duration = t.Now()
	if t.Lifts.OneSide { // it may still roll over
		t.RunUntil(t.Now()+2, func(float64) { t.Input.Steer = steerer.Steer(t.Input.Steer) })
	}
	run.hits, run.faults = watch.hits(), run.faultsOf(watch.overlaps(), lightestShare)
	run.clean = completed && watch.isClean() && !t.RolledOver() && !t.Lifts.OneSide
	return run
}

// faultsOf returns the overlaps with the cones [m] and, as the last value, how close the car came to
// tipping. It is positive if less than 2 % of the weight was on the wheels of one side: each percent
// counts as 1 cm. The height to which both wheels of one side lifted is added.
func (run *mooseRun) faultsOf(overlaps [coneCount]float64, lightestShare float64) (all [faultCount]float64) {
	const minShare = 0.02
	copy(all[:], overlaps[:])
	all[coneCount] = minShare - lightestShare
	if run.run.Lifts.OneSide {
		all[coneCount] += run.run.Lifts.MaxHeight
	}
	return all
}

// result evaluates the run.
func (run *mooseRun) result() *Result {
	t := run.run
	r := &Result{Speed: run.wantedSpeed, Rows: t.Out.Rows}
	rows := t.Fine.Rows
	last := rows[len(rows)-1]
	r.addVerdict("clean", run.clean, "no cone touched, every section passed, never on the wheels of one side")
	r.add("cones_hit", float64(run.hits), "", "cones touched or passed on the wrong side")
	r.add("max_roll_deg", maxAbs(rows, rollOf)/degree, "°", "largest roll angle to either side")
	r.add("wheel_lift_m", t.Lifts.MaxHeight, "m", "largest rise of a wheel's center above its height at the last contact")
	r.addVerdict("two_wheel_lift", t.Lifts.OneSide, "both wheels of a side were in the air at once")
	r.addVerdict("rolled_over", t.RolledOver(), "the car rolled over")
	r.add("entry_speed_kph", run.entry/kph, "km/h", "speed where the throttle is released, 2 m behind the first cones")
	r.add("exit_speed_kph", last.Vx/kph, "km/h", "speed at the end")
	r.add("max_ay_mps2", maxAbs(rows, ayOf), "m/s²", "largest lateral acceleration to either side")
	r.add("max_sideslip_deg", maxAbs(rows, betaOf)/degree, "°", "largest sideslip angle to either side")
	if last.X < run.course.length {
		r.Notes = append(r.Notes, fmt.Sprintf("the car got %.0f m into the course of %.0f m", max(last.X, 0), run.course.length))
	}
	r.Traces = []Trace{run.path()}
	return r
}

// path plots the path of the center of mass among the cones.
func (run *mooseRun) path() Trace {
	rows := run.run.Fine.Rows
	wanted, cones := Series{Name: "wanted path"}, Series{Name: "cones"}
	for x := -mooseRunUp; x <= run.course.length; x++ {
		wanted.X, wanted.Y = append(wanted.X, x), append(wanted.Y, run.line.At(x))
	}
	for _, row := range run.course.cones() {
		for _, pair := range row {
			for _, c := range pair {
				cones.X, cones.Y = append(cones.X, c.X), append(cones.Y, c.Y)
			}
		}
	}
	driven := line("center of mass", rows, xOf, 1, yOf, 1)
	return Trace{"Path", "x [m]", "y [m]", []Series{driven, wanted, cones}}
}
