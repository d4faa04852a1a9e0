package watch

import (
	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/internal/core/frame"
)

// FaultNames returns the names of a platform's faults, or "" without a fault.
func FaultNames(bits uint64) string {
	if bits == 0 {
		return ""
	}
	return wire.Faults(bits).String()
}

// PlaceInFrame is motion.Status.KnownPlace for the platform of a frame, whose actuators have these names.
func PlaceInFrame(names []string, f *frame.Frame) string {
	if f.Motion.LegCount == 0 {
		return ""
	}
	names = names[:min(len(names), frame.MaxLegs)]
	at := motion.Status{State: motion.State(f.Motion.State), LastFeedback: f.LegsFeedback, LastTarget: f.Motion.Target, Faults: wire.Faults(f.Motion.Faults)}
	return at.KnownPlace(names)
}

// MotionState returns the name of the platform state in frame.Motion.State.
func MotionState(code uint64) string { return motion.State(code).String() }
