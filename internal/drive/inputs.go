package drive

import "rig.example/rig/internal/frame"

// Inputs is everything of the outside world that a tick depends on. It is a plain value: what
// is recorded of it and stepped again gives the same outputs.
//
// Codes are those of the devices; a drive hands them on to screens and logs and does not
// look into them.
type Inputs struct {
	Wheel    Wheel
	Pedals   Pedals
	Buttons  Buttons
	Window   Window
	Stop     Stop
	BeltOpen bool // the line of a belt or a door says that it is open
	Platform Platform
	Operator Operator

	Gap       float64 // time for which nothing was stepped before this tick [s]
	Suspended bool    // the machine was suspended in it
	Withheld  bool    // the torque of the tick before was not handed on: that tick was held up in its middle
	Feel      uint8   // the element of Setup.Feels for the wheel that was found last
	Watched   bool    // somebody may look at Outputs.Frame

	Loop Loop
}

// Wheel is what the steering wheel measures, and what it can do.
type Wheel struct {
	Present  bool
	Fault    bool    // its sensor does what no rim can do
	Angle    float64 // steering [rad], positive left
	Rated    float64 // the most torque that it may give now, without Room [N·m]
	Rate     float64 // torques that it takes a second [1/s]; 0 is unknown
	Delay    float64 // from a torque to the rim and back to its angle [s]; 0 is unknown
	Room     float64 // what its own effects may add up to [N·m]; 0 where it makes none
	Headroom float64 // the part of Room for the peak of its vibration [N·m]
	Own      float64 // what its own effects may add up to by now [N·m]
}

// Pedals are what the driver's feet do, and the hand on shifter and handbrake.
type Pedals struct {
	Present                            bool
	Fault                              bool    // a sensor does what no foot can do
	Throttle, Brake, Clutch, Handbrake float64 // 0 at rest .. 1 pressed or pulled all the way, which opens the clutch
	ShiftUp, ShiftDown                 bool    // levers that are pulled
	Gate                               bool    // there is a shifter with a gate, and Gear is where it is
	Gear                               int8    // -1 reverse, 0 neutral, 1 and up forward
}

// Buttons are those of the cockpit, as the keys of frame that do the same.
type Buttons struct {
	Down    uint64 // held now
	Pressed uint64 // that began since the tick before, also if they have ended again
}

// Window is the rig's own one.
type Window struct {
	Keys     uint64 // of frame, that are down as far as the window said last
	Pictures uint64 // that it has shown; 0 before the first one
}

// Stop is the emergency stop with its relay.
type Stop struct {
	Pressed     bool  // or cannot be seen released
	RelayFailed bool  // the relay dropped by itself, or cannot be switched
	Cause       uint8 // code of why
}

// Platform is what the motion platform says of itself.
type Platform struct {
	Configured bool // there is one, whether it answers or not; without one all that follows is 0, and NaN where unknown

	Follows   bool // it takes targets
	Away      bool // it takes nothing at all: it is absent or at fault
	Connected bool // it is there, whatever it does
	Parked    bool // it rests where it parks
	Halted    bool // it was stopped, and holds or parks until it gets an order
	Final     bool // an order to park moves nothing any more

	State, Faults uint64                 // codes
	Feedback      [frame.MaxLegs]float64 // measured positions, 0..1 of the stroke, 0.5 = centre; NaN where unknown
	Demand        [frame.MaxLegs]float64 // sent last, the same; NaN where nothing was sent
	FollowError   [frame.MaxLegs]float64 // from where each actuator should be, share of the stroke, positive above; NaN where unknown
	Temperature   [frame.MaxLegs]float64 // [°C]; NaN where unknown
	Measured      frame.Pose             // that follows from Feedback; NaN where nothing measures
	Rate          float64                // demands a second
	LineShare     float64                // of the line that is busy, 0..1
	Latency       float64                // of the newest demand, from the tick to the last byte on the wire [s]
	Warnings      uint64                 // demands that jumped farther than is believed
}

// Operator is what whoever looks after the rig has ordered.
type Operator struct {
	Start   bool // to drive
	Release bool // to end the drive; it is never taken back
	Stop    bool // an emergency stop by software, until it is lifted
	Clear   bool // in this tick: a fault or a stop is over
}

// Loop is how well the loop kept its rate. Only screens depend on it.
type Loop struct {
	Missed, Dropped uint64  // periods that the loop woke too late for, and periods never stepped
	LateMax         float64 // worst wake-up [s]
	Cost            float64 // of the tick before [s]
}
