package drive

import (
	"rig.example/rig/cueing"
	"rig.example/rig/ffb"
	"rig.example/rig/internal/guard"
	"rig.example/rig/sim"
	"rig.example/rig/sim/driver"
	"rig.example/rig/sim/road/lap"
)

// State is all that one tick hands to the next. It is a plain value without pointers: copying it
// is a snapshot.
type State struct {
	Guard  guard.Guard
	Car    sim.State
	Force  ffb.State
	Motion cueing.State
	Laps   Laps

	Input  sim.Input // of the car, in the last tick
	Rain   rain
	shake  ffb.ShakeState
	driver driverState
	keys   keyboard
	panel  panel
	tuner  tuner

	pressed uint64 // keys that are down, in the window and in the cockpit
	fresh   uint64 // those of them that were not a tick ago
	window  window

	Paused    bool    // by the driver
	gainShown float64 // time for which a new gain is still shown [s]
	feel      uint8   // of Setup.Feels
	present   bool    // the wheel was there a tick ago
	clutch    float64 // the pedal a tick ago, without what a button does to it

	flawed   bool    // NaN or Inf was met, and the operator has not confirmed
	released bool    // the drive is about to end
	leaving  float64 // time since then [s]
	waited   float64 // time at a stretch in which the car did not move [s]
	followed bool    // the platform has followed targets, so it may stand anywhere

	Station  float64 // of the front axle [m]
	Distance float64 // driven [m]
	Used     float64 // of the fuel [L] or the battery's charge [J]
}

// Laps is the circuit's clock.
type Laps struct {
	Clock lap.State
	Done  [KeptLaps]lap.Lap // lap n at n-1, modulo the size
}

// KeptLaps is how many laps are kept.
const KeptLaps = 50

// driverState is who drives: a person or, in a demo, the driver model.
type driverState struct {
	steer  float64 // of a person [rad], kept while the wheel is away
	gears  selector
	memory driver.Memory // of the driver model, whose newest wish is for the next tick
}
