package watch

import (
	"testing"

	"rig.example/rig/internal/frame"
)

func TestSessionText(t *testing.T) {
	for want, o := range map[string]frame.Others{
		"session: not connected":                                          {Session: frame.Session{Phase: frame.PhaseRacing, Place: 2, Of: 3}},
		"session: connected, 0 other cars":                                {Session: frame.Session{Connected: 1, Late: 0.1}},
		"session: connected, race, place 2 of 3, 2 other cars 33 ms late": {Session: frame.Session{Connected: 1, Phase: frame.PhaseRacing, Place: 2, Of: 3, Late: 0.0333}, Count: 2},
	} {
		if got := SessionText(&o); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
