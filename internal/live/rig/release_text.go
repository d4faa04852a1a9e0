package rig

import (
	"fmt"

	"rig.example/rig/devices/motion"
	"rig.example/rig/internal/live/operator"
)

// releaseText returns what happens to torque and platform when the drive is ended. stopped says that an
// emergency stop is in effect; at is the platform's status, or nil without a platform.
func (d *deviceSet) releaseText(stopped bool, at *motion.Status) string {
	torque := "torque fades out"
	if stopped {
		torque = "torque is off"
	}
	switch {
	case at == nil:
		return torque
	case at.State == motion.Parked:
		return torque + "; the platform is parked"
	case at.ParkDone && at.State == motion.Fault:
		return torque + "; the platform is at fault and stays where it is"
	case at.ParkDone:
		return torque + "; the platform is " + at.State.String() + " and stays where it is"
	case stopped && d.motion.StopAction == motion.StopHold:
		return torque + "; the platform is halted and stays where it is"
	case stopped:
		return torque + "; the platform parks"
	}
	return torque + " and the platform parks"
}

// notParkedText returns where the actuators are, why the platform is not parked, and what to do. It
// returns "" if the platform is parked or was never moved.
func notParkedText(names []string, at *motion.Status) string {
	if at.State == motion.Parked || !at.Moved() {
		return ""
	}
	fault := ""
	if at.Faults != 0 {
		fault = ": " + at.Faults.String() + ", " + at.Faults.Remedy()
	}
	return fmt.Sprintf("%s%s; check it before anybody climbs off, then run `rig motion park` once that is safe", at.Place(names), fault)
}

// tellPlace lets p tell where the platform stands.
func (r *Rig) tellPlace(p *operator.Place) {
	if r.platform != nil {
		p.Set(func() string {
			at := r.platform.Status()
			return at.KnownPlace(r.drive.Setup.Platform.Names())
		})
	}
}
