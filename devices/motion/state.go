package motion

// State tells what the platform does.
type State uint32

// The states of a platform.
const (
	Absent  State = iota // no port, or none configured
	Opening              // port open, controller booting or being asked where it stands
	Homing               // ramping from where it stands to the centre
	Ready                // resting at the centre, takes demands
	Active               // following demands
	Parking              // ramping to the park position
	Parked               // resting there
	Fault                // something is wrong, see Status.Faults: it stops, then parks
	Halted               // stopped and held, or parked if stop_action says so, until it is ordered to home or to park
)

var stateNames = [...]string{"absent", "opening", "homing", "ready", "active", "parking", "parked", "fault", "halted"}

// String returns the state's name in lower case.
func (s State) String() string {
	if int(s) < len(stateNames) {
		return stateNames[s]
	}
	return "unknown"
}

// Follows reports whether a platform in this state takes target positions.
func (s State) Follows() bool { return s == Ready || s == Active }
