package rig

import (
	"rig.example/rig/devices/motion"
	"rig.example/rig/internal/frame"
)

// A frame has room for all actuators.
var _ [frame.MaxLegs - motion.Axes]struct{}

// MotionState names a frame's state of the platform.
func MotionState(code uint64) string { return motion.State(code).String() }
