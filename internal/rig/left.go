package rig

import (
	"fmt"

	"rig.example/rig/devices/motion"
	"rig.example/rig/internal/watch"
)

// farewell says what a release does under an emergency stop or without one; at is of the
// platform, nil if there is none.
func (d *deviceSet) farewell(stopped bool, at *motion.Status) string {
	torque := "torque fades out"
	if stopped {
		torque = "torque is off"
	}
	switch {
	case at == nil:
		return torque
	case at.State == motion.Parked:
		return torque + "; the platform is parked"
	case at.Final && at.State == motion.Fault:
		return torque + "; the platform is at fault and stays where it is"
	case at.Final:
		return torque + "; the platform is " + at.State.String() + " and stays where it is"
	case stopped && d.motion.StopAction == motion.StopHold:
		return torque + "; the platform is halted and stays where it is"
	case stopped:
		return torque + "; the platform parks"
	}
	return torque + " and the platform parks"
}

// notParked says of a platform that was moved and does not rest where it parks: where it was
// left, why, and what to do; "" of any other.
func notParked(names []string, at *motion.Status) string {
	if at.State == motion.Parked || !at.Moved() {
		return ""
	}
	why := ""
	if at.Faults != 0 {
		why = ": " + at.Faults.String() + ", " + watch.RemedyOf(at.Faults)
	}
	return fmt.Sprintf("the platform is NOT parked but %s%s%s; look at it before anybody climbs off, and `rig motion park` once that is safe", at.State, watch.Places(names, at), why)
}
