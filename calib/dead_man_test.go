package calib

import (
	"slices"
	"testing"
	"time"

	"rig.example/rig/calib/dialog"
)

// timed is a stand-in that notes how long each force would last by itself.
type timed struct {
	*standIn
	lengths []time.Duration
}

func (s *timed) Pulse(share float64, d time.Duration) error {
	s.lengths = append(s.lengths, d)
	return s.standIn.Pulse(share, d)
}

// Each force of a measurement ends by itself, should the program end before it.
func TestEveryForceOfAMeasurementHasADeadMan(t *testing.T) {
	s := &timed{standIn: newStandIn()}
	opt := DefaultForceOptions()
	opt.FullNm, opt.MaxNm = 2.2, 50
	if _, err := Force(t.Context(), s, dialog.New(s, s, false), goodWheel(), opt); err != nil {
		t.Fatal(err)
	}
	if shortest, longest := slices.Min(s.lengths), slices.Max(s.lengths); shortest != 100*time.Millisecond || longest != shortest {
		t.Errorf("forces of %v to %v, want 100 ms", shortest, longest)
	}
	if renewed := renewSamples * samplePeriod; 3*renewed > s.lengths[0] {
		t.Errorf("renewed each %v, two of which must not be missed in %v", renewed, s.lengths[0])
	}
}
