package check

import (
	"fmt"
	"math"
	"strings"

	"rig.example/rig/cueing"
	"rig.example/rig/devices/wheel"
	"rig.example/rig/internal/assembly"
	"rig.example/rig/internal/config"
	"rig.example/rig/internal/switches"
	"rig.example/rig/internal/watch"
)

// smooth is how many demands a second are hardly felt one by one.
const smooth = 50

const degrees = 180 / math.Pi

// checkMotion looks at whether geometry, cueing, controller and line suit each other.
func checkMotion(cfg config.Config, add func(level, where, what, remedy string)) {
	form, err := assembly.Platform(cfg)
	if err != nil {
		add("error", "geometry", err.Error(), "correct the table [geometry]")
		return
	}
	if cfg.Motion.Protocol == "" {
		if cfg.Platform != "" {
			add("warning", "platform", fmt.Sprintf("%s is named and no controller: nothing moves", cfg.Platform), "set motion.preset or motion.protocol, and motion.port")
		}
		return
	}
	checkReach(cfg.Cueing, form.Reach(), add)
	if cfg.Motion.Spike == 0 {
		add("warning", "platform", "spike_share is 0: a demand that leaps is followed, as far as speed and acceleration allow", "set motion.spike_share, such as 0.25")
	}
	plan, err := cfg.Motion.Plan()
	if err != nil {
		add("error", "platform", err.Error(), "correct the table [motion]")
		return
	}
	if plan.Rate < smooth {
		add("warning", "platform", fmt.Sprintf("only %.0f demands a second fit the line of %d bits a second: it moves in steps", plan.Rate, cfg.Motion.Baud),
			"raise motion.baud, and the controller's")
	}
}

// checkReach tells of limits of the pose that lie beyond what the actuators reach.
func checkReach(c cueing.Config, r cueing.Reach, add func(level, where, what, remedy string)) {
	const slack = 1.05
	var beyond, set []string
	for _, f := range [...]struct {
		key         string
		most, reach float64
		unit        float64 // of the key
	}{
		{"max_surge_m", c.MaxSurge, r.Surge, 1}, {"max_sway_m", c.MaxSway, r.Sway, 1}, {"max_heave_m", c.MaxHeave, r.Heave, 1},
		{"max_roll_deg", c.MaxRoll, r.Roll, degrees}, {"max_pitch_deg", c.MaxPitch, r.Pitch, degrees}, {"max_yaw_deg", c.MaxYaw, r.Yaw, degrees},
		{"max_slide_m", c.MaxSlide, r.Slide, 1},
	} {
		reach := f.reach * f.unit
		if f.reach == 0 || f.most <= slack*reach {
			continue // what it cannot do at all is left out
		}
		beyond = append(beyond, fmt.Sprintf("%s = %g, and the actuators reach %.3g", f.key, f.most, reach))
		set = append(set, fmt.Sprintf("%s = %g", f.key, math.Floor(reach*1000)/1000))
	}
	if beyond != nil {
		add("warning", "cueing", strings.Join(beyond, "; ")+" within motion.min_share and motion.max_share: poses beyond are made smaller as a whole", "set "+strings.Join(set, ", "))
	}
}

// checkInterlock tells of a platform that nothing stops when a belt opens.
func checkInterlock(cfg config.Config, add func(level, where, what, remedy string)) {
	if cfg.Estop.Interlock != "" {
		s, err := switches.OpenInterlock(cfg.Estop)
		if err != nil {
			add("error", "interlock", err.Error(), "see `rig devices`; no drive begins without the line that is named")
			return
		}
		line := switches.Interlock{Line: s}
		line.Settle(cfg.Estop)
		if open, cause := s.State(); open {
			add("warning", "interlock", cause.Interlocked(), "fasten the belt and shut the door, or look at the wires")
		}
		s.Close()
		return
	}
	if cfg.Motion.Protocol != "" && !cfg.Buttons.Given(wheel.Interlock) {
		add("warning", "interlock", "no belt or door parks the platform when it opens", "name a line in estop.interlock_pin or a control in buttons.interlock, or live without")
	}
}

// MotionResolved returns in a line what the configuration makes of the platform.
func MotionResolved(cfg config.Config) string {
	form, err := assembly.Platform(cfg)
	if err != nil {
		return "no platform"
	}
	r := form.Reach()
	text := fmt.Sprintf("%s, %s: %s; alone it reaches surge %.0f, sway %.0f, heave %.0f mm, roll %.1f, pitch %.1f, yaw %.1f°",
		cfg.Geometry.Kind, cfg.Cueing.Mode, strings.Join(form.Names(), ", "), r.Surge*1e3, r.Sway*1e3, r.Heave*1e3, r.Roll*degrees, r.Pitch*degrees, r.Yaw*degrees)
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
	text += fmt.Sprintf("; %s on %s moves %d actuators, %.0f demands a second, %.0f %% of the line", cfg.Motion.Protocol, cfg.Motion.Port, plan.Axes, plan.Rate, 100*plan.Share)
	if plan.NoFeedback {
		text += "; at the start its actuators are taken to stand at " + watch.Shares(plan.Start[:plan.Axes])
	}
	return text
}
