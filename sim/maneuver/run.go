package maneuver

import (
	"math"

	"rig.example/rig/road"
	"rig.example/rig/sim"
	"rig.example/rig/sim/trial"
)

const (
	gravity = 9.80665 // [m/s²], of the unit g
	degree  = math.Pi / 180
)

// run is a trial.Run with the methods that manoeuvres share.
type run struct {
	trial.Run
	given sim.Params // of the car; Params has them with its parts added up
}

// newRun returns a run of a car with parameters p on a ground.
func newRun(p sim.Params, g road.Ground, o Options) (*run, error) {
	t, err := trial.New(p, g, o.Dt, o.Rate, o.Assists)
	if err != nil {
		return nil, err
	}
	t.Out.Observe = o.Observe
	return &run{*t, p}, nil
}
