package rig

import (
	"fmt"
	"strings"

	"rig.example/rig/internal/config"
	"rig.example/rig/internal/frame"
	"rig.example/rig/internal/guard"
	"rig.example/rig/internal/watch"
)

// warn tells the log once that the torque is held back for want of consent.
func (s *supervisor) warn(f *frame.Frame) {
	if s.warned || f.Flags&frame.TorqueHeld == 0 {
		return
	}
	s.warned = true
	s.clearLine()
	s.log.Warn("torque " + watch.HeldTorque)
}

// checkConsents tells of a dead man's switch that is no button, and of torque that needs
// the operator's word.
func checkConsents(cfg config.Config, add func(level, where, what, remedy string)) {
	if b := cfg.Buttons.DeadMan; cfg.Guard.DeadMan && (b == "" || strings.EqualFold(b, "none")) {
		add("warning", "guard", "dead_man is set and no button is it: only B in the window is", "name one in buttons.dead_man")
	}
	if most := min(cfg.Wheel.MaxTorque, cfg.FFB.MaxTorque, cfg.Guard.MaxTorque); most > guard.SafeTorque {
		add("warning", "guard", fmt.Sprintf("%g N·m are allowed, and more than %d need consent in each start", most, guard.SafeTorque),
			"start with --high-torque, press U, or name a button in buttons.high_torque")
	}
}
