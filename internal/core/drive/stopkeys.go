package drive

import (
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
)

// stopByAnyKey makes each press of a key or button an emergency stop and nothing else, if the drive is set
// up so. What must be held for a drive to go on is no stop, nor is the key that confirms while guard or platform
// wait for it.
func (d *Drive) stopByAnyKey(in *Inputs) {
	s := &d.State
	s.stopPressed = false
	if !d.Setup.AnyKeyStops {
		return
	}
	noStop := frame.KeyClose | frame.KeyInterlock
	if d.Setup.Guard.DeadMan {
		noStop |= frame.KeyDeadMan
	}
	if awaitsConfirmation(&s.Guard) || in.Platform.AwaitsHome {
		noStop |= frame.KeyClear
	}
	s.stopPressed = s.justPressed&^noStop != 0
	const used = frame.KeyClose | frame.KeyStop | frame.KeyClear | frame.KeyInterlock | frame.KeyDeadMan
	s.keysDown, s.justPressed = s.keysDown&used, s.justPressed&used
}

// awaitsConfirmation reports whether the guard waits for the operator to confirm.
func awaitsConfirmation(g *guard.Guard) bool {
	return g.State() == guard.Fault || g.State() == guard.Stopped || g.LatchedCause() != guard.None
}
