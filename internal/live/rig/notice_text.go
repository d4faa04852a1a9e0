package rig

import (
	"rig.example/rig/devices/motion"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
)

// interruptedText says what torque and platform do while the drive is interrupted.
func (d *deviceSet) interruptedText(f *frame.Frame) string {
	torque := "no torque"
	if f.State == uint64(guard.Releasing) {
		torque = "torque fades out"
	}
	if d.motion.Protocol == "" {
		return torque
	}
	return torque + ", " + d.platformText(f)
}

// platformText returns what the platform does while the drive is interrupted: its state, or what it was ordered
// to do.
func (d *deviceSet) platformText(f *frame.Frame) string {
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

// confirmText returns how the operator confirms: by a key of the window, if there is one, or by a signal.
func confirmText(f *frame.Frame) string {
	if f.Pictures == 0 {
		return "confirm: rig confirm"
	}
	return "confirm: Enter in the window, or rig confirm"
}

// keyOrButton returns the name of a key in the window and of the button with the same function, or of the
// button alone without a window.
func keyOrButton(f *frame.Frame, key, button string) string {
	button = "the button for " + button
	if f.Pictures == 0 {
		return button
	}
	return key + " in the window, or " + button
}

// pausedText says what the pause does and how to resume.
func (d *deviceSet) pausedText(f *frame.Frame) string {
	by := "O"
	switch {
	case d.pauseButton && f.Pictures == 0:
		by = "the button for pause"
	case d.pauseButton:
		by = "O or the button for pause"
	case f.Pictures == 0:
		by = "rig pause --off"
	}
	if f.State == uint64(guard.Releasing) {
		return "PAUSED" + orderedBy(f) + ": torque and motion fade out; " + by + " resumes"
	}
	return "PAUSED" + orderedBy(f) + ": torque off, simulation frozen; " + by + " resumes"
}

// orderedBy says who ordered the stop or the pause that is in effect, unless it was the driver.
func orderedBy(f *frame.Frame) string {
	if by := guard.Origin(f.By); by > guard.ByDriver {
		return " by " + by.String()
	}
	return ""
}

// platformWaitsText says that the platform does not move before somebody says so.
func (d *deviceSet) platformWaitsText(f *frame.Frame) string {
	text := "PLATFORM WAITS where it was found"
	if d.motion.Protocol == motion.ProtocolSMC3 {
		text += " (an SMC3 moves to its center by itself when it gets power)"
	}
	return text + "; once all are seated " + confirmText(f) + ", and it homes"
}

// ifMoving returns text while the car moves, else "".
func ifMoving(f *frame.Frame, text string) string {
	if guard.State(f.State).Moves() {
		return text
	}
	return ""
}
