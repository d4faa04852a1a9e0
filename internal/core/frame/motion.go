package frame

// Indices of a Pose: its degrees of freedom.
const (
	Surge    = iota // [m], positive forward
	Sway            // [m], positive to the left
	Heave           // [m], positive up
	Roll            // [rad], positive with the right side down
	Pitch           // [rad], positive with the nose down
	Yaw             // [rad], positive to the left
	Slide           // lateral displacement of the rear (traction loss) on a separate actuator [m], positive to the left
	Belt            // tension of a belt tensioner, -1 (slack) to 1 (tightest)
	PoseAxes        // number of degrees of freedom
)

// Pose is the displacement of a platform from its neutral position.
type Pose [PoseAxes]float64

// MaxLegs is the highest number of actuators in a frame.
const MaxLegs = 8

// MaxTunings is the highest number of motion gain factors in a frame.
const MaxTunings = 16

// Motion is the state of the platform and its controller, and the stages of the motion cueing.
type Motion struct {
	State    uint64 `channel:"platform_state"`  // the platform's state, a motion.State
	Faults   uint64 `channel:"platform_faults"` // the platform's faults, bits of a wire.Faults
	LegCount uint64 `channel:"actuators"`       // number of actuators in use; their names are in Scene.Names

	Measured    Pose             `channel:"platform_measured_*" unit:"m m m rad rad rad m -" each:"surge sway heave roll pitch yaw slide belt"` // pose calculated from the actuators' feedback 50 times per second; NaN if not measured
	Target      [MaxLegs]float64 `channel:"actuator_*_target"`                                                                                  // target last sent to the controller, 0..1 of the stroke; NaN if none was sent
	FollowError [MaxLegs]float64 `channel:"actuator_*_follow_error"`                                                                            // measured minus expected position, fraction of the stroke; NaN if not measured
	Temperature [MaxLegs]float64 `channel:"actuator_*_temperature" unit:"°C"`                                                                   // temperature of the drives [°C]; NaN if not measured

	Rate      float64 `channel:"platform_target_rate" unit:"1/s"` // targets sent per second
	LineShare float64 `channel:"platform_line_share"`             // fraction of the serial line's capacity in use, 0..1
	Latency   float64 `channel:"platform_latency" unit:"s"`       // time from a tick to the last byte of its target on the wire [s]; 0 before the first target
	Warnings  uint64  `channel:"platform_warnings"`               // number of targets so far that jumped implausibly far

	Force       [3]float64 // specific force at the driver's head [m/s², body]: (0, 0, +g) at rest
	AngularRate [3]float64 // angular velocity there [rad/s, body]
	Translation Pose       // part of the pose from the translation channel (fast linear acceleration)
	Tilt        Pose       // part from tilt coordination (sustained acceleration)
	Rotation    Pose       // part from the rotation channel (angular rate)
	Extra       Pose       // part from road, kerb, gear change, traction loss and belt cues
	Limits      uint64     // bits of the cueing's limits that act now, in the order of cueing.Limits
	Scale       float64    `channel:"platform_scale"` // factor by which the pose was reduced to stay within the actuators' workspace, 0..1
	GuardShare  float64    `channel:"platform_fade"`  // fraction of the motion that the guard lets pass, 0..1

	Tuning      [MaxTunings]float64 // gain factors set by the driver, 1 as configured; the first one is for all motion
	TuningIndex uint64              // index of the factor that the keys for the selected cue change
}
