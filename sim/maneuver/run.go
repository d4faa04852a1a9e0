package maneuver

import (
	"rig.example/rig/sim"
	"rig.example/rig/sim/road"
)

const gravity = 9.80665 // [m/s²], of the unit g

// run is a run of a car with what single manoeuvres do in one.
type run struct{ Run }

func newRun(p sim.Params, g road.Ground, o Options) (*run, error) {
	t, err := New(p, g, o.Dt, o.Rate, o.Assists)
	if err != nil {
		return nil, err
	}
	return &run{*t}, nil
}
