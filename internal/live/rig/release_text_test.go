package rig

import (
	"math"
	"testing"

	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/wire"
)

func TestWhereAPlatformWasLeft(t *testing.T) {
	nan := math.NaN()
	for _, tt := range []struct {
		name string
		at   motion.Status
		want string
	}{
		{"told", motion.Status{State: motion.Halted, LastFeedback: wire.Legs{0.62, 0.414}, LastTarget: wire.Legs{0.6, 0.4}},
			"the platform is NOT parked but halted (left 62 %, right 41 % of the stroke); check it before anybody climbs off, then run `rig motion park` once that is safe"},
		{"lost", motion.Status{State: motion.Absent, LastFeedback: wire.Legs{0.62, nan}, LastTarget: wire.Legs{0.6, nan}},
			"the platform is NOT parked but absent (when last heard left 62 %, right unknown of the stroke); check it before anybody climbs off, then run `rig motion park` once that is safe"},
		{"never told", motion.Status{State: motion.Fault, Faults: wire.FaultTemperature, LastFeedback: wire.Legs{nan, nan}, LastTarget: wire.Legs{0.6, 0.4}},
			"the platform is NOT parked but fault (left unknown, sent to 60 %, right unknown, sent to 40 % of the stroke): too hot, let it cool; lower the gains, motion.max_speed_strokes_per_s or the load; check it before anybody climbs off, then run `rig motion park` once that is safe"},
		{"parked", motion.Status{State: motion.Parked, LastTarget: wire.Legs{0.5, 0.5}}, ""},
		{"never moved", motion.Status{State: motion.Fault, LastTarget: wire.Legs{nan, nan, nan, nan, nan, nan, nan, nan}}, ""},
	} {
		if got := notParkedText([]string{"left", "right"}, &tt.at); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
