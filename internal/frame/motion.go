package frame

// Freedoms of a Pose, in their order.
const (
	Surge    = iota // [m], forward
	Sway            // [m], to the left
	Heave           // [m], up
	Roll            // [rad], the right side down
	Pitch           // [rad], the nose down
	Yaw             // [rad], to the left
	Slide           // of the rear on an axis of its own [m], to the left
	Belt            // tension, -1 slack .. 1 tightest
	Freedoms        // how many there are
)

// Pose is where a platform is, from its neutral place.
type Pose [Freedoms]float64

// MaxLegs is how many actuators a frame has room for.
const MaxLegs = 8

// MaxTunings is how many factors of the motion a frame has room for.
const MaxTunings = 16

// Motion is what comes of a platform's pose, and how that came to be.
type Motion struct {
	State  uint64 // code of the platform's state: motion.State
	Faults uint64 // bits of motion.Fault
	Legs   uint64 // actuators in use; their names are in the scene

	Measured    Pose             // by the actuators' feedback, some 50 times a second; NaN where nothing measures
	Demand      [MaxLegs]float64 // sent last to the controller, 0..1 of the stroke; NaN where nothing was sent
	FollowError [MaxLegs]float64 // by which the actuators are behind, share of the stroke; NaN where nothing measures
	Temperature [MaxLegs]float64 // of the drives [°C]; NaN where nothing measures

	Rate      float64 // demands a second [1/s]
	LineShare float64 // of the line's capacity in use, 0..1
	Latency   float64 // from the tick to the last byte of its demand on the wire [s]; 0 before the first
	Warnings  uint64  // demands that jumped farther than is believed, so far

	Force       [3]float64 // specific force at the driver's head [m/s², body]: (0, 0, +g) at rest
	Turning     [3]float64 // angular velocity there [rad/s, body]
	Translation Pose       // each channel's part in the pose
	Tilt        Pose
	Rotation    Pose
	Extra       Pose
	Limits      uint64  // bits of the freedoms that are at a limit
	Scale       float64 // by which the pose was made smaller, for the actuators to reach it, 0..1
	Share       float64 // of the motion that the guard lets pass, 0..1

	Tuning [MaxTunings]float64 // factors of the driver, 1 is plain; the first is for all
	Chosen uint64              // which of them the keys change
}
