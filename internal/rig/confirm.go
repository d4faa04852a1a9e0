package rig

import "rig.example/rig/internal/drive"

// ignoredWhy says why a confirmation had no effect, and what to do.
var ignoredWhy = [...]string{
	drive.NoReason: "nothing waits for it",
	drive.TooEarly: "what it is for is not over, or was over only a moment ago; remove the cause, then confirm again",
	drive.KeyHeld:  "Enter is held in the window; let it go, then confirm again",
}

// logConfirmation says why a confirmation had no effect: none is ignored without a word.
func (s *supervisor) logConfirmation() {
	if why := ignoredWhy[s.rig.ignored.Swap(0)]; why != "" {
		s.clearLine()
		s.log.Warn("confirmation ignored", "cause", why)
	}
}
