package drive

import (
	"rig.example/rig/cueing"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/sim"
	"rig.example/rig/sim/driver"
)

// State holds everything that one tick passes to the next: the states of the parts, none of which sees another. It is a plain
// value without pointers, so that a copy is a snapshot.
type State struct {
	Guard  guard.Guard
	Car    sim.State // the own car, or the motion of the followed one
	Motion cueing.State
	Trip

	Input   sim.Input // the car's input in the last tick
	Cockpit CockpitState
	Rim     RimState
	Watch   Watch
	game    gameState
	model   driver.Memory // state of the driver model; its Input is for the next tick
	orders  orders        // of the operator
}
