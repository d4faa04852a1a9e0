package maneuver

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"

	"rig.example/rig/sim/driver"
	"rig.example/rig/sim/trial"
)

const (
	rollout        = 0.3048    // distance of 1 ft that drag strips do not time [m]
	quarterMile    = 402.336   // [m]
	lastTimedSpeed = 200 * kph // highest speed whose time is measured [m/s]
	maxAccelTime   = 120.0     // time limit of a run [s]
	minSpeedGain   = 0.1       // the run ends when the speed grows by less than this in 5 s [m/s]
)

// accelerate drives off at full throttle on a level straight road, with the driver's quickest start, and
// measures times, distances and gear changes. Then it accelerates from 60 and from 80 km/h, first in the
// best gears, with gear changes, and then in each gear alone.
func accelerate(t *run, r *Result, o Options) error {
	d := driver.NewStraightLine(&t.Run)
	o.Progress(0.3)
	run := runSprint(d, o.Progress)
	r.Rows = t.Out.Rows
	r.addSprintMetrics(d, run)
	o.Progress(0.7)
	r.addElasticityMetrics(d)
	o.Progress(0.9)
	d.Style = driver.Style{Traction: cmp.Or(o.Assists.Traction, defaultAssistLevel)}
	run = runSprint(d, nil)
	r.add("t_0_100_traction_s", run.times[1].Time, "s", "0 to 100 km/h with full throttle and traction control")
	r.Traces = append(r.Traces, gearTrace(d.Gears))
	return nil
}

// sprint is the outcome of a full acceleration.
type sprint struct {
	times     [4]trial.LevelCrossing // times at 50, 100, 200 and 60 km/h
	distances [3]trial.LevelCrossing // times at 1 ft, a quarter mile and 1000 m
	rows      []trial.Row
}

// runSprint accelerates from rest until all speeds and distances are reached, or the car gets no faster.
// progress is called with the share of the work that is done, 0.3 to 0.7; it may be nil.
func runSprint(d *driver.StraightLine, progress func(float64)) sprint {
	t := d.Run
	d.Stage()
	run := sprint{
		times:     [4]trial.LevelCrossing{trial.NewLevelCrossing(50 * kph), trial.NewLevelCrossing(100 * kph), trial.NewLevelCrossing(lastTimedSpeed), trial.NewLevelCrossing(60 * kph)},
		distances: [3]trial.LevelCrossing{trial.NewLevelCrossing(rollout), trial.NewLevelCrossing(quarterMile), trial.NewLevelCrossing(1000)},
	}
	startX, lastSpeed := t.State.Pos.X, -1.0
	for ready := false; t.Now() < maxAccelTime && !ready && !t.RolledOver(); {
		x, v := t.State.Pos.X-startX, t.State.Speed
		if t.State.Tick%uint64(math.Round(5/t.Dt)) == 0 {
			if v < lastSpeed+minSpeedGain && t.Now() > 10 {
				break
			}
			lastSpeed = v
			if progress != nil {
				progress(min(0.3+0.4*t.Now()/40, 0.7))
			}
		}
		d.Step()
		ready = true
		for i := range run.times {
			ready = run.times[i].Update(t.Now(), t.Dt, v, t.State.Speed) && ready
		}
		for i := range run.distances {
			ready = run.distances[i].Update(t.Now(), t.Dt, x, t.State.Pos.X-startX) && ready
		}
	}
	for range 2 * int(math.Ceil(t.Fine.Every)) { // so that a row follows the last crossing
		d.Step()
	}
	run.rows = t.Fine.Rows
	return run
}

// addSprintMetrics adds the metrics of the acceleration from rest.
func (r *Result) addSprintMetrics(d *driver.StraightLine, run sprint) {
	r.add("t_0_50_s", run.times[0].Time, "s", "0 to 50 km/h from rest, from when the throttle goes down")
	r.add("t_0_100_s", run.times[1].Time, "s", "0 to 100 km/h")
	r.add("t_0_200_s", run.times[2].Time, "s", "0 to 200 km/h")
	r.add("rollout_1ft_s", run.distances[0].Time, "s", "time for the first foot (0.3 m), which drag strips and some testers do not count")
	r.add("quarter_mile_s", run.distances[1].Time, "s", "time for 402.3 m from rest")
	r.add("quarter_mile_kph", valueAt(run.rows, vxOf, run.distances[1].Time)/kph, "km/h", "speed after the quarter mile")
	r.add("t_1000_m_s", run.distances[2].Time, "s", "time for 1000 m from rest")
	r.add("v_1000_m_kph", valueAt(run.rows, vxOf, run.distances[2].Time)/kph, "km/h", "speed after 1000 m")
	r.add("shifts", float64(d.Shifts), "", "gear changes until the last of these distances and speeds")
	r.add("max_ax_mps2", maxMeanAx(run.rows), "m/s²", "largest acceleration, as a mean over 0.2 s")
	r.Notes = append(r.Notes, "the quickest start of those tried: "+d.Style.String())
	if d.Gears == nil {
		r.Notes = append(r.Notes, "the gearbox chooses the gears: full throttle kicks down")
	}
}

// maxMeanAx returns the largest mean acceleration over 0.2 s [m/s²].
func maxMeanAx(rows []trial.Row) float64 {
	const span = int(0.2 * trial.FineRate)
	largest := math.NaN()
	ax := values(rows, axOf)
	for i := span; i <= len(ax); i += 4 {
		if m := stat.Mean(ax[i-span:i], nil); !(m <= largest) {
			largest = m
		}
	}
	return largest
}

// addElasticityMetrics adds the times from 60 to 100 km/h and from 80 to 120 km/h: the shortest one, and
// that of each gear from the third up in which the engine turns at 1.5 times its idle speed or faster.
func (r *Result) addElasticityMetrics(d *driver.StraightLine) {
	for _, k := range []struct{ from, to float64 }{{60, 100}, {80, 120}} {
		name := fmt.Sprintf("t_%g_%g", k.from, k.to)
		text := fmt.Sprintf("%g to %g km/h", k.from, k.to)
		shortest := timePull(d, bestGear(d, k.from*kph), k.from*kph, k.to*kph, true)
		perGear := &Result{}
		for gear := 3; gear <= len(d.Gears); gear++ {
			if d.Gears[gear-1].EngineOverSpeed*k.from*kph < 1.5*d.Run.Params.Driveline.IdleRPM*math.Pi/30 {
				break
			}
			pullTime := timePull(d, int8(gear), k.from*kph, k.to*kph, false)
			if !math.IsNaN(pullTime) {
				shortest = min(shortest, pullTime)
				perGear.add(fmt.Sprintf("%s_gear_%d_s", name, gear), pullTime, "s", fmt.Sprintf("%s in gear %d", text, gear))
			}
		}
		r.add(name+"_s", shortest, "s", text+", kicked down or in the quickest gears")
		r.Metrics = append(r.Metrics, perGear.Metrics...)
	}
}

// bestGear returns the forward gear with the largest acceleration at a speed [m/s].
func bestGear(d *driver.StraightLine, speed float64) int8 {
	for i := range d.Gears {
		if speed < d.Gears[i].ShiftSpeed {
			return int8(i + 1)
		}
	}
	return 1
}

// timePull accelerates at full throttle in a gear and returns the time that the car takes from one speed
// [m/s] to the other [s]. It is NaN if the second speed is not reached. With shifting, the driver may
// change gears.
func timePull(d *driver.StraightLine, gear int8, from, to float64, shifting bool) float64 {
	const maxTime = 60.0 // [s]
	t := d.Run
	t.PlaceRolling(from, gear)
	d.Lever, d.ClutchClosed, d.Lane = gear, true, driver.LaneKeeper{}
	end := trial.NewLevelCrossing(to)
	for t.Now() < maxTime && !t.RolledOver() {
		lastSpeed := t.State.Speed
		if shifting {
			d.Step()
		} else {
			d.SteerAndSwitch()
			d.MovePedals()
			t.Step()
		}
		if end.Update(t.Now(), t.Dt, lastSpeed, t.State.Speed) {
			return end.Time
		}
	}
	return math.NaN()
}

// gearTrace plots the acceleration in each gear over speed.
func gearTrace(pulls []driver.GearPull) Trace {
	trace := Trace{Title: "Full throttle", XLabel: "speed [km/h]", YLabel: "acceleration [m/s²]"}
	for i, p := range pulls {
		s := Series{Name: fmt.Sprintf("gear %d", i+1)}
		for k := range p.Speed {
			s.X, s.Y = append(s.X, p.Speed[k]/kph), append(s.Y, p.Ax[k])
		}
		if len(s.X) > 1 {
			trace.Series = append(trace.Series, s)
		}
	}
	return trace
}
