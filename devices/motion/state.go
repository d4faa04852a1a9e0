package motion

// State is what the platform does.
type State uint32

// The states of a platform.
const (
	Absent  State = iota // no port, or none configured
	Opening              // port open, controller booting or being asked for its positions
	Homing               // moving to the center
	Ready                // resting at the center, follows targets once they come
	Active               // following targets
	Parking              // moving to the park position
	Parked               // resting there
	Fault                // see Status.Faults: it stops, then parks
	Halted               // stopped and held, or parked if Config.StopAction is StopPark, until it is ordered to home or to park
	Waiting              // found, and resting there until it is ordered to home or to park
)

var stateNames = [...]string{"absent", "opening", "homing", "ready", "active", "parking", "parked", "fault", "halted", "waiting"}

// String returns the state's name in lower case.
func (s State) String() string {
	if int(s) < len(stateNames) {
		return stateNames[s]
	}
	return "unknown"
}

// Follows reports whether a platform in this state takes target positions.
func (s State) Follows() bool { return s == Ready || s == Active }
