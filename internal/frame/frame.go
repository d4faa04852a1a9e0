// Package frame is what the rig shows of itself: one fixed-size frame a tick, the scene in
// which the car drives, and the keys that a driver may press. It is plain data (pure); package
// page shows it to other processes.
package frame

import "strconv"

// Flag bits of Frame.Flags.
const (
	WheelPresent    uint64 = 1 << iota // a steering wheel is connected
	PedalsPresent                      // pedals are connected
	PlatformPresent                    // a motion platform is connected and answers, whatever it does
	Clipping                           // the torque asked for exceeds what the rim may get
	Demo                               // devices are simulated
	KeysDrive                          // the keyboard drives instead of the driver model
	EngineRuns                         // it turns by itself; an electric motor that may
	AutoGears                          // the car changes gears
	Grinds                             // teeth of a gear that does not mesh
	AutoClutch                         // the car works the clutch
	PitOn                              // the pit limiter is switched on
	LaunchOn                           // launch control is switched on
	ABSWorks                           // in this tick, as the four below
	TractionWorks
	StabilityWorks
	LaunchWorks
	PitWorks
	OffTrack    // more than two wheels are beside the road
	WrongWay    // the car goes round against the circuit's direction
	InPit       // it is in the pit lane
	LapInvalid  // the lap being driven does not count
	LastInvalid // the last lap did not
	Paused      // the driver has paused
	LooksLeft   // the driver wants to look to the left
	LooksRight
	Flashes     // the headlights
	GainChanged // the strength of the force was changed a moment ago
	HighTorque  // the operator consents to more torque than needs no consent
	TorqueHeld  // wheel and configuration could give more, but nobody consented
	LetGo       // the dead man's switch is not held
	HandsOff    // the torque is taken off, for nobody holds the rim
	BeltOpen    // a belt or a door is open
	Unbelted    // so it is, or was and nobody has confirmed since that it is closed
	Away        // the rig stood still or slept, and waits for the operator to confirm
	Blind       // the window of a drive that had one is lost or was, and waits for the operator to confirm
	MotionOff   // the driver has switched the motion off
	TuningTold  // the motion was tuned a moment ago
)

// Frame is one tick as the rest of the world may see it.
//
// SI units, radians and the axes of the simulation (ISO 8855: x forward,
// y left, z up; wheels front-left, front-right, rear-left, rear-right). Every
// field is 8 bytes wide, so that the page copies it word by word.
type Frame struct {
	Tick  uint64 // ticks of the car since the start
	Flags uint64 // WheelPresent and the like
	State uint64 // code of the safety state: guard.State

	Pos  [3]float64 // centre of mass [m, world]
	Att  [4]float64 // quaternion body to world: w, x, y, z
	Vel  [3]float64 // velocity of the centre of mass [m/s, world]
	Rate [3]float64 // angular velocity [rad/s, body]
	Acc  [3]float64 // acceleration of the centre of mass, without gravity [m/s², body]

	Speed    float64 // along the car [m/s]
	Gear     int64   // -1 reverse, 0 neutral, 1.. forward; while gears change the next one
	RPM      float64 // engine [1/min]
	Steer    float64 // steering wheel [rad], positive left
	Throttle float64 // 0..1
	Brake    float64 // 0..1
	Clutch   float64 // 0..1, 1 is pedal down
	Hand     float64 // 0..1, handbrake

	ABS       uint64  // level, 0 off to 10
	Traction  uint64  // the same
	Stability uint64  // the same
	Pulse     float64 // of the ABS in the brake pedal, 0..1
	Fuel      float64 // in the tank [L]; NaN where there is none
	Gain      float64 // of the force at the rim, as the driver set it; 1 is plain
	Damp      float64 // share of the road's grip that rain took, 0..1
	Charge    float64 // of tank or battery, 0..1; NaN where there is neither

	Wheels [4]Wheel

	RimTorque    float64    // handed to the wheel [N·m], positive left
	AskedTorque  float64    // before limits, at the rim [N·m], positive left
	RatedTorque  float64    // the most the wheel may give [N·m]
	Force        Force      // how the torque came to be
	Pose         Pose       // asked of the platform, after the guard
	Legs         [8]float64 // demanded actuator positions, 0..1 of the stroke
	LegsFeedback [8]float64 // measured actuator positions, 0..1; NaN where nothing measures
	Motion       Motion     // what comes of the pose, and how it came to be

	Station  float64 // of the front axle, along the circuit's centre line [m]
	Lap      Lap     // the circuit's clock
	Missed   uint64  // loop periods woken too late
	Dropped  uint64  // loop periods never stepped
	LateMax  float64 // worst wake lateness so far [s]
	TickCost float64 // duration of the last tick [s]
	Pictures uint64  // shown in the rig's own window so far; 0 without one
}

// MaxSectors is how many sectors a lap may have.
const MaxSectors = 8

// Lap is what the circuit's clock shows. Times are in seconds; those of 0 are not known.
type Lap struct {
	Number      uint64 // of the lap being driven, from 1; 0 before the start line is passed
	Count       uint64 // laps driven to their end, valid or not
	Time        float64
	Last        float64
	Best        float64             // of the valid ones
	Delta       float64             // used more than in the best lap up to here; NaN where nothing compares
	Sectors     uint64              // in a lap
	Sector      uint64              // being driven, from 0
	Splits      [MaxSectors]float64 // of the lap being driven: its sectors' times
	LastSplits  [MaxSectors]float64 // of the last lap
	BestSectors [MaxSectors]float64 // the shortest times
	PitTime     float64             // in the pit lane, of this visit or the last
}

// MuchClipped is the share of clipped time from which the rim hides what the tires do.
const MuchClipped = 0.025

// MaxEffects is how many effects of the force a frame has room for.
const MaxEffects = 12

// Force is a torque on its way from the steering column to the rim: the value after
// each stage [N·m at the rim, positive left] unless told otherwise.
type Force struct {
	Column   float64             // at the real car's steering wheel
	Gained   float64             // after understeer cue and gain
	Effects  [MaxEffects]float64 // each of its own, in the order of ffb.Effect
	Felt     float64             // gained and effects
	Lead     float64             // part of the rim's dynamics: for its delay
	Damping  float64             // the same: against its speed
	Friction float64             // the same
	Inertia  float64             // the same
	Lock     float64             // of the soft lock
	Limited  float64             // after knee and limit
	Slewed   float64             // after the slew limit
	Sent     float64             // after reconstruction, before the guard
	Peak     float64             // of the column's torque, as learned [N·m]
	Scale    float64             // rim N·m for each N·m at the column
	Clipped  float64             // share of the last 10 s of driving, 0..1
	RimSpeed float64             // filtered [rad/s], positive left
	HandsOn  float64             // estimate, 0..1
	Delay    float64             // of the reconstruction [s]
	Rate     float64             // forces the wheel takes a second [1/s]; 0 is unknown
	Own      float64             // what the wheel's own effects may add to the torque, as it said when the tick began
	Total    float64             // the most that the rim may feel: the torque handed over and Own
}

// Wheel is one road wheel.
type Wheel struct {
	Pos       [3]float64 // hub [m, world]
	Steer     float64    // angle about the car's z [rad], positive left
	Rotation  float64    // rolled angle [rad], positive forward
	Load      float64    // vertical tire load [N]
	SlipRatio float64    // positive driving
	SlipAngle float64    // [rad], positive when the hub moves to the left of its heading
	Travel    float64    // suspension compression [m]
}

// Key bits of Keys.
const (
	KeyLeft uint64 = 1 << iota
	KeyRight
	KeyUp
	KeyDown
	KeyCamera // toggles between chase and cockpit, handled in the display
	KeyClose  // the window was closed
	KeyStop   // emergency stop by software
	KeyClear  // the operator confirms that a fault or stop is over
	KeyReset  // puts the car back on its wheels
	KeyABSLess
	KeyABSMore
	KeyTractionLess
	KeyTractionMore
	KeyStabilityLess
	KeyStabilityMore
	KeyPit       // switches the pit limiter on or off
	KeyLaunch    // switches launch control on or off
	KeyEngine    // held starts an engine that stands, stops one that runs
	KeyAutoGears // who changes gears: the car or the driver
	KeyGearUp
	KeyGearDown
	KeyDrier  // gives the road back some of the grip that rain took
	KeyWetter // lets rain take some from all of it
	KeyPause  // fades the force out and lets the car stand still, or goes on
	KeyLookLeft
	KeyLookRight
	KeyFlash // the headlights
	KeyGainLess
	KeyGainMore
	KeyHandbrake
	KeyClutchBite // the clutch pedal where it bites
	KeyHighTorque // gives or takes back the consent to a torque that can hurt
	KeyDeadMan    // torque and motion pass only while it is held
	KeyMotionLess // of all motion
	KeyMotionMore
	KeyMotionNext // chooses the next of the platform's cues
	KeyCueLess    // of the cue that is chosen
	KeyCueMore
	KeyMotionOn  // lets the platform move with the car, or keeps it level
	KeyInterlock // held while a belt is fastened or a door is shut; a button only
)

// GearName returns what people call a gear: R, N, or its number.
func GearName(gear int64) string {
	switch {
	case gear < 0:
		return "R"
	case gear == 0:
		return "N"
	}
	return strconv.FormatInt(gear, 10)
}
