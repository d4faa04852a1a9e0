// Package frame defines the data that a running rig publishes: a frame of fixed size for every tick
// (state of car, force and platform), the scene around the car, and the keys that a display sends back.
// It holds plain data and formats a few values as text. It does no input or output: package framepage copies
// the data to other processes.
package frame

import "strconv"

// Flag bits of Frame.Flags.
const (
	WheelPresent      uint64 = 1 << iota // a steering wheel is connected
	PedalsPresent                        // pedals are connected
	PlatformPresent                      // a motion platform is connected and answers, in any state
	Clipping                             // the requested torque exceeds the limit of the rim's torque
	Demo                                 // a driver model drives
	KeysDrive                            // the keyboard drives instead of the driver model
	EngineRunning                        // the combustion engine runs, or the electric motor is switched on
	AutoGears                            // the car changes gears
	GearsGrinding                        // the driver forces a gear that cannot engage at these speeds
	AutoClutch                           // the car operates the clutch
	PitLimiterOn                         // the pit limiter is switched on
	LaunchOn                             // launch control is switched on
	ABSActive                            // the anti-lock brakes intervene in this tick
	TractionActive                       // traction control intervenes in this tick
	StabilityActive                      // stability control intervenes in this tick
	LaunchActive                         // launch control holds or limits the engine in this tick
	PitLimiterActive                     // the pit limiter reduces the engine's torque in this tick
	OffTrack                             // more than two wheels are off the road
	WrongWay                             // the car drives against the circuit's direction
	InPit                                // the car is in the pit lane
	LapInvalid                           // the present lap does not count
	LastLapInvalid                       // the last finished lap did not count
	Paused                               // the driver has paused
	LookLeft                             // the display shows the view to the left
	LookRight                            // the display shows the view to the right
	HeadlightFlash                       // the driver flashes the headlights
	GainChanged                          // the gain of the force was changed in the last 3 s
	HighTorque                           // the operator has consented to more than guard.SafeTorque
	TorqueLimited                        // the torque is limited to guard.SafeTorque, because the operator has not consented to more
	DeadManReleased                      // the dead man's switch is configured and not held
	HandsOff                             // the torque is off, because nobody holds the rim
	InterlockOpen                        // a belt or a door is open
	ConfirmInterlock                     // a belt or a door is open, or was open and the operator has not confirmed since
	ConfirmAfterGap                      // the loop stalled or the computer was suspended; the rig waits for the operator to confirm
	ConfirmWindowLost                    // the rig's window stopped showing pictures; the rig waits for the operator to confirm
	MotionOff                            // the driver has switched the motion off by a key
	TuningChanged                        // a factor of the motion was changed in the last 3 s
	StarterTurns                         // the starter turns the engine
	ConfirmPlatform                      // the platform was found, or had a fault; it does not move until the operator confirms
)

// Frame is the published state of one tick.
//
// It uses SI units, radians and the axes of the simulation (ISO 8855: x forward, y left, z up; wheels
// front left, front right, rear left, rear right). Every number in it is 8 bytes wide, because page copies a
// frame word by word. The tag channel names a quantity for readers (package shown): as the channel of the same value if there
// is one; unit is its unit, and each names the elements of an array, which stand for the *.
type Frame struct {
	Tick  uint64 `channel:"car_ticks"` // steps of the car's simulation since the start, 1000 per second
	Due   int64  // when the loop's period of this frame began, on CLOCK_MONOTONIC [ns]; 0 if unknown
	Flags uint64 `channel:"flags"`        // flag bits, WheelPresent to ConfirmPlatform
	State uint64 `channel:"safety_state"` // the safety state, a guard.State
	By    uint64 // whose order led to the stop or the pause that is in effect, a guard.Origin

	Pos  [3]float64 `channel:"position_*" unit:"m" each:"x y z"` // center of mass [m, world]
	Att  [4]float64 // quaternion body to world: w, x, y, z
	Vel  [3]float64 `channel:"velocity_*" unit:"m/s" each:"x y z"`        // velocity of the center of mass [m/s, world]
	Rate [3]float64 `channel:"*_rate" unit:"rad/s" each:"roll pitch yaw"` // angular velocity [rad/s, body]
	Acc  [3]float64 `channel:"acceleration_*" unit:"m/s²" each:"x y z"`   // acceleration of the center of mass, without gravity [m/s², body]

	Speed     float64 `channel:"speed" unit:"m/s"`                // longitudinal speed [m/s], positive forward
	Gear      int64   `channel:"gear_or_next"`                    // -1 reverse, 0 neutral, 1 and up forward; during a gear change the next gear
	RPM       float64 `channel:"engine_rpm" unit:"1/min"`         // engine speed [1/min]
	Steer     float64 `channel:"steering_wheel_angle" unit:"rad"` // steering wheel angle [rad], positive left
	Throttle  float64 `channel:"throttle"`                        // pedal position, 0..1
	Brake     float64 `channel:"brake"`                           // pedal position, 0..1
	Clutch    float64 `channel:"clutch"`                          // pedal position, 0..1; 1 is pressed, which opens the clutch
	Handbrake float64 `channel:"handbrake"`                       // lever position, 0..1

	ABS        uint64  `channel:"abs_level"`             // level of the anti-lock brakes, 0 (off) to 10
	Traction   uint64  `channel:"traction_level"`        // level of traction control, 0 (off) to 10
	Stability  uint64  `channel:"stability_level"`       // level of stability control, 0 (off) to 10
	BrakePulse float64 `channel:"brake_pedal_pulsation"` // pulsation of the brake pedal by the ABS, 0..1
	Fuel       float64 `channel:"fuel_in_tank" unit:"L"` // fuel in the tank [L]; NaN for an electric car
	Gain       float64 `channel:"force_gain"`            // driver's gain of the force at the rim; 1 leaves it as configured
	GripLoss   float64 `channel:"grip_loss"`             // fraction of the road's grip that is lost to rain, 0..1
	Charge     float64 `channel:"charge"`                // fill level of the tank or the battery, 0..1; NaN if the car has neither

	EngineTorque float64 `channel:"engine_torque" unit:"N·m"` // net torque at the crank [N·m], negative when the engine brakes
	Boost        float64 `channel:"engine_boost"`             // of the turbo over that at full torque, 0..1
	Distance     float64 `channel:"distance" unit:"m"`        // driven distance [m]
	Impulse      float64 // of ground and walls on the body's outside and on wheels at full bump, since the start [N·s]

	Wheels [4]Wheel `each:"fl fr rl rr"`

	RimTorque    float64    `channel:"rim_torque" unit:"N·m"`           // torque sent to the wheel [N·m], positive left
	AskedTorque  float64    `channel:"rim_torque_requested" unit:"N·m"` // torque requested at the rim, before limits [N·m], positive left
	RatedTorque  float64    `channel:"rim_torque_allowed" unit:"N·m"`   // highest torque that the rim may get now [N·m]
	Force        Force      // the torque after each stage of its calculation
	Pose         Pose       `channel:"platform_*" unit:"m m m rad rad rad m -" each:"surge sway heave roll pitch yaw slide belt"` // target pose of the platform, after the guard
	Legs         [8]float64 `channel:"actuator_*_demand"`                                                                         // target positions of the actuators, 0..1 of the stroke
	LegsFeedback [8]float64 `channel:"actuator_*_feedback"`                                                                       // measured positions of the actuators, 0..1 of the stroke; NaN if not measured
	Motion       Motion     // state of the platform and stages of the motion cueing

	Station  float64 `channel:"station" unit:"m"` // position of the front axle along the circuit's center line [m]
	Lap      Lap     // lap and sector times
	Missed   uint64  `channel:"missed_ticks"`          // loop periods that had ended completely when the loop woke
	Dropped  uint64  `channel:"dropped_ticks"`         // missed periods without a tick
	LateMax  float64 `channel:"lateness_max" unit:"s"` // worst wake-up lateness so far [s]
	TickCost float64 `channel:"tick_cost" unit:"s"`    // duration of the last tick [s]
	Pictures uint64  `channel:"pictures"`              // pictures that the rig's own window has shown so far; 0 without a window
	Marks    uint64  // marks that the driver has set so far

	Display  Display           // how evenly the rig's own window shows pictures
	Sound    Sound             // the rig's sound devices
	Follow   Follow            // the other simulator that is followed
	Recorder Recorder          // the recording of this drive
	Tuned    [MaxTuned]float64 // what a drive.Factor has now, as a share of its configured value; NaN if that is 0 or there is none
}

// MaxTuned is the highest number of gains, filters and limits that Frame.Tuned holds.
const MaxTuned = 20

// Display tells how evenly a window has shown pictures since it opened. All is 0 without a window.
type Display struct {
	Refresh float64 `channel:"display_refresh" unit:"Hz"`     // refresh rate: as the swaps of pictures keep to it, else of the display mode; 0 if unknown [Hz]
	P50     float64 `channel:"picture_time_p50" unit:"s"`     // median time from picture to picture of the last some seconds [s]
	P99     float64 `channel:"picture_time_p99" unit:"s"`     // 99 % of these times are shorter [s]
	RunP50  float64 `channel:"picture_time_run_p50" unit:"s"` // the same since the window opened
	RunP99  float64 `channel:"picture_time_run_p99" unit:"s"`
	Dropped uint64  `channel:"pictures_dropped"`     // refreshes without a new picture
	Age     float64 `channel:"picture_age" unit:"s"` // mean age of the car's state when the swap of its picture returned, before it is extrapolated [s]
	Cockpit uint64  // 1 if the camera is the driver's eye
}

// Sound tells of the devices that play sound and drive shakers. All is 0 without any.
type Sound struct {
	Devices   uint64  `channel:"sound_devices"`          // sound devices that play now
	Underruns uint64  `channel:"sound_underruns"`        // times that a device ran out of samples
	Latency   float64 `channel:"sound_latency" unit:"s"` // from a tick to the moment when its sound leaves the computer, the longest of all devices [s]
}

// Follow tells of another simulator whose motion the platform gets.
type Follow struct {
	On         uint64  // 1 if another simulator is followed
	Source     uint64  // code of the source
	Status     uint64  // a follow.Status
	StopReady  uint64  // 1 if there is a way to stop beside signals
	Packets    uint64  // packets that arrived so far
	Lost       uint64  // packets that were missing or refused so far
	PacketRate float64 // packets per second
	Delay      float64 // from a packet's arrival to its motion [s]
	Share      float64 // fade of the motion, 0..1
	Trusted    float64 // share of the motion that the least trusted axis has, 0..1: 1 once all signs are confirmed
}

// Recorder is the state of the recording of a drive.
type Recorder struct {
	On      uint64 `channel:"recorder_on"`      // 1 while a file is written
	Bytes   uint64 `channel:"recorder_bytes"`   // bytes written to the file so far, about
	Missing uint64 `channel:"recorder_missing"` // ticks that the recording lacks, because the recorder was held up
}

// MaxSectors is how many sectors a lap may have.
const MaxSectors = 8

// Lap holds lap and sector times [s]. A time of 0 is not known yet.
type Lap struct {
	Number      uint64              `channel:"lap_number"`             // number of the present lap, from 1; 0 before the start line is crossed
	Count       uint64              `channel:"laps_finished"`          // finished laps, valid or not
	Time        float64             `channel:"lap_time" unit:"s"`      // time since the start of the present lap
	Distance    float64             `channel:"lap_distance" unit:"m"`  // distance of the front axle from the start line along the center line [m]
	Last        float64             `channel:"last_lap_time" unit:"s"` // time of the last finished lap
	Best        float64             `channel:"best_lap_time" unit:"s"` // shortest time of a valid lap
	Delta       float64             `channel:"lap_delta" unit:"s"`     // time lost against the best lap up to this place; NaN without a best lap
	Sectors     uint64              `channel:"lap_sectors"`            // number of sectors in a lap
	Sector      uint64              `channel:"lap_sector_index"`       // index of the present sector, from 0
	Splits      [MaxSectors]float64 `channel:"lap_split_*" unit:"s"`   // times of the finished sectors of the present lap
	LastSplits  [MaxSectors]float64 `channel:"last_split_*" unit:"s"`  // sector times of the last lap
	BestSectors [MaxSectors]float64 `channel:"best_sector_*" unit:"s"` // shortest time of each sector
	PitTime     float64             `channel:"pit_time" unit:"s"`      // time in the pit lane during the present or the last visit
}

// ClippingWarning is the fraction of clipped time above which a warning is shown, because a clipped rim
// no longer conveys what the tires do.
const ClippingWarning = 0.025

// MaxEffects is how many effects of the force a frame has room for.
const MaxEffects = 12

// Force holds the torque after each stage from the steering column to the rim [N·m at the rim, positive
// left, unless stated otherwise].
type Force struct {
	Column     float64             `channel:"rim_torque_column" unit:"N·m"` // torque at the real car's steering wheel [N·m]
	Gained     float64             `channel:"rim_torque_gained" unit:"N·m"` // after understeer cue and gain
	Effects    [MaxEffects]float64 // torque of each effect, indexed by ffb.Effect
	Felt       float64             `channel:"rim_torque_felt" unit:"N·m"`          // sum of Gained and Effects
	Lead       float64             `channel:"rim_phase_lead" unit:"N·m"`           // torque of the rim's dynamics: phase lead against the wheel's delay
	Damping    float64             `channel:"rim_damping" unit:"N·m"`              // torque of the rim's dynamics: damping and overspeed reduction
	Friction   float64             `channel:"rim_friction" unit:"N·m"`             // torque of the rim's dynamics: dry friction
	Inertia    float64             `channel:"rim_inertia" unit:"N·m"`              // torque of the rim's dynamics: added inertia
	Lock       float64             `channel:"soft_lock_torque" unit:"N·m"`         // torque of the soft lock
	Limited    float64             `channel:"rim_torque_limited" unit:"N·m"`       // sum of all torques after the torque limit with its knee
	Slewed     float64             `channel:"rim_torque_slewed" unit:"N·m"`        // after the slew limit
	Sent       float64             `channel:"rim_torque_reconstructed" unit:"N·m"` // after reconstruction, before the guard
	Peak       float64             `channel:"column_torque_peak" unit:"N·m"`       // learned peak of the column's torque [N·m]
	Scale      float64             `channel:"force_scale"`                         // torque at the rim per torque at the column
	Clipped    float64             `channel:"force_clipped"`                       // fraction of the last 10 s of driving in which Asked exceeded the limit, 0..1
	RimSpeed   float64             `channel:"rim_speed" unit:"rad/s"`              // filtered speed of the rim [rad/s], positive left
	HandsOn    float64             `channel:"hands_on"`                            // estimate of hands on the rim, 0 (nobody) to 1 (surely somebody)
	Delay      float64             `channel:"reconstruction_delay" unit:"s"`       // delay of the reconstruction filter [s]
	Rate       float64             `channel:"wheel_update_rate" unit:"1/s"`        // torque updates that the wheel accepts per second; 0 is unknown
	OwnEffects float64             `channel:"own_effects_torque" unit:"N·m"`       // torque that the wheel's own effects may add, as reported at the start of the tick
	Total      float64             `channel:"rim_torque_total" unit:"N·m"`         // highest torque that the rim may feel: magnitude of the sent torque plus OwnEffects
}

// Wheel is one road wheel.
type Wheel struct {
	Pos       [3]float64 // hub [m, world]
	Steer     float64    // steering angle about the car's z axis [rad], positive left
	Rotation  float64    // angle rolled about the axle [rad], positive forward
	Load      float64    `channel:"wheel_*_load" unit:"N"`         // vertical tire load [N]
	SlipRatio float64    `channel:"wheel_*_slip_ratio"`            // longitudinal slip, positive while driving, -1 locked
	SlipAngle float64    `channel:"wheel_*_slip_angle" unit:"rad"` // [rad], positive if the hub moves to the left of the wheel's heading
	Travel    float64    `channel:"wheel_*_travel" unit:"m"`       // suspension compression [m]

	Spin              float64 `channel:"wheel_*_spin" unit:"rad/s"`                  // angular velocity about the axle [rad/s], positive forward
	TravelSpeed       float64 `channel:"wheel_*_travel_speed" unit:"m/s"`            // [m/s], positive in compression
	LongitudinalForce float64 `channel:"wheel_*_longitudinal_force" unit:"N"`        // of the road on the tire along the wheel's heading [N]
	LateralForce      float64 `channel:"wheel_*_lateral_force" unit:"N"`             // of the road on the tire to the left of the wheel's heading [N]
	NormalizedSlip    float64 `channel:"wheel_*_normalized_slip"`                    // slip over the slip of the largest force; 1 is the limit of grip
	TireTemperature   float64 `channel:"wheel_*_tire_surface_temperature" unit:"°C"` // of the tread's surface [°C]; NaN unless tires have a temperature
	TirePressure      float64 `channel:"wheel_*_tire_pressure" unit:"Pa"`            // [Pa]; NaN if the car's file gives none
	TireWear          float64 `channel:"wheel_*_tire_wear"`                          // share of the usable tread that is worn off, 0..1
	BrakeTemperature  float64 `channel:"wheel_*_brake_temperature" unit:"°C"`        // of the disc [°C]
	Material          uint64  // index of the surface below the wheel in Scene.Materials
	SlipEnergy        float64 `channel:"wheel_*_slip_energy" unit:"J"` // work lost by sliding since the start [J]
	Rumble            float64 // vibration of the surface as another simulator tells it, 0..1; 0 for the own car
}

// Bits of the keys that are down, as framepage.Page.Keys returns them.
const (
	KeyLeft uint64 = 1 << iota
	KeyRight
	KeyUp
	KeyDown
	KeyCamera // toggles between chase and cockpit camera, handled in the display
	KeyClose  // the window was closed
	KeyStop   // emergency stop by software
	KeyClear  // the operator confirms that a fault or stop is over
	KeyReset  // puts the car back on its wheels where it is
	KeyABSLess
	KeyABSMore
	KeyTractionLess
	KeyTractionMore
	KeyStabilityLess
	KeyStabilityMore
	KeyPit             // switches the pit limiter on or off
	KeyLaunch          // switches launch control on or off
	KeyEngineStartStop // holding it starts a stopped engine; pressing it stops a running one
	KeyAutoGears       // toggles who changes gears: the car or the driver
	KeyGearUp
	KeyGearDown
	KeyDrier  // lowers the level of rain, which gives the road more grip
	KeyWetter // raises the level of rain
	KeyPause  // fades torque and motion out and freezes the car, or resumes
	KeyLookLeft
	KeyLookRight
	KeyFlash // flashes the headlights
	KeyGainLess
	KeyGainMore
	KeyHandbrake
	KeyClutchBite   // holds the clutch pedal at its bite point
	KeyHighTorque   // gives or revokes the consent to more than guard.SafeTorque
	KeyDeadMan      // torque and motion pass only while it is held
	KeyMotionLess   // lowers the gain of all motion
	KeyMotionMore   // raises the gain of all motion
	KeyCueNext      // selects the next motion cue
	KeyCueLess      // lowers the gain of the selected cue
	KeyCueMore      // raises the gain of the selected cue
	KeyMotionToggle // switches the platform's motion on or off
	KeyInterlock    // held while a belt is fastened or a door is shut; only a button has it, no key
	KeyMark         // sets a mark in the recording
	KeyHome         // to the start of a replay; this and the next four have no effect on a rig that drives
	KeyEnd          // to the end of a replay
	KeyPageUp       // further back in a replay
	KeyPageDown     // further on in a replay
	KeyPrevious     // to the mark or fault before in a replay
	KeyOther        // any key or button without a function for the drive; an emergency stop where every key is one
	WindowFocused   // no key: one of the windows has the keyboard, so its keys reach the rig
)

// GearName returns the name of a gear on screens: R, N, or its number.
func GearName(gear int64) string {
	switch {
	case gear < 0:
		return "R"
	case gear == 0:
		return "N"
	}
	return strconv.FormatInt(gear, 10)
}
