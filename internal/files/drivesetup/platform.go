package drivesetup

import (
	"math"

	"rig.example/rig/cueing"
	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/motion4sim"
	"rig.example/rig/internal/files/config"
)

// Platform returns the platform's kinematics: it converts poses to actuator positions, within the limits
// of the table [motion].
func Platform(cfg config.Config) (*cueing.Platform, error) {
	return cueing.NewPlatform(Geometry(cfg), Span(cfg))
}

// Span returns the limits of the actuators' positions from the table [motion] [fractions of the stroke].
func Span(cfg config.Config) cueing.Span {
	return cueing.Span{Low: cueing.Legs(cfg.Motion.MinPosition), High: cueing.Legs(cfg.Motion.MaxPosition)}
}

// Geometry returns the platform's geometry from the configuration. A controller that takes poses knows
// the geometry itself: for such a controller the result has only the range of each axis.
func Geometry(cfg config.Config) cueing.Geometry {
	c := cfg.Motion.Motion4Sim
	if cfg.Motion.Protocol != motion.ProtocolMotion4Sim || c.Frames != motion4sim.Pose {
		return cfg.Geometry
	}
	const millimetre = 1e-3
	g := cueing.DefaultGeometry()
	g.Kind, g.HasBelt = cueing.KindPose, true
	// A negative range reverses the axis on the serial line, so only its size counts here.
	g.Range = cueing.PoseRange{
		Surge: math.Abs(c.Surge) * millimetre, Sway: math.Abs(c.Sway) * millimetre, Heave: math.Abs(c.Heave) * millimetre,
		Roll: math.Abs(c.Roll), Pitch: math.Abs(c.Pitch), Yaw: math.Abs(c.Yaw),
	}
	return g
}
