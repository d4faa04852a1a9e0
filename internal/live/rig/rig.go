// Package rig runs a drive with its devices: it opens them, and its Tick reads the inputs, steps the
// drive and sends the outputs. Outside of the loop a supervisor logs, notifies the driver and keeps the
// display and the services running. Its input is a configuration, the operator's orders and a list of services; its result is a summary.
// internal/core/drive alone decides what devices are sent; internal/tools/exercise moves devices without a drive.
package rig

import (
	"sync/atomic"

	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/devices/pedals"
	"rig.example/rig/devices/wheel"
	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/core/follow"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/framepage"
	"rig.example/rig/internal/core/loop"
	"rig.example/rig/internal/files/recording"
	"rig.example/rig/internal/live/operator"
	"rig.example/rig/internal/live/switches"
	"rig.example/rig/internal/live/ticks"
)

// steeringWheel is the real or the simulated steering wheel.
type steeringWheel interface {
	Poll(*wheel.Sample)  // reads the newest measurement
	Push(torque float64) // sets the torque [N·m], positive left
	Rated() float64      // highest torque that it may give now [N·m]
	UpdateRate() float64 // torque updates that it accepts per second; 0 is unknown
	Delay() float64      // delay from a torque update to the measured angle [s]; 0 is unknown
}

// rim is the rim of the simulated wheel, held by the simulated driver's hands.
type rim interface {
	Hands(angle, stiffness float64) // angle that the hands steer to [rad], positive left; stiffness of the arms [N·m/rad]
	Step()                          // moves the rim by a tick
}

// footPedals are pedals with levers and shifter: the real ones, or those of a test.
type footPedals interface{ Poll(*pedals.Sample) }

// platform is the real or the simulated motion platform, or one of a test.
type platform interface {
	Push(wire.Legs)      // sends target positions
	Halt()               // stops it at once
	Interlock(open bool) // reports belt or door; open stops it
	OrderHome() bool     // orders it to its center; false while the interlock is open
	Tick()               // ends what it is told in a tick: the time of a simulated platform passes in it
	Status() motion.Status
	Latency() motion.LatencyStats
}

// forSupervisor is what the ticks tell the supervisor.
type forSupervisor struct {
	transitions  transitionQueue
	latchedCause atomic.Uint32 // guard.Cause, for the supervisor: what blocks the drive until the operator confirms
	badValue     atomic.Uint32 // latest drive.BadValue, packed, for the log
	rimStuck     atomic.Bool   // the latest fault came because the rim does not follow the driver model
	ignored      atomic.Uint32 // drive.Ignored: why a confirmation had no effect, for the log
	waitLimit    waitLimit
}

// Rig is a drive with its devices. Only the loop's goroutine calls Tick; orders may come from any
// goroutine.
type Rig struct {
	drive *drive.Drive
	in    drive.Inputs   // inputs of the last tick
	out   *drive.Outputs // outputs of the last tick

	wheel      steeringWheel
	ownEffects ownEffects      // the wheel again; nil in a demo
	rim        rim             // the wheel again; nil if it is real
	pedals     footPedals      // nil in a demo
	controls   controls        // nil in a demo that moves nothing real, which has only the window's keys
	estop      switches.Switch // nil if none is configured
	interlock  switches.Interlock
	platform   platform            // nil if none is configured
	poseSolver *poseSolver         // nil without a platform
	presets    *presetSwitcher     // nil in the demo
	source     MotionSource        // another simulator that is followed; nil for a drive of one's own
	simulated  bool                // the platform that follows another simulator is simulated, so that nothing can hurt
	page       *framepage.Page     // nil if nothing is published
	recorder   *recording.Recorder // nil if nothing is recorded
	services   []*serviceChild     // what runs beside the drive
	demo       bool                // nothing real moves, so that nobody is at risk
	marks      uint64              // that the driver has set
	markDown   bool                // the key of a mark was down in the last tick

	wheelSample wheel.Sample  // measurement of the last tick
	pedalSample pedals.Sample // measurement of the last tick
	packet      follow.Sample // the other simulator's newest one

	stats  *loop.Stats
	gap    ticks.Gap
	orders operator.Pending
	forSupervisor
	extremes extremes

	ghost      *frame.Ghost // lap that the display shows beside the car; nil for none
	maxRPM     float64      // end of the engine speed gauge in the display [1/min]
	trackFiles []string     // paths of the files of the circuit's ground
}

// Tick runs one step: read the inputs, step the drive, send the outputs. It never blocks.
func (r *Rig) Tick() error {
	r.in = r.sense()
	if r.recorder != nil {
		r.recorder.Before(&r.in, &r.drive.State)
	}
	r.out = r.drive.Step(&r.in)
	if r.recorder != nil {
		r.recorder.After(&r.drive.State, r.out)
	}
	r.act(&r.in, r.out)
	if r.out.Done {
		return loop.ErrDone
	}
	return nil
}
