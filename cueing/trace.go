package cueing

// Trace has the parts of the last pose, for displays. Angles are in [rad], distances in [m].
type Trace struct {
	Force [3]float64 // specific force at the head [m/s², car's axes]; (0, 0, g) in a fault
	Rate  [3]float64 // angular velocity there [rad/s]; 0 in a fault

	Translation [3]float64 // surge, sway, heave: of the high-pass, or of direct mode
	Tilt        [2]float64 // roll, pitch: of tilt coordination, or of direct mode's braking and cornering
	Rotation    [3]float64 // roll, pitch, yaw: of the high-pass, or of the chassis in direct mode
	Extra       Pose       // of the extra cues

	Gains  [6]float64 // of the adaptive washout, surge to yaw; 1 in other modes
	Limits Limits     // limits that are active
}

// unitGains returns the gains of a washout that does not adapt.
func unitGains() [6]float64 { return [6]float64{1, 1, 1, 1, 1, 1} }

// Limits is a set of limits.
type Limits uint16

// The limits, in the order of Pose's components: a degree of freedom is at the end of its range or
// at its highest speed; then those inside the washout.
const (
	LimitSurge Limits = 1 << iota
	LimitSway
	LimitHeave
	LimitRoll
	LimitPitch
	LimitYaw
	LimitSlide
	LimitBelt
	LimitForce // a force or a rate is in the range of the soft limit
	LimitTilt  // tilt coordination is at its largest angle or its highest rate
)
