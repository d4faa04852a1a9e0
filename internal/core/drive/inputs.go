package drive

import (
	"rig.example/rig/internal/core/follow"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
)

// Inputs holds everything from outside that a tick depends on. It is a plain value: recorded inputs that
// are stepped again give the same outputs.
//
// Codes are defined by the devices. A drive passes them to screens and logs without interpreting them.
type Inputs struct {
	Wheel         Wheel
	Pedals        Pedals
	Buttons       Buttons
	Window        Window
	Stop          Stop
	InterlockOpen bool // the input line of the belt or door switch reports open
	Platform      Platform
	Operator      Operator
	Source        follow.Sample // packet of another simulator that is followed
	StopReady     bool          // there is a way to stop beside signals: a switch, a button that can be read, or a window that has the keyboard

	Gap             float64 // time without a step before this tick [s]
	Suspended       bool    // the computer was suspended during the gap
	TorqueWithheld  bool    // the torque of the last tick was not sent, because that tick took too long
	ForceChainIndex uint8   // index in Setup.ForceChains of the preset for the latest connected wheel
	FrameWanted     bool    // Outputs.Frame must be filled in

	Loop Loop
}

// Wheel is the steering wheel's measurement and its limits.
type Wheel struct {
	Present       bool    // a wheel is connected
	Fault         bool    // its angle sensor moves implausibly
	Angle         float64 // steering wheel angle [rad], positive left
	Rated         float64 // highest torque that it may give now, without OwnEffectsMax [N·m]
	Rate          float64 // torque updates that it accepts per second; 0 is unknown
	Delay         float64 // delay from a torque update to the measured angle [s]; 0 is unknown
	OwnEffectsMax float64 // highest sum of the wheel's own effects [N·m]; 0 if it has none
	VibrationMax  float64 // part of OwnEffectsMax for the peak of its vibration [N·m]
	OwnEffectsNow float64 // sum that its own effects may reach now [N·m]
}

// Pedals are the positions of pedals, handbrake and shifter.
type Pedals struct {
	Present                            bool    // pedals are connected
	Fault                              bool    // a pedal sensor moves implausibly
	Throttle, Brake, Clutch, Handbrake float64 // 0 (released) to 1 (fully pressed or pulled); clutch 1 is open
	ShiftUp, ShiftDown                 bool    // the paddle or lever is pulled
	HasHPattern                        bool    // there is an H-pattern shifter, whose position is Gear
	Gear                               int8    // -1 reverse, 0 neutral, 1 and up forward
}

// Buttons are the buttons of the cockpit, as bits of frame's keys that have the same function.
type Buttons struct {
	Down    uint64 // buttons that are held now
	Pressed uint64 // buttons that were pressed since the last tick, even if released again
}

// Window is the input from the rig's own window.
type Window struct {
	Keys     uint64 // bits of frame's keys that are down and frame.WindowFocused, as last reported by the window
	Pictures uint64 // number of pictures that it has shown so far
}

// Stop is the emergency stop switch with its enable relay.
type Stop struct {
	Pressed     bool  // the switch is pressed, or cannot be read
	RelayFailed bool  // the relay opened by itself, was not driven for too long, or cannot be switched
	Cause       uint8 // code of the cause, an estop.Cause
}

// Platform is the status of the motion platform.
type Platform struct {
	Configured bool // a platform is configured, whether it answers or not; if not, all other fields are 0 or NaN

	Follows     bool // it follows targets
	Unavailable bool // it accepts no order, because it is absent or at fault
	Connected   bool // it is connected and answers, in any state
	Parked      bool // it is at its park position
	Halted      bool // it was halted, and holds or parks until the next order
	ParkDone    bool // an order to park would not move it any further
	AwaitsHome  bool // it was found, or had a fault, and follows no targets until it is ordered to home

	State, Faults uint64                 // codes, a motion.State and a wire.Faults
	Feedback      [frame.MaxLegs]float64 // measured positions, 0..1 of the stroke, 0.5 is the center; NaN if unknown
	Target        [frame.MaxLegs]float64 // targets sent last, 0..1 of the stroke; NaN if none was sent
	FollowError   [frame.MaxLegs]float64 // measured minus expected position, fraction of the stroke; NaN if unknown
	Temperature   [frame.MaxLegs]float64 // temperature of each drive [°C]; NaN if unknown
	Measured      frame.Pose             // pose calculated from Feedback; NaN if not measured
	Rate          float64                // targets sent per second
	LineShare     float64                // fraction of the serial line's capacity in use, 0..1
	Latency       float64                // time from a tick to the last byte of its target on the wire [s]
	Warnings      uint64                 // number of targets that jumped implausibly far
}

// Operator holds the orders that do not come by a key or a button.
type Operator struct {
	Start   bool // start the drive
	Release bool // end the drive; never revoked

	Stops  uint64       // emergency stops by software ordered so far; a stop is in effect until a confirmation that knew of it
	StopBy guard.Origin // who ordered the newest

	ConfirmBy guard.Origin // who confirmed in this tick that a fault or a stop is over; Nobody if nobody did
	Confirmed uint64       // Stops when that was confirmed: later ones are not

	PauseBy  guard.Origin // who paused the drive in this tick
	ResumeBy guard.Origin // who ended the pause in this tick
	Tune     Tune         // change of a gain, a filter or a limit in this tick
}

// Tune is an order to change a gain, a filter or a limit. It cannot exceed what is configured.
type Tune struct {
	Factor Factor  // what changes; NoFactor is no order
	Share  float64 // of its configured value, 0..1; anything else has no effect
}

// Loop holds the loop's timing. It is only shown and has no effect on the drive.
type Loop struct {
	Missed, Dropped uint64  // periods that had ended completely when the loop woke, and those of them without a tick
	Late            float64 // lateness of the wake-up before this tick [s]
	LateMax         float64 // worst wake-up lateness so far [s]
	Cost            float64 // duration of the last tick [s]
}
