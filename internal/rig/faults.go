package rig

import (
	"rig.example/rig/devices/motion"
	"rig.example/rig/internal/frame"
	"rig.example/rig/internal/guard"
)

// remedies tell what to do about a platform's faults, the gravest first.
var remedies = [...]struct {
	fault  motion.Faults
	remedy string
}{
	{motion.FaultStop, "release the platform's own emergency stop"},
	{motion.FaultDrive, "look at the drive's own display and at its power"},
	{motion.FaultEndStop, "narrow motion.min_share and max_share, or look at the end switches"},
	{motion.FaultHot, "let it cool; lower the gains, motion.max_speed_strokes_per_s or the load"},
	{motion.FaultFollow, "look for what blocks it; lower motion.max_speed_strokes_per_s and max_accel_strokes_per_s2, or raise follow_error_share"},
	{motion.FaultJump, "look at the actuator's sensor, its wire and its coupling; the controller follows it wherever it jumps"},
	{motion.FaultDemand, "see the log for what was NaN or Inf"},
	{motion.FaultReference, "bring the actuators to motion.start_share by hand or by the controller's power-on procedure, switch it off and on"},
	{motion.FaultSilent, "look at the controller's power, the cable, motion.port and motion.baud"},
	{motion.FaultOffline, "switch the controller on line"},
	{motion.FaultSpike, "lower motion.max_speed_strokes_per_s, or widen the controller's spike filter"},
}

// stopping is what keeps a platform from moving until the operator confirms.
const stopping = motion.FaultDrive | motion.FaultEndStop | motion.FaultHot | motion.FaultStop | motion.FaultFollow | motion.FaultDemand | motion.FaultReference | motion.FaultJump

// telling are the faults that count in a state of the guard: a controller that gets ready
// while the drive begins is none.
func telling(f motion.Faults, s guard.State) motion.Faults {
	if s != guard.Driving {
		return f & stopping
	}
	return f
}

// FaultNames are a platform's faults for screens, "" where there are none.
func FaultNames(bits uint64) string {
	if bits == 0 {
		return ""
	}
	return motion.Faults(bits).String()
}

// remedyOf is what to do about the gravest of some faults.
func remedyOf(f motion.Faults) string {
	for _, r := range remedies {
		if f&r.fault != 0 {
			return r.remedy
		}
	}
	return "see the log"
}

// faultText tells the driver of a platform's faults and what to do.
func faultText(f *frame.Frame) string {
	faults := motion.Faults(f.Motion.Faults)
	text := "PLATFORM: " + faults.String() + "; " + remedyOf(faults)
	if faults&stopping != 0 {
		text += "; then " + confirmBy(f)
	}
	return text
}
