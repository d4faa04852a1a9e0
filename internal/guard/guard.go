// Package guard has the last word before every output: a state machine that
// says when torque and motion may flow, and a gate that they flow through.
//
// It is pure: it is stepped once a tick and knows no clock. Software is not a
// safety function; a switch that cuts the power and the person beside it are.
package guard

import (
	"errors"
	"fmt"
	"math"
)

// State is where the rig is between parked and driving.
type State uint8

// The states, in the order of a drive.
const (
	Parked    State = iota // platform at its park position, no torque
	Homing                 // the platform finds its centre
	Ready                  // everything stands still and waits for the driver
	Engaging               // torque and motion fade in
	Driving                // full torque and motion
	Releasing              // torque and motion fade out
	Fault                  // latched: cleared by the operator when the cause is gone
	Stopped                // emergency stop: cleared by the operator after its release
)

var names = [...]string{"parked", "homing", "ready", "engaging", "driving", "releasing", "fault", "stopped"}

func (s State) String() string {
	if int(s) < len(names) {
		return names[s]
	}
	return "unknown"
}

// Moves tells whether the car moves in this state.
func (s State) Moves() bool { return s == Engaging || s == Driving }

// Powered reports whether the enable relay may hold the power in this state. Once a fault or a stop
// has taken it, only the operator's confirmation gives it back.
func (s State) Powered() bool { return s != Parked && s != Fault && s != Stopped }

// Cause is why a transition happened.
type Cause uint8

// The causes of transitions.
const (
	None           Cause = iota
	Start                // the operator asked to drive
	Homed                // the platform is at its centre, or there is none
	WheelReady           // a wheel is there to be driven with
	FadedIn              // the fade-in is over
	Release              // the operator asked to end the drive
	FadedOut             // the fade-out is over
	PlatformParked       // the platform is parked, or there is none
	EmergencyStop        // a stop switch or key
	Cleared              // the operator cleared a fault or a stop
	BadTorque            // the torque asked for is NaN or Inf
	BadMotion            // a platform target is NaN or Inf
	BadState             // the car's state holds NaN or Inf
	DeviceFault          // a device reported a fault of its own
	WheelLost            // the wheel vanished while the torque faded in
	Pause                // the driver wants a pause
	Unbelted             // a belt or a door is open
	Stalled              // the rig stood still for so long that its devices let go
	Suspended            // the machine was suspended
	Blind                // the window of a drive that had one is lost
)

var causes = [...]string{"none", "start requested", "platform homed", "wheel ready", "faded in", "release requested",
	"faded out", "platform parked", "emergency stop", "cleared by the operator", "NaN or Inf in the torque",
	"NaN or Inf in a platform target", "NaN or Inf in the car's state", "a device reports a fault", "wheel lost", "paused by the driver", "a belt or a door is open",
	"the rig stood still", "the machine was suspended", "the window is lost"}

func (c Cause) String() string {
	if int(c) < len(causes) {
		return causes[c]
	}
	return "unknown"
}

// Config is how gently torque and motion come and go.
type Config struct {
	Engage    float64 `toml:"engage_s"`      // fade-in of torque and motion [s]
	Release   float64 `toml:"release_s"`     // fade-out [s]
	MaxTorque float64 `toml:"max_torque_nm"` // at the rim, whatever the wheel could give [N·m]; above SafeTorque only with consent
	DeadMan   bool    `toml:"dead_man"`      // torque and motion pass only while a switch is held
	HandsOff  float64 `toml:"hands_off_s"`   // torque goes when nobody holds the rim for so long [s]; 0 is off
}

// DefaultConfig fades in over two seconds, stays at what needs no consent, and trusts
// the driver to hold the rim.
func DefaultConfig() Config { return Config{Engage: 2, Release: 0.5, MaxTorque: SafeTorque} }

// Validate reports every field that is out of range.
func (c Config) Validate() error {
	return errors.Join(
		inRange("engage_s", c.Engage, 0.2, 10),
		inRange("release_s", c.Release, 0.1, 5),
		inRange("max_torque_nm", c.MaxTorque, 0, 25),
		c.checkHands(),
	)
}

func (c Config) checkHands() error {
	if c.HandsOff == 0 {
		return nil
	}
	return inRange("hands_off_s", c.HandsOff, 0.5, 60)
}

func inRange(key string, v, low, high float64) error {
	if v >= low && v <= high {
		return nil
	}
	return fmt.Errorf("guard: %s = %g is outside %g..%g", key, v, low, high)
}

// Inputs is what the guard learns in one tick.
type Inputs struct {
	Start          bool // the operator wants to drive
	Release        bool // the operator wants to stop driving
	Pause          bool // the driver wants a pause: the drive ends in Ready, and goes on from there
	Stop           bool // an emergency stop is pressed
	Clear          bool // the operator confirms that a fault or stop is over
	WheelPresent   bool // there is a wheel to drive with
	PlatformReady  bool // the platform follows targets
	PlatformHomed  bool // the platform has found its centre, or none is configured
	PlatformParked bool // the platform is parked, or none is configured
	DeviceFault    bool // a device latched a fault of its own
	StateOK        bool // the car's state is made of numbers
	HighTorque     bool // the operator's key that gives and takes back the consent to more than SafeTorque
	DeadMan        bool // the dead man's switch is held
	Unbelted       bool // the interlock of belt or door is open
	Blind          bool // the window of a drive that had one is lost
	Suspended      bool // the machine was suspended since the tick before

	Gap     float64 // for so long nothing was stepped before this tick [s]
	HandsOn float64 // estimate of hands on the rim, 0..1
	Speed   float64 // of the car [m/s]
}

// Transition is one change of state, for the log.
type Transition struct {
	From, To State
	Cause    Cause
}

// Guard is the state machine and its gate. The zero value is not usable.
type Guard struct {
	cfg     Config
	dt      float64
	state   State
	last    Transition
	wheel   float64 // share of torque that passes, 0..1
	motion  float64 // share of motion that passes, 0..1
	bad     Cause   // what the gate found since the last Step
	room    float64 // kept of the torque for what the wheel makes by itself [N·m]
	held    float64 // share of both that the dead man's switch lets pass, 0..1
	consent consent
	hands   hands
	clear   edge
	cleared bool // the last Step took the operator's confirmation
	release edge
	waited  float64 // since something of the kind last began [s]
	waits   Cause   // why no drive goes on until the operator confirms, or None
}

// edge is true in the tick in which an order is given, and not while it lasts:
// a key that is held, or an order from before, confirms nothing.
type edge struct{ held, now bool }

func (e *edge) step(order bool) {
	e.now = order && !e.held
	e.held = order
}

// New returns a parked guard that is stepped every dt [s].
//
// A key for high torque that is down from the beginning is no consent.
func New(cfg Config, dt float64) *Guard {
	return &Guard{cfg: cfg, dt: dt, consent: consent{key: edge{held: true}}}
}

// State returns the current state.
func (g *Guard) State() State { return g.state }

// Cleared reports whether the last Step took the operator's confirmation.
func (g *Guard) Cleared() bool { return g.cleared }

// Last returns the newest transition.
func (g *Guard) Last() Transition { return g.last }

// Step advances the state machine by one tick and reports whether the state
// changed.
func (g *Guard) Step(in Inputs) bool {
	before := g.state
	g.clear.step(in.Clear)
	confirmed := g.latch(in)
	g.release.step(in.Release)
	to, cause := g.next(in, confirmed)
	if to != before {
		g.state, g.last = to, Transition{before, to, cause}
	}
	g.cleared = confirmed || cause == Cleared
	g.fade(in)
	g.consent.step(in.HighTorque, g.state == Fault || g.state == Stopped || in.Gap > LeftGap || in.Suspended, g.dt)
	g.hold(in.DeadMan)
	g.hands.step(g.cfg, g.state.Moves() && in.WheelPresent, in.HandsOn, in.Speed, g.dt)
	return g.state != before
}

// next finds the state after this tick; trouble comes before wishes.
func (g *Guard) next(in Inputs, confirmed bool) (State, Cause) {
	if in.Stop {
		return Stopped, EmergencyStop
	}
	if cause := g.trouble(in); cause != None && g.state != Stopped {
		return Fault, cause
	}
	if to, cause := g.wait(confirmed && !in.Release); cause != None {
		return to, cause
	}
	return g.wish(in)
}

func (g *Guard) trouble(in Inputs) Cause {
	bad := g.bad
	g.bad = None
	switch {
	case bad != None:
		return bad
	case !in.StateOK:
		return BadState
	case in.DeviceFault:
		return DeviceFault
	}
	return None
}

func (g *Guard) wish(in Inputs) (State, Cause) {
	switch g.state {
	case Parked:
		if in.Start && !in.Release {
			return Homing, Start
		}
	case Homing:
		if in.Release {
			return Ready, Release
		}
		if in.PlatformHomed {
			return Ready, Homed
		}
	case Ready:
		if in.Release && in.PlatformParked {
			return Parked, PlatformParked
		}
		if in.Start && !in.Release && !in.Pause && in.WheelPresent && g.waits == None {
			return Engaging, WheelReady
		}
	case Engaging:
		if in.Release {
			return Releasing, Release
		}
		if in.Pause {
			return Releasing, Pause
		}
		if !in.WheelPresent {
			return Driving, WheelLost
		}
		if g.wheel >= 1 {
			return Driving, FadedIn
		}
	case Driving:
		if in.Release {
			return Releasing, Release
		}
		if in.Pause {
			return Releasing, Pause
		}
		if in.Gap > LimpGap {
			return Engaging, Stalled
		}
	case Releasing:
		if g.wheel <= 0 && g.motion <= 0 {
			return Ready, FadedOut
		}
	case Fault: // the cause is gone, or next would not have come here
		if g.clear.now || g.release.now {
			return Ready, Cleared
		}
	case Stopped: // the same; who leaves does not confirm that anything may move or have power
		if g.clear.now {
			return Ready, Cleared
		}
	}
	return g.state, None
}

// fade moves both shares. A device that is not there has none, so that one
// that comes back fades in from nothing, and so do both after the rig stood still.
// Trouble cuts the torque at once; what the platform does then, braking to a halt or
// parking, is its own business.
func (g *Guard) fade(in Inputs) {
	up, down := g.dt/g.cfg.Engage, g.dt/g.cfg.Release
	on := g.state.Moves()
	g.wheel = step(g.wheel, on && in.WheelPresent, up, down)
	g.motion = step(g.motion, on && in.PlatformReady, up, down)
	if g.state == Fault || g.state == Stopped || !in.WheelPresent {
		g.wheel = 0
	}
	if !in.PlatformReady {
		g.motion = 0
	}
	if in.Gap > LimpGap || in.Suspended {
		g.wheel, g.motion = 0, 0
	}
}

func step(share float64, on bool, up, down float64) float64 {
	if on {
		return min(share+up, 1)
	}
	return max(share-down, 0)
}

// Gate returns what may reach the devices of the torque asked for [N·m] and of
// the platform's legs [share of the stroke, 0.5 = centre].
//
// NaN and Inf pass as nothing and latch a fault at the next Step.
func (g *Guard) Gate(torque float64, legs [8]float64) (float64, [8]float64) {
	if !finite(torque) {
		g.bad, torque = BadTorque, 0
	}
	limit := max(g.Most()-g.room, 0)
	torque = max(-limit, min(limit, torque)) * g.torqueShare()
	for i, l := range legs {
		if !finite(l) {
			g.bad, l = BadMotion, 0.5
		}
		legs[i] = 0.5 + (max(0, min(1, l))-0.5)*g.Motion()
	}
	if g.bad != None {
		torque = 0
	}
	return torque, legs
}

// Keep takes so much [N·m] off the torque that may pass, for what the wheel makes by
// itself: all together stays within the limit.
func (g *Guard) Keep(room float64) {
	if !finite(room) {
		room = 0
	}
	g.room = max(0, min(room, g.Most()))
}

// GateOwn returns what may reach the wheel of something that it makes by itself [N·m]: no
// more than is kept for that, faded as the torque is. It follows Gate, and passes nothing
// while the car stands still or something is NaN or Inf.
func (g *Guard) GateOwn(nm float64) float64 {
	if !(nm > 0) || g.bad != None || !g.state.Moves() { // false for NaN
		return 0
	}
	return min(nm, g.room, g.Most()) * g.torqueShare()
}

// torqueShare is how much of the torque passes, 0..1.
func (g *Guard) torqueShare() float64 {
	return smooth(g.wheel) * smooth(g.held) * smooth(g.hands.share)
}

// smooth bends a linear fade so that it starts and ends without a jerk.
func smooth(x float64) float64 { return x * x * (3 - 2*x) }

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
