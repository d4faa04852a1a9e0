package check

import (
	"fmt"
	"math"
	"strings"

	"rig.example/rig/cueing"
	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/wheel"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/files/drivesetup"
	"rig.example/rig/internal/live/switches"
)

// minRate is the lowest rate of target positions at which the motion feels smooth [1/s].
const minRate = 50

const degreesPerRadian = 180 / math.Pi

// checkMotion checks that geometry, cueing, controller and serial line fit together.
func checkMotion(cfg config.Config, add func(check, where, what, remedy string)) {
	platform, err := drivesetup.Platform(cfg)
	if err != nil {
		add("geometry", "geometry", err.Error(), "fix the table [geometry]")
		return
	}
	if cfg.Motion.Protocol == "" {
		if cfg.Platform != "" {
			add("no-controller", "platform", fmt.Sprintf("platform %s is set but no controller: nothing moves", cfg.Platform), "set motion.preset or motion.protocol, and motion.port")
		}
		return
	}
	checkReach(cfg.Cueing, platform.Workspace(), add)
	if cfg.Motion.MaxTargetJump == 0 {
		add("jump-detection", "platform", "spike_share is 0: jump detection is off", "set motion.spike_share, such as 0.25")
	}
	plan, err := cfg.Motion.Plan()
	if err != nil {
		add("motion", "platform", err.Error(), "fix the table [motion]")
		return
	}
	if plan.Rate < minRate {
		add("slow-line", "platform", fmt.Sprintf("only %.0f targets per second fit the line of %d bits per second: the platform moves in steps", plan.Rate, cfg.Motion.Baud),
			"raise motion.baud and the controller's baud rate")
	}
}

// checkReach reports limits of the pose that exceed the actuators' workspace.
func checkReach(c cueing.Config, r cueing.Workspace, add func(check, where, what, remedy string)) {
	const tolerance = 1.05
	var tooLarge, remedies []string
	for _, f := range [...]struct {
		key          string
		limit, reach float64
		unit         float64 // units of the key per m or rad
	}{
		{"max_surge_m", c.MaxSurge, r.Surge, 1}, {"max_sway_m", c.MaxSway, r.Sway, 1}, {"max_heave_m", c.MaxHeave, r.Heave, 1},
		{"max_roll_deg", c.MaxRoll, r.Roll, degreesPerRadian}, {"max_pitch_deg", c.MaxPitch, r.Pitch, degreesPerRadian}, {"max_yaw_deg", c.MaxYaw, r.Yaw, degreesPerRadian},
		{"max_slide_m", c.MaxSlide, r.Slide, 1},
	} {
		reach := f.reach * f.unit
		if f.reach == 0 || f.limit <= tolerance*reach {
			continue // the platform does not have this degree of freedom, or reaches the limit
		}
		tooLarge = append(tooLarge, fmt.Sprintf("%s = %g, but the actuators reach %.3g", f.key, f.limit, reach))
		remedies = append(remedies, fmt.Sprintf("%s = %g", f.key, math.Floor(reach*1000)/1000))
	}
	if tooLarge != nil {
		add("reach", "cueing", strings.Join(tooLarge, "; ")+" within motion.min_share and motion.max_share: larger poses are scaled down as a whole", "set "+strings.Join(remedies, ", "))
	}
}

// checkInterlock reports an open belt or door, and a platform without such a switch.
func checkInterlock(cfg config.Config, add func(check, where, what, remedy string)) {
	if cfg.Estop.Interlock != "" {
		s, err := switches.OpenInterlock(cfg.Estop)
		if err != nil {
			add("interlock", "interlock", err.Error(), "see `rig devices`; no drive starts without the configured line")
			return
		}
		line := switches.Set{Interlock: switches.Interlock{Line: s}}
		line.WaitSettled(cfg.Estop)
		if open, cause := s.State(); open {
			add("interlock-open", "interlock", cause.InterlockText(), "fasten the belt and close the door, or check the wires")
		}
		s.Close()
		return
	}
	if cfg.Motion.Protocol != "" && !cfg.Buttons.Assigned(wheel.Interlock) {
		add("no-interlock", "interlock", "no belt or door switch parks the platform when it opens", "set estop.interlock_pin or buttons.interlock, or drive without one (not recommended)")
	}
}

// MotionResolved describes the configured platform in one line: kind, actuators, range of each degree of
// freedom and controller.
func MotionResolved(cfg config.Config) string {
	platform, err := drivesetup.Platform(cfg)
	if err != nil {
		return "no platform"
	}
	r := platform.Workspace()
	text := fmt.Sprintf("%s, %s: %s; one at a time it reaches surge %.0f, sway %.0f, heave %.0f mm, roll %.1f, pitch %.1f, yaw %.1f°",
		cfg.Geometry.Kind, cfg.Cueing.Mode, strings.Join(platform.Names(), ", "), r.Surge*1e3, r.Sway*1e3, r.Heave*1e3, r.Roll*degreesPerRadian, r.Pitch*degreesPerRadian, r.Yaw*degreesPerRadian)
	if r.Slide > 0 {
		text += fmt.Sprintf(", traction loss %.0f mm", r.Slide*1e3)
	}
	if cfg.Motion.Protocol == "" {
		return text + "; no controller"
	}
	plan, err := cfg.Motion.Plan()
	if err != nil {
		return text + "; " + err.Error()
	}
	text += fmt.Sprintf("; %s on %s moves %d actuators, %.0f targets per second, %.0f %% of the line", cfg.Motion.Protocol, cfg.Motion.Port, plan.Axes, plan.Rate, 100*plan.LineShare)
	if plan.NoFeedback {
		text += "; at the start its actuators are assumed to be at " + motion.StrokePercent(plan.Start[:plan.Axes])
	}
	return text
}
