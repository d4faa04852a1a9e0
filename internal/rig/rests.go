package rig

import (
	"rig.example/rig/devices/motion"
	"rig.example/rig/internal/frame"
	"rig.example/rig/internal/guard"
)

// rests says what torque and platform do while the drive does not go on.
func (d *deviceSet) rests(f *frame.Frame) string {
	torque := "no torque"
	if f.State == uint64(guard.Releasing) {
		torque = "torque fades out"
	}
	if d.motion.Protocol == "" {
		return torque
	}
	return torque + ", " + d.platformRests(f)
}

// platformRests says what the platform does: where it is, or what it is ordered to do.
func (d *deviceSet) platformRests(f *frame.Frame) string {
	switch motion.State(f.Motion.State) {
	case motion.Parked:
		return "the platform is parked"
	case motion.Halted:
		return "the platform holds"
	case motion.Fault:
		return "the platform is at fault"
	case motion.Absent:
		return "no platform answers"
	}
	if f.State == uint64(guard.Stopped) && d.motion.StopAction == motion.StopHold {
		return "the platform brakes and holds"
	}
	return "the platform parks"
}

// confirmBy says how the operator confirms: by a key of the window only where there is one.
func confirmBy(f *frame.Frame) string {
	if f.Pictures == 0 {
		return "confirm: pkill -USR1 -x rig"
	}
	return "confirm: Enter in the window, or pkill -USR1 -x rig"
}

// byKey names a key of the window and the button that does the same, or where there is no
// window the button alone.
func byKey(f *frame.Frame, key, button string) string {
	button = "the button for " + button
	if f.Pictures == 0 {
		return button
	}
	return key + " in the window, or " + button
}

// paused says what a pause does now, and how it ends.
func (d *deviceSet) paused(f *frame.Frame) string {
	by := "O"
	switch {
	case d.pauseButton && f.Pictures == 0:
		by = "the button for pause"
	case d.pauseButton:
		by = "O or the button for pause"
	}
	if f.State == uint64(guard.Releasing) {
		return "PAUSED: torque and motion fade out; " + by + " resumes"
	}
	return "PAUSED: torque off, simulation frozen; " + by + " resumes"
}

// whileMoving returns a text that is true only while the car moves.
func whileMoving(f *frame.Frame, text string) string {
	if guard.State(f.State).Moves() {
		return text
	}
	return ""
}
