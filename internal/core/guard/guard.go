// Package guard limits every output: a state machine decides when torque and motion may pass, and a
// gate fades and clamps them.
//
// Its inputs are orders, device states and the requested torque and motion of a tick; its outputs are the
// torque and motion that the devices may get. It never passes NaN or Inf, and never more than the limits.
// It is pure: it is stepped once per tick and reads no clock. Software is not a safety function; a switch
// that cuts the power, and a person beside the rig, are.
package guard

import (
	"rig.example/rig/internal/kit/valid"
)

// State is the safety state of the rig, from parked to driving.
type State uint8

// The states, in the order of a drive.
const (
	Parked    State = iota // platform at its park position, no torque
	Homing                 // the platform finds its center position
	Ready                  // everything is at rest; a drive can begin
	Engaging               // torque and motion fade in
	Driving                // full torque and motion
	Releasing              // torque and motion fade out
	Fault                  // latched until the operator confirms, after the cause has ended
	Stopped                // emergency stop, latched until the operator confirms, after the switch is released
)

var stateNames = [...]string{"parked", "homing", "ready", "engaging", "driving", "releasing", "fault", "stopped"}

func (s State) String() string {
	if int(s) < len(stateNames) {
		return stateNames[s]
	}
	return "unknown"
}

// Moves reports whether the car moves in this state.
func (s State) Moves() bool { return s == Engaging || s == Driving }

// Powered reports whether the enable relay may hold the power in this state. After a fault or a
// stop has cut it, only the operator's confirmation restores it.
func (s State) Powered() bool { return s != Parked && s != Fault && s != Stopped }

// Cause is the reason for a change of state.
type Cause uint8

// The causes of a change of state.
const (
	None             Cause = iota
	StartRequested         // the operator asked to drive
	Homed                  // the platform is at its center position, or there is no platform
	WheelReady             // a wheel is connected
	FadeInDone             // the fade-in is over
	ReleaseRequested       // the operator asked to end the drive
	FadeOutDone            // the fade-out is over
	PlatformParked         // the platform is parked, or there is no platform
	EmergencyStop          // an emergency-stop switch, a key, a button, or a signal to the process
	Cleared                // the operator cleared a fault or a stop
	BadTorque              // the torque asked for is NaN or Inf
	BadMotion              // a platform target is NaN or Inf
	BadState               // the car's state holds NaN or Inf
	DeviceFault            // a device reported a fault
	WheelLost              // the wheel was unplugged while the torque faded in
	PauseRequested         // the drive was paused
	InterlockOpen          // a belt or a door is open
	LoopStalled            // the loop made no step for so long that the devices stopped by themselves
	Suspended              // the computer was suspended
	WindowLost             // the rig's window stopped showing pictures
	NoPlatform             // the platform is absent, at fault, or waits for the operator
	BadGuard               // a number of the guard itself is NaN, Inf or beyond any use
)

var causeNames = [...]string{"none", "start requested", "platform homed", "wheel ready", "faded in", "release requested",
	"faded out", "platform parked", "emergency stop", "cleared by the operator", "NaN or Inf in the torque",
	"NaN or Inf in a platform target", "NaN or Inf in the car's state", "a device reports a fault", "wheel lost", "paused", "a belt or a door is open",
	"the rig stood still", "the machine was suspended", "the window is lost",
	"no platform follows", "NaN, Inf or an absurd value in the guard"}

func (c Cause) String() string {
	if int(c) < len(causeNames) {
		return causeNames[c]
	}
	return "unknown"
}

// Config is how gently torque and motion come and go.
type Config struct {
	// Fade-in of torque and motion [s].
	Engage float64 `toml:"engage_s" range:"0.2..10"`
	// Fade-out of torque and motion [s].
	Release float64 `toml:"release_s" range:"0.1..5"`
	// Highest torque at the rim [N·m], whatever wheel and car could give. Above 8 N·m only with
	// consent in each start: `rig run --high-torque`, `U`, or a button for `high_torque`.
	MaxTorque float64 `toml:"max_torque_nm" range:"0..25"`
	// Torque and motion pass only while a button for `dead_man`, or `B` in the window, is held: they
	// fade out within 0.1 s when it is let go, and in within `engage_s`. The car rolls on.
	DeadMan bool `toml:"dead_man"`
	// Torque fades out within a second when nobody seems to hold the rim for this time [s] while the car
	// moves faster than 1 m/s, and comes back within a second when somebody does. Take 5 or more: a
	// rim held still on a straight, without force in it, looks like one that nobody holds. Motion goes
	// on. 0 is off.
	HandsOff float64 `toml:"hands_off_s" range:"0 (off) or 0.5..60"`
}

// DefaultConfig fades in over 2 s, limits the torque to SafeTorque, and does not check for hands on the
// rim.
func DefaultConfig() Config { return Config{Engage: 2, Release: 0.5, MaxTorque: SafeTorque} }

// Validate reports every field that is out of range.
func (c Config) Validate() error {
	return valid.Struct(c)
}

// Inputs are the guard's inputs in one tick.
type Inputs struct {
	Start          bool // the operator orders a drive; stays true
	Release        bool // the operator orders the end of the drive; stays true
	Pause          bool // the driver has paused: the drive goes to Ready, and resumes from there
	Stop           bool // an emergency stop is pressed
	Clear          bool // the operator confirms that a fault or stop is over
	WheelPresent   bool // a wheel is connected
	PlatformReady  bool // the platform follows targets
	PlatformHomed  bool // the platform has found its center position, or none is configured
	PlatformOff    bool // the platform is absent, at fault, or waits for the operator: the drive begins without it
	PlatformParked bool // the platform is parked, or none is configured
	DeviceFault    bool // a device has latched a fault
	StateOK        bool // the car's state holds no NaN and no Inf
	HighTorque     bool // the key that toggles the consent to more than SafeTorque is down
	DeadMan        bool // the dead man's switch is held
	InterlockOpen  bool // the belt or door switch is open
	WindowLost     bool // the rig's window has stopped showing pictures
	Suspended      bool // the computer was suspended since the last tick

	Gap     float64 // time without a step before this tick [s]
	HandsOn float64 // estimate of hands on the rim, 0..1
	Speed   float64 // of the car [m/s]
}

// Transition is a change of state, for the log.
type Transition struct {
	From, To State
	Cause    Cause
}

// Guard is the state machine and its gate. The zero value is not usable.
type Guard struct {
	cfg            Config
	dt             float64
	state          State
	lastTransition Transition
	torqueFade     float64 // linear fade of the torque, 0..1
	motionFade     float64 // linear fade of the motion, 0..1
	gateFault      Cause   // NaN or Inf that the gate met since the last Step, or None
	reserved       float64 // torque reserved for the wheel's own effects [N·m]
	deadManShare   float64 // linear fade of torque and motion by the dead man's switch, 0..1
	consent        consent
	hands          hands
	clearEdge      edge    // detects the operator's confirmation
	confirmed      bool    // the last Step accepted the operator's confirmation
	releaseEdge    edge    // detects the order to end the drive
	sinceGap       float64 // time since the last gap or suspend [s]
	latchedCause   Cause   // why no drive continues until the operator confirms, or None
}

// edge detects when a signal becomes true, so that a key that is held down confirms only once.
type edge struct {
	before bool // the signal in the last tick
	rising bool // the signal became true in this tick
}

func (e *edge) step(on bool) {
	e.rising = on && !e.before
	e.before = on
}

// New returns a parked guard that is stepped every dt [s].
//
// A key for high torque that is already down in the first tick gives no consent.
func New(cfg Config, dt float64) *Guard {
	return &Guard{cfg: cfg, dt: dt, consent: consent{toggleKey: edge{before: true}}}
}

// State returns the current state.
func (g *Guard) State() State { return g.state }

// Cleared reports whether the last Step accepted the operator's confirmation.
func (g *Guard) Cleared() bool { return g.confirmed }

// LastTransition returns the latest transition.
func (g *Guard) LastTransition() Transition { return g.lastTransition }

// Step advances the state machine by one tick and reports whether the state changed.
func (g *Guard) Step(in Inputs) bool {
	before := g.state
	if !g.isPlausible() {
		g.reset()
		g.gateFault = BadGuard
	}
	g.clearEdge.step(in.Clear)
	confirmed := g.updateLatch(in)
	g.releaseEdge.step(in.Release)
	to, cause := g.decide(in, confirmed)
	if to != before {
		g.state, g.lastTransition = to, Transition{before, to, cause}
	}
	g.confirmed = confirmed || cause == Cleared
	g.stepFades(in)
	g.consent.step(in.HighTorque, g.state == Fault || g.state == Stopped || in.Gap > DriveEndingGap || in.Suspended, g.dt)
	g.stepDeadMan(in.DeadMan)
	g.hands.step(g.cfg, g.state.Moves() && in.WheelPresent, in.HandsOn, in.Speed, g.dt)
	return g.state != before
}

// decide returns the state after this tick and the cause of a change. Stops and faults take precedence over
// orders.
func (g *Guard) decide(in Inputs, confirmed bool) (State, Cause) {
	if in.Stop {
		return Stopped, EmergencyStop
	}
	if cause := g.faultCause(in); cause != None && g.state != Stopped {
		return Fault, cause
	}
	if to, cause := g.latchedTransition(confirmed && !in.Release); cause != None {
		return to, cause
	}
	return g.nextState(in)
}

func (g *Guard) faultCause(in Inputs) Cause {
	gateFault := g.gateFault
	g.gateFault = None
	switch {
	case gateFault != None:
		return gateFault
	case !in.StateOK:
		return BadState
	case in.DeviceFault:
		return DeviceFault
	}
	return None
}

func (g *Guard) nextState(in Inputs) (State, Cause) {
	switch g.state {
	case Parked:
		if in.Start && !in.Release {
			return Homing, StartRequested
		}
	case Homing:
		if in.Release {
			return Ready, ReleaseRequested
		}
		if in.PlatformHomed {
			return Ready, Homed
		}
		if in.PlatformOff {
			return Ready, NoPlatform
		}
	case Ready:
		if in.Release && in.PlatformParked {
			return Parked, PlatformParked
		}
		if in.Start && !in.Release && !in.Pause && in.WheelPresent && g.latchedCause == None {
			return Engaging, WheelReady
		}
	case Engaging:
		if in.Release {
			return Releasing, ReleaseRequested
		}
		if in.Pause {
			return Releasing, PauseRequested
		}
		if !in.WheelPresent {
			return Driving, WheelLost
		}
		if g.torqueFade >= 1 {
			return Driving, FadeInDone
		}
	case Driving:
		if in.Release {
			return Releasing, ReleaseRequested
		}
		if in.Pause {
			return Releasing, PauseRequested
		}
		if in.Gap > FadeInGap {
			return Engaging, LoopStalled
		}
	case Releasing:
		if g.torqueFade <= 0 && g.motionFade <= 0 {
			return Ready, FadeOutDone
		}
	case Fault: // its cause has ended: decide calls nextState only then
		if g.clearEdge.rising || g.releaseEdge.rising {
			return Ready, Cleared
		}
	case Stopped: // its cause has ended too; ending the drive does not confirm a stop
		if g.clearEdge.rising {
			return Ready, Cleared
		}
	}
	return g.state, None
}

// stepFades steps the fades of torque and motion. They restart from 0 when a device is missing, the loop had a
// gap above FadeInGap, or the computer was suspended. A fault or a stop cuts the torque at once; the platform
// brakes or parks by itself.
func (g *Guard) stepFades(in Inputs) {
	up, down := g.dt/g.cfg.Engage, g.dt/g.cfg.Release
	on := g.state.Moves()
	g.torqueFade = ramp(g.torqueFade, on && in.WheelPresent, up, down)
	g.motionFade = ramp(g.motionFade, on && in.PlatformReady, up, down)
	if g.state == Fault || g.state == Stopped || !in.WheelPresent {
		g.torqueFade = 0
	}
	if !in.PlatformReady {
		g.motionFade = 0
	}
	if in.Gap > FadeInGap || in.Suspended {
		g.torqueFade, g.motionFade = 0, 0
	}
}

// ramp moves a fade, 0..1, towards 1 by up if on, else towards 0 by down.
func ramp(share float64, on bool, up, down float64) float64 {
	if on {
		return min(share+up, 1)
	}
	return max(share-down, 0)
}

// Gate fades and limits the requested torque [N·m] and the platform's legs [fraction of the stroke,
// 0.5 = center] and returns what the devices get.
//
// NaN and Inf become no torque and the center, and latch a fault at the next Step.
func (g *Guard) Gate(torque float64, legs [8]float64) (float64, [8]float64) {
	if !valid.Finite(torque) {
		g.gateFault, torque = BadTorque, 0
	}
	limit := max(g.MaxTorque()-g.reserved, 0)
	torque = max(-limit, min(limit, torque)) * g.torqueShare()
	if !g.isPlausible() {
		g.gateFault, torque = BadGuard, 0
	}
	for i, l := range legs {
		if !valid.Finite(l) {
			g.gateFault, l = BadMotion, 0.5
		}
		legs[i] = 0.5 + (max(0, min(1, l))-0.5)*g.MotionShare()
	}
	if g.gateFault != None {
		torque = 0
	}
	if g.gateFault == BadGuard {
		legs = [8]float64{0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5}
	}
	return torque, legs
}

// ReserveTorque reserves torque [N·m] for the wheel's own effects: Gate lets that much less pass, so
// that both together stay within the limit.
func (g *Guard) ReserveTorque(torque float64) {
	if !valid.Finite(torque) {
		torque = 0
	}
	g.reserved = max(0, min(torque, g.MaxTorque()))
}

// GateOwnEffects fades and limits the torque [N·m] that the wheel's own effects ask for: at most the
// reserved torque, faded like the torque. It returns 0 in every state but Engaging and Driving, and if
// Gate met NaN or Inf. Call it after Gate.
func (g *Guard) GateOwnEffects(torque float64) float64 {
	if !(torque > 0) || g.gateFault != None || !g.state.Moves() { // false for NaN
		return 0
	}
	return min(torque, g.reserved, g.MaxTorque()) * g.torqueShare()
}

// torqueShare returns the fraction of the torque that passes, 0..1.
func (g *Guard) torqueShare() float64 {
	return smooth(g.torqueFade) * smooth(g.deadManShare) * smooth(g.hands.share)
}

// smooth maps a linear fade, 0..1, to one whose slope is 0 at both ends. What is beyond counts as the end.
func smooth(x float64) float64 {
	x = max(0, min(1, x))
	return x * x * (3 - 2*x)
}
