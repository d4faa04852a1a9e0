package maneuver

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim"
	"rig.example/rig/sim/trial"
)

const (
	parkSettles = 15.0 // until springs and tires are at rest [s]
	parkHolds   = 60.0 // [s]
	parkTurns   = 5    // headings from straight up to straight down, turning left
)

// parking is one way to hold a car.
type parking struct {
	name, text string
	in         sim.Input
}

// rampPark leaves the car on slopes of 8° and 20 %, up, down, across and in between, with the
// foot brake, and with the hand brake and first gear: how far does it creep in 60 s?
func rampPark(p sim.Params, o Options) (*Result, error) {
	return parkFor(p, o, parkHolds)
}

func parkFor(p sim.Params, o Options, holds float64) (*Result, error) {
	ways := []parking{{"brake", "the foot brake", sim.Input{Brake: 1}}}
	r := &Result{}
	if p.Brakes.Handbrake > 0 {
		ways = append(ways, parking{"handbrake", "the hand brake and first gear", sim.Input{Handbrake: 1, Gear: 1}})
	} else {
		r.Notes = append(r.Notes, "the car has no hand brake")
	}
	slopes := []float64{8 * degree, math.Atan(0.20)}
	worst := 0.0
	for i, way := range ways {
		crept := 0.0
		for k, angle := range slopes {
			done := float64(len(slopes)*i+k) / float64(len(slopes)*len(ways))
			rows, far, err := park(p, o, way.in, angle, holds, done)
			if err != nil {
				return nil, err
			}
			if len(r.Rows) == 0 || far > max(worst, crept) {
				r.Rows = rows
			}
			crept = max(crept, far)
		}
		r.add("creep_"+way.name+"_mm", crept*1e3, "mm", "creep in 60 s, worst heading and slope, held by "+way.text)
		worst = max(worst, crept)
	}
	r.add("creep_mm", worst*1e3, "mm", "creep in 60 s, the worst of all")
	r.Notes = append(r.Notes, "slopes of 8° and 20 %, headings of 0°, 45°, 90°, 135° and 180° from straight up; the recording is of the worst")
	return r, nil
}

// park holds the car on one slope [rad] in every heading and returns the worst's
// recording and creep [m].
func park(p sim.Params, o Options, in sim.Input, angle, holds, done float64) (rows []trial.Row, worst float64, err error) {
	t, err := newRun(p, newHill(angle), o)
	if err != nil {
		return nil, 0, err
	}
	for k := range parkTurns {
		t.Rest(0, 0, math.Pi*float64(k)/(parkTurns-1))
		t.Press(in)
		t.Until(parkSettles, func(float64) {})
		t.Begin()
		from := t.State.Pos
		t.Until(holds, func(float64) {})
		far := r3.Norm(r3.Sub(t.State.Pos, from))
		if rows == nil || far > worst {
			rows, worst = t.Out.Rows, far
		}
		o.Progress(done)
	}
	return rows, worst, nil
}
