package rig

import (
	"math"

	"rig.example/rig/cueing"
	"rig.example/rig/devices/motion"
	"rig.example/rig/internal/config"
	"rig.example/rig/internal/frame"
)

// newPlatform returns what turns poses into legs, within what [motion] lets them go.
func newPlatform(cfg config.Config) (*cueing.Platform, error) {
	return cueing.NewPlatform(geometryOf(cfg), spanOf(cfg))
}

// spanOf is how far [motion] lets the legs go.
func spanOf(cfg config.Config) cueing.Span {
	return cueing.Span{Low: cueing.Legs(cfg.Motion.Min), High: cueing.Legs(cfg.Motion.Max)}
}

// geometryOf is that of the configuration, unless the controller knows the geometry itself
// and takes poses: then its ranges are all there is to know.
func geometryOf(cfg config.Config) cueing.Geometry {
	c := cfg.Motion.Motion4Sim
	if cfg.Motion.Protocol != motion.ProtocolMotion4Sim || c.Frames != motion.M4SPose {
		return cfg.Geometry
	}
	const millimetre = 1e-3
	g := cueing.DefaultGeometry()
	g.Kind, g.Belt = cueing.KindPose, true
	g.Range = cueing.PoseRange{ // a negative one turns the axis round, on the line
		Surge: math.Abs(c.Surge) * millimetre, Sway: math.Abs(c.Sway) * millimetre, Heave: math.Abs(c.Heave) * millimetre,
		Roll: math.Abs(c.Roll), Pitch: math.Abs(c.Pitch), Yaw: math.Abs(c.Yaw),
	}
	return g
}

// A frame has room for all actuators.
var _ [frame.MaxLegs - motion.Axes]struct{}

// MotionState names a frame's state of the platform.
func MotionState(code uint64) string { return motion.State(code).String() }
