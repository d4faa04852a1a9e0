package rig

import "rig.example/rig/internal/core/drive"

// ignoredText holds why a confirmation had no effect and what to do, by drive.Ignored.
var ignoredText = [...]string{
	drive.NothingToConfirm: "nothing waits for a confirmation",
	drive.TooEarly:         "the cause has not ended, or ended only a moment ago; remove it, then confirm again",
	drive.KeyHeld:          "Enter is held in the window; release it, then confirm again",
}

// logConfirmation logs why a confirmation had no effect.
func (s *supervisor) logConfirmation() {
	if reason := ignoredText[s.rig.ignored.Swap(0)]; reason != "" {
		s.log.Warn("confirmation ignored", "cause", reason)
	}
}
