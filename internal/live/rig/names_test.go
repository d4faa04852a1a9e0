package rig

import (
	"slices"
	"testing"

	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/ffb"
	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
)

// The page keeps 24 bytes of a name.
func TestEveryCodeHasAName(t *testing.T) {
	n := Names([]string{"left"})
	for _, list := range [][]string{n.States, n.Effects, n.PlatformStates, n.Faults, n.Tunings} {
		if slices.Contains(list, "unknown") || slices.Contains(list, "") {
			t.Errorf("a code without a name: %q", list)
		}
		for _, name := range list {
			if len(name) > 24 {
				t.Errorf("%q is longer than 24 bytes", name)
			}
		}
	}
	if guard.State(len(n.States)).String() != "unknown" || motion.State(len(n.PlatformStates)).String() != "unknown" ||
		len(n.Effects) != int(ffb.EffectCount) || len(n.Tunings) != drive.Tunings {
		t.Errorf("names are missing: %q", n)
	}
	if frame.Name(n.States, uint64(guard.Driving)) != "driving" || frame.Name(n.PlatformStates, uint64(motion.Ready)) != "ready" || n.FaultText(6) != wire.Faults(6).String() {
		t.Errorf("names of other codes: %q", n)
	}
}
