package operator

import (
	"testing"

	"rig.example/rig/internal/core/drive"
)

func TestATunePacksIntoAWord(t *testing.T) {
	for _, want := range []drive.Tune{{}, {Factor: drive.ForceGain}, {Factor: drive.MotionBelt, Share: 1}, {Factor: drive.ForceCutoff, Share: 0.4}, {Factor: drive.LimitAccel, Share: 0.2}} {
		if got := unpackTune(packTune(want)); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
}
