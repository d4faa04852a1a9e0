package assembly

import (
	"math"

	"rig.example/rig/cueing"
	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/motion4sim"
	"rig.example/rig/internal/config"
)

// Platform returns what turns poses into legs, within what [motion] lets them go.
func Platform(cfg config.Config) (*cueing.Platform, error) {
	return cueing.NewPlatform(Geometry(cfg), Span(cfg))
}

// Span returns how far [motion] lets the legs go.
func Span(cfg config.Config) cueing.Span {
	return cueing.Span{Low: cueing.Legs(cfg.Motion.Min), High: cueing.Legs(cfg.Motion.Max)}
}

// Geometry returns that of the configuration, unless the controller knows the geometry itself
// and takes poses: then its ranges are all there is to know.
func Geometry(cfg config.Config) cueing.Geometry {
	c := cfg.Motion.Motion4Sim
	if cfg.Motion.Protocol != motion.ProtocolMotion4Sim || c.Frames != motion4sim.Pose {
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
