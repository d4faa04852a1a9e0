// Package rig runs a drive among its devices: it opens them, and its Tick reads them, has the drive
// step, and hands out what that comes to. Beside the loop a supervisor logs, tells the driver what is
// missing and keeps the display alive. In go a configuration and the operator's orders; out comes a
// summary. What a device is sent is decided in internal/drive alone; what moves without a drive is in
// internal/bench.
package rig

import (
	"sync/atomic"

	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/devices/pedals"
	"rig.example/rig/devices/wheel"
	"rig.example/rig/internal/drive"
	"rig.example/rig/internal/loop"
	"rig.example/rig/internal/page"
	"rig.example/rig/internal/switches"
)

// steeringWheel is the real wheel or the simulated one.
type steeringWheel interface {
	Poll(*wheel.Sample)
	Push(torque float64) // [N·m], positive left
	Rated() float64      // the most it may give now [N·m]
	Rate() float64       // torques it takes a second [1/s]; 0 is unknown
	Delay() float64      // from a torque to the rim and back to its angle [s]; 0 is unknown
}

// rim is that of the simulated wheel: hands hold it, and it moves when it is stepped.
type rim interface {
	Hands(angle, stiffness float64) // where they want it [rad], positive left; how stiff the arms are [N·m/rad]
	Step()
}

// footPedals are pedals with levers and shifter, real or a test's.
type footPedals interface{ Poll(*pedals.Sample) }

// platform is the real one, or a test's.
type platform interface {
	Push(wire.Legs)
	Halt()
	Interlock(open bool)
	Status() motion.Status
	Latency() motion.LatencyStats
}

// Rig is a drive among its devices. One goroutine, the loop's, calls Tick; the orders may come
// from any other.
type Rig struct {
	drive *drive.Drive
	in    drive.Inputs   // of the last tick
	out   *drive.Outputs // the same

	wheel    steeringWheel
	own      ownEffects      // the wheel again; nil in the demo
	rim      rim             // the wheel again; nil if it is real
	pedals   footPedals      // nil in the demo
	controls controls        // nil in the demo, which has only the window's keys
	estop    switches.Switch // nil if none is configured
	belt     switches.Interlock
	platform platform        // nil if none is configured
	gauge    *gauge          // nil where nobody measures
	presets  *presetSwitcher // nil where no other wheel can come
	page     *page.Page      // nil if nobody looks
	demo     bool

	hands wheel.Sample  // of the last tick
	feet  pedals.Sample // the same

	stats    *loop.Stats
	gap      gap
	orders   orders
	log      transitions
	waits    atomic.Uint32 // guard.Cause, for the supervisor: why no drive goes on until the operator confirms
	flaw     atomic.Uint32 // the newest, for the log
	ignored  atomic.Uint32 // drive.Ignored: why a confirmation had no effect, for the log
	patience patience
	peaks    peaks

	maxRPM float64 // end of the engine's scale
}

// orders are what the operator wants; any goroutine may give them.
type orders struct {
	start, release, stop, clear atomic.Bool
}

// Tick runs the rig for one step: read, think, act. Nothing in it waits.
func (r *Rig) Tick() error {
	r.in = r.sense()
	r.out = r.drive.Step(&r.in)
	r.act(&r.in, r.out)
	if r.out.Done {
		return loop.ErrDone
	}
	return nil
}
