package maneuver

import (
	"math"

	"rig.example/rig/sim"
	"rig.example/rig/sim/driver"
	"rig.example/rig/sim/trial"
)

// topSpeed accelerates on an endless level straight road until the car gets no faster, and does so again
// in the adjacent gears, to find the fastest gear.
func topSpeed(t *run, r *Result, o Options) error {
	d := driver.NewStraightLine(&t.Run)
	d.Stage()
	startX := t.State.Pos.X
	top, settled := steadySpeed(d, d.Step, o.Progress)
	r.Rows = t.Out.Rows
	rows, topState := t.Fine.Rows, t.State
	for _, gear := range adjacentGears(d) {
		saved, lever := *t, d.Lever
		d.Lever = gear
		otherSpeed, _ := steadySpeed(d, func() { stepInGear(d) }, nil)
		if otherSpeed > top {
			top, topState = otherSpeed, t.State
		}
		*t, d.Lever = saved, lever
	}
	if topState.Driveline.Gear < d.Lever && d.Gears != nil { // once more, without the higher gears
		d.Gears = d.Gears[:topState.Driveline.Gear]
		d.Stage()
		startX = t.State.Pos.X
		steadySpeed(d, d.Step, nil)
		rows, r.Rows = t.Fine.Rows, t.Out.Rows
	}
	r.addTopSpeedMetrics(d, rows, startX, top, &topState)
	if !settled {
		r.Notes = append(r.Notes, "still gaining speed after 900 s")
	}
	return nil
}

// adjacentGears returns the gears next to the lever's, for a manual gearbox.
func adjacentGears(d *driver.StraightLine) []int8 {
	var list []int8
	if d.Gears == nil || d.Shifting {
		return nil
	}
	if d.Lever > 1 {
		list = append(list, d.Lever-1)
	}
	if int(d.Lever) < len(d.Gears) {
		list = append(list, d.Lever+1)
	}
	return list
}

// stepInGear drives a tick at full throttle without changing gear.
func stepInGear(d *driver.StraightLine) {
	d.SteerAndSwitch()
	d.Run.Input.Throttle = driver.MovePedal(d.Run.Input.Throttle, 1, d.Run.Dt)
	d.Run.Step()
}

// steadySpeed drives until the mean speed over 5 s no longer grows, and returns it [m/s]. It reports
// whether that happened in time.
func steadySpeed(d *driver.StraightLine, drive func(), progress func(float64)) (top float64, settled bool) {
	const window, minGain, maxTime = 5.0, 0.003, 900.0 // [s], [m/s], [s]
	t := d.Run
	ticks := int(math.Round(window / t.Dt))
	last := math.Inf(-1)
	for start := t.Now(); t.Now() < start+maxTime && !t.RolledOver(); {
		sum := 0.0
		for range ticks {
			drive()
			sum += t.State.Speed
		}
		top = sum / float64(ticks)
		if top < last+minGain && t.Now() > start+2*window {
			return top, true
		}
		if progress != nil {
			progress(min(0.95, 1-1/(1+(t.Now()-start)/30)))
		}
		last = top
	}
	return top, false
}

// addTopSpeedMetrics adds the metrics of the top speed.
func (r *Result) addTopSpeedMetrics(d *driver.StraightLine, rows []trial.Row, startX, top float64, s *sim.State) {
	const nearShare = 0.99
	reachTime := firstTime(rows, vxOf, nearShare*top)
	r.add("top_speed_kph", top/kph, "km/h", "mean over 5 s in which the car gets no faster, in its best gear")
	r.add("gear", float64(s.Driveline.Gear), "", "gear at the top speed")
	r.add("rpm", s.RPM(), "1/min", "engine speed at the top speed")
	r.add("t_to_99pct_s", reachTime, "s", "time from rest to 99 % of the top speed")
	r.add("distance_to_99pct_m", valueAt(rows, xOf, reachTime)-startX, "m", "distance from rest to 99 % of the top speed")
	if d.Gears == nil {
		r.Notes = append(r.Notes, "the gearbox chooses the gears")
	}
}
