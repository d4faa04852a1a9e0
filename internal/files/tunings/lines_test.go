package tunings

import (
	"strings"
	"testing"

	"rig.example/rig/cueing"
	"rig.example/rig/internal/files/config"
)

func TestTheTuningToKeepLoads(t *testing.T) {
	begun := cueing.UnitTuning()
	begun.Kerb = 1.5
	if Lines(begun, begun) != nil {
		t.Errorf("nothing was tuned: %q", Lines(begun, begun))
	}
	set := begun
	set.Kerb, set.Belt = 1, 0.7
	cfg := config.Default()
	cfg.Tuning.Kerb = 1.5
	if err := config.Decode("f.toml", []byte(strings.Join(Lines(set, begun), "\n")), &cfg); err != nil || cueing.Tuning(cfg.Tuning) != set {
		t.Errorf("%v: %+v, want %+v", err, cfg.Tuning, set)
	}
}
