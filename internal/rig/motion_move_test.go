package rig

import (
	"errors"
	"testing"
	"time"

	"rig/devices/motion"
)

func TestWhatIsWaitedForOfAPlatform(t *testing.T) {
	for _, tt := range []struct {
		name    string
		at      motion.Status
		away    time.Duration
		follows bool
		gone    bool
	}{
		{"follows", motion.Status{State: motion.Active}, 0, true, false},
		{"began to park", motion.Status{State: motion.Parking}, time.Second, false, false},
		{"silent for a moment", motion.Status{State: motion.Fault, Faults: motion.FaultSilent}, time.Second, false, false},
		{"asked where it stands", motion.Status{State: motion.Opening}, time.Second, false, false},
		{"silent for long", motion.Status{State: motion.Fault, Faults: motion.FaultSilent}, 4 * time.Second, false, true},
		{"stuck", motion.Status{State: motion.Fault, Faults: motion.FaultFollow}, 0, false, true},
		{"silent and too hot", motion.Status{State: motion.Fault, Faults: motion.FaultSilent | motion.FaultHot}, 0, false, true},
		{"halted", motion.Status{State: motion.Halted}, 0, false, true},
		{"unplugged", motion.Status{State: motion.Absent}, 0, false, true},
	} {
		follows, err := obeys(&tt.at, tt.away)
		if follows != tt.follows || errors.Is(err, errDisobeys) != tt.gone {
			t.Errorf("%s: %v, %v", tt.name, follows, err)
		}
	}
}
