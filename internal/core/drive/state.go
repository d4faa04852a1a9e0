package drive

import (
	"rig.example/rig/cueing"
	"rig.example/rig/ffb"
	"rig.example/rig/internal/core/follow"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/road/lap"
	"rig.example/rig/sim"
	"rig.example/rig/sim/driver"
)

// State holds everything that one tick passes to the next. It is a plain value without pointers, so that
// a copy is a snapshot.
type State struct {
	Guard  guard.Guard
	Car    sim.State
	Force  ffb.State
	Motion cueing.State
	Laps   Laps // lap and sector times

	Input   sim.Input // the car's input in the last tick
	Cockpit CockpitState
	model   driver.Memory // state of the driver model; its Input is for the next tick

	vibration ffb.VibrationState
	servo     servo // turns a real rim for the driver model

	follow   follow.State  // of another simulator's packets
	followed follow.Motion // its motion in the last tick

	orders orders // of the operator

	gainShownTime   float64            // remaining time for which a changed gain is shown [s]
	forceRamps      [forceFactors]ramp // ordered changes of the force, by Factor
	forceChainIndex uint8              // index of the active chain in Setup.ForceChains
	wheelWasPresent bool               // the wheel was connected in the last tick

	badValueLatched  bool    // NaN or Inf was found, and the operator has not confirmed yet
	releaseOrdered   bool    // the end of the drive was ordered
	sinceRelease     float64 // time since that order [s]
	waitTime         float64 // time that counts towards Setup.WaitTimeout [s]
	platformFollowed bool    // the platform has followed targets, so that its position is unknown

	Station  float64 // position of the front axle along the circuit's center line [m]
	Distance float64 // driven distance [m]
	Impulse  float64 // of ground and walls on the body's outside and on wheels at full bump, since the start [N·s]
	Consumed float64 // used fuel [L], or net energy taken from the battery [J], which regenerative braking lowers
}

// Laps holds the lap timing and the latest finished laps.
type Laps struct {
	Clock lap.State
	Done  [StoredLaps]lap.Lap // finished laps; lap n is stored at (n-1) % StoredLaps
}

// StoredLaps is the number of finished laps that are stored.
const StoredLaps = 50
