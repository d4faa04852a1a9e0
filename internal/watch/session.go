package watch

import (
	"fmt"

	"rig.example/rig/internal/frame"
)

// phaseNames are the phases of a session, by frame.Session.Phase.
var phaseNames = [...]string{"", "practice", "grid", "countdown", "race", "finishing", "ended"}

// SessionText returns how the rig takes part in a session, in a few words.
func SessionText(o *frame.Others) string {
	s := &o.Session
	if s.Connected == 0 {
		return "session: not connected"
	}
	text := "session: connected"
	if s.Phase != frame.NoSession && s.Phase < uint64(len(phaseNames)) {
		text += ", " + phaseNames[s.Phase]
	}
	if s.Place > 0 {
		text += fmt.Sprintf(", place %d of %d", s.Place, s.Of)
	}
	text += fmt.Sprintf(", %d other cars", o.Count)
	if o.Count > 0 {
		text += fmt.Sprintf(" %.0f ms late", s.Late*1e3)
	}
	return text
}
