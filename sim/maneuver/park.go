package maneuver

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim"
	"rig.example/rig/sim/trial"
)

const (
	parkSettleTime = 15.0 // until springs and tires are at rest [s]
	parkTime       = 60.0 // time during which the creep is measured [s]
	parkHeadings   = 5    // number of headings, from uphill over across, to the left, to downhill
)

// parkMethod is one way to hold a car, with its name in metrics and its description for users.
type parkMethod struct {
	name, text string
	in         sim.Input
}

// rampPark parks the car on slopes of 8° and 20 %, uphill, downhill, across and in between, with the
// foot brake, and with the hand brake and first gear, and measures how far it creeps in 60 s.
func rampPark(p sim.Params, o Options) (*Result, error) {
	return parkFor(p, o, parkTime)
}

// parkFor is rampPark with another duration [s].
func parkFor(p sim.Params, o Options, duration float64) (*Result, error) {
	methods := []parkMethod{{"brake", "the foot brake", sim.Input{Brake: 1}}}
	r := &Result{}
	if p.Brakes.HandbrakeTorque > 0 {
		methods = append(methods, parkMethod{"handbrake", "the hand brake and first gear", sim.Input{Handbrake: 1, Gear: 1}})
	} else {
		r.Notes = append(r.Notes, "the car has no hand brake")
	}
	slopes := []float64{8 * degree, math.Atan(0.20)}
	worst := 0.0
	for i, method := range methods {
		crept := 0.0
		for k, angle := range slopes {
			progress := float64(len(slopes)*i+k) / float64(len(slopes)*len(methods))
			rows, creep, err := park(p, o, method.in, angle, duration, progress)
			if err != nil {
				return nil, err
			}
			if len(r.Rows) == 0 || creep > max(worst, crept) {
				r.Rows = rows
			}
			crept = max(crept, creep)
		}
		r.add("creep_"+method.name+"_mm", crept*1e3, "mm", "creep in 60 s, worst heading and slope, held by "+method.text)
		worst = max(worst, crept)
	}
	r.add("creep_mm", worst*1e3, "mm", "creep in 60 s, the worst of all")
	r.Notes = append(r.Notes, "slopes of 8° and 20 %, headings of 0°, 45°, 90°, 135° and 180° from straight up; the recording is of the worst")
	return r, nil
}

// park holds the car on a slope [rad] in every heading for a duration [s]. It returns the recording and
// the creep [m] of the heading in which the car creeps most. progress is the share of work to report.
func park(p sim.Params, o Options, in sim.Input, angle, duration, progress float64) (rows []trial.Row, worst float64, err error) {
	t, err := newRun(p, newHill(angle), o)
	if err != nil {
		return nil, 0, err
	}
	for k := range parkHeadings {
		t.PlaceAtRest(0, 0, math.Pi*float64(k)/(parkHeadings-1))
		t.SetInput(in)
		t.RunUntil(parkSettleTime, func(float64) {})
		t.StartRecording()
		start := t.State.Pos
		t.RunUntil(duration, func(float64) {})
		creep := r3.Norm(r3.Sub(t.State.Pos, start))
		if rows == nil || creep > worst {
			rows, worst = t.Out.Rows, creep
		}
		o.Progress(progress)
	}
	return rows, worst, nil
}
